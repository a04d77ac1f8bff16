"""Validity rules of trees, and access to their entries."""

from typing import Any

import pytest

from treeproof.tree import Fault, Kind, Node, Tree, parse_tree


@pytest.mark.parametrize("name", [b"", b".", b"..", b"a/b", b"a\0"])
def test_an_impossible_name_is_refused(name: bytes) -> None:
    with pytest.raises(ValueError, match="name"):
        Node(name, Kind.FILE)


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        (Kind.DIR, {"size": 1}, "only a regular file has a size"),
        (Kind.FIFO, {"content": b""}, "only a regular file"),
        (Kind.SYMLINK, {"target": b"t", "hardlink": b"f"}, "only a regular file"),
        (Kind.FILE, {"size": -1}, "between 0"),
        (Kind.FILE, {"size": 2**63}, "between 0"),
        (Kind.FILE, {"content": b"abc"}, "not that of the content"),
        (Kind.SYMLINK, {}, "has a target"),
        (Kind.FILE, {"target": b"t"}, "has a target"),
        (Kind.SYMLINK, {"target": b""}, "neither empty"),
        (Kind.SYMLINK, {"target": b"a\0b"}, "nor holds NUL"),
        (Kind.SYMLINK, {"target": b"t", "mode": 0o777}, "no mode of its own"),
        (Kind.FILE, {"mode": 0o10000}, "octal"),
        (Kind.FILE, {"faults": frozenset({"stat"})}, "a fault is"),
        (Kind.FILE, {"faults": frozenset({"readdir"})}, "only the reading of a directory"),
        (Kind.FILE, {"error": "EIO"}, "an error needs a fault"),
        (Kind.FILE, {"faults": frozenset({"lstat"}), "error": "EWRONG"}, "a name from errno.h"),
        (Kind.FILE, {"children": (Node(b"x", Kind.FILE),)}, "only a directory holds entries"),
        (Kind.FILE, {"hardlink": b"a", "mode": 0o600}, "shares size, content, mode and time"),
    ],
)
def test_an_impossible_entry_is_refused_with_a_reason(kind: Kind, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Node(b"x", kind, **fields)


def test_two_siblings_cannot_share_a_name() -> None:
    twins = (Node(b"a\xff", Kind.FILE), Node(b"a\xff", Kind.DIR))
    with pytest.raises(ValueError, match=r"two siblings are called 'a\\xff'"):
        Tree(twins)
    with pytest.raises(ValueError, match="two siblings"):
        Node(b"d", Kind.DIR, children=twins)


def test_walk_is_depth_first_in_the_written_order() -> None:
    tree = parse_tree("b/{y, x/{z}}, a")
    assert [path for path, _ in tree.walk()] == [b"b", b"b/y", b"b/x", b"b/x/z", b"a"]


def test_find_returns_the_node_at_a_path() -> None:
    tree = parse_tree("b/{y, x/{z=3}}, a")
    found = tree.find(b"b/x/z")
    assert found is not None
    assert found.size == 3
    assert tree.find(b"b/x/q") is None
    assert tree.find(b"a/q") is None
    assert tree.find(b"") is None


def test_faults_have_paths_and_errors() -> None:
    assert parse_tree("a!L, d/!R=EIO{x!L=ENOENT, y}, e/!R2").faults() == (
        Fault(b"a", "lstat", None),
        Fault(b"d", "readdir", "EIO"),
        Fault(b"d/x", "lstat", "ENOENT"),
        Fault(b"e", "reread", None),
    )


def test_trees_are_equal_when_all_their_nodes_are() -> None:
    assert parse_tree("a/{b=3}") == parse_tree("a/{ b=3 }")
    assert hash(parse_tree("a/{b=3}")) == hash(parse_tree("a/{b=3}"))
    for other in ["a/{b=4}", "a/{b=3, c}", "a/{c=3}", "a/", "a", "a/{b=3@5}", "a/{b=3%0600}", "a/{b=3!L}"]:
        assert parse_tree("a/{b=3}") != parse_tree(other), other
    assert parse_tree("a") != "a"
    assert parse_tree("a").entries[0] != "a"


def test_a_tree_deeper_than_the_stack_can_be_compared_and_walked() -> None:
    tree = parse_tree("d/{" * 3000 + "}" * 3000)
    assert tree == parse_tree("d/{" * 3000 + "}" * 3000)
    assert tree != parse_tree("d/{" * 3000 + "x" + "}" * 3000)
    assert sum(1 for _ in tree.walk()) == 3000
    assert len(repr(tree)) < 1000
