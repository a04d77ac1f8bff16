"""A reader that variants extend: the reference's own, with the places of what it reads. Contains no variants."""

import os
from typing import Any, Self

from treeproof.reference_impl.shared.directory_reader import Route, open_reader
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place


class ExtendedReader:
    """The reference's reader of a directory; a class, so that variants that extend it can be combined."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        self._inner = open_reader(place, flavour)
        self._place = place

    def path(self, route: Route) -> bytes:
        """Return the path of a directory that is read."""
        return b"/".join((self._place.root.rstrip(b"/"), *self._place.components, *route)) or b"/"

    def list_names(self, route: Route) -> list[bytes]:
        return self._inner.list_names(route)

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return self._inner.lstat(route, name)

    def has_directory_record(self, route: Route, name: bytes) -> bool:
        """Return whether the record of the parent directory calls the entry a directory."""
        try:
            with os.scandir(self.path(route)) as records:
                return any(record.name == name and record.is_dir(follow_symlinks=False) for record in records)
        except OSError:
            return False

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._inner.__exit__(*failure)
