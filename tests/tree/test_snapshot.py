"""Snapshots record every change, and change nothing."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.tree import Snapshot, build_tree, diff_snapshots, parse_tree, snapshot, take_snapshot

TREE = r"a/{b=3, c/{d, e/}}, l->a, '\xff n', p:fifo, s:sock, t=" '"text"' + ", big=3000000, h=>a/b"


def path_in(place: bytes, name: str) -> Path:
    return Path(os.fsdecode(place), name)


def test_two_snapshots_are_equal_and_change_nothing(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    first = take_snapshot(place)
    assert set(first.entries) == {b"."} | {path for path, _ in parse_tree(TREE).walk()}
    assert first.is_complete
    assert diff_snapshots(first, take_snapshot(place)) == []


def test_reading_and_access_times_are_no_difference(place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    before = take_snapshot(place)
    path_in(place, "t").read_text()
    list(path_in(place, "a").iterdir())
    assert diff_snapshots(before, take_snapshot(place)) == []


def rewrite_in_place(place: bytes) -> None:
    path = path_in(place, "t")
    kept = path.stat()
    path.write_text("tent")
    os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))


def rewrite_the_end_of_the_big_one(place: bytes) -> None:
    path = path_in(place, "big")
    kept = path.stat()
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"x")
    os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))


def replace_a_link(place: bytes) -> None:
    path_in(place, "l").unlink()
    path_in(place, "l").symlink_to("c")


def change_and_change_back(place: bytes) -> None:
    time.sleep(0.02)  # the clock that stamps inodes ticks every few milliseconds
    path_in(place, "t").chmod(0o600)
    path_in(place, "t").chmod(0o644)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda place: path_in(place, "a/new").touch(), ["a/new: appeared"]),
        (lambda place: path_in(place, "a/c/d").unlink(), ["a/c/d: vanished"]),
        (lambda place: path_in(place, "a").rename(path_in(place, "z")), ["a: vanished", "z/c/d: appeared"]),
        (lambda place: path_in(place, "t").chmod(0o600), ["t: mode 100644 -> 100600"]),
        (lambda place: path_in(place, "t").touch(), ["t: mtime_ns 1700000000000000000 -> "]),
        (lambda place: path_in(place, "t").open("a").write("!"), ["size 4 -> 5", "content "]),
        (rewrite_in_place, ["t: content "]),
        (rewrite_the_end_of_the_big_one, ["big: content "]),
        (replace_a_link, ["target a -> c", "inode "]),
        (change_and_change_back, ["t: was changed and changed back (ctime)"]),
        (lambda place: os.link(path_in(place, "t"), path_in(place, "u")), ["t: links 1 -> 2", "u: appeared"]),
        (
            lambda place: os.setxattr(path_in(place, "t"), "user.note", b"x"),
            ["t: attributes () -> (('user.note'"],
        ),
        (lambda place: path_in(place, "p").unlink(), ["p: vanished"]),
    ],
)
def test_a_change_is_reported(change: Callable[[bytes], object], expected: list[str], place: bytes) -> None:
    build_tree(parse_tree(TREE), place)
    before = take_snapshot(place)
    change(place)
    report = "\n".join(diff_snapshots(before, take_snapshot(place)))
    assert [line for line in expected if line not in report] == []


def test_names_in_reports_are_readable(place: bytes) -> None:
    before = take_snapshot(place)
    os.mkdir(place + b"/x\xff\n")
    assert r"'x\xff\n': appeared" in diff_snapshots(before, take_snapshot(place))


def test_many_differences_are_reported_in_few_lines(place: bytes) -> None:
    build_tree(parse_tree("f000..f200"), place)
    lines = diff_snapshots(take_snapshot(place), Snapshot({}))
    assert len(lines) == 51
    assert lines[-1] == "and 152 more"


def test_an_incomplete_snapshot_is_reported(place: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    build_tree(parse_tree("f00..f99"), place)
    monkeypatch.setattr(snapshot, "_MAX_ENTRIES", 50)
    many = take_snapshot(place)
    assert (len(many.entries), many.is_complete) == (50, False)
    assert diff_snapshots(many, many) == ["more than 50 entries; the rest was not compared"]


def test_links_are_not_followed_and_pipes_not_opened(place: bytes) -> None:
    outside = os.path.dirname(place)
    build_tree(parse_tree("x/{y}"), outside + b"/beside")
    build_tree(parse_tree("d->../beside, self->., p:fifo"), place)
    assert set(take_snapshot(place).entries) == {b".", b"d", b"self", b"p"}


def test_trees_of_any_depth_are_covered(place: bytes) -> None:
    build_tree(parse_tree("'n'*250/{" * 300 + "x=5" + "}" * 300), place)
    seen = take_snapshot(place)
    assert len(seen.entries) == 302
    assert diff_snapshots(seen, take_snapshot(place)) == []
    deepest = max(seen.entries, key=len)
    assert seen.entries[deepest].size == 5


def test_the_largest_sparse_file_is_fast(place: bytes) -> None:
    build_tree(parse_tree("f=1099511627776"), place)
    began = time.monotonic()
    assert take_snapshot(place).entries[b"f"].content is not None
    assert time.monotonic() - began < 2


def test_unreadable_entries_are_no_difference(place: bytes, as_user: Callable[[Callable[[], object]], None]) -> None:
    build_tree(parse_tree("d/%0000{x}, e/%0444{y}, f/%0111{z}, g=5%0000, h"), place)
    for directory in (place, os.path.dirname(place)):
        os.chmod(directory, 0o755)
    os.chmod(os.path.dirname(os.path.dirname(place)), 0o755)

    def look() -> None:
        seen = take_snapshot(place)
        assert {b".", b"d", b"e", b"f", b"g", b"h"} <= seen.entries.keys()
        assert diff_snapshots(seen, take_snapshot(place)) == []

    as_user(look)
