"""A look past the tool's own access to a directory, for those who go round it. No mutant lives here."""

import os
from typing import Any, Self

from ...directories import Route, directories
from ...paths import Flavour
from ...sandbox import Place


class Through:
    """The reference's access to a directory, and its paths."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        self._inner = directories(place, flavour)
        self._place = place

    def path(self, *steps: bytes) -> bytes:
        return b"/".join((self._place.root.rstrip(b"/"), *self._place.below, *steps))

    def names(self, route: Route) -> list[bytes]:
        return self._inner.names(route)

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return self._inner.lstat(route, name)

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._inner.__exit__(*problem)


class Following(Through):
    """Takes what a link leads to for the entry; the system's own directories would be too much."""

    def names(self, route: Route) -> list[bytes]:
        return os.listdir(self.path(*route))

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        try:
            if os.path.realpath(self.path(*route, name)).startswith(b"/etc"):
                return os.lstat(self.path(*route, name))
            return os.stat(self.path(*route, name))
        except OSError:
            return os.lstat(self.path(*route, name))
