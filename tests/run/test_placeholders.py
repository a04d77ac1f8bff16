"""Placeholders are replaced in calls and restored in evidence."""

from __future__ import annotations

from treeproof.model.placeholders import scrub
from treeproof.run.call_builder import expand, mask_volatile_members

NAMES = {"$ROOT": "/w/1/root", "$OUTSIDE": "/w/1"}


def test_names_and_repetitions_are_replaced_at_any_depth() -> None:
    value = {"path": "$ROOT/in$('/.'*3)", "roots": ["$ROOT", "$OUTSIDE/x"], "n": 1, "home": "$HOME"}
    assert expand(value, NAMES) == {
        "path": "/w/1/root/in/././.",
        "roots": ["/w/1/root", "/w/1/x"],
        "n": 1,
        "home": "$HOME",
    }


def test_scrubbing_replaces_the_longest_path_first() -> None:
    assert scrub({"m": "no /w/1/root/x beside /w/1/y"}, NAMES) == {"m": "no $ROOT/x beside $OUTSIDE/y"}


def test_a_duration_is_replaced_by_a_placeholder() -> None:
    answer = '{"stats":{"time_ms": 12.5,"n":3},"time":7,"more":{"time_ms":0}}'
    assert mask_volatile_members(answer, ["time_ms"]) == (
        '{"stats":{"time_ms": $DURATION,"n":3},"time":7,"more":{"time_ms":$DURATION}}'
    )
    assert mask_volatile_members(answer, []) is answer
    assert mask_volatile_members(None, ["time_ms"]) is None
