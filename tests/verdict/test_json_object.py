"""Dataclasses that are JSON objects: what they write, what they read, and what they leave out."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from treeproof.verdict.json_object import JsonObject, absent, internal


class Colour(enum.StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Part(JsonObject):
    name: str
    size: int | None = absent()


@dataclass(frozen=True)
class Whole(JsonObject):
    colour: Colour
    parts: tuple[Part, ...]
    other: Part | None
    day: datetime.date | None = absent()
    words: tuple[tuple[str, ...], ...] = absent(())
    facts: Mapping[str, Any] = field(default_factory=dict)
    note: str = internal("not written")


JSON = {
    "colour": "red",
    "parts": [{"name": "a"}, {"name": "b", "size": 1}],
    "other": None,
    "day": "2030-01-31",
    "words": [["x", "y"], []],
    "facts": {"n": [1]},
}
WHOLE = Whole(
    Colour.RED,
    (Part("a"), Part("b", 1)),
    None,
    datetime.date(2030, 1, 31),
    (("x", "y"), ()),
    {"n": [1]},
)


def test_an_object_is_written_in_the_order_of_its_fields_and_read_back() -> None:
    assert WHOLE.to_json() == JSON and list(WHOLE.to_json()) == list(JSON)
    assert Whole.from_json(JSON) == WHOLE
    assert type(Whole.from_json(JSON).colour) is Colour


@pytest.mark.parametrize("more", [{}, {"note": "read"}, {"unknown": 1}])
def test_what_is_absent_has_its_default_and_other_members_are_ignored(more: dict[str, Any]) -> None:
    small = {"colour": "red", "parts": [], "other": {"name": "c"}, **more}
    found = Whole.from_json(small)
    assert found == Whole(Colour.RED, (), Part("c")) and found.note == "not written"
    assert found.to_json() == {"colour": "red", "parts": [], "other": {"name": "c"}, "facts": {}}
