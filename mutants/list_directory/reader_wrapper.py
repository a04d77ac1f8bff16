"""What several subjects need: a look past the tool's own access to a directory. No mutant lives here."""

import os
from typing import Any, Self

from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.shared.directory_reader import Route, open_reader
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place


class DirectoryReaderWrapper:
    """The reference's access to a directory, and its paths for those who want to go round it."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        self._inner = open_reader(place, flavour)
        self._place = place

    def join(self, *steps: bytes) -> bytes:
        return b"/".join((self._place.root.rstrip(b"/"), *self._place.components, *steps))

    def list_names(self, route: Route) -> list[bytes]:
        return self._inner.list_names(route)

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return self._inner.lstat(route, name)

    def stat_link_target(self, entry: Entry) -> os.stat_result | None:
        """The metadata of what a link leads to, if it leads anywhere."""
        try:
            return os.stat(self.join(entry.raw_path))
        except OSError:
            return None

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._inner.__exit__(*failure)
