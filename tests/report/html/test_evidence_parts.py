"""The parts of displayed evidence: lines of a tree, differences, commands for a shell."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from treeproof.report.digest import rerun_command
from treeproof.report.html.evidence_blocks import MAX_CELLS, MAX_ROWS, CallError, EvidenceView
from treeproof.report.html.text_difference import diff_texts
from treeproof.report.html.tree_drawing import MAX_LINES, draw_tree
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.run_document import RunDocument


def view(evidence: dict[str, Any]) -> EvidenceView:
    return EvidenceView(Evidence.from_json(evidence))


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
        ("ab", "a", ["ab"], ["a"], "byte 1: expected 0x62 (b) of 2 bytes, got no more bytes"),
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
    assert found.position == (at and f"First difference at {at}")
    assert "".join(piece.text for piece in found.expected) == expected
    assert "".join(piece.text for piece in found.got) == got


def test_a_notation_of_the_suite_has_a_position_only_at_a_byte_of_a_name() -> None:
    assert diff_texts("a, 'a/b'", "a, a-b", is_verbatim=False).position is None
    position = diff_texts("e\u0301", "\u00e9", is_verbatim=False).position
    assert position == "First difference at byte 0: expected 0x65 (e) of 3 bytes, got 0xc3 of 2 bytes"


@pytest.mark.parametrize(
    ("got", "content", "is_named"),
    [("a\nb", '{"text": "a\\nb"}', True), ("b", "b", True), ("b", "c", False)],
)
def test_a_byte_is_named_only_if_both_sides_come_from_the_answer(got: str, content: str, is_named: bool) -> None:
    found = view({"expected": "x", "got": got, "outcome": {"status": "ok", "content": content}})
    assert found.comparison is not None
    assert (found.comparison.position is not None) == is_named


@pytest.mark.parametrize(("expected", "got"), [("[1]", "BadArgs: no"), ("BadArgs", '{"entries": []}')])
def test_a_listing_and_an_error_are_not_compared_byte_by_byte(expected: str, got: str) -> None:
    found = view({"expected": expected, "got": got, "outcome": {"status": "ok", "content": got}})
    assert found.comparison is not None and found.comparison.position is None
    assert [piece.differs for piece in (*found.comparison.expected, *found.comparison.got)] == [False, False]


def test_of_several_calls_the_judged_one_is_named_with_its_number() -> None:
    calls = [{"tool": "t", "arguments": "{}", "context": {"roots": [root]}} for root in ("$ROOT", "$ROOT2")]
    found = view({"call": calls[1], "calls": calls, "call_number": 9})
    assert [one.label for one in found.calls] == ["call 1", "call 9, which is judged here"]
    assert ["$ROOT2" in one.context for one in found.calls] == [False, True]
    assert [one.label for one in view({"call": calls[0]}).calls] == [""]
    assert not dict(found.other_members)


def test_an_expectation_without_got_is_not_compared_with_the_whole_result() -> None:
    found = view({"expected": "a", "outcome": {"status": "ok", "content": "[b]"}, "message": "m"})
    assert found.comparison is None and found.answer is not None and not found.answer.is_compared
    assert dict(found.other_members) == {"Expected": "a"}


@pytest.mark.parametrize(
    ("outcome", "error"),
    [
        ({"status": "error", "kind": "BadArgs", "message": "No: É"}, CallError("BadArgs", "No: É")),
        ({"status": "error", "kind": None, "message": None}, CallError("", "")),
        ({"status": "ok", "content": '{"error": {"code": "E1", "message": "m"}}'}, CallError("E1", "m")),
        ({"status": "ok", "content": '{"error": "gone"}'}, CallError("", "gone")),
        ({"status": "ok", "content": '{"error": {"code": 7}}'}, None),
        ({"status": "ok", "content": "[" * 100_000}, None),
        ({"status": "ok", "content": "[]"}, None),
    ],
)
def test_the_candidates_own_error_is_found(outcome: dict[str, Any], error: CallError | None) -> None:
    assert view({"outcome": outcome}).error == error


def test_equal_ends_of_long_texts_are_not_marked() -> None:
    found = diff_texts("a " * 4000 + "x" + " b" * 4000, "a " * 4000 + "y" + " b" * 4000)
    assert [piece.text for piece in found.expected if piece.differs] == ["x"]


@pytest.mark.parametrize(
    "word", ["plain", "a b", "it's", "$HOME `x` \\", "tab\tline\nfeed", "\x1b[31m", "\u202ex", "é"]
)
def test_a_command_is_quoted_for_the_shell(word: str, mixed: dict[str, Any]) -> None:
    command = rerun_command(RunDocument.from_json({**mixed, "command": [word]}), "LD-LST-05-01")
    assert command.isprintable()
    shown = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command.removeprefix('treeproof run ')}"], capture_output=True, check=True
    )
    assert shown.stdout.decode().split("\0") == [word, "--select", "LD-LST-05-01", ""]


def test_a_document_without_a_command_shows_the_word_target(mixed: dict[str, Any]) -> None:
    assert rerun_command(RunDocument.from_json(mixed), "LD-LST-05-01") == "treeproof run TARGET --select LD-LST-05-01"


def test_the_last_executed_step_is_marked() -> None:
    raw: dict[str, Any] = {"steps": ["given a", "given b", "then c", "then d"], "step": "Then c"}
    steps = [(step.keyword, step.text, step.is_last) for step in view(raw).steps]
    assert steps == [("Given", "a", False), ("And", "b", False), ("Then", "c", True), ("And", "d", False)]


@pytest.mark.parametrize(
    ("steps", "shown"),
    [
        (["given A b"], [("Given", "A b")]),
        (["Given A b", "given c"], [("Given", "A b"), ("And", "c")]),
        (["PATH is X", "É y", ""], [("", "PATH is X"), ("", "É y"), ("", "")]),
    ],
)
def test_no_character_of_a_step_is_changed(steps: list[str], shown: list[tuple[str, str]]) -> None:
    assert [(step.keyword, step.text) for step in view({"steps": steps, "step": "then z"}).steps] == shown


def test_steps_that_differ_in_case_are_different_steps() -> None:
    steps = view(
        {"steps": ['then the entries are "A"', 'then the entries are "a"'], "step": 'Then the entries are "a"'}
    ).steps
    assert [step.is_last for step in steps] == [False, True]


def test_the_last_step_has_its_table_and_its_docstring() -> None:
    raw = {
        "steps": ["given a", "then b"],
        "step": "Then b",
        "table": [["name", "size"], ["X", "1"]],
        "docstring": "Doc\nÉ",
    }
    steps = view(raw).steps
    assert (steps[0].table, steps[0].docstring) == ((), "")
    assert (steps[1].table, steps[1].docstring) == ([["name", "size"], ["X", "1"]], "Doc\nÉ")
    assert list(view(raw).other_members) == []


def test_a_table_is_cut() -> None:
    rows = [["x" * 1000] * 100] * 1000
    (step,) = view({"step": "then b", "table": rows}).steps
    assert len(step.table) == MAX_ROWS + 1
    assert step.table[-1] == [f"… and {1000 - MAX_ROWS} more rows"]
    assert max(map(len, step.table)) == MAX_CELLS
    assert max(len(cell) for row in step.table for cell in row) < 450
