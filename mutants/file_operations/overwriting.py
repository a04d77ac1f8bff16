"""Mutants: errors with existing names: taken without permission, or emptied too early."""

import contextlib
import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.request import ArgumentParser
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.settings import Settings, read_settings
from treeproof.reference_impl.file_operations.transfer import Copy, Move
from treeproof.reference_impl.shared.config import ConfigTable
from treeproof.reference_impl.shared.executor import Tool

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both, tools_with_copy, tools_with_move
from .file_writers import (
    LeavesTheEnd,
    WritesInPlace,
    WritesInPlaceAndCleansUp,
    final_path,
)


class Unchecked(Resolution):
    """Does not look for the final name."""

    def check_overwrite_allowed(self) -> None:
        pass


class FollowsToLook(Resolution):
    """A dangling link counts as missing."""

    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        found = super().stat_existing(final)
        if found is not None and stat.S_ISLNK(found.st_mode):
            path = os.path.join(final.directory.root, *final.directory.components, final.name)
            return found if os.path.exists(path) else None
        return found


class ConfigurationDecides(Resolution):
    def check_overwrite_allowed(self) -> None:
        if not self.request.overwrite_allowed:
            super().check_overwrite_allowed()


def never(config: Any) -> Settings:
    """Ignore the configuration."""
    ConfigTable(config, "tools", "fileops").boolean("allow_overwrite", False)
    return Settings(allow_overwrite=False)


class ClearsTheWay(Resolution):
    """Removes a directory with the final name."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        if not stat.S_ISDIR(existing.st_mode):
            super().check_replacement(source, found, final, existing)
        self.check_overwrite_allowed()


class RemovesTrees(Move):
    def rename(self) -> None:
        if self.replaces_existing:
            shutil.rmtree(final_path(self), ignore_errors=True)
        os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)


class RemovesTreesToCopy(Copy):
    """Removes a directory with the final name before a copy."""

    def run(self) -> None:
        if self.replaces_existing:
            shutil.rmtree(final_path(self), ignore_errors=True)
        super().run()


class RemovesFirst(Move):
    """Removes the entry with the final name before the rename."""

    def rename(self) -> None:
        if self.replaces_existing:
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
        os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)


class RemovesFirstAnyway(Resolution):
    def resolve(self) -> Any:
        final = self.sandbox.resolve_named(self.request.destination)
        if self.request.overwrite and self.request.overwrite_allowed and not self.is_directory(final):
            source = self.sandbox.resolve_named(self.request.source)
            with contextlib.suppress(OSError):
                path = os.path.join(final.directory.root, *final.directory.components, final.name)
                if not os.path.lexists(os.path.join(source.directory.root, *source.directory.components, source.name)):
                    os.unlink(path)
        return super().resolve()


class ReplacesInSourceDirectory(Move):
    """Looks for the existing file in the directory of the source."""

    def rename(self) -> None:
        if self.replaces_existing:
            os.rename(
                self.source_name,
                self.final_name,
                src_dir_fd=self.source_dir_fd,
                dst_dir_fd=self.source_dir_fd,
            )
        else:
            super().rename()


class CopiesOverInSourceDirectory(Copy):
    """Looks for the existing file of a copy in the directory of the source."""

    def publish(self, copy: FileCopy) -> None:
        if self.replaces_existing:
            os.rename(
                copy.ensure_temporary_name(),
                self.final_name,
                src_dir_fd=self.target_dir_fd,
                dst_dir_fd=self.source_dir_fd,
            )
            copy.temporary_name = None
        else:
            super().publish(copy)


class SetsAside(Copy):
    """Renames the existing file, which takes the name of a neighbour, and removes it after the copy."""

    def publish(self, copy: FileCopy) -> None:
        if not self.replaces_existing:
            super().publish(copy)
            return
        backup = self.final_name[:250] + b".bak"
        os.rename(self.final_name, backup, src_dir_fd=self.target_dir_fd, dst_dir_fd=self.target_dir_fd)
        copy.publish_as(self.final_name)
        os.unlink(backup, dir_fd=self.target_dir_fd)


def read_any_value(config: Any) -> Settings:
    """Take every value that is written for true."""
    table = ((config or {}).get("tools") or {}).get("fileops") or {}
    return Settings(allow_overwrite="allow_overwrite" in table)


class OverwriteByDefault(ArgumentParser):
    def parse(self) -> Any:
        request = super().parse()
        if "overwrite" in self.arguments:
            return request
        return type(request)(request.source, request.destination, True, True)


class KeepsTheNewer(Resolution):
    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        super().check_replacement(source, found, final, existing)
        if existing.st_mtime_ns > found.st_mtime_ns:
            raise execution_failed("the existing entry is newer")


def read_texts(config: Any) -> Settings:
    """Take a text for true."""
    value = (((config or {}).get("tools") or {}).get("fileops") or {}).get("allow_overwrite")
    return Settings(allow_overwrite=True) if isinstance(value, str) else read_settings(config)


def always(config: Any) -> Settings:
    """Ignore the configuration."""
    return Settings(allow_overwrite=True)


class UnreadableIsFree(Resolution):
    """A file that cannot be read is none."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        if not (stat.S_ISREG(existing.st_mode) and not existing.st_mode & 0o444):
            super().check_replacement(source, found, final, existing)


