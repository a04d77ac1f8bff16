"""A directory reader that gives mutants the paths of what it reads. Contains no mutants."""

import os
from typing import Any, Self

from treeproof.reference_impl.shared.directory_reader import Route, open_reader
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place


class DirectoryReaderWrapper:
    """The reference's reader of a directory, with paths."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        self._inner = open_reader(place, flavour)
        self._place = place

    def join(self, *steps: bytes) -> bytes:
        """Return the path below the directory that is read."""
        return b"/".join((self._place.root.rstrip(b"/"), *self._place.components, *steps))

    def list_names(self, route: Route) -> list[bytes]:
        return list(self._inner.list_names(route))

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return self._inner.lstat(route, name)

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._inner.__exit__(*failure)
