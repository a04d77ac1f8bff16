"""The lines that a script emits, by the outcomes of its calls."""

from __future__ import annotations

import pytest

from treeproof.model.case import Exchange, Unmodelled
from treeproof.oracles.fs_walkdir.model import model

from .calls import ACCEPTED, failed, findings, ok, script, violated

AFTER = """
# a comment
CALL FS.WalkDir("t")
SET one = LAST
FOR EACH entry IN one DO
  EMIT "before: " + entry["path"] + ", " + entry["size"]
ENDBLOCK
CALL FS.WalkDir({path})
SET other = LAST
IF other == nil THEN
  EMIT "after: nil"
ELSE
  EMIT "after: something"
ENDBLOCK
"""
TREE = "t/{a=1, b/}, f, e/"


def after(path: str) -> str:
    return AFTER.replace("{path}", path)


def test_the_lines_of_a_loop_come_in_any_order_with_any_text_of_numbers() -> None:
    asked = script(after('"f"'), TREE)
    assert model.expected(asked) == "before: a, …\nbefore: b, …\nafter: nil"
    assert violated(asked, ok(["before: b, 0", "before: a, one", "after: nil"])) == []


@pytest.mark.parametrize(
    ("path", "lines", "requirement"),
    [
        ('"f"', ["before: a, 1", "before: b, 0", "after: something"], "WD-LAST-01"),
        ('"f"', ["before: a, 1", "before: b, 0"], "WD-ERR-01"),
        ('"f"', ["before: ./a, 1", "before: ./b, 0", "after: nil"], "WD-ENT-02"),
        ('"f"', ["before: b, 0", "after: nil"], "WD-WALK-01"),
        ('"f"', ["after: nil"], "WD-LAST-01"),
    ],
)
def test_other_lines_break_the_rule_of_the_walk_that_they_show_or_of_last(
    path: str, lines: list[str], requirement: str
) -> None:
    assert violated(script(after(path), TREE), ok(lines)) == [requirement]


LIST = """
CALL FS.WalkDir({path})
SET one = LAST
IF one == nil THEN
  EMIT "nil"
ELSE
  FOR EACH entry IN one DO
    EMIT "listed: " + entry["path"]
  ENDBLOCK
ENDBLOCK
"""


@pytest.mark.parametrize(
    ("path", "lines", "requirement"),
    [
        ('""', ["listed: t"], "WD-ARG-03"),
        ("", ["listed: t"], "WD-ARG-01"),
        ('"t", "x"', ["listed: a"], "WD-ARG-01"),
        ('"../outside"', ["listed: secret"], "WD-SEC-01"),
        ('"nope"', ["listed: a"], "WD-ERR-03"),
    ],
)
def test_a_script_that_lists_something_where_nil_is_due_breaks_the_rule_of_the_call(
    path: str, lines: list[str], requirement: str
) -> None:
    asked = script(LIST.replace("{path}", path), TREE)
    assert violated(asked, ok(["nil"])) == []
    assert violated(asked, ok(lines)) == [requirement]


def test_a_script_may_fail_where_the_call_may() -> None:
    wrong, error = script(LIST.replace("{path}", "5"), TREE), script(LIST.replace("{path}", '"f"'), TREE)
    assert violated(wrong, failed()) == []
    assert violated(error, failed(), AMB_WD_23="error") == []
    assert violated(error, failed(), AMB_WD_23="nil") == ["WD-ERR-01"]
    assert violated(error, ok(["nil"]), AMB_WD_23="error") == ["WD-ERR-01"]


def test_a_script_that_does_not_know_the_tool_breaks_the_rule_of_its_name() -> None:
    (finding,) = findings(script('EMIT "x"\nCALL FS.WalkDir("t")', TREE), failed("UnknownTool"))
    assert finding.requirement == "WD-SYN-01"


@pytest.mark.parametrize(
    "text",
    ["PRINT 1", 'CALL Other("t")', "IF x == nil THEN", "ENDBLOCK", 'EMIT y["path"]', "FOR EACH a IN nil DO\nENDBLOCK"],
)
def test_another_script_is_not_modelled(text: str) -> None:
    with pytest.raises(Unmodelled):
        model.judge(Exchange(script(text, TREE), ok([])), ACCEPTED)
