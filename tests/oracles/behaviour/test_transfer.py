"""Moves and copies against the behaviour contract, by the trees before and after them."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange
from treeproof.oracles.behaviour.model import MODEL
from treeproof.tree import normalise, parse_tree

OUTSIDE = 'out/{s="S"}'
OK = CallResult("ok", "", None, None, None, None, None, b"")
ERROR = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")


def rules(
    tool: str, before: str, after: str, source: str, destination: str, answer: CallResult, **more: Any
) -> set[str]:
    """Return the rules that a call breaks. `after` holds the root, and what is beside it if that differs."""
    whole = after if after.startswith("root/") else f"root/{{{after}}}, {OUTSIDE}"
    first, last = (normalise(parse_tree(text)) for text in (f"root/{{{before}}}, {OUTSIDE}", whole))
    case = Case(tool, parse_tree(before), {"source": source, "destination": destination, **more})
    found = MODEL.judge(Exchange(case, answer, first, last), {}).findings
    return {finding.requirement for finding in found}


@pytest.mark.parametrize(
    ("tool", "before", "after", "source", "destination", "answer", "expected"),
    [
        ("move", 'a="A"', 'root/{}, out/{s="S", b="A"}', "a", "../out/b", OK, "BEH-02"),
        ("copy", 'a="A"', 'root/{a="A"}, out/{s="A"}', "a", "../out/s", OK, "BEH-02"),
        ("copy", "l->../out/s", 'l->../out/s, b="S"', "l", "b", OK, "BEH-02"),
        ("copy", "d/{l->../../out/s}", 'd/{l->../../out/s}, e/{l="S"}', "d", "e", OK, "BEH-02"),
        ("move", 'a="A", b="B"', 'b="A"', "a", "b", OK, "BEH-03"),
        ("copy", 'a="A", b="B"', 'a="A", b="A"', "a", "b", ERROR, "BEH-03"),
        ("move", 'a="A"', "", "a", "b", OK, "BEH-03"),
        ("move", 'a="A"', "", "a", "b", ERROR, "BEH-03"),
        ("move", 'd/{f="F", g="G"}', 'e/{f="F"}', "d", "e", OK, "BEH-03"),
        ("move", 'a="A", d/{x="X"}', 'd="A"', "a", "d", OK, "BEH-03"),
        ("copy", 'a="A"', 'a="A"', "a", "b", OK, "BEH-04"),
        ("copy", 'd/{f="F", g="G"}', 'd/{f="F", g="G"}, e/{f="F"}', "d", "e", OK, "BEH-04"),
        ("move", 'a="A"', 'a="A", b="A"', "a", "b", OK, "BEH-04"),
        ("move", 'a="A"', 'a="A"', "n", "b", OK, "BEH-04"),
        ("move", 'a="A"', 'a="A", b="A"', "a", "b", ERROR, "BEH-05"),
        ("copy", 'a="A"', 'a="A", b=""', "a", "b", ERROR, "BEH-05"),
        ("move", 'a="A", l->a', 'l->a, m="A"', "l", "m", OK, "BEH-09"),
        ("move", 'a="A", d/, l->d', 'a="A", d/, l->d', "l", "d", OK, "BEH-09"),
        ("copy", 'a="A"', 'a="A", b="A"', "a", " b", OK, "BEH-13"),
        ("move", 'a="A"', 'b="A"', "a", "b ", OK, "BEH-13"),
        ("move", r"""'a\\b'="A", a/{b="B"}""", r"""'a\\b'="A", a/, c="B" """, "a\\b", "c", OK, "BEH-13"),
        ("move", r"""'a\\b'="A", a/{b="B"}, c/""", r"""'a\\b'="A", a/, c/{d="B"}""", "a\\b", "c\\d", OK, "BEH-13"),
        (
            "copy",
            r"""'a\\b'="A", a/{b="B"}, c/""",
            r"""'a\\b'="A", a/{b="B"}, c/{d="B"}""",
            "a\\b",
            "c\\d",
            OK,
            "BEH-13",
        ),
        ("move", 'd/{f="F"}', 'e/{f="F"}', "d", " e", OK, "BEH-13"),
    ],
)
def test_a_wrong_effect_breaks_its_rule(
    tool: str, before: str, after: str, source: str, destination: str, answer: CallResult, expected: str
) -> None:
    assert rules(tool, before, after, source, destination, answer) == {expected}


@pytest.mark.parametrize(
    ("tool", "before", "after", "source", "destination", "answer"),
    [
        ("move", 'a="A"', 'b="A"', "a", "b", OK),
        ("move", 'a="A", d/', 'd/{a="A"}', "a", "d", OK),
        ("move", 'a="A", d/', 'd/{a="A"}', "a", "d/", OK),
        ("rename", 'a="A", d/, l->d', 'd/{a="A"}, l->d', "a", "l", OK),
        ("copy", 'a="A"', 'a="A", b="A"', "a", "./b", OK),
        ("cp", 'd/{f="F", l->f}', 'd/{f="F", l->f}, e/{f="F", l="F"}', "d", "e", OK),
        ("copy", 'a="A", l->a', 'a="A", l->a, m->a', "l", "m", OK),
        ("copy", 'a="A", l->a', 'a="A", l->a, m="A"', "l", "m", OK),
        ("move", 'a="A", l->a', 'a="A", m->a', "l", "m", OK),
        ("move", 'a="A"', 'a="A"', "a", "b", ERROR),
        ("move", 'a="A"', 'a="A"', "a", "a", OK),
        ("move", 'a="A"', 'a="A"', "a", "../out/b", ERROR),
        ("move", 'a="A", h="A"', 'a="A", h="A"', "a", "h", OK),
        ("copy", 'a="A"', 'a="A", x/', "a", "x/y/b", ERROR),
        ("move", 'd/{f="F"}, e/{d/{g="G"}}', 'e/{d/{f="F", g="G"}}', "d", "e", OK),
        ("move", 'a="A", o->../out', 'x="A", o->../out', "a", "o/../x", OK),
    ],
)
def test_a_right_effect_breaks_no_rule(
    tool: str, before: str, after: str, source: str, destination: str, answer: CallResult
) -> None:
    assert rules(tool, before, after, source, destination, answer) == set()


def test_a_file_is_replaced_on_request_only() -> None:
    before, after = 'a="A", b="B"', 'b="A"'
    assert rules("move", before, after, "a", "b", OK, overwrite=True) == set()
    assert rules("move", before, after, "a", "b", OK, overwrite=False) == {"BEH-03"}
    assert rules("move", 'a="A", b="B", c="C"', 'b="A"', "a", "b", OK, overwrite=True) == {"BEH-03"}
