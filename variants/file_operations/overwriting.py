"""Variants: what may be overwritten, and how."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from treeproof.reference_impl.file_operations.file_copy import FileCopy, make_temporary_name
from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import ArgumentParser, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.settings import Settings, read_settings
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.variant import Variant, reading_variant
from .places import final_path, is_link, path_of_name, path_of_place, source_path
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


class IdleForOneFile(Resolution):
    """Two names of one file are no obstacle."""

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return False if stat.S_ISREG(found.st_mode) else super().is_same_file(found, existing)


class DanglingIsFree(Resolution):
    """A link that leads nowhere does not exist."""

    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        found = super().stat_existing(final)
        if found is None or self.request.overwrite or not stat.S_ISLNK(found.st_mode):
            return found
        return found if os.path.exists(path_of_name(final)) else None


class RenamesOverLinks(Move):
    """Renames without the flag that refuses existing names, if a dangling link has the name."""

    def rename(self) -> None:
        if not self.replaces_existing and is_link(self):
            os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        else:
            super().rename()


class PublishesOverLinks(Copy):
    """Renames the copy over a link that has the final name."""

    def publish(self, copy: FileCopy) -> None:
        if not self.replaces_existing and is_link(self):
            self.replaces_existing = True
        super().publish(copy)


class ThroughDanglingLinks(Resolution):
    """What a link that leads nowhere leads to may be the final name."""

    def makes_target(self) -> bool:
        """Return whether this call makes it."""
        return False

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        final = super().final_place(source, destination)
        path = path_of_name(final)
        is_dangling = os.path.islink(path) and not os.path.exists(path)
        is_source = final.path == self.followed_source(source).path
        if not is_dangling or is_source or not (final.target.components and self.makes_target()):
            return final
        *parent, name = final.target.components
        directory = self.sandbox.resolve_absolute(os.path.join(final.target.root, *parent))
        return NamedPlace(directory, name, final.target)


class MakesTheTarget(ThroughDanglingLinks):
    """Without overwrite, what a link that leads nowhere leads to is made."""

    def makes_target(self) -> bool:
        return not self.request.overwrite or super().makes_target()


class OverwritesTheTarget(ThroughDanglingLinks):
    """With overwrite, what a link that leads nowhere leads to is made."""

    def makes_target(self) -> bool:
        return self.request.overwrite or super().makes_target()


class MoveWritesThrough(Move):
    """Writes into the existing entry, under all its names, and deletes the source."""

    def rename(self) -> None:
        if self.writes_through():
            write_through(self)
            os.unlink(self.source_name, dir_fd=self.source_dir_fd)
        else:
            super().rename()

    def writes_through(self) -> bool:
        raise NotImplementedError


class MovesThroughLinks(MoveWritesThrough):
    """Writes through a link to a file."""

    def writes_through(self) -> bool:
        return leads_to_file(self)


class MovesThroughHardLinks(MoveWritesThrough):
    """Writes into a file that has other names."""

    def writes_through(self) -> bool:
        return has_other_names(self)


class CopiesThroughLinks(Copy):
    """Writes through a link to a file."""

    def run(self) -> None:
        if leads_to_file(self):
            self.check_copyable(self.stat_source())
            write_through(self)
        else:
            super().run()


class CopiesThroughHardLinks(Copy):
    """Writes into a file that has other names."""

    def run(self) -> None:
        if has_other_names(self):
            self.check_copyable(self.stat_source())
            write_through(self)
        else:
            super().run()


def leads_to_file(transfer: Transfer) -> bool:
    """Return whether the final name is a link to a file, and the source another file."""
    path = final_path(transfer)
    return (
        transfer.replaces_existing
        and os.path.islink(path)
        and os.path.isfile(path)
        and stat.S_ISREG(transfer.stat_source().st_mode)
        and not os.path.samestat(os.stat(path), transfer.stat_source())
    )


def has_other_names(transfer: Transfer) -> bool:
    """Return whether the final name is one of several of a file, and the source another file."""
    if not transfer.replaces_existing or not stat.S_ISREG(transfer.stat_source().st_mode):
        return False
    existing = os.lstat(transfer.final_name, dir_fd=transfer.target_dir_fd)
    is_other = not os.path.samestat(existing, transfer.stat_source())
    return is_other and stat.S_ISREG(existing.st_mode) and existing.st_nlink > 1


def write_through(transfer: Transfer) -> None:
    """Give the content of the source to the entry that the final name leads to."""
    with open(source_path(transfer), "rb") as source, open(final_path(transfer), "wb") as final:
        shutil.copyfileobj(source, final)


class RefusesLinks(Resolution):
    """A link is not overwritten."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        super().check_replacement(source, found, final, existing)
        if stat.S_ISLNK(existing.st_mode):
            raise execution_failed("the destination is a link")


