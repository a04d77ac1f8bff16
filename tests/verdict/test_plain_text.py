"""Values of other types where a step should give texts: they are shown, bounded, and end nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from treeproof.verdict import Mismatch, NotApplicable, NotVerified
from treeproof.verdict.plain_text import MAX_TEXT_CHARACTERS, plain_text, truncate


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("é\n", "é\n"),
        (3, "3"),
        (None, "null"),
        ([4, "é"], '[4, "é"]'),
        ({"a": True}, '{"a": true}'),
        (b"\xff", r"b'\xff'"),
        ({1}, "{1}"),
        (Unshowable(), "(Unshowable: it cannot be shown)"),
    ],
)
def test_a_value_is_shown_as_text(value: Any, shown: str) -> None:
    assert plain_text(value) == shown


def test_the_text_of_a_value_is_bounded() -> None:
    shown = plain_text(list(range(100_000)))
    assert len(shown) < MAX_TEXT_CHARACTERS + 50
    assert shown.endswith(" more characters)")
    assert plain_text(nested(100_000))


def test_a_mismatch_with_values_of_other_types_can_be_reported() -> None:
    values: Any = 3, [4], {"a": {1}}, None
    found = Mismatch(values[0], expected=values[1], got=values[2], diff=values[3], kind=values[0])
    assert (found.message, found.expected, found.got, found.kind) == ("3", "[4]", "{'a': {1}}", "…")
    assert json.dumps([found.message, found.expected, found.got, found.diff, found.kind])
    assert found.within("then: ").expected == "[4]"


def test_other_outcomes_have_texts_too() -> None:
    cause: Any = ["no", "disk"]
    assert NotVerified("host_lacks", cause, remedy=cause).detail == '["no", "disk"]'
    assert NotApplicable(cause).condition == '["no", "disk"]'


def test_a_word_that_reports_do_not_know_is_refused_with_those_that_they_know() -> None:
    with pytest.raises(ValueError, match=r"harm is .*; write one of: ") as refused:
        Mismatch("it differs", harm="much")  # type: ignore[arg-type]
    assert "much" in str(refused.value)


def test_a_text_that_is_cut_stays_as_it_is() -> None:
    cut = truncate("x" * 30, 10)
    assert cut == "xxxxxxxxxx… (20 more characters)"
    assert truncate(cut, 10) == cut
