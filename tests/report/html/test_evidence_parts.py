"""The parts of displayed evidence: lines of a tree, differences, commands for a shell."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from treeproof.report.digest import rerun_command
from treeproof.report.html.difference import diff_texts
from treeproof.report.html.evidence import Evidence
from treeproof.report.html.tree_drawing import MAX_LINES, draw_tree


def draw_lines(notation: str) -> list[str]:
    return [f"{line.prefix}{line.name}{f' ({line.note})' if line.note else ''}" for line in draw_tree(notation)]


@pytest.mark.parametrize(
    ("notation", "lines"),
    [
        ("", []),
        ("a/{b}, a-b", ["├─ a/", "│  └─ b", "└─ a-b"]),
        ("a/{x/{y}, z}", ["└─ a/", "   ├─ x/", "   │  └─ y", "   └─ z"]),
        ("d/, f=12, l->../r/s, h=>a/b", ["├─ d/", "├─ f (12 bytes)", "├─ l (→ ../r/s)", "└─ h (hard link of a/b)"]),
        ("f=\"a, {b}\", 'a, b', 'it\\'s'", ['├─ f (contains "a, {b}")', "├─ 'a, b'", "└─ 'it\\'s'"]),
        ("d/%0500{x}@5", ["└─ d/ (mode 0500, modified at 5 ms)", "   └─ x"]),
        ("e/!R=EACCES{y}", ["└─ e/ (reading fails (EACCES))", "   └─ y"]),
        ("p:fifo, s:sock", ["├─ p (named pipe)", "└─ s (socket)"]),
        ("c:chr, t@-7ns", ["├─ c (character device)", "└─ t (modified at -7 ns)"]),
        ("b:blk", ["└─ b (block device)"]),
        ("u!L, v!R2", ["├─ u (lstat fails)", "└─ v (reading fails half-way)"]),
        ("f000..f199, 'p'*255/{x}", ["├─ f000..f199 (200 entries)", "└─ 'p'*255/", "   └─ x"]),
        ("'\\xff'/{'\\u202e'}", ["└─ '\\xff'/", "   └─ '\\u202e'"]),
    ],
)  # fmt: skip
def test_trees_are_drawn(notation: str, lines: list[str]) -> None:
    assert draw_lines(notation) == lines


@pytest.mark.parametrize("broken", ["a/{b, 'open", "}}}{{{,,", "=3, @5, ->x", "/{", "a/{b/{c", "'", '"', ":", "-> ->"])
def test_a_truncated_notation_is_drawn_up_to_its_end(broken: str) -> None:
    assert all(isinstance(line, str) for line in draw_lines(broken))


def test_a_huge_tree_is_cut_and_the_rest_counted() -> None:
    lines = draw_lines(", ".join(f"n{number}" for number in range(1000)))
    assert (len(lines), lines[-1]) == (MAX_LINES + 1, f" (… and {1000 - MAX_LINES} more entries)")


def test_a_deep_tree_stays_readable() -> None:
    lines = draw_tree("a/{" * 3000)
    assert max(len(line.prefix) for line in lines) < 100


@pytest.mark.parametrize(
    ("expected", "got", "missing", "extra", "at"),
    [
        ("a, b", "a, b", [], [], None),
        ("a, 'a/b'", "a, a-b", ["'a/b'"], ["a-b"], "byte 3: expected 0x27 (') of 8 bytes, got 0x61 (a) of 6 bytes"),
        ("é", "è", ["é"], ["è"], "byte 1: expected 0xa9 of 2 bytes, got 0xa8 of 2 bytes"),
        ("ab", "a", ["ab"], ["a"], "byte 1: expected 0x62 (b) of 2 bytes, got the end (1 bytes)"),
        ('{"n":12,"m":3}', '{"n":13,"m":3}',
         ["2"], ["3"], "byte 6: expected 0x32 (2) of 14 bytes, got 0x33 (3) of 14 bytes"),
        ("\udcff", "\ud800", ["\udcff"], ["\ud800"], "byte 1: expected 0xb3 of 3 bytes, got 0xa0 of 3 bytes"),
    ],
)  # fmt: skip
def test_differences_and_the_first_position_are_found(
    expected: str, got: str, missing: list[str], extra: list[str], at: str | None
) -> None:
    found = diff_texts(expected, got)
    assert [piece.text for piece in found.expected if piece.differs] == missing
    assert [piece.text for piece in found.got if piece.differs] == extra
    assert found.position == (at and f"first difference at {at}")
    assert "".join(piece.text for piece in found.expected) == expected
    assert "".join(piece.text for piece in found.got) == got


def test_equal_ends_of_long_texts_are_not_marked() -> None:
    found = diff_texts("a " * 4000 + "x" + " b" * 4000, "a " * 4000 + "y" + " b" * 4000)
    assert [piece.text for piece in found.expected if piece.differs] == ["x"]


@pytest.mark.parametrize(
    "word", ["plain", "a b", "it's", "$HOME `x` \\", "tab\tline\nfeed", "\x1b[31m", "\u202ex", "é"]
)
def test_a_command_is_quoted_for_the_shell(word: str) -> None:
    command = rerun_command({"command": [word]}, "LD-LST-05-01")
    assert command.isprintable()
    shown = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command.removeprefix('treeproof run ')}"], capture_output=True, check=True
    )
    assert shown.stdout.decode().split("\0") == [word, "--select", "LD-LST-05-01", ""]


def test_a_document_without_a_command_shows_the_word_target() -> None:
    assert rerun_command({}, "LD-LST-05-01") == "treeproof run TARGET --select LD-LST-05-01"


def test_the_last_executed_step_is_marked() -> None:
    raw: dict[str, Any] = {"steps": ["given a", "given b", "then c", "then d"], "step": "Then c"}
    steps = [(step.keyword, step.text, step.is_last) for step in Evidence(raw).steps]
    assert steps == [("Given", "a", False), ("And", "b", False), ("Then", "c", True), ("And", "d", False)]
