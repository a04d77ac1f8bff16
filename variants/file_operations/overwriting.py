"""Variants: what may be overwritten, and how: files and directories."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from treeproof.reference_impl.file_operations.file_copy import make_temporary_name
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.request import ArgumentParser
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.settings import Settings, read_settings
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer

from ..shared.variant import variant
from .places import final_path, is_link, path_of_name, source_path
from .trees import CopiesTrees


class WithoutGate(Resolution):
    """The argument alone decides."""

    def check_overwrite_allowed(self) -> None:
        if not self.request.overwrite:
            super().check_overwrite_allowed()


class ConfiguredDefault(ArgumentParser):
    """The configuration stands in for an argument that is left out."""

    def parse_overwrite(self) -> bool:
        given = self.arguments.get("overwrite")
        return self.settings.allow_overwrite if given is None else bool(given)


def read_gate(config: Any) -> Settings:
    """Return the settings; a gate that is not written is open."""
    table = ((config or {}).get("tools") or {}).get("fileops") or {}
    settings = read_settings(config)
    return settings if "allow_overwrite" in table else Settings(allow_overwrite=True)


class ReplacesEmptyDirectories(Resolution):
    """A directory may take the place of an empty one."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        both = stat.S_ISDIR(found.st_mode) and stat.S_ISDIR(existing.st_mode)
        if both and not self.is_same_file(found, existing) and not os.listdir(path_of_name(final)):
            self.check_overwrite_allowed()
        else:
            super().check_replacement(source, found, final, existing)


class RenamesDirectories(Move):
    """Renames as the system does, which replaces empty directories by directories."""

    def rename(self) -> None:
        is_directory = stat.S_ISDIR(self.stat_source().st_mode)
        if self.replaces_existing and is_directory:
            os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        else:
            super().rename()


class FileOntoEmptyDirectory(Resolution):
    """A file may take the place of an empty directory."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        onto_directory = stat.S_ISDIR(existing.st_mode) and not stat.S_ISDIR(found.st_mode)
        if onto_directory and not os.listdir(path_of_name(final)):
            self.check_overwrite_allowed()
        else:
            super().check_replacement(source, found, final, existing)


class RemovesEmptyDirectory(Move):
    """Removes an empty directory with the final name."""

    def rename(self) -> None:
        if self.replaces_existing and not stat.S_ISDIR(self.stat_source().st_mode):
            with suppress(OSError):
                os.rmdir(self.final_name, dir_fd=self.target_dir_fd)
        super().rename()


class MergesDirectories(Resolution):
    """A directory may go into another one that has none of its names."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        both = stat.S_ISDIR(found.st_mode) and stat.S_ISDIR(existing.st_mode)
        if not both or self.is_same_file(found, existing):
            super().check_replacement(source, found, final, existing)
            return
        self.check_overwrite_allowed()
        names, others = os.listdir(path_of_name(source)), os.listdir(path_of_name(final))
        above = path_of_name(source).startswith(path_of_name(final) + b"/")
        if above or not others or set(names) & set(others):
            super().check_replacement(source, found, final, existing)


class Merges(Move):
    """Moves the entries of a directory into an existing one."""

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


class IdleForItsOwnDirectory(Resolution):
    """A directory that is moved to where it is stays, and the call succeeds."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        if source.path == final.path and stat.S_ISDIR(found.st_mode):
            self.check_overwrite_allowed()
        else:
            super().check_replacement(source, found, final, existing)

    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        if source.path != final.path:
            super().check_not_into_itself(source, found, final)


class IdleRename(Move):
    """Does nothing for a directory and its own name."""

    def rename(self) -> None:
        if not (self.replaces_existing and os.path.samefile(source_path(self), final_path(self)) and not is_link(self)):
            super().rename()


class LetsReplace(Resolution):
    """Has a method that says which further entries may be replaced."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        if self.may_replace(source, found, final, existing):
            self.check_overwrite_allowed()
        else:
            super().check_replacement(source, found, final, existing)

    def may_replace(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> bool:
        raise NotImplementedError


class DirectoryOntoFile(LetsReplace):
    """A directory may take the place of a file or a link."""

    def may_replace(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> bool:
        return stat.S_ISDIR(found.st_mode) and (stat.S_ISREG(existing.st_mode) or stat.S_ISLNK(existing.st_mode))


class RemovesFileForDirectory(Move):
    """Removes the file or link whose place a directory takes."""

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
    """Removes an empty directory with the final name."""

    def run(self) -> None:
        if self.replaces_existing and stat.S_ISREG(self.stat_source().st_mode):
            with suppress(OSError):
                os.rmdir(self.final_name, dir_fd=self.target_dir_fd)
        super().run()


class TreeOntoFile(CopiesTrees):
    """Removes the file whose place the copy of a directory takes."""

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
    """Copies the entries of a directory into an existing one."""

    def run(self) -> None:
        if self.replaces_existing and stat.S_ISDIR(self.stat_source().st_mode):
            old, new = os.fsdecode(source_path(self)), os.fsdecode(final_path(self))
            shutil.copytree(old, new, symlinks=True, dirs_exist_ok=True)
        else:
            super().run()


class MergesIntoAny(LetsReplace):
    """The copy of a directory may go into another one that has none of its names."""

    def may_replace(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> bool:
        if not (stat.S_ISDIR(found.st_mode) and stat.S_ISDIR(existing.st_mode)) or self.is_same_file(found, existing):
            return False
        old, new = path_of_name(self.followed_source(source)), path_of_name(final)
        is_inside = (old + b"/").startswith(new + b"/") or (new + b"/").startswith(old + b"/")
        return not is_inside and not set(os.listdir(old)) & set(os.listdir(new))


class OntoItself(LetsReplace):
    """A file may be the destination of itself."""

    def may_replace(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> bool:
        return stat.S_ISREG(found.st_mode) and self.followed_source(source).path == final.path


class IdleMoveOntoItself(Move):
    def run(self) -> None:
        if not is_itself(self):
            super().run()


class IdleCopyOntoItself(Copy):
    def run(self) -> None:
        if not is_itself(self):
            super().run()


def is_itself(transfer: Transfer) -> bool:
    """Return whether source and final name are one."""
    return transfer.replaces_existing and source_path(transfer) == final_path(transfer)


class KeepsSpecialFiles(Resolution):
    """Only files and links are overwritten."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        super().check_replacement(source, found, final, existing)
        if not (stat.S_ISREG(existing.st_mode) or stat.S_ISLNK(existing.st_mode)):
            raise execution_failed("the destination is a special file")


VARIANTS = (
    variant("AMB-FO-01=default", "The configuration is the default of the argument.")(
        resolution=WithoutGate, argument_parser=ConfiguredDefault
    ),
    variant("AMB-FO-01=both", "The configuration is a gate, and the default of the argument.")(
        argument_parser=ConfiguredDefault
    ),
    variant("AMB-FO-01=configured", "A gate that is not written is open.")(settings=read_gate),
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
        resolution=OntoItself, move_transfer=IdleMoveOntoItself, copy_transfer=IdleCopyOntoItself
    ),
    variant("VAR-FO-40", "Special files are not overwritten.")(resolution=KeepsSpecialFiles),
    variant(
        "VAR-FO-68",
        "A file is removed before a directory cannot be copied onto it.",
        excludes=("AMB-FO-40=refuse", "VAR-FO-33", "VAR-FO-35"),
    )(copy_resolution=DirectoryOntoFile, copy_transfer=RemovesBeforeItLooks),
)
