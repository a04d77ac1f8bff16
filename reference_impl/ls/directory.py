"""The entries of the listed directory. Only the directory itself is opened."""

import stat
from typing import Literal, NamedTuple

from ..shared.directory_reader import DirectoryReader, open_reader
from ..shared.paths import POSIX, Flavour, decode_lossy
from ..shared.sandbox import Place
from .project import Project

EntryType = Literal["dir", "file", "link"]


class Entry(NamedTuple):
    """One entry. `sorts_first`: it is a directory, or a link to one inside the sandbox (section 6)."""

    raw_name: bytes
    name: str
    path: str
    type: EntryType
    sorts_first: bool


class Directory:
    """A directory inside the project, given as its names from the root."""

    def __init__(self, project: Project, components: tuple[bytes, ...], flavour: Flavour) -> None:
        self.project = project
        self.components = components
        self._flavour = flavour

    def entries(self) -> list[Entry]:
        """Return the entries, unsorted, without those that vanished. Raises OSError."""
        found = []
        with open_reader(Place(self.project.root, self.components), self._flavour) as reader:
            for raw in reader.list_names(()):
                try:
                    found.append(self.entry(raw, self.type(reader, raw)))
                except FileNotFoundError:
                    continue
        return found

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        """Return the type without following a link; other types are files (AMB-LS-22)."""
        mode = reader.lstat((), raw).st_mode
        return "link" if stat.S_ISLNK(mode) else "dir" if stat.S_ISDIR(mode) else "file"

    def entry(self, raw: bytes, type: EntryType) -> Entry:
        path = self.project.display_path((*self.components, raw))  # not below a link to the directory (AMB-LS-21)
        leads_to_directory = type == "link" and self.project.links_to_inside_directory(self.components, raw)
        return Entry(raw, decode_lossy(raw, POSIX), path, type, sorts_first=type == "dir" or leads_to_directory)
