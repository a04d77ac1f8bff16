"""The entries of a listing and the file accesses of the walk, on real trees."""

import os
from typing import Any

import pytest

Listed = Any


def paths(document: dict[str, Any]) -> str:
    return ", ".join(entry["path"] for entry in document["entries"])


def types(document: dict[str, Any]) -> dict[str, str]:
    return {entry["path"]: entry["error_code"] or entry["type"] for entry in document["entries"]}


@pytest.mark.parametrize(
    ("tree", "limit", "expected"),
    [
        ("a/{b}, a-b", 2, "a, a/b"),
        ("a/{x, y}, b, c", 3, "a, a/x, a/y"),
        ("d1/{x}, d10/{x}, d2/{x}", 4, "d1, d1/x, d10, d10/x"),
        ("B, a, _c, 10, 9", 3, "10, 9, B"),
        (r"'\uff21', '\U0001f600'", 1, "\uff21"),
        (r"'\xff', '\U0001f600'", 1, "\ufffd"),
        (r"'\xff', '\ue000'", 1, "\ue000"),
        ("'d\\xff'/{x}, e", 2, "d\ufffd, d\ufffd/x"),
    ],
)
def test_the_limit_keeps_the_first_entries_in_pre_order_of_lossy_names(
    listed: Listed, tree: str, limit: int, expected: str
) -> None:
    found = listed(tree, {"recursive": True, "max_entries": limit})
    assert paths(found) == expected
    assert found["truncated_reason"] == "max_entries"


@pytest.mark.parametrize(
    ("tree", "arguments", "truncated"),
    [
        ("a, b, c", {"max_entries": 3}, False),
        ("a, b, c, d", {"max_entries": 3}, True),
        ("a, b, .c", {"max_entries": 2}, False),
        ("a, b, p:fifo", {"max_entries": 2}, False),
        ("a, b, p:fifo", {"max_entries": 2, "include_other": True}, True),
        ("a, b/", {"max_entries": 2}, False),
        ("a/{b, c}", {"max_entries": 3}, False),
        ("a/{b/{c}}", {"max_entries": 2}, True),
        ("a, b/{c/{d/}, e/}", {"max_entries": 1, "include_dirs": False}, False),
        ("a, b/{c/{d/}, e/{f}}", {"max_entries": 1, "include_dirs": False}, True),
        ("a, b/{c/{d/{e/{f}}}}", {"max_entries": 1, "include_dirs": False}, False),
        ("a, b/%0000{c}", {"max_entries": 1, "include_dirs": False}, True),
        ("a, b/%0444{c}", {"max_entries": 2}, True),
    ],
)
def test_a_listing_is_truncated_if_another_entry_would_be_listed(
    listed: Listed, tree: str, arguments: dict[str, Any], truncated: bool
) -> None:
    found = listed(tree, {"recursive": True} | arguments)
    assert found["returned"] == arguments["max_entries"]
    assert found["truncated"] is truncated


@pytest.mark.parametrize(
    ("tree", "arguments", "expected"),
    [
        ("a/{b}, c/{d}", {}, ["root"]),
        ("a/{b/{c/{d}}}", {"recursive": True, "max_depth": 2}, ["root", "a"]),
        (".h/{x}, v", {"recursive": True}, ["root"]),
        ("d/{x}, l->d", {"recursive": True}, ["root", "d"]),
        ("a/{x0, x1, x2}, b/{y}", {"recursive": True, "max_entries": 3}, ["root", "a"]),
        ("a/{x}, b/{y}", {"recursive": True, "max_entries": 1}, ["root"]),
        ("a/{x}, .b/{y}, c:fifo", {"recursive": True, "max_entries": 1}, ["root", "a"]),
        ("a, b/{c}, d/{e}", {"recursive": True, "max_entries": 1, "include_dirs": False}, ["root", "b"]),
        ("p:fifo, s:sock, f", {"include_other": True}, ["root"]),
    ],
)
def test_only_necessary_directories_are_opened(
    listed: Listed, opened: list[str], tree: str, arguments: dict[str, Any], expected: list[str]
) -> None:
    listed(tree, {"path": "."})
    del opened[:]
    assert listed(tree, arguments)["returned"] > 0
    assert opened == expected


