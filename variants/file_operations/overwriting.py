"""Variants: what may be overwritten, and how: files and directories."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from treeproof.reference_impl.file_operations.file_copy import make_temporary_name
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Replacement, Resolution
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer
from treeproof.rows.file_operations.row import At, flag_in, row
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .places import final_path, is_link, path_of_name, source_path
from .stages import DEFAULTS
from .trees import CopiesTrees


def gate(*, is_written: bool) -> Row:
    """Return the row that opens the gate of the configuration; ``is_written``: also where it is closed there."""

    def opened(config: Any, tool: str) -> Any:
        config = {} if config is None else config
        tools = config.get("tools", {}) if isinstance(config, dict) else None
        table = tools.get("fileops", {}) if isinstance(tools, dict) else None
        if not (isinstance(tools, dict) and isinstance(table, dict)):
            return config
        is_due = "allow_overwrite" not in table or (is_written and table["allow_overwrite"] is False)
        return {**config, "tools": {**tools, "fileops": {**table, "allow_overwrite": True}}} if is_due else config

    return row(config=opened)


without_gate = gate(is_written=True)


def by_configuration(at: At) -> Any:
    """Let the configuration stand in for an argument that is left out."""
    is_open = flag_in(at.context.get("config"), "tools", "fileops") is True
    is_left_out = isinstance(at.arguments, dict) and "overwrite" not in at.arguments
    return at.answer(overwrite=True) if is_open and is_left_out else at.sent.answer()


def is_special(found: os.stat_result | None) -> bool:
    """Return whether an entry is neither a file, a directory nor a link."""
    return found is not None and stat.S_IFMT(found.st_mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)


configured_default = row(stage=DEFAULTS, answer=by_configuration)


class LetsReplace(Resolution):
    """Has a method that says which further entries may be replaced."""

    def check_replacement(self, at: Replacement) -> None:
        if self.may_replace(at):
            self.check_overwrite_allowed()
        else:
            super().check_replacement(at)

    def may_replace(self, at: Replacement) -> bool:
        return False


class ReplacesEmptyDirectories(LetsReplace):
    def may_replace(self, at: Replacement) -> bool:
        both = stat.S_ISDIR(at.found.st_mode) and stat.S_ISDIR(at.existing.st_mode)
        is_empty = both and not self.is_same_file(at.found, at.existing) and not os.listdir(path_of_name(at.final))
        return is_empty or super().may_replace(at)


class RenamesDirectories(Move):
    """Renames as the system does, which replaces empty directories by directories."""

    def rename(self) -> None:
        is_directory = stat.S_ISDIR(self.stat_source().st_mode)
        if self.replaces_existing and is_directory:
            os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        else:
            super().rename()


class FileOntoEmptyDirectory(LetsReplace):
    def may_replace(self, at: Replacement) -> bool:
        onto_directory = stat.S_ISDIR(at.existing.st_mode) and not stat.S_ISDIR(at.found.st_mode)
        return (onto_directory and not os.listdir(path_of_name(at.final))) or super().may_replace(at)


class RemovesEmptyDirectory(Move):
    def rename(self) -> None:
        if self.replaces_existing and not stat.S_ISDIR(self.stat_source().st_mode):
            with suppress(OSError):
                os.rmdir(self.final_name, dir_fd=self.target_dir_fd)
        super().rename()


class MergesDirectories(Resolution):
    def check_replacement(self, at: Replacement) -> None:
        both = stat.S_ISDIR(at.found.st_mode) and stat.S_ISDIR(at.existing.st_mode)
        if not both or self.is_same_file(at.found, at.existing):
            super().check_replacement(at)
            return
        self.check_overwrite_allowed()
        names, others = os.listdir(path_of_name(at.source)), os.listdir(path_of_name(at.final))
        above = path_of_name(at.source).startswith(path_of_name(at.final) + b"/")
        if above or not others or set(names) & set(others):
            super().check_replacement(at)


class Merges(Move):
    def rename(self) -> None:
        if not (self.replaces_existing and stat.S_ISDIR(self.stat_source().st_mode)):
            super().rename()
            return
        old, new = source_path(self), final_path(self)
        for name in os.listdir(old):
            os.rename(os.path.join(old, name), os.path.join(new, name))
        os.rmdir(old)


class ChecksAndRenames(Move):
    """Renames without a flag: what came after the check is replaced."""

    def rename(self) -> None:
        try:
            os.lstat(self.final_name, dir_fd=self.target_dir_fd)
        except FileNotFoundError:
            os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        else:
            super().rename()


class IdleForItsOwnDirectory(LetsReplace):
    def may_replace(self, at: Replacement) -> bool:
        is_itself = at.source.path == at.final.path and stat.S_ISDIR(at.found.st_mode)
        return is_itself or super().may_replace(at)

    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        if source.path != final.path:
            super().check_not_into_itself(source, found, final)


class IdleRename(Move):
    def rename(self) -> None:
        if not (self.replaces_existing and os.path.samefile(source_path(self), final_path(self)) and not is_link(self)):
            super().rename()


class DirectoryOntoFile(LetsReplace):
    def may_replace(self, at: Replacement) -> bool:
        onto_file = stat.S_IFMT(at.existing.st_mode) in (stat.S_IFREG, stat.S_IFLNK)
        return (stat.S_ISDIR(at.found.st_mode) and onto_file) or super().may_replace(at)


class RemovesFileForDirectory(Move):
    def rename(self) -> None:
        with old_file_away(self):
            super().rename()


@contextmanager
def old_file_away(transfer: Transfer) -> Iterator[None]:
    """Free the final name of a file or link for a directory; after a failure, it is back."""
    is_directory = stat.S_ISDIR(transfer.stat_source().st_mode)
    if not (is_directory and transfer.replaces_existing) or os.path.isdir(final_path(transfer)):
        yield
        return
    directory, name = transfer.target_dir_fd, make_temporary_name()
    os.rename(transfer.final_name, name, src_dir_fd=directory, dst_dir_fd=directory)
    transfer.replaces_existing = False
    try:
        yield
    except OSError:
        os.rename(name, transfer.final_name, src_dir_fd=directory, dst_dir_fd=directory)
        transfer.replaces_existing = True
        raise
    os.unlink(name, dir_fd=directory)


class CopiesOntoEmptyDirectory(Copy):
    def run(self) -> None:
        if self.replaces_existing and stat.S_ISREG(self.stat_source().st_mode):
            with suppress(OSError):
                os.rmdir(self.final_name, dir_fd=self.target_dir_fd)
        super().run()


class TreeOntoFile(CopiesTrees):
    def run(self) -> None:
        with old_file_away(self):
            super().run()


class RemovesBeforeItLooks(Copy):
    """Removes the file or link that has the final name, then finds that the source is a directory."""

    def run(self) -> None:
        if self.replaces_existing and stat.S_ISDIR(self.stat_source().st_mode):
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
            self.replaces_existing = False
        super().run()


class MergesCopies(CopiesTrees):
    def run(self) -> None:
        if self.replaces_existing and stat.S_ISDIR(self.stat_source().st_mode):
            old, new = os.fsdecode(source_path(self)), os.fsdecode(final_path(self))
            shutil.copytree(old, new, symlinks=True, dirs_exist_ok=True)
        else:
            super().run()


class MergesIntoAny(LetsReplace):
    def may_replace(self, at: Replacement) -> bool:
        both = stat.S_ISDIR(at.found.st_mode) and stat.S_ISDIR(at.existing.st_mode)
        if not both or self.is_same_file(at.found, at.existing):
            return super().may_replace(at)
        old, new = path_of_name(self.followed_source(at.source)), path_of_name(at.final)
        is_inside = (old + b"/").startswith(new + b"/") or (new + b"/").startswith(old + b"/")
        return not is_inside and not set(os.listdir(old)) & set(os.listdir(new))


class OntoItself(LetsReplace):
    def may_replace(self, at: Replacement) -> bool:
        is_itself = stat.S_ISREG(at.found.st_mode) and self.followed_source(at.source).path == at.final.path
        return is_itself or super().may_replace(at)


def idle(base: type[Transfer], is_idle: Callable[[Transfer], bool]) -> Any:
    """Return the move or the copy that does nothing where there is nothing to do."""

    def run(self: Any) -> None:
        if not is_idle(self):
            super(made, self).run()

    made: Any = type(f"Idle{base.__name__}", (base,), {"run": run})
    return made


def is_itself(transfer: Transfer) -> bool:
    """Return whether source and final name are one."""
    return transfer.replaces_existing and source_path(transfer) == final_path(transfer)


VARIANTS = (
    variant("AMB-FO-01=default", "The configuration is the default of the argument.")(without_gate, configured_default),
    variant("AMB-FO-01=both", "The configuration is a gate, and the default of the argument.")(configured_default),
    variant("AMB-FO-01=configured", "A gate that is not written is open.")(gate(is_written=False)),
    variant("AMB-FO-05=replace", "A moved directory replaces an empty one.")(
        move_resolution=ReplacesEmptyDirectories, move_transfer=RenamesDirectories
    ),
    variant("AMB-FO-21=checked", "A move checks the name and then renames.")(move_transfer=ChecksAndRenames),
    variant("VAR-FO-09", "A file that is moved onto an empty directory replaces it.", excludes=("AMB-FO-41=through",))(
        move_resolution=FileOntoEmptyDirectory, move_transfer=RemovesEmptyDirectory
    ),
    variant("VAR-FO-10", "A directory that is moved onto another one is merged into it.")(
        move_resolution=MergesDirectories, move_transfer=Merges
    ),
    variant("VAR-FO-13", "A directory that is moved to where it is stays, and the call succeeds.")(
        move_resolution=IdleForItsOwnDirectory, move_transfer=IdleRename
    ),
    variant("VAR-FO-29", "A directory that is moved onto a file replaces it.")(
        move_resolution=DirectoryOntoFile, move_transfer=RemovesFileForDirectory
    ),
    variant(
        "VAR-FO-30",
        "A file that is copied onto an empty directory replaces it.",
        excludes=("AMB-FO-42=through", "VAR-FO-05", "VAR-FO-07"),
    )(copy_resolution=FileOntoEmptyDirectory, copy_transfer=CopiesOntoEmptyDirectory),
    variant("VAR-FO-33", "A directory that is copied onto a file replaces it.", {"AMB-FO-33": "complete"})(
        copy_resolution=DirectoryOntoFile, copy_transfer=TreeOntoFile
    ),
    variant("VAR-FO-35", "A directory that is copied onto another one is merged into it.", {"AMB-FO-33": "complete"})(
        copy_resolution=MergesIntoAny, copy_transfer=MergesCopies
    ),
    variant("VAR-FO-39", "A move or a copy of a file onto itself is idle.")(
        resolution=OntoItself, move_transfer=idle(Move, is_itself), copy_transfer=idle(Copy, is_itself)
    ),
    variant("VAR-FO-40", "Special files are not overwritten.")(row(forbid=lambda at: is_special(at.existing))),
    variant(
        "VAR-FO-68",
        "A file is removed before a directory cannot be copied onto it.",
        excludes=("AMB-FO-40=refuse", "VAR-FO-33", "VAR-FO-35"),
    )(copy_resolution=DirectoryOntoFile, copy_transfer=RemovesBeforeItLooks),
)
