"""Trees that are read from a file system, and differences between trees."""

import os
from pathlib import Path

import pytest

from treeproof.tree import (
    build_tree,
    nest,
    normalise,
    parse_tree,
    read_tree,
    render_tree,
    tree_diff,
    without_default_metadata,
)


@pytest.mark.parametrize(
    "notation",
    [
        "",
        'a="A", d/{e/, f=3}',
        "p:fifo, s:sock",
        "l->nowhere, m->l",
        r"""b="\x00\xff\r\n", '\xff'="x", 'a b'""",
        'a="A", b=>a, d/{c=>a}',
        'f="x"%0600, d/%0700{g%0666}',
        'big="ab"*100000',
    ],
)
def test_a_built_tree_is_read_back(tmp_path: Path, notation: str) -> None:
    build_tree(parse_tree(notation), os.fsencode(tmp_path))
    found = without_default_metadata(read_tree(os.fsencode(tmp_path)))
    assert found == without_default_metadata(normalise(parse_tree(notation)))
    assert normalise(parse_tree(render_tree(found))) == found


def test_the_first_name_of_a_file_has_the_content(tmp_path: Path) -> None:
    build_tree(parse_tree('z="A", b=>z'), os.fsencode(tmp_path))
    assert render_tree(without_default_metadata(read_tree(os.fsencode(tmp_path)))) == 'b="A", z=>b'
    assert normalise(parse_tree('z="A", b=>z')) == normalise(parse_tree('b="A", z=>b'))


def test_placeholders_in_link_targets_are_replaced() -> None:
    assert render_tree(normalise(parse_tree("l->$OUTSIDE/x"), {b"$OUTSIDE": b"/here"})) == "l->/here/x"


def test_nest_adds_a_directory_to_all_paths() -> None:
    assert render_tree(nest(parse_tree('a="A", b=>a'), b"root")) == 'root/{a="A", b=>root/a}'


def test_a_missing_directory_is_an_empty_tree(tmp_path: Path) -> None:
    assert read_tree(os.fsencode(tmp_path / "gone")).entries == ()


@pytest.mark.parametrize(
    ("expected", "found", "lines"),
    [
        ('a="A"', 'a="B"', ['a: is a file of 1 byte ("B"), should be a file of 1 byte ("A")']),
        ("a, b", "a", ["- b: is not there"]),
        ("a", "a, l->x", ["+ l: a link to x, should not be there"]),
        ("d/", "d->e", ["d: is a link to e, should be a directory"]),
        ("a, b", "a, b=>a", ["b: is another name of a, should be a file of 0 bytes"]),
        ("a%0600", "a%0644", ["a: has the mode 0644, should have 0600"]),
        ("a", "a%0600", []),
        ("a@5", "a@6", ["a: was modified at 6000000 ns, should be 5000000 ns"]),
        ('d/{a="A"}', 'd/{a="A"}', []),
    ],
)
def test_differences_are_reported_per_entry(expected: str, found: str, lines: list[str]) -> None:
    assert tree_diff(normalise(parse_tree(expected)), normalise(parse_tree(found))) == lines