def test_metadata_is_read_for_the_returned_entries_and_one_more(
    listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_names: list[str] = []
    real = os.lstat

    def recording_lstat(path: Any, *, dir_fd: int | None = None) -> os.stat_result:
        if dir_fd is not None:
            read_names.append(path)
        return real(path, dir_fd=dir_fd)

    listed("f00..f49", {})
    monkeypatch.setattr(os, "lstat", recording_lstat)
    assert listed("", {"max_entries": 3})["returned"] == 3
    assert read_names == ["f00", "f01", "f02", "f03"]


def test_an_entry_without_metadata_is_unknown_and_always_listed(listed: Listed) -> None:
    found = listed("d/%0444{x, .y, z/}, e", {"recursive": True, "include_files": False})
    assert types(found) == {"d": "dir", "d/x": "permission_denied", "d/z": "permission_denied"}
    assert found["entries"][1] | {"error": "?"} == {
        "name": "x",
        "path": "d/x",
        "depth": 2,
        "type": "unknown",
        "size_bytes": None,
        "modified_epoch_ms": None,
        "is_hidden": False,
        "error_code": "permission_denied",
        "error": "?",
    }


@pytest.mark.parametrize("mode", ["0000", "0111"])
def test_an_unreadable_directory_has_one_entry(listed: Listed, mode: str) -> None:
    tree = f"a, d/@5%{mode}{{x}}, d-, z/{{y}}"
    found = listed(tree, {"recursive": True})
    assert types(found) == {"a": "file", "d": "read_dir_failed", "d-": "file", "z": "dir", "z/y": "file"}
    assert found["entries"][1]["modified_epoch_ms"] == 5


def test_an_unreadable_directory_that_is_not_entered_is_a_directory(listed: Listed) -> None:
    tree = "d/%0000{x}, e/{f/%0000{y}}"
    assert types(listed(tree, {})) == {"d": "dir", "e": "dir"}
    assert types(listed(tree, {"recursive": True, "max_depth": 2}))["e/f"] == "dir"
    assert types(listed(tree, {"recursive": True, "max_depth": 3}))["e/f"] == "read_dir_failed"


def test_an_unreadable_directory_is_listed_even_without_directories(listed: Listed) -> None:
    found = listed("d/%0000{x}, a", {"recursive": True, "include_dirs": False})
    assert types(found) == {"a": "file", "d": "read_dir_failed"}


def test_an_unreadable_directory_at_the_limit_is_listed_if_it_is_the_last_entry(listed: Listed) -> None:
    found = listed("d/%0000{x}", {"recursive": True, "max_entries": 1})
    assert types(found) == {"d": "read_dir_failed"}
    assert found["truncated"] is False


@pytest.mark.parametrize("mode", ["0000", "0311"])
def test_an_unreadable_requested_directory_fails_the_call(call: Listed, mode: str) -> None:
    error = call(f"d/%{mode}{{x}}", {"path": "d"})["error"]
    assert error["kind"] == "ExecutionFailed"
    assert "cannot be read" in error["message"]


def test_links_are_listed_and_never_entered(listed: Listed) -> None:
    tree = "d/{loop->., up->.., x}, etc->/etc, gone->nothing"
    assert types(listed(tree, {"recursive": True})) == {
        "d": "dir",
        "d/loop": "symlink",
        "d/up": "symlink",
        "d/x": "file",
        "etc": "symlink",
        "gone": "symlink",
    }


def test_directories_that_are_not_listed_are_walked(listed: Listed) -> None:
    assert paths(listed("a/{b/{c}}, d", {"recursive": True, "include_dirs": False})) == "a/b/c, d"


def test_only_names_with_a_leading_dot_are_hidden(listed: Listed) -> None:
    tree = r".r/{a, .b}, '.\xff', '\xff.a', '\uff0ea', c., ..x"
    assert paths(listed(tree, {"recursive": True})) == "c., \uff0ea, \ufffd.a"
    assert paths(listed(tree, {"path": ".r"})) == "a"
    flags = {entry["path"]: entry["is_hidden"] for entry in listed(tree, {"include_hidden": True})["entries"]}
    assert flags == {
        "..x": True,
        ".r": True,
        ".\ufffd": True,
        "c.": False,
        "\uff0ea": False,
        "\ufffd.a": False,
    }


def test_names_with_equal_text_are_separate_entries_in_byte_order(listed: Listed) -> None:
    found = listed(r"'\xff'/{x=2}, '\xfe'/{x=1}", {"recursive": True})
    assert paths(found) == "\ufffd, \ufffd, \ufffd/x, \ufffd/x"
    assert [entry["size_bytes"] for entry in found["entries"]] == [None, None, 1, 2]
