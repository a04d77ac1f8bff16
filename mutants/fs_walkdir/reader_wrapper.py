"""A look past the tool's own access to a directory, for those who go round it. No mutant lives here."""

import os
from typing import Any, Self

from treeproof.reference_impl.shared.directory_reader import Route, open_reader
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place


class DirectoryReaderWrapper:
    """The reference's access to a directory, and its paths."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        self._inner = open_reader(place, flavour)
        self._place = place

    def join(self, *steps: bytes) -> bytes:
        return b"/".join((self._place.root.rstrip(b"/"), *self._place.components, *steps))

    def list_names(self, route: Route) -> list[bytes]:
        return self._inner.list_names(route)

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return self._inner.lstat(route, name)

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._inner.__exit__(*problem)


class FollowingReader(DirectoryReaderWrapper):
    """Takes what a link leads to for the entry; the system's own directories would be too much."""

    def list_names(self, route: Route) -> list[bytes]:
        return os.listdir(self.join(*route))

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        try:
            if os.path.realpath(self.join(*route, name)).startswith(b"/etc"):
                return os.lstat(self.join(*route, name))
            return os.stat(self.join(*route, name))
        except OSError:
            return os.lstat(self.join(*route, name))
