"""A simulated file system contains the entries of a tree by the rules of a platform and refuses impossible ones."""

from __future__ import annotations

import pytest

from treeproof.tree import DEFAULT_MTIME_NS, CannotBuild, diff_snapshots, parse_tree
from treeproof.tree.simulated_file_system import SimulatedFileSystem

PLATFORMS = ("windows", "macos")


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_tree_is_built_as_written(platform: str) -> None:
    simulation = SimulatedFileSystem(platform)
    root = simulation.base + b"/root"
    simulation.build_tree(
        parse_tree('a/{b@1500, c=7}, d="hi", l->$ROOT/a, h=12345678901'), root, substitutions={b"$ROOT": root}
    )
    entries = simulation.take_snapshot(root).entries
    assert sorted(entries) == [b".", b"a", b"a/b", b"a/c", b"d", b"h", b"l"]
    assert (entries[b"a/c"].size, entries[b"d"].size, entries[b"h"].size) == (7, 2, 12345678901)
    assert entries[b"a/b"].mtime_ns == 1_500_000_000
    assert {entries[name].mtime_ns for name in (b".", b"a", b"l")} == {DEFAULT_MTIME_NS}
    assert entries[b"l"].target == root + b"/a"


@pytest.mark.parametrize("platform", PLATFORMS)
def test_two_snapshots_show_changes(platform: str) -> None:
    simulation = SimulatedFileSystem(platform)
    root = simulation.base + b"/root"
    simulation.build_tree(parse_tree('a="x", b'), root)
    before = simulation.take_snapshot(root)
    assert diff_snapshots(before, simulation.take_snapshot(root)) == []
    simulation.build_tree(parse_tree("c"), root)
    assert diff_snapshots(before, simulation.take_snapshot(root))[-1] == "c: appeared"


@pytest.mark.parametrize(
    ("platform", "notation", "reason"),
    [
        ("windows", "a, A", "A: a sibling differs in case only"),
        ("macos", "d/{a, A}", "d/A: a sibling differs in case only"),
        ("macos", r"'\xff'", r"'\xff': names are Unicode there"),
        ("windows", "'a.'", "a.: Windows has no such name"),
        ("windows", "'a:b'", "'a:b': Windows has no such name"),
        ("windows", "nul.txt", "nul.txt: Windows has no such name"),
        ("windows", r"'a\\b'", r"'a\\b': Windows has no such name"),
        ("macos", "p:fifo", "p: a simulated platform has no fifo"),
        ("macos", "d/%0000", "d: modes, hard links and faults are not simulated"),
        ("macos", "d/!R", "d: modes, hard links and faults are not simulated"),
    ],
)
def test_impossible_entries_are_refused(platform: str, notation: str, reason: str) -> None:
    with pytest.raises(CannotBuild) as refusal:
        SimulatedFileSystem(platform).build_tree(parse_tree(notation), b"/root" if platform == "macos" else b"C:/root")
    assert refusal.value.reason == reason


def test_names_that_windows_refuses_are_ordinary_on_macos() -> None:
    simulation = SimulatedFileSystem("macos")
    simulation.build_tree(parse_tree(r"'a.', 'a:b', con, 'a\\b'"), b"/root")
    assert len(simulation.take_snapshot(b"/root").entries) == 5


@pytest.mark.parametrize("root", [b"C:/", b"E:/", b"//server/share", b"C:/deep/er"])
def test_trees_are_built_on_drives_and_shares(root: bytes) -> None:
    simulation = SimulatedFileSystem("windows")
    simulation.build_tree(parse_tree("a/{b}"), root)
    assert sorted(simulation.take_snapshot(root).entries) == [b".", b"a", b"a/b"]


def test_each_simulation_begins_empty() -> None:
    first, second = SimulatedFileSystem("macos"), SimulatedFileSystem("macos")
    first.build_tree(parse_tree("a"), b"/root")
    assert second.take_snapshot(b"/root").entries == {}