class ChecksAndRenames(Move):
    """Renames without a flag: what came after the check is replaced."""

    def rename(self) -> None:
        try:
            os.lstat(self.final_name, dir_fd=self.target_dir_fd)
        except FileNotFoundError:
            os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        else:
            super().rename()


class OwnFile(Resolution):
    """A copy onto another name of its source is made."""

    _is_same_name = True

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return self._is_same_name and super().is_same_file(found, existing)

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        self._is_same_name = self.followed_source(source).path == final.path
        super().check_replacement(source, found, final, existing)


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


class LinkToTheSource(LetsReplace):
    """A link to the source may be the destination."""

    def may_replace(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> bool:
        path = path_of_name(final)
        return leads_to(path, found) and stat.S_ISREG(found.st_mode)


def leads_to(path: bytes, found: os.stat_result) -> bool:
    """Return whether a path is that of a link to the file."""
    return os.path.islink(path) and os.path.exists(path) and os.path.samestat(os.stat(path), found)


class IdleMoveOntoLink(Move):
    """Does nothing if a link to the source has the final name."""

    def run(self) -> None:
        if not (self.replaces_existing and leads_to(final_path(self), self.stat_source())):
            super().run()


class IdleCopyOntoLink(Copy):
    """Does nothing if a link to the source has the final name."""

    def run(self) -> None:
        if not (self.replaces_existing and leads_to(final_path(self), self.stat_source())):
            super().run()


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


class NamesOfLinksOut(LinkSandbox):
    """The name of a link that leads out lies inside, and may be moved and replaced."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        if path.name:
            directory, name = self.resolve(path.parent), path.name.encode()
            is_outside = not self._roots_containing(self._canonical_target(path.text))
            if is_outside and name != b".." and os.path.islink(os.path.join(path_of_place(directory), name)):
                self._check_denied_patterns((*directory.components, name))
                itself = Place(directory.root, (*directory.components, name), errno.ENOENT)
                return NamedPlace(directory, name, itself)
        return super().resolve_named(path)


VARIANTS = (
    reading_variant(
        "AMB-FO-01",
        "default",
        "The configuration is the default of the argument.",
        resolution=WithoutGate,
        argument_parser=ConfiguredDefault,
    ),
    reading_variant(
        "AMB-FO-01",
        "both",
        "The configuration is a gate, and the default of the argument.",
        argument_parser=ConfiguredDefault,
    ),
    reading_variant("AMB-FO-01", "configured", "A gate that is not written is open.", settings=read_gate),
    reading_variant(
        "AMB-FO-05",
        "replace",
        "A moved directory replaces an empty one.",
        move_resolution=ReplacesEmptyDirectories,
        move_transfer=RenamesDirectories,
    ),
    reading_variant("AMB-FO-21", "checked", "A move checks the name and then renames.", move_transfer=ChecksAndRenames),
    reading_variant(
        "AMB-FO-37",
        "replaced",
        "A move replaces a link that leads nowhere.",
        move_resolution=DanglingIsFree,
        move_transfer=RenamesOverLinks,
    ),
    reading_variant(
        "AMB-FO-37", "created", "A move makes what a link that leads nowhere leads to.", move_resolution=MakesTheTarget
    ),
    reading_variant(
        "AMB-FO-38",
        "replaced",
        "A copy replaces a link that leads nowhere.",
        copy_resolution=DanglingIsFree,
        copy_transfer=PublishesOverLinks,
    ),
    reading_variant(
        "AMB-FO-38",
        "created",
        "A copy makes what a link that leads nowhere leads to.",
        copy_resolution=MakesTheTarget,
    ),
    reading_variant("AMB-FO-39", "through", "A move writes through a link.", move_transfer=MovesThroughLinks),
    reading_variant("AMB-FO-39", "refuse", "A move onto a link is an error.", move_resolution=RefusesLinks),
    reading_variant("AMB-FO-40", "through", "A copy writes through a link.", copy_transfer=CopiesThroughLinks),
    reading_variant("AMB-FO-40", "refuse", "A copy onto a link is an error.", copy_resolution=RefusesLinks),
    reading_variant(
        "AMB-FO-41", "through", "A move writes into a file of several names.", move_transfer=MovesThroughHardLinks
    ),
    reading_variant(
        "AMB-FO-42", "through", "A copy writes into a file of several names.", copy_transfer=CopiesThroughHardLinks
    ),
    Variant(
        "VAR-FO-09",
        "A file that is moved onto an empty directory replaces it.",
        {"move_resolution": FileOntoEmptyDirectory, "move_transfer": RemovesEmptyDirectory},
    ),
    Variant(
        "VAR-FO-10",
        "A directory that is moved onto another one is merged into it.",
        {"move_resolution": MergesDirectories, "move_transfer": Merges},
    ),
    Variant("VAR-FO-11", "A move onto another name of the file is idle.", {"move_resolution": IdleForOneFile}),
    Variant(
        "VAR-FO-12",
        "A copy onto another name of its source becomes a file of its own.",
        {"copy_resolution": OwnFile},
    ),
    Variant(
        "VAR-FO-13",
        "A directory that is moved to where it is stays, and the call succeeds.",
        {"move_resolution": IdleForItsOwnDirectory, "move_transfer": IdleRename},
    ),
    Variant(
        "VAR-FO-22",
        "The name of a link that leads out is moved and replaced.",
        {"sandbox": NamesOfLinksOut},
        excludes=("AMB-FO-39=through", "AMB-FO-40=through"),
    ),
    Variant(
        "VAR-FO-29",
        "A directory that is moved onto a file replaces it.",
        {"move_resolution": DirectoryOntoFile, "move_transfer": RemovesFileForDirectory},
    ),
    Variant(
        "VAR-FO-30",
        "A file that is copied onto an empty directory replaces it.",
        {"copy_resolution": FileOntoEmptyDirectory, "copy_transfer": CopiesOntoEmptyDirectory},
    ),
    Variant(
        "VAR-FO-32",
        "With overwrite, what a link that leads nowhere leads to is made.",
        {"resolution": OverwritesTheTarget},
    ),
    Variant(
        "VAR-FO-33",
        "A directory that is copied onto a file replaces it.",
        {"copy_resolution": DirectoryOntoFile, "copy_transfer": TreeOntoFile},
        {"AMB-FO-33": "complete"},
    ),
    Variant(
        "VAR-FO-35",
        "A directory that is copied onto another one is merged into it.",
        {"copy_resolution": MergesIntoAny, "copy_transfer": MergesCopies},
        {"AMB-FO-33": "complete"},
    ),
    Variant(
        "VAR-FO-36",
        "A move or a copy onto a link to the source is idle.",
        {
            "resolution": LinkToTheSource,
            "move_transfer": IdleMoveOntoLink,
            "copy_transfer": IdleCopyOntoLink,
        },
    ),
    Variant(
        "VAR-FO-39",
        "A move or a copy of a file onto itself is idle.",
        {
            "resolution": OntoItself,
            "move_transfer": IdleMoveOntoItself,
            "copy_transfer": IdleCopyOntoItself,
        },
    ),
    Variant("VAR-FO-40", "Special files are not overwritten.", {"resolution": KeepsSpecialFiles}),
)
