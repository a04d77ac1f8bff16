"""A reader that variants extend: the reference's own, with the places of what it reads. Contains no variants."""

import ctypes
import os
import struct
from typing import Any, Self

from treeproof.reference_impl.shared.directory_reader import DescriptorReader, DirectoryReader, Route, open_reader
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place


class ExtendedReader:
    """The reference's reader of a directory; a class, so that variants that extend it can be combined."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        self._inner = self.open_inner(place, flavour)
        self._place = place

    def open_inner(self, place: Place, flavour: Flavour) -> DirectoryReader:
        """Return the reader that reads. Raises OSError if the directory does not exist."""
        return open_reader(place, flavour)

    def path(self, route: Route) -> bytes:
        """Return the path of a directory that is read."""
        return b"/".join((self._place.root.rstrip(b"/"), *self._place.components, *route)) or b"/"

    def list_names(self, route: Route) -> list[bytes]:
        return list(self._inner.list_names(route))

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return self._inner.lstat(route, name)

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._inner.__exit__(*failure)


def require_place(place: Place) -> None:
    """Raise OSError if nothing can exist at the place."""
    if place.blocking_errno is not None:
        raise OSError(place.blocking_errno, os.strerror(place.blocking_errno))


class RecordReader(DescriptorReader):
    """Reads the records of directories as runtimes without a C library do; a directory that is open is not examined."""

    def list_names(self, route: Route) -> list[bytes]:
        return [name for name, _ in self.records(route)]

    def records(self, route: Route) -> list[tuple[bytes, int]]:
        """Return the names in a directory, each with the kind in its record."""
        descriptor = self._descriptor(route)
        os.lseek(descriptor, 0, os.SEEK_SET)
        buffer = ctypes.create_string_buffer(32_768)
        found: list[tuple[bytes, int]] = []
        while size := self._read_records(descriptor, buffer):
            position = 0
            while position < size:
                length, kind = struct.unpack_from("=HB", buffer, position + 16)
                name = buffer.raw[position + 19 : position + length].partition(b"\0")[0]
                if name not in (b".", b".."):
                    found.append((name, kind))
                position += length
        return found

    def examine(self, route: Route) -> None:
        """Look at an open directory. Raises OSError."""
        os.fstat(self._descriptor(route))

    def _read_records(self, descriptor: int, buffer: ctypes.Array[ctypes.c_char]) -> int:
        size: int = ctypes.CDLL(None, use_errno=True).getdents64(descriptor, buffer, len(buffer))
        if size < 0:
            error = ctypes.get_errno()
            raise OSError(error, os.strerror(error))
        return size


class ReadsRecords(ExtendedReader):
    """Reads the records of directories, which tell their kinds; on Linux alone."""

    _inner: RecordReader

    def open_inner(self, place: Place, flavour: Flavour) -> DirectoryReader:
        require_place(place)
        return RecordReader(place)

    def has_directory_record(self, route: Route, name: bytes) -> bool:
        """Return whether the record of the parent directory calls the entry a directory."""
        return (name, 4) in self._inner.records(route)  # 4: DT_DIR