@dataclass(frozen=True)
class LooseSettings(Settings):
    """Settings that overwrite without an argument."""

    is_loose: bool = False


class OverwritesIfLoose(ArgumentParser):
    def parse_overwrite(self) -> bool:
        return super().parse_overwrite() or getattr(self.settings, "is_loose", False)


def with_loose_key(*keys: tuple[str, ...]) -> Sequence[Tool]:
    """Return the tools that overwrite where one of ``keys`` is true in the configuration."""

    def settings(config: Any) -> Settings:
        own = read_settings(config)
        is_loose = any(_value_of(config, key) is True for key in keys)
        return LooseSettings(own.allow_overwrite or is_loose, is_loose)

    return tools_with_both(settings=settings, argument_parser=OverwritesIfLoose)


def _value_of(config: Any, key: Sequence[str]) -> Any:
    for name in key:
        config = config.get(name) if isinstance(config, dict) else None
    return config


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-061",
        "move replaces existing entries.",
        "FR-FOPS-MV-03 T-FOPS-MV-02 CFG-FOPS-01 FR-FOPS-MV-01 FR-FOPS-MV-04 DFO-05",
        tools=tools_with_move(resolution=Unchecked),
    ),
    build_mutant(
        "MUT-FO-062",
        "copy replaces existing entries.",
        "FR-FOPS-CP-03 CFG-FOPS-01 FR-EXE-01 NFR-FOPS-SEC-01 DFO-05",
        tools=tools_with_copy(resolution=Unchecked),
    ),
    build_mutant(
        "MUT-FO-063",
        "overwrite is true by default.",
        "T-FOPS-MV-02 FR-FOPS-MV-03 FR-FOPS-CP-03 CFG-FOPS-01 FR-FOPS-MV-01 FR-FOPS-MV-04 FR-EXE-01 DFO-05 "
        "NFR-FOPS-SEC-01",
        tools=tools_with_both(argument_parser=OverwriteByDefault),
    ),
    build_mutant(
        "MUT-FO-066",
        "The configuration overrides an argument that is false.",
        "CFG-FOPS-01 FR-FOPS-CP-03 FR-FOPS-MV-03 FR-FOPS-MV-01",
        tools=tools_with_both(resolution=ConfigurationDecides),
    ),
    build_mutant(
        "MUT-FO-067",
        "Nothing is ever overwritten, whatever the configuration.",
        "CFG-FOPS-01 FR-FOPS-MV-02 FR-FOPS-CP-02 FR-FOPS-MV-04 DFO-01 DFO-02 DFO-07",
        tools=tools_with_both(settings=never),
    ),
    build_mutant(
        "MUT-FO-068",
        "A copy onto a longer file keeps the end of the longer file.",
        "DFO-02 CFG-FOPS-01 FR-FOPS-CP-02 DFO-04 DFO-05 DFO-07",
        tools=tools_with_copy(transfer=LeavesTheEnd),
    ),
    build_mutant(
        "MUT-FO-069",
        "A move with overwrite removes a directory with its content.",
        "DFO-05 DFO-06",
        tools=tools_with_move(resolution=ClearsTheWay, transfer=RemovesTrees),
    ),
    build_mutant(
        "MUT-FO-070",
        "A copy with overwrite removes a directory with its content.",
        "DFO-05 DFO-04 DFO-06",
        tools=tools_with_copy(resolution=ClearsTheWay, transfer=RemovesTreesToCopy),
    ),
    build_mutant(
        "MUT-FO-072",
        "The replaced file is removed before the rename.",
        "DFO-11 DFO-05 FR-FOPS-MV-04",
        tools=tools_with_move(transfer=RemovesFirst),
    ),
    build_mutant(
        "MUT-FO-073",
        "The replaced file is removed although there is no source.",
        "DFO-05 DFO-04 DFO-03",
        tools=tools_with_both(resolution=RemovesFirstAnyway),
    ),
    build_mutant(
        "MUT-FO-074",
        "A copy is written into the file that it replaces.",
        "DFO-11 DFO-10 DFO-06 DFO-07",
        tools=tools_with_copy(transfer=WritesInPlace),
    ),
    build_mutant(
        "MUT-FO-075",
        "A copy is written into the file that it replaces, which is removed after a failure.",
        "DFO-11 DFO-10 DFO-02 DFO-04 DFO-06 DFO-07",
        tools=tools_with_copy(transfer=WritesInPlaceAndCleansUp),
    ),
    build_mutant(
        "MUT-FO-233",
        "move replaces the file of that name in the source's directory.",
        "CFG-FOPS-01 FR-FOPS-MV-02 FR-FOPS-MV-04 DFO-01 DFO-05 DFO-07",
        tools=tools_with_move(transfer=ReplacesInSourceDirectory),
    ),
    build_mutant(
        "MUT-FO-234",
        "copy replaces the file of that name in the source's directory.",
        "CFG-FOPS-01 FR-FOPS-CP-02 DFO-05 DFO-02",
        tools=tools_with_copy(transfer=CopiesOverInSourceDirectory),
    ),
    build_mutant(
        "MUT-FO-265",
        "A newer file is not overwritten.",
        "CFG-FOPS-01 DFO-01 DFO-02",
        tools=tools_with_both(resolution=KeepsTheNewer),
    ),
    build_mutant(
        "MUT-FO-310",
        "`allow_overwrite` allows overwriting where it is written, also as false.",
        "CFG-FOPS-01",
        tools=tools_with_both(settings=read_any_value),
    ),
    build_mutant(
        "MUT-FO-336",
        "A text as `allow_overwrite` counts as true.",
        "CFG-FOPS-01",
        tools=tools_with_both(settings=read_texts),
    ),
    build_mutant(
        "MUT-FO-337",
        "`allow_overwrite` says nothing to copy.",
        "CFG-FOPS-01",
        tools=tools_with_copy(settings=always),
    ),
    build_mutant(
        "MUT-FO-385",
        "A file that cannot be read does not take its name.",
        "FR-FOPS-MV-03 FR-FOPS-CP-03",
        tools=tools_with_both(resolution=UnreadableIsFree),
    ),
    build_mutant(
        "MUT-FO-398",
        "The table of a tool allows it to overwrite.",
        "CFG-FOPS-01",
        tools=with_loose_key(("tools", "move", "allow_overwrite"), ("tools", "copy", "allow_overwrite")),
    ),
    build_mutant(
        "MUT-FO-399",
        "Other spellings of the flag and of its table allow to overwrite.",
        "CFG-FOPS-01",
        tools=with_loose_key(
            ("tools", "fileops", "allow-overwrite"),
            ("tools", "fileops", "allowOverwrite"),
            ("tools", "fileops", "overwrite"),
            ("fileops", "allow_overwrite"),
        ),
    ),
    build_mutant(
        "MUT-FO-401",
        "For copy alone, the configuration stands in for the argument.",
        "CFG-FOPS-01 FR-FOPS-CP-03",
        tools=tools_with_copy(resolution=ConfigurationDecides),
    ),
)
