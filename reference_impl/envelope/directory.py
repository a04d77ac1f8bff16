"""What stands in the directory that is listed. Only the directory itself is opened, its entries are not."""

import stat
from dataclasses import dataclass
from typing import Literal

from ..directories import Directories, directories
from ..paths import POSIX, Flavour, lossy
from ..sandbox import Place
from .project import Project

Type = Literal["dir", "file", "link"]


@dataclass(frozen=True)
class Entry:
    """One entry. `sorts_first`: it is a directory, or a link to one inside the sandbox (section 6)."""

    raw: bytes
    name: str
    path: str
    type: Type
    sorts_first: bool


class Directory:
    """A directory inside the project, by the names that lead to it from the root."""

    def __init__(self, project: Project, below: tuple[bytes, ...], flavour: Flavour) -> None:
        self.project = project
        self.below = below
        self._flavour = flavour

    def entries(self) -> list[Entry]:
        """In no order. Raises OSError; an entry that has gone meanwhile is none."""
        found = []
        with directories(Place(self.project.root, self.below), self._flavour) as reach:
            for raw in reach.names(()):
                try:
                    found.append(self.entry(raw, self.type(reach, raw)))
                except FileNotFoundError:
                    continue
        return found

    def type(self, reach: Directories, raw: bytes) -> Type:
        """Without following a link. What is neither a directory nor a link is a file (AMB-LS-22)."""
        mode = reach.lstat((), raw).st_mode
        return "link" if stat.S_ISLNK(mode) else "dir" if stat.S_ISDIR(mode) else "file"

    def entry(self, raw: bytes, type: Type) -> Entry:
        return Entry(raw, lossy(raw, POSIX), self.path(raw), type, self.sorts_first(raw, type))

    def path(self, raw: bytes) -> str:
        """Below the directory's own path, not below the link by which it was reached (AMB-LS-21)."""
        return self.project.shown((*self.below, raw))

    def sorts_first(self, raw: bytes, type: Type) -> bool:
        return type == "dir" or (type == "link" and self.project.is_directory_inside(self.below, raw))
