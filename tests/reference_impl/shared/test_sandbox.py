"""Requested paths on real trees: their directories, and the refused ones."""

import os
from pathlib import Path
from typing import Any

import pytest

from treeproof.tree import build_tree, parse_tree

Call = Any

OUTSIDE = "rootc/{secret, sub/{s}}, secret, S/{dir/{k}}"
ROOT = (
    "in/{x, sub/{q}}, f, a..b/{y}, .../{z}, ..c/{w}, certs.pem/{x}, .ssh/{config, keys/{id}}, "
    "mid->in, out->../root/in, other->../S/dir, esc->../rootc, up->.., etc->/etc, "
    "gone->nothing, broken->../nowhere/x, unresolved->nothing/../in, file->f/../in, escaping->nothing/../../rootc, "
    "loop->loop, ping->pong, pong->ping"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    build_tree(parse_tree(OUTSIDE), os.fsencode(tmp_path))
    folder = tmp_path / "root"
    folder.mkdir()
    build_tree(parse_tree(ROOT), os.fsencode(folder))
    return folder


@pytest.mark.parametrize(
    ("path", "entries"),
    [
        ("in", ["sub", "x"]),
        ("in" + "/." * 3000, ["sub", "x"]),
        ("a..b", ["y"]),
        ("...", ["z"]),
        ("..c", ["w"]),
        ("mid/sub", ["q"]),
        ("out", ["sub", "x"]),
    ],
)
def test_directories_inside_the_root_are_listed(root: Path, listed: Call, path: str, entries: list[str]) -> None:
    found = listed("", {"path": path})
    assert [entry["path"] for entry in found["entries"]] == entries


@pytest.mark.parametrize(
    "path",
    [
        *("..", "../", "in/..", "in/../in", "./../x", "in//..//..", " .. ", "../secret", "../missing"),
        *("/etc", " /etc", "esc", "esc/sub", "up", "etc", "broken", "escaping", "other", "certs.pem", ".ssh/keys"),
    ],
)
def test_paths_that_leave_the_root_or_are_denied_are_refused(
    root: Path, call: Call, opened: list[str], path: str
) -> None:
    assert call("", {"path": path})["error"]["kind"] == "SandboxViolation"
    assert opened == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("f", "path is not a directory"),
        ("f/.", "path is not a directory"),
        ("f/x", "path is not a directory"),
        ("nope/a/b", "path does not exist"),
        ("gone", "path does not exist"),
        ("unresolved", "path does not exist"),
        ("file", "path is not a directory"),
        ("loop", "too many symbolic links"),
        ("ping", "too many symbolic links"),
        ("%2e%2e", "path does not exist"),
        ("in/*", "path does not exist"),
        ("a" * 256, "path does not exist"),
        ("a/" * 3000, "path does not exist"),
    ],
)
def test_a_path_that_is_no_directory_inside_cannot_be_listed(root: Path, call: Call, path: str, message: str) -> None:
    error = call("", {"path": path})["error"]
    assert error["kind"] == "ExecutionFailed"
    assert message in error["message"]


def test_absolute_paths_must_be_allowed_and_inside_the_root(root: Path, call: Call, listed: Call) -> None:
    inside = f"{root}/./in/"
    assert call("", {"path": inside})["error"]["kind"] == "SandboxViolation"
    assert listed("", {"path": inside}, allow_absolute=True)["path"] == f"{root}/in"
    for outside in (f"{root}c", f"{root.parent}/S", "/etc", "/"):
        assert call("", {"path": outside}, allow_absolute=True)["error"]["kind"] == "SandboxViolation"


def test_every_root_may_be_listed(root: Path, listed: Call) -> None:
    found = listed("", {"path": "other"}, roots=[str(root), str(root.parent / "S")])
    assert [entry["path"] for entry in found["entries"]] == ["k"]


def test_roots_are_canonicalised(root: Path, listed: Call) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    found = listed("", {"path": "in"}, roots=[str(link)], working_dir=str(link))
    assert [entry["path"] for entry in found["entries"]] == ["sub", "x"]


def test_patterns_apply_to_the_canonical_path_below_the_root(root: Path, call: Call, listed: Call) -> None:
    assert call("", {"path": "mid/sub"}, denied_patterns=["in/**"])["error"]["kind"] == "SandboxViolation"
    assert listed("", {"path": "mid/sub"}, denied_patterns=["mid/**", "i*"])["returned"] == 1
    assert listed("", {"path": "certs.pem"}, include_default_denies=False)["returned"] == 1


def test_the_working_directory_of_the_process_has_no_effect(
    root: Path, listed: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    assert listed("", {"path": "sub"}, working_dir=str(root / "in"))["returned"] == 1


def test_a_relative_root_is_a_value_error(root: Path, call: Call) -> None:
    with pytest.raises(ValueError, match=r"context\.roots: an absolute path is needed, not 'root'"):
        call("", roots=["root"])


def test_at_most_40_links_are_followed(root: Path, call: Call, listed: Call) -> None:
    previous = "in"
    for number in range(41):
        (root / f"k{number:02}").symlink_to(previous)
        previous = f"k{number:02}"
    assert listed("", {"path": "k39"})["returned"] == 2
    assert call("", {"path": "k40"})["error"]["kind"] == "ExecutionFailed"


def test_a_place_is_a_root_and_components_below_it(root: Path) -> None:
    from treeproof.reference_impl.shared import context, paths, sandbox

    parsed_context = context.read_context({"roots": [str(root.parent), str(root)], "working_dir": str(root)})
    folder = sandbox.Sandbox(parsed_context, paths.POSIX).resolve("mid/sub")
    assert folder == sandbox.Place(os.fsencode(root), (b"in", b"sub"))
