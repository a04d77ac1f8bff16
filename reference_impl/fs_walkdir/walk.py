"""The walk: every entry below a directory, parents first. Links are not followed; the first error ends the walk."""

from collections.abc import Iterable, Iterator

from ..shared.directory_reader import DirectoryReader
from ..shared.paths import Flavour, decode_lossy
from .entries import WalkedEntry


class Walk:
    """One walk. Raises OSError if a directory cannot be read or an entry has no metadata (AMB-WD-08)."""

    def __init__(self, reader: DirectoryReader, flavour: Flavour) -> None:
        self._reader = reader
        self._flavour = flavour

    def walk(self) -> Iterator[WalkedEntry]:
        pending: list[tuple[tuple[bytes, ...], tuple[str, ...]]] = [((), ())]
        while pending:
            route, parts = pending.pop()
            for name in self.list_names(route):
                item = self.read_entry(route, parts, name)
                if item is None:
                    continue
                if self.is_listed(item):
                    yield item
                if item.is_directory:
                    pending.append((item.route, item.parts))

    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        return self._reader.list_names(route)

    def read_entry(self, route: tuple[bytes, ...], parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        found = self._reader.lstat(route, name)
        return WalkedEntry((*parts, decode_lossy(name, self._flavour)), (*route, name), found)

    def is_listed(self, item: WalkedEntry) -> bool:
        return True
