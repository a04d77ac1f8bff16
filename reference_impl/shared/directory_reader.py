"""Reading directories below a place without following links. The only module of a walk that opens directories.

A directory is named by its *route*: the raw names from the place to it. Where the platform can open directories,
each step is an openat that refuses links, so neither a replaced link nor a path longer than PATH_MAX matters.
Elsewhere, paths are joined.
"""

import errno
import os
import stat
from collections.abc import Iterable
from types import TracebackType
from typing import Protocol, Self

from .paths import Flavour
from .sandbox import Place

Route = tuple[bytes, ...]

MAX_OPEN_DESCRIPTORS = 16  # the number of directories kept open; a depth of thousands needs few descriptors

# O_NONBLOCK: if the directory became a FIFO meanwhile, the call must not wait for a writer.
READ_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
# An intermediate directory needs search permission only.
TRAVERSE_FLAGS = READ_FLAGS | getattr(os, "O_PATH", getattr(os, "O_SEARCH", 0))


def open_directory(place: Place, flags: int = READ_FLAGS) -> int:
    """Return a descriptor of the directory at `place`; no link is followed.

    The last step uses `flags`. Raises OSError.
    """
    components = place.components
    descriptor = os.open(os.fsdecode(place.root), TRAVERSE_FLAGS if components else flags)
    for remaining, name in zip(range(len(components) - 1, -1, -1), components, strict=True):
        parent = descriptor
        try:
            descriptor = os.open(os.fsdecode(name), TRAVERSE_FLAGS if remaining else flags, dir_fd=parent)
        finally:
            os.close(parent)
    return descriptor


class DirectoryReader(Protocol):
    """The interface that a walk uses. Both methods raise OSError; leaving the context closes all descriptors."""

    def list_names(self, route: Route) -> Iterable[bytes]:
        """Yield the names in a directory, unsorted, without `.` and `..` (FR-LD-LST-03).

        They can be a stream: the directory is read, and its errors are raised, while the names are taken.
        """

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        """Return the entry's own metadata; a link is not followed."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_reader(place: Place, flavour: Flavour) -> DirectoryReader:
    """Return a reader of the directory at `place`. Raises OSError if it does not exist (FR-LD-VAL-08)."""
    if place.blocking_errno is not None:
        raise OSError(place.blocking_errno, os.strerror(place.blocking_errno))
    if not flavour.drives and os.open in os.supports_dir_fd and os.scandir in os.supports_fd:
        return DescriptorReader(place)
    return PathReader(place, flavour)


class DescriptorReader:
    """Reads with openat. Keeps recently used directories open and reopens the others."""

    def __init__(self, place: Place) -> None:
        self._read_flags = READ_FLAGS
        self._open_descriptors: dict[Route, int] = {}  # least recently used first
        self._top_descriptor = open_directory(place)

    def _descriptor(self, route: Route) -> int:
        if not route:
            return self._top_descriptor
        if route in self._open_descriptors:
            self._open_descriptors[route] = self._open_descriptors.pop(route)
            return self._open_descriptors[route]
        known = len(route) - 1
        while known and route[:known] not in self._open_descriptors:
            known -= 1
        descriptor = self._open_descriptors[route[:known]] if known else self._top_descriptor
        for depth in range(known + 1, len(route) + 1):
            descriptor = os.open(os.fsdecode(route[depth - 1]), self._read_flags, dir_fd=descriptor)
            self._open_descriptors[route[:depth]] = descriptor
            if len(self._open_descriptors) > MAX_OPEN_DESCRIPTORS:
                os.close(self._open_descriptors.pop(next(iter(self._open_descriptors))))
        return descriptor

    def list_names(self, route: Route) -> Iterable[bytes]:
        with os.scandir(self._descriptor(route)) as records:  # reads through a descriptor of its own
            for record in records:
                yield os.fsencode(record.name)

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return os.lstat(os.fsdecode(name), dir_fd=self._descriptor(route))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in (*self._open_descriptors.values(), self._top_descriptor):
            os.close(descriptor)
        self._open_descriptors.clear()


class PathReader:
    """Reads with joined paths where directories cannot be opened. Each path is checked again before it is read."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        self._separator = "\\" if flavour.drives else "/"
        self._root = os.fsdecode(place.root)
        self._components = place.components
        self._link_free_path(())

    def _join(self, steps: Route) -> str:
        if not steps:
            return self._root
        return self._separator.join((self._root.rstrip(self._separator), *map(os.fsdecode, steps)))

    def _link_free_path(self, route: Route) -> str:
        """Return the path of a directory below the root in which no component is a link now."""
        path, parent = self._root, self._root.rstrip(self._separator)
        self._refuse_link(path)
        for step in (*self._components, *route):
            path = parent = f"{parent}{self._separator}{os.fsdecode(step)}"
            self._refuse_link(path)
        return path

    @staticmethod
    def _refuse_link(path: str) -> None:
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode) or is_name_surrogate(found):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))

    def list_names(self, route: Route) -> Iterable[bytes]:
        with os.scandir(self._link_free_path(route)) as records:
            for record in records:
                yield os.fsencode(record.name)

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return os.lstat(self._join((*self._components, *route, name)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def is_name_surrogate(found: os.stat_result) -> bool:
    """Return whether this is a Windows reparse point for another location, such as a junction (AMB-LD-44)."""
    return bool(getattr(found, "st_reparse_tag", 0) & 0x2000_0000)
