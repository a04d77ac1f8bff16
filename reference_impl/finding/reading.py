"""Reading directories by absolute paths, one level or all of them. Links are seen and never gone through.

Whoever reads raises OSError where the directory that was asked for cannot be read; what goes away meanwhile is no
entry any more (AMB-LF-16), and a closed directory further down is passed over (AMB-LF-15).
"""

import os
import stat
from collections.abc import Iterable, Iterator

from .entries import Seen


def text(name: bytes) -> str:
    """A name or a target as valid text (AMB-LF-17, AMB-LF-25)."""
    return name.decode("utf-8", "replace")


class Reading:
    """One directory that was asked for, by its normalised path."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self._path = os.fsencode(directory)

    def path(self, *below: bytes) -> bytes:
        return b"/".join((self._path.rstrip(b"/"), *below)) or b"/"

    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return os.listdir(self.path(*below))

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        return os.lstat(self.path(*below, name))

    def target(self, below: tuple[bytes, ...], name: bytes) -> str:
        return text(os.readlink(self.path(*below, name)))

    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, Seen]]:
        for name in self.names(below):
            try:
                found = self.lstat(below, name)
                target = self.target(below, name) if stat.S_ISLNK(found.st_mode) else None
            except FileNotFoundError:
                continue
            parts = tuple(map(text, below))
            yield (
                name,
                Seen(
                    self.directory, parts, text(name), found.st_mode, found.st_size, found.st_mtime_ns, target
                ),
            )

    def everything(self) -> Iterator[Seen]:
        """Every entry on every level."""
        waiting: list[tuple[bytes, ...]] = [()]
        while waiting:
            below = waiting.pop()
            try:
                children = list(self.children(below))
            except OSError:
                if not below:
                    raise
                continue
            for name, seen in children:
                yield seen
                if self.is_entered(seen):
                    waiting.append((*below, name))

    def is_entered(self, seen: Seen) -> bool:
        return stat.S_ISDIR(seen.mode)
