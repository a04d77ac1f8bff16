"""How many names of a directory a walk holds, and what happens when the directory has to be read again."""

import errno
import os
import stat
import tracemalloc
from collections.abc import Iterable, Mapping
from typing import Any, Self

import pytest

from treeproof.reference_impl.list_directory import walk
from treeproof.reference_impl.list_directory.request import ArgumentParser
from treeproof.reference_impl.list_directory.settings import Settings
from treeproof.reference_impl.shared.paths import POSIX

MODES = {"d": stat.S_IFDIR, "l": stat.S_IFLNK, "o": stat.S_IFLNK}
"""The types of entries, by the first letter of their names; all others are files."""


class InventedDirectories:
    """Directories that are on no disk, as names by route. From its second reading on, `broken` fails."""

    def __init__(self, names: Mapping[bytes, Iterable[bytes]], broken: bytes | None = None) -> None:
        self._names = names
        self._broken = broken
        self.readings: list[bytes] = []

    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        path = b"/".join(route)
        self.readings.append(path)
        if path == self._broken and self.readings.count(path) > 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        yield from self._names[path]

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        return os.stat_result((MODES.get(chr(name[0]), stat.S_IFREG), *[0] * 9), {"st_mtime_ns": 0})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def listing(reader: InventedDirectories, **arguments: Any) -> walk.Listing:
    settings = Settings(max_entries=10**6)
    request = ArgumentParser({"path": ".", **arguments}, settings, POSIX).parse()
    return walk.Walk(reader, request, POSIX).run()


def paths(found: walk.Listing) -> list[str]:
    return [entry.path for entry in found.entries]


def numbered(letter: str, count: int) -> list[bytes]:
    """Return `count` names, the last one first."""
    return [f"{letter}{number:06}".encode() for number in range(count - 1, -1, -1)]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MIN_BATCH", 2)


def test_the_names_that_a_walk_holds_are_bounded_by_the_limit() -> None:
    reader = InventedDirectories({b"": (b"f%06d" % number for number in range(100_000, 0, -1))})
    tracemalloc.start()
    try:
        found = listing(reader, max_entries=3)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert paths(found) == ["f000001", "f000002", "f000003"]
    assert found.capped
    assert reader.readings == [b""]
    assert peak < 1_000_000  # all names and their texts are about 14 MB


def test_names_that_the_switches_do_not_omit_are_read_once() -> None:
    reader = InventedDirectories({b"": numbered("f", 5000)})
    found = listing(reader, max_entries=5000)
    assert paths(found) == [f"f{number:06}" for number in range(5000)]
    assert not found.capped
    assert reader.readings == [b""]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("count", [1, 2, 3, 9, 10, 11, 500])
def test_entries_behind_omitted_ones_are_found_in_few_readings(count: int) -> None:
    reader = InventedDirectories({b"": [b"l2", *numbered("f", count), b"l1"]})
    found = listing(reader, max_entries=9, include_files=False)
    assert paths(found) == ["l1", "l2"]
    assert not found.capped
    assert len(reader.readings) <= 6


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("last", "capped"), [("o", True), ("z", False)])
def test_an_entry_behind_omitted_ones_shows_that_the_limit_cut(last: str, capped: bool) -> None:
    reader = InventedDirectories({b"": [last.encode(), *numbered("m", 20), b"l"]})
    found = listing(reader, max_entries=1, include_files=False)
    assert paths(found) == ["l"]
    assert found.capped is capped


@pytest.mark.usefixtures("small_batches")
def test_names_with_equal_text_in_different_batches_are_listed_once_each() -> None:
    names = [b"l\xff", b"l\xfe", b"l\xfd", b"f1", b"l\xfc", b"f2", b"f3"]
    found = listing(InventedDirectories({b"": names}), max_entries=9, include_files=False)
    assert [entry.raw_path for entry in found.entries] == [b"l\xfc", b"l\xfd", b"l\xfe", b"l\xff"]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("include_dirs", [True, False])
def test_a_directory_that_fails_when_it_is_read_again_is_reported_and_its_entries_are_dropped(
    include_dirs: bool,
) -> None:
    reader = InventedDirectories({b"": [b"l", b"d"], b"d": [b"l", *numbered("m", 20)]}, broken=b"d")
    found = listing(reader, max_entries=4, recursive=True, include_files=False, include_dirs=include_dirs)
    assert [(entry.path, entry.error_code) for entry in found.entries] == [("d", "read_dir_failed"), ("l", None)]
    assert not found.capped
    assert reader.readings == [b"", b"d", b"d"]


@pytest.mark.usefixtures("small_batches")
def test_the_call_fails_if_the_requested_directory_cannot_be_read_again() -> None:
    with pytest.raises(OSError, match="Input/output"):
        listing(InventedDirectories({b"": numbered("f", 20)}, broken=b""), max_entries=1, include_files=False)


@pytest.mark.usefixtures("small_batches")
def test_a_listing_is_not_called_complete_if_the_rest_of_a_directory_cannot_be_read() -> None:
    reader = InventedDirectories({b"": [b"l", *numbered("m", 20)]}, broken=b"")
    found = listing(reader, max_entries=1, include_files=False)
    assert paths(found) == ["l"]
    assert found.capped
