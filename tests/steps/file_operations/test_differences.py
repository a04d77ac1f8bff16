"""The stage and the kind of a difference between a call of the file operations and the expected effect."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.steps.file_operations.differences import LOST_CONTENTS, SUCCESS, Observation, classify
from treeproof.tree import Tree, nest, normalise, parse_tree

A_TO_B = {"source": "a", "destination": "b"}
INTO_D = {"source": "a", "destination": "d"}


def tree(notation: str) -> Tree:
    return normalise(nest(parse_tree(notation), b"root"))


def observation(tool: str, before: str, after: str, *, error: str = "", arguments: Any = None) -> Observation:
    answer = (
        CallResult("error", None, error, "no", None, None, None, b"")
        if error
        else CallResult("ok", "done", None, None, None, None, None, b"")
    )
    return Observation(tool, arguments or A_TO_B, answer, tree(before), tree(after))


@pytest.mark.parametrize(
    ("seen", "expected", "stage", "kind"),
    [
        (
            observation("mv", 'a="A"', 'a="A"', error="ExecutionFailed"),
            'b="A"',
            "call",
            "move failed with ExecutionFailed",
        ),
        (
            observation("cp", 'a="A", d/', 'a="A", d/', error="ExecutionFailed", arguments=INTO_D),
            'a="A", d/{a="A"}',
            "call",
            "copy into a directory failed with ExecutionFailed",
        ),
        (observation("cp", 'a="A"', 'a="A"'), 'a="A", b="A"', "entries", "copy: a success without the effect"),
        (
            observation("move", 'a="A"', 'a="A", b="A"'),
            'b="A"',
            "entries",
            "move: a partial effect (an entry should not be there)",
        ),
        (
            observation("copy", 'a="A"', 'a="A", b="X"'),
            'a="A", b="A"',
            "entries",
            "copy: another effect than the expected one (another content)",
        ),
        (
            observation("move", 'a="A"', 'b="A"', error="ExecutionFailed"),
            'b="A"',
            "effect",
            "move failed with ExecutionFailed, after an effect",
        ),
        (
            observation("move", 'a="A", d/', 'd/{d="A"}', arguments=INTO_D),
            'd/{a="A"}',
            "entries",
            "move into a directory: another name than the source's own",
        ),
    ],
)
def test_a_difference_from_a_due_success(seen: Observation, expected: str, stage: str, kind: str) -> None:
    found = classify(seen, tree(expected), is_success_due=True)
    assert (found.stage, found.kind, found.harm) == (stage, kind, None)


@pytest.mark.parametrize(
    ("seen", "stage", "kind", "harm"),
    [
        (observation("move", 'a="A", b="B"', 'b="A"'), "refusal", LOST_CONTENTS, "data"),
        (observation("copy", 'a="A", b', 'a="A", b="A"'), "refusal", SUCCESS, None),
        (
            observation("copy", 'a="A"', 'a="A"'),
            "refusal",
            "the call succeeded and changed nothing; it should fail",
            None,
        ),
        (
            observation("copy", 'a="A"', 'a="A", .tmp="x"', error="ExecutionFailed"),
            "effect",
            "an effect with an error",
            None,
        ),
    ],
)
def test_a_difference_from_a_due_error(seen: Observation, stage: str, kind: str, harm: str | None) -> None:
    found = classify(seen, seen.before, is_success_due=False)
    assert (found.stage, found.kind, found.harm) == (stage, kind, harm)


@pytest.mark.parametrize("is_success_due", [True, False])
def test_an_unknown_name_of_a_tool_is_a_failure_of_the_call(is_success_due: bool) -> None:
    seen = observation("mv", 'a="A"', 'a="A"', error="UnknownTool")
    found = classify(seen, seen.before, is_success_due=is_success_due)
    assert (found.stage, found.kind) == ("call", "there is no tool of this name")


def test_a_change_beside_the_sandbox_is_an_escape() -> None:
    before, after = (normalise(parse_tree(text)) for text in ('root/{a="A"}, away/', 'root/{a="A"}, away/{x="A"}'))
    seen = Observation("copy", A_TO_B, CallResult("ok", "done", None, None, None, None, None, b""), before, after)
    assert classify(seen, before, is_success_due=False).harm == "escape"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('a="A", d/{a="O"}', 'd/{a="O", d="A"}, b="B"'),  # something else has changed
        ('a="A", d="D"', 'd="D", e="A"'),  # no directory
        ('a="A", d/', 'd/{a="A"}'),  # its own name
    ],
)
def test_only_another_name_in_the_directory_has_that_kind(before: str, after: str) -> None:
    seen = observation("move", before, after, arguments=INTO_D)
    assert "another name" not in classify(seen, tree("x"), is_success_due=False).kind
