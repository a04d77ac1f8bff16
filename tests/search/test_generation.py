"""Generation: the same seed gives the same values, and nothing of hypothesis is left behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import configuration
from hypothesis import strategies as st

from treeproof.model.case import CaseFamily, TextPieces, TreeShape
from treeproof.search.generation import sample
from treeproof.search.strategies import cases, restrict_shape_to_host, trees
from treeproof.tree import Host, Kind, parse_tree, render_tree

NUMBERS = st.lists(st.integers(0, 100), max_size=6)
SHAPE = TreeShape(
    ((b"a", b"b", b"\xff"), (b"x",)), (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO), directory_modes=(None, 0o444)
)


def test_a_seed_gives_one_sequence() -> None:
    first = sample(NUMBERS, seed=1, examples=30)
    assert first == sample(NUMBERS, seed=1, examples=30)
    assert first != sample(NUMBERS, seed=2, examples=30)
    assert len(first) == 30


def test_the_storage_directory_of_hypothesis_is_not_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(configuration, "__hypothesis_home_directory", tmp_path / "theirs")
    sample(NUMBERS, seed=0, examples=5)
    assert list(tmp_path.iterdir()) == []
    assert configuration.storage_directory("examples").path == tmp_path / "theirs" / "examples"


def test_trees_have_names_of_one_group_and_are_rarely_empty() -> None:
    generated = sample(trees(SHAPE), seed=0, examples=100)
    groups = [{node.name for _, node in tree.walk()} for tree in generated]
    assert all(names <= {b"a", b"b", b"\xff"} or names <= {b"x"} for names in groups)
    assert sum(not names for names in groups) < 30
    kinds = {node.kind for tree in generated for _, node in tree.walk()}
    assert kinds == {Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO}
    assert any(node.mode == 0o444 for tree in generated for _, node in tree.walk())
    assert any(path.count(b"/") >= 2 for tree in generated for path, _ in tree.walk())


def test_a_case_is_updated_by_every_stage_of_its_family() -> None:
    family = CaseFamily(
        "f",
        parse_tree("a"),
        (
            lambda case: TextPieces("arguments.path", ("a", "/"), 3),
            lambda case: [{"arguments.length": len(case.arguments["path"])}],
            lambda case: [{}, {"context.max_output_bytes": 7}],
        ),
    )
    generated = sample(cases("t", family), seed=0, examples=40)
    assert all(case.arguments["length"] == len(case.arguments["path"]) for case in generated)
    assert {case.context.get("max_output_bytes") for case in generated} == {None, 7}
    assert {case.tree for case in generated} == {parse_tree("a")}


def test_features_that_the_host_lacks_are_not_generated() -> None:
    host = Host(b"/", "Linux", True, {"non_utf8_names": "no", "symlinks": "no", "special_files": "no"})
    shape = restrict_shape_to_host(SHAPE, host)
    assert (shape.names, shape.kinds) == (((b"a", b"b"), (b"x",)), (Kind.FILE, Kind.DIR))


def test_hard_links_refer_to_existing_files() -> None:
    generated = sample(trees(replace(SHAPE, hard_links=True)), seed=0, examples=60)
    assert not any(node.hardlink for tree in sample(trees(SHAPE), seed=0, examples=60) for _, node in tree.walk())
    assert all(parse_tree(render_tree(tree)) == tree for tree in generated)
    assert any(node.hardlink for tree in generated for _, node in tree.walk())


def test_files_have_permissions_and_special_files_times() -> None:
    shape = replace(SHAPE, kinds=(Kind.FILE, Kind.FIFO), file_modes=(0o755,), special_mtimes_ms=(1500,))
    nodes = [node for tree in sample(trees(shape), seed=0, examples=60) for _, node in tree.walk()]
    assert {node.mode for node in nodes if node.kind is Kind.FILE} == {None, 0o755}
    assert {node.mtime_ns for node in nodes if node.kind is Kind.FIFO} == {None, 1_500_000_000}
