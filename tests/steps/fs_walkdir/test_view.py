"""The view of a walk: what it takes for a list of maps, and the times in RFC 3339 that it reads."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.steps.fs_walkdir.view import Walk, fraction_digits, parse_time
from treeproof.verdict import Mismatch


def answer(value: Any, log: tuple[dict[str, str], ...] | None = None) -> CallResult:
    return CallResult("ok", json.dumps(value), None, None, None, log, None, b"")


@pytest.mark.parametrize("value", [{}, "", ["a"], [{"name": "a"}], [{"path": 1}]])
def test_what_is_no_list_of_maps_with_paths_cannot_be_viewed(value: Any) -> None:
    with pytest.raises(Mismatch, match="no list of maps"):
        Walk.parse(answer(value))


def test_a_nil_shows_what_was_logged() -> None:
    with pytest.raises(Mismatch, match="the result is nil, and the log says: no entry"):
        Walk.parse(answer(None, ({"level": "error", "message": "no entry"},)))


@pytest.mark.parametrize(
    ("text", "seconds", "digits"),
    [
        ("1970-01-01T00:00:01Z", Fraction(1), 0),
        ("1970-01-01t01:00:00.250+01:00", Fraction(1, 4), 3),
        ("1969-12-31T23:59:59.5Z", Fraction(-1, 2), 1),
    ],
)
def test_times_have_any_offset_and_fraction(text: str, seconds: Fraction, digits: int) -> None:
    assert (parse_time(text), fraction_digits(text)) == (seconds, digits)


@pytest.mark.parametrize(
    "text", ["1970-01-01T00:00:01", "1970-01-01_00:00:01Z", "1970-13-01T00:00:01Z", "1970-01-01T00:00:01+24:00", 1]
)
def test_other_values_are_no_times(text: object) -> None:
    assert parse_time(text) is None
