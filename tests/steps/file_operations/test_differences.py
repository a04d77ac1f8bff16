"""How a call of the file operations differs from the expected effect, in the words of a line."""

from __future__ import annotations

import pytest

from treeproof.candidate import CallResult
from treeproof.steps.file_operations.differences import (
    EFFECT_WITH_ERROR,
    LOST_CONTENTS,
    NO_EFFECT,
    OTHER_EFFECT,
    SUCCESS,
    classify,
)
from treeproof.tree import Tree, nest, normalise, parse_tree

OK = CallResult("ok", "done", None, None, None, None, None, b"")
NO = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")


def tree(notation: str) -> Tree:
    return normalise(nest(parse_tree(notation), b"root"))


@pytest.mark.parametrize(
    ("answer", "after", "kind"),
    [
        (NO, 'a="A"', "the call failed with ExecutionFailed"),
        (OK, 'a="A"', NO_EFFECT),
        (OK, 'a="A", b="A"', OTHER_EFFECT),
        (OK, 'b="X"', LOST_CONTENTS),
        (NO, 'b="A"', EFFECT_WITH_ERROR),
    ],
)
def test_a_difference_from_a_due_success(answer: CallResult, after: str, kind: str) -> None:
    found = classify(answer, tree('a="A"'), tree(after), tree('b="A"'), is_success_due=True)
    assert found.kind == kind
    assert found.harm == ("data" if kind == LOST_CONTENTS else None)


@pytest.mark.parametrize(
    ("answer", "before", "after", "kind", "harm"),
    [
        (OK, 'a="A", b="B"', 'b="A"', LOST_CONTENTS, "data"),
        (OK, 'a="A", b', 'a="A", b="A"', SUCCESS, None),
        (NO, 'a="A"', 'a="A", .tmp="x"', EFFECT_WITH_ERROR, None),
    ],
)
def test_a_difference_from_a_due_error(
    answer: CallResult, before: str, after: str, kind: str, harm: str | None
) -> None:
    found = classify(answer, tree(before), tree(after), tree(before), is_success_due=False)
    assert (found.kind, found.harm) == (kind, harm)


def test_a_change_beside_the_sandbox_is_an_escape() -> None:
    before, after = (normalise(parse_tree(text)) for text in ('root/{a="A"}, away/', 'root/{a="A"}, away/{x="A"}'))
    assert classify(OK, before, after, before, is_success_due=False).harm == "escape"
