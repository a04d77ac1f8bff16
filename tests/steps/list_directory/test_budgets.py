"""The budgets of a call whose context has none, and the entry at the greatest depth."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.run.world import World
from treeproof.steps.list_directory import interpretations
from treeproof.steps.shared import calls
from treeproof.verdict import Mismatch


@pytest.mark.parametrize(
    ("context", "budgets"),
    [
        ({}, [102_400, 65_536]),
        ({"max_output_bytes": 5}, [5, 65_536]),
        ({"available_capacity_bytes": 0}, [102_400, 0]),
        ({"max_output_bytes": 7, "available_capacity_bytes": 8}, [7, 8]),
    ],
)
def test_the_budgets_of_the_protocol_are_the_defaults(context: dict[str, Any], budgets: list[int]) -> None:
    assert calls.budgets_of(Call("list_directory", {}, context)) == budgets


class FakeWorld:
    """A world whose last call result lists the given entries."""

    sandbox = SimpleNamespace(placeholders={})

    def __init__(self, *entries: dict[str, Any]) -> None:
        self.answer = CallResult("ok", json.dumps({"path": ".", "entries": entries}), None, None, None, None, None, b"")


def check_deepest(cell: str, *entries: dict[str, Any]) -> None:
    world: World = FakeWorld(*entries)  # type: ignore[assignment]
    interpretations.assert_deepest(world, cell)


@pytest.mark.parametrize("others", [[], [{"path": "d/e", "type": "dir"}], [{"path": "z", "type": "file"}]])
def test_one_entry_at_the_greatest_depth_is_enough(others: list[dict[str, Any]]) -> None:
    check_deepest('{"type": "unknown"}', {"path": "d", "type": "dir"}, {"path": "d/e", "type": "unknown"}, *others)


def test_an_entry_at_a_smaller_depth_is_not_enough() -> None:
    with pytest.raises(Mismatch, match="no entry 2 levels down"):
        check_deepest('{"type": "unknown"}', {"path": "d", "type": "unknown"}, {"path": "d/e", "type": "dir"})
