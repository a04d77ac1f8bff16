"""Reading directories by absolute paths, one level or all of them. Links are not followed.

Reading raises OSError if the requested directory cannot be read. Vanished entries are omitted, and so is
the content of an unreadable nested directory (AMB-LF-15).
"""

import os
import stat
from collections.abc import Iterable, Iterator

from .entries import EntryMetadata


def decode_lossy(name: bytes) -> str:
    """Return a name or a target as valid text (AMB-LF-17)."""
    return name.decode("utf-8", "replace")


class DirectoryScan:
    """One requested directory, by its normalised path."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self._path = os.fsencode(directory).rstrip(b"/")

    def join(self, *below: bytes) -> bytes:
        return b"/".join((self._path, *below)) or b"/"

    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return os.listdir(self.join(*below))

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        return os.lstat(self.join(*below, name))

    def decode_name(self, name: bytes) -> str:
        return decode_lossy(name)

    def decode_target(self, target: bytes) -> str:
        return decode_lossy(target)

    def children(
        self, below: tuple[bytes, ...] = (), parents: tuple[str, ...] = ()
    ) -> Iterator[tuple[bytes, EntryMetadata]]:
        """Yield the entries of the directory `below` the requested one; `parents` are the same names, decoded."""
        for name in self.list_names(below):
            try:
                found = self.lstat(below, name)
                target = os.readlink(self.join(*below, name)) if stat.S_ISLNK(found.st_mode) else None
            except FileNotFoundError:
                continue
            lossy_target = None if target is None else self.decode_target(target)
            metadata = (found.st_mode, found.st_size, found.st_mtime_ns)
            yield name, EntryMetadata(self.directory, parents, self.decode_name(name), *metadata, lossy_target)

    def descendants(self) -> Iterator[EntryMetadata]:
        """Yield every entry on every level."""
        pending: list[tuple[tuple[bytes, ...], tuple[str, ...]]] = [((), ())]
        while pending:
            below, parents = pending.pop()
            try:
                children = list(self.children(below, parents))
            except OSError:
                if not below:
                    raise
                continue
            for name, item in children:
                yield item
                if self.is_entered(item):
                    pending.append(((*below, name), (*parents, item.name)))

    def is_entered(self, item: EntryMetadata) -> bool:
        return stat.S_ISDIR(item.mode)
