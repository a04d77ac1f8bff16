"""Variants: what may be overwritten, and how."""

import os
import shutil
import stat
from contextlib import suppress
from typing import Any

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.request import ArgumentParser
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.settings import Settings, read_settings
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer

from ..shared.variant import Variant, reading_variant
from .places import final_path, path_of_name, source_path


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


class MakesTheTarget(DanglingIsFree):
    """What a dangling link leads to is the final name."""

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        final = super().final_place(source, destination)
        path = path_of_name(final)
        if self.request.overwrite or not os.path.islink(path) or os.path.exists(path):
            return final
        if final.target.blocking_errno is not None or not final.target.components:
            return final
        *parent, name = final.target.components
        return NamedPlace(type(final.target)(final.target.root, tuple(parent)), name, final.target)


def is_link(transfer: Transfer) -> bool:
    """Return whether the final name is a link now."""
    return os.path.islink(final_path(transfer))


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
    return stat.S_ISREG(existing.st_mode) and existing.st_nlink > 1


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


def reading(interpretation: str, label: str, summary: str, **parts: Any) -> Variant:
    return reading_variant(interpretation, label, summary, **parts)


def for_both(**parts: Any) -> dict[str, Any]:
    """Return the parts for both tools; those of `copy` that are resolutions follow links."""
    found: dict[str, Any] = {}
    for name, part in parts.items():
        found["move_" + name] = found["copy_" + name] = part
        if name == "resolution":
            found["copy_resolution"] = for_copy(part)
    return found


def for_copy(resolution: type[Resolution]) -> type[Resolution]:
    """Return the resolution for `copy`, which follows a link as its source."""
    return type(f"{resolution.__name__}OfCopy", (resolution,), {"follows_source": True})


VARIANTS = (
    reading(
        "AMB-FO-01",
        "default",
        "The configuration is the default of the argument.",
        **for_both(resolution=WithoutGate, argument_parser=ConfiguredDefault),
    ),
    reading(
        "AMB-FO-01",
        "both",
        "The configuration is a gate, and the default of the argument.",
        **for_both(argument_parser=ConfiguredDefault),
    ),
    reading("AMB-FO-01", "configured", "A gate that is not written is open.", **for_both(settings=read_gate)),
    reading(
        "AMB-FO-05",
        "replace",
        "A moved directory replaces an empty one.",
        move_resolution=ReplacesEmptyDirectories,
        move_transfer=RenamesDirectories,
    ),
    reading("AMB-FO-21", "checked", "A move checks the name and then renames.", move_transfer=ChecksAndRenames),
    reading(
        "AMB-FO-37",
        "replaced",
        "A move replaces a link that leads nowhere.",
        move_resolution=DanglingIsFree,
        move_transfer=RenamesOverLinks,
    ),
    reading(
        "AMB-FO-37", "created", "A move makes what a link that leads nowhere leads to.", move_resolution=MakesTheTarget
    ),
    reading(
        "AMB-FO-38",
        "replaced",
        "A copy replaces a link that leads nowhere.",
        copy_resolution=for_copy(DanglingIsFree),
        copy_transfer=PublishesOverLinks,
    ),
    reading(
        "AMB-FO-38",
        "created",
        "A copy makes what a link that leads nowhere leads to.",
        copy_resolution=for_copy(MakesTheTarget),
    ),
    reading("AMB-FO-39", "through", "A move writes through a link.", move_transfer=MovesThroughLinks),
    reading("AMB-FO-39", "refuse", "A move onto a link is an error.", move_resolution=RefusesLinks),
    reading("AMB-FO-40", "through", "A copy writes through a link.", copy_transfer=CopiesThroughLinks),
    reading("AMB-FO-40", "refuse", "A copy onto a link is an error.", copy_resolution=for_copy(RefusesLinks)),
    reading("AMB-FO-41", "through", "A move writes into a file of several names.", move_transfer=MovesThroughHardLinks),
    reading(
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
        {"copy_resolution": for_copy(OwnFile)},
    ),
    Variant(
        "VAR-FO-13",
        "A directory that is moved to where it is stays, and the call succeeds.",
        {"move_resolution": IdleForItsOwnDirectory, "move_transfer": IdleRename},
    ),
)
