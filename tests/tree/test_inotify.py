"""Opened directories are recorded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from treeproof.tree import InotifyWatch, WatchUnavailable, build_tree, parse_tree, take_snapshot

TREE = "a/{b/{x}, .h/{y}}, c/, l->a, f"


def test_opened_directories_are_named_from_the_root(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    with InotifyWatch(place) as watch:
        watch.arm()
        os.listdir(place)
        os.listdir(place + b"/a/b")
        assert watch.stop_and_read() == {b".", b"a/b"}


def test_an_open_through_another_path_is_recorded(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    with InotifyWatch(place) as watch:
        watch.arm()
        os.listdir(place + b"/l/b/..")
        assert watch.stop_and_read() == {b"a"}


def test_opens_of_other_processes_are_recorded(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    with InotifyWatch(place) as watch:
        watch.arm()
        subprocess.run(["ls", "-R", place + b"/a"], stdout=subprocess.DEVNULL, check=True)
        assert watch.stop_and_read() == {b"a", b"a/b"}


def test_lstat_is_not_recorded(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    with InotifyWatch(place) as watch:
        watch.arm()
        for path, _ in parse_tree(TREE).walk():
            os.lstat(os.path.join(place, path))
            os.stat(os.path.join(place, path))
        os.readlink(place + b"/l")
        os.path.realpath(place + b"/a/b")
        Path(os.fsdecode(place), "f").read_bytes()
        os.close(os.open(place + b"/c", os.O_PATH | os.O_DIRECTORY))
        assert watch.stop_and_read() == frozenset()


def test_only_what_happens_between_arming_and_reading_counts(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    with InotifyWatch(place) as watch:
        take_snapshot(place)
        watch.arm()
        os.listdir(place + b"/a")
        watch.arm()
        os.listdir(place + b"/c")
        assert watch.stop_and_read() == {b"a", b"c"}
        take_snapshot(place)
        assert watch.stop_and_read() == {b"a", b"c"}
        watch.arm()
        assert watch.stop_and_read() == frozenset()


def test_other_directories_are_named_as_they_were_given(place: bytes) -> None:
    outside = os.path.dirname(place)
    build_tree(parse_tree("secret/{deeper/}"), outside)
    build_tree(parse_tree(TREE), place)
    with InotifyWatch(place, [outside + b"/secret"]) as watch:
        watch.arm()
        os.listdir(outside + b"/secret/deeper")
        os.listdir(outside + b"/secret")
        assert watch.stop_and_read() == {outside + b"/secret"}


def test_opens_of_deep_directories_are_recorded(place: bytes) -> None:
    build_tree(parse_tree("'n'*250/{" * 40 + "}" * 40), place)
    with InotifyWatch(place) as watch:
        watch.arm()
        take_snapshot(place)
        opened = watch.stop_and_read()
    assert len(opened) == 41
    assert max(opened, key=len) == b"/".join([b"n" * 250] * 40)


def test_names_of_any_bytes_are_recorded(place: bytes) -> None:
    build_tree(parse_tree(r"'\xff\n'/{'\x01'/}"), place)
    with InotifyWatch(place) as watch:
        watch.arm()
        os.listdir(place + b"/\xff\n/\x01")
        assert watch.stop_and_read() == {b"\xff\n/\x01"}


def test_an_overflow_is_reported(place: bytes) -> None:
    build_tree(parse_tree("a/, b/"), place)
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if most > 100_000:
        pytest.skip(f"not verified: a watch that overflowed says so; its queue of {most} is too long to be filled")
    with InotifyWatch(place) as watch:
        watch.arm()
        for _ in range(most):
            os.close(os.open(place + b"/a", os.O_RDONLY))
            os.close(os.open(place + b"/b", os.O_RDONLY))
        with pytest.raises(WatchUnavailable, match="more was opened than inotify keeps"):
            watch.stop_and_read()
        watch.arm()
        os.listdir(place + b"/a")
        assert watch.stop_and_read() == {b"a"}


def test_a_missing_root_is_a_cause(place: bytes) -> None:
    with pytest.raises(WatchUnavailable, match="No such file"), InotifyWatch(place + b"/missing"):
        pass
    with pytest.raises(WatchUnavailable, match="No such file"), InotifyWatch(place, [place + b"/missing"]):
        pass


def test_another_system_is_a_cause(place: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(WatchUnavailable, match="facility of Linux"), InotifyWatch(place):
        pass


def test_no_descriptor_stays_open(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    before = os.listdir("/proc/self/fd")
    with InotifyWatch(place, [os.path.dirname(place)]):
        pass
    with pytest.raises(WatchUnavailable), InotifyWatch(place, [b"/missing"]):
        pass
    assert os.listdir("/proc/self/fd") == before
