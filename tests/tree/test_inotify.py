"""InotifyWatch records opened directories."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.descriptors import open_descriptors
from treeproof.tree import CannotBuild, InotifyWatch, build_tree, parse_tree, take_snapshot

TREE = "a/{b/{x}, .h/{y}}, c/, l->a, f"


def test_opened_directories_have_paths_relative_to_the_root(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    with InotifyWatch(root) as watch:
        watch.arm()
        os.listdir(root)
        os.listdir(root + b"/a/b")
        assert watch.stop_and_read() == {b".", b"a/b"}


def test_an_open_through_another_path_is_recorded(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    with InotifyWatch(root) as watch:
        watch.arm()
        os.listdir(root + b"/l/b/..")
        assert watch.stop_and_read() == {b"a"}


def test_opens_of_other_processes_are_recorded(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    with InotifyWatch(root) as watch:
        watch.arm()
        subprocess.run(["ls", "-R", root + b"/a"], stdout=subprocess.DEVNULL, check=True)
        assert watch.stop_and_read() == {b"a", b"a/b"}


def test_lstat_is_not_recorded(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    with InotifyWatch(root) as watch:
        watch.arm()
        for path, _ in parse_tree(TREE).walk():
            os.lstat(os.path.join(root, path))
            os.stat(os.path.join(root, path))
        os.readlink(root + b"/l")
        os.path.realpath(root + b"/a/b")
        Path(os.fsdecode(root), "f").read_bytes()
        os.close(os.open(root + b"/c", os.O_PATH | os.O_DIRECTORY))
        assert watch.stop_and_read() == frozenset()


def test_opened_files_have_paths_relative_to_the_root(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    with InotifyWatch(root) as watch:
        watch.arm()
        for name in ("f", "a/b/x"):
            Path(os.fsdecode(root), name).read_bytes()
        os.listdir(root + b"/c")
        os.close(os.open(root + b"/a/.h/y", os.O_PATH))
        assert watch.stop_and_read() == {b"c"}
        assert watch.opened_files == {b"f", b"a/b/x"}


def test_only_opens_between_arming_and_reading_are_recorded(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    with InotifyWatch(root) as watch:
        take_snapshot(root)
        watch.arm()
        os.listdir(root + b"/a")
        watch.arm()
        os.listdir(root + b"/c")
        assert watch.stop_and_read() == {b"a", b"c"}
        take_snapshot(root)
        assert watch.stop_and_read() == {b"a", b"c"}
        watch.arm()
        assert watch.stop_and_read() == frozenset()


def test_additional_directories_keep_their_given_paths(root: bytes) -> None:
    outside = os.path.dirname(root)
    build_tree(parse_tree("secret/{deeper/}"), outside)
    build_tree(parse_tree(TREE), root)
    with InotifyWatch(root, [outside + b"/secret"]) as watch:
        watch.arm()
        os.listdir(outside + b"/secret/deeper")
        os.listdir(outside + b"/secret")
        assert watch.stop_and_read() == {outside + b"/secret"}


def test_opens_of_deep_directories_are_recorded(root: bytes) -> None:
    build_tree(parse_tree("'n'*250/{" * 40 + "}" * 40), root)
    with InotifyWatch(root) as watch:
        watch.arm()
        take_snapshot(root)
        opened = watch.stop_and_read()
    assert len(opened) == 41
    assert max(opened, key=len) == b"/".join([b"n" * 250] * 40)


def test_names_of_any_bytes_are_recorded(root: bytes) -> None:
    build_tree(parse_tree(r"'\xff\n'/{'\x01'/}"), root)
    with InotifyWatch(root) as watch:
        watch.arm()
        os.listdir(root + b"/\xff\n/\x01")
        assert watch.stop_and_read() == {b"\xff\n/\x01"}


def test_an_overflow_is_reported(root: bytes) -> None:
    build_tree(parse_tree("a/, b/"), root)
    queue_length = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if queue_length > 100_000:
        pytest.skip(
            f"not verified: an overflow of inotify is reported; its queue of {queue_length} is too long to be filled"
        )
    with InotifyWatch(root) as watch:
        watch.arm()
        for _ in range(queue_length):
            os.close(os.open(root + b"/a", os.O_RDONLY))
            os.close(os.open(root + b"/b", os.O_RDONLY))
        with pytest.raises(CannotBuild, match="more was opened than inotify keeps"):
            watch.stop_and_read()
        watch.arm()
        os.listdir(root + b"/a")
        assert watch.stop_and_read() == {b"a"}


def test_a_missing_root_is_a_cause(root: bytes) -> None:
    with pytest.raises(CannotBuild, match="No such file"), InotifyWatch(root + b"/missing"):
        pass
    with pytest.raises(CannotBuild, match="No such file"), InotifyWatch(root, [root + b"/missing"]):
        pass


def test_another_system_is_a_cause(root: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(CannotBuild, match="facility of Linux"), InotifyWatch(root):
        pass


def test_no_descriptor_stays_open(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    before = open_descriptors()
    with InotifyWatch(root, [os.path.dirname(root)]):
        pass
    with pytest.raises(CannotBuild), InotifyWatch(root, [b"/missing"]):
        pass
    assert open_descriptors() == before
