"""The walk: every item below a directory, parents first. Links are met and not followed; the first error ends it."""

import stat
from collections.abc import Iterable, Iterator

from ..directories import Directories
from ..paths import Flavour, lossy
from .entries import Item


class Walk:
    """One walk. Raises OSError where a directory cannot be read or an entry cannot be looked at (AMB-WD-08)."""

    def __init__(self, directories: Directories, flavour: Flavour) -> None:
        self._directories = directories
        self._flavour = flavour

    def items(self) -> Iterator[Item]:
        waiting: list[tuple[tuple[bytes, ...], tuple[str, ...]]] = [((), ())]
        while waiting:
            route, parts = waiting.pop()
            for name in self.names(route):
                item = self.item(route, parts, name)
                if item is None:
                    continue
                if self.is_listed(item):
                    yield item
                if self.is_entered(item):
                    waiting.append((item.route, item.parts))

    def names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        return self._directories.names(route)

    def item(self, route: tuple[bytes, ...], parts: tuple[str, ...], name: bytes) -> Item | None:
        found = self._directories.lstat(route, name)
        return Item((*parts, lossy(name, self._flavour)), (*route, name), found)

    def is_listed(self, item: Item) -> bool:
        return True

    def is_entered(self, item: Item) -> bool:
        return stat.S_ISDIR(item.found.st_mode)
