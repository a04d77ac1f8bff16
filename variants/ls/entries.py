"""Variants: the entries of a directory and its reading."""

import contextlib
import os
import stat
from typing import Any

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, open_directory
from treeproof.reference_impl.shared.sandbox import Place
from treeproof.rows.ls.answer import Answer
from treeproof.rows.ls.row import row

from ..shared.variant import variant

FIRST_READ_BYTES = 32768
"""What one read of a directory returns at most."""

RECORD_BYTES = 280
"""The size of the largest record of a name."""


class KnownTypesOnly(Directory):
    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        mode = reader.lstat((), raw).st_mode
        if not (stat.S_ISDIR(mode) or stat.S_ISLNK(mode) or stat.S_ISREG(mode)):
            raise FileNotFoundError  # as if it had vanished
        return super().type(reader, raw)


class EscapedNames(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        return super().entry(raw, type)._replace(name=raw.decode("utf-8", "backslashreplace"))


class EscapedPaths(Project):
    def display_path(self, components: tuple[bytes, ...]) -> str:
        return "/".join(name.decode("utf-8", "backslashreplace") for name in components) or "."


class TypesOfTheDirectory(Directory):
    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        try:
            return super().type(reader, raw)
        except PermissionError:
            with os.scandir(self.project.join_root(self.components)) as entries:
                found = next(one for one in entries if one.name == raw)
                is_dir = found.is_dir(follow_symlinks=False)
                return "link" if found.is_symlink() else "dir" if is_dir else "file"


class OpensDirectories(Directory):
    """Opens every directory among the entries, as for an icon."""

    def entry(self, raw: bytes, type: EntryType) -> Entry:
        if type in ("dir", "link"):
            with contextlib.suppress(OSError):
                os.listdir(self.project.join_root((*self.components, raw)))
        return super().entry(raw, type)


class CompleteDespiteTheLastRead(Directory):
    """A read that fails after all names have come is no failure."""

    def entries(self) -> list[Entry]:
        found: list[Entry] = []
        descriptor = open_directory(Place(self.project.root, self.components))
        try:
            try:
                for one in os.scandir(descriptor):
                    found.append(self._scanned(one))
            except OSError:
                if not found or len(found) * RECORD_BYTES > FIRST_READ_BYTES:
                    raise
        finally:
            os.close(descriptor)
        return found if found else super().entries()

    def _scanned(self, one: os.DirEntry[str]) -> Entry:
        is_dir = one.is_dir(follow_symlinks=False)
        return self.entry(os.fsencode(one.name), "link" if one.is_symlink() else "dir" if is_dir else "file")


def with_names(at: Answer) -> list[dict[str, Any]]:
    return [{**one, "name": entry.name} for one, entry in zip(at.members["data"]["entries"], at.entries, strict=True)]


VARIANTS = (
    variant("AMB-LS-22=b", "Pipes and sockets are not listed.")(directory=KnownTypesOnly),
    variant("AMB-LS-27=b", "A name that is not UTF-8 is escaped.")(directory=EscapedNames, project=EscapedPaths),
    variant("AMB-LS-59=b", "A directory without search permission is listed.")(directory=TypesOfTheDirectory),
    variant("AMB-LS-67=tolerated", "Entries have a member `name`.")(row(listing={"data.entries": with_names})),
    variant("VAR-LS-08", "Directories and targets of links are opened.")(directory=OpensDirectories),
    variant(
        "VAR-LS-11",
        "A failing last read loses nothing.",
        unverified={"LS-SEC-08": "The directory says what its entries are: none of them is looked at."},
        excludes=("AMB-LS-22=b",),
    )(directory=CompleteDespiteTheLastRead),
)
