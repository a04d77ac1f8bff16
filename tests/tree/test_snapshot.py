"""Snapshots record every change, and change nothing."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.tree import Snapshot, build_tree, diff_snapshots, parse_tree, snapshot, take_snapshot

TREE = r"a/{b=3, c/{d, e/}}, l->a, '\xff n', p:fifo, s:sock, t=" '"text"' + ", big=3000000, h=>a/b"


def path_in(root: bytes, name: str) -> Path:
    return Path(os.fsdecode(root), name)


def test_two_snapshots_are_equal_and_change_nothing(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    first = take_snapshot(root)
    assert set(first.entries) == {b"."} | {path for path, _ in parse_tree(TREE).walk()}
    assert first.is_complete
    assert diff_snapshots(first, take_snapshot(root)) == []


def test_reading_and_access_times_are_no_difference(root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    before = take_snapshot(root)
    path_in(root, "t").read_text()
    list(path_in(root, "a").iterdir())
    assert diff_snapshots(before, take_snapshot(root)) == []


def rewrite_in_place(root: bytes) -> None:
    path = path_in(root, "t")
    status = path.stat()
    path.write_text("tent")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def rewrite_the_end_of_the_big_file(root: bytes) -> None:
    path = path_in(root, "big")
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"x")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def replace_a_link(root: bytes) -> None:
    path_in(root, "l").unlink()
    path_in(root, "l").symlink_to("c")


def change_and_change_back(root: bytes) -> None:
    time.sleep(0.02)  # the clock of inode times has a resolution of a few milliseconds
    path_in(root, "t").chmod(0o600)
    path_in(root, "t").chmod(0o644)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda root: path_in(root, "a/new").touch(), ["a/new: appeared"]),
        (lambda root: path_in(root, "a/c/d").unlink(), ["a/c/d: vanished"]),
        (lambda root: path_in(root, "a").rename(path_in(root, "z")), ["a: vanished", "z/c/d: appeared"]),
        (lambda root: path_in(root, "t").chmod(0o600), ["t: mode 100644 -> 100600"]),
        (lambda root: path_in(root, "t").touch(), ["t: mtime_ns 1700000000000000000 -> "]),
        (lambda root: path_in(root, "t").open("a").write("!"), ["size 4 -> 5", "content "]),
        (rewrite_in_place, ["t: content "]),
        (rewrite_the_end_of_the_big_file, ["big: content "]),
        (replace_a_link, ["target a -> c", "inode "]),
        (change_and_change_back, ["t: was changed and changed back (ctime)"]),
        (lambda root: os.link(path_in(root, "t"), path_in(root, "u")), ["t: links 1 -> 2", "u: appeared"]),
        (
            lambda root: os.setxattr(path_in(root, "t"), "user.note", b"x"),
            ["t: attributes () -> (('user.note'"],
        ),
        (lambda root: path_in(root, "p").unlink(), ["p: vanished"]),
    ],
)
def test_a_change_is_reported(change: Callable[[bytes], object], expected: list[str], root: bytes) -> None:
    build_tree(parse_tree(TREE), root)
    before = take_snapshot(root)
    change(root)
    report = "\n".join(diff_snapshots(before, take_snapshot(root)))
    assert [line for line in expected if line not in report] == []


def test_names_in_reports_are_readable(root: bytes) -> None:
    before = take_snapshot(root)
    os.mkdir(root + b"/x\xff\n")
    assert r"'x\xff\n': appeared" in diff_snapshots(before, take_snapshot(root))


def test_many_differences_are_reported_in_few_lines(root: bytes) -> None:
    build_tree(parse_tree("f000..f200"), root)
    lines = diff_snapshots(take_snapshot(root), Snapshot({}))
    assert len(lines) == 51
    assert lines[-1] == "and 152 more"


def test_an_incomplete_snapshot_is_reported(root: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    build_tree(parse_tree("f00..f99"), root)
    monkeypatch.setattr(snapshot, "_MAX_ENTRIES", 50)
    many = take_snapshot(root)
    assert (len(many.entries), many.is_complete) == (50, False)
    assert diff_snapshots(many, many) == ["more than 50 entries; the rest was not compared"]


def test_links_are_not_followed_and_pipes_not_opened(root: bytes) -> None:
    outside = os.path.dirname(root)
    build_tree(parse_tree("x/{y}"), outside + b"/beside")
    build_tree(parse_tree("d->../beside, self->., p:fifo"), root)
    assert set(take_snapshot(root).entries) == {b".", b"d", b"self", b"p"}


def test_trees_of_any_depth_are_covered(root: bytes) -> None:
    build_tree(parse_tree("'n'*250/{" * 300 + "x=5" + "}" * 300), root)
    found = take_snapshot(root)
    assert len(found.entries) == 302
    assert diff_snapshots(found, take_snapshot(root)) == []
    deepest = max(found.entries, key=len)
    assert found.entries[deepest].size == 5


def test_the_largest_sparse_file_is_fast(root: bytes) -> None:
    build_tree(parse_tree("f=1099511627776"), root)
    began = time.monotonic()
    assert take_snapshot(root).entries[b"f"].content is not None
    assert time.monotonic() - began < 60


def test_unreadable_entries_are_no_difference(root: bytes, as_user: Callable[[Callable[[], object]], None]) -> None:
    build_tree(parse_tree("d/%0000{x}, e/%0444{y}, f/%0111{z}, g=5%0000, h"), root)
    for directory in (root, os.path.dirname(root)):
        os.chmod(directory, 0o755)
    os.chmod(os.path.dirname(os.path.dirname(root)), 0o755)

    def compare() -> None:
        found = take_snapshot(root)
        assert {b".", b"d", b"e", b"f", b"g", b"h"} <= found.entries.keys()
        assert diff_snapshots(found, take_snapshot(root)) == []

    as_user(compare)
