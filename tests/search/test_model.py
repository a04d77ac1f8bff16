"""Cases: updates, weight, and conversion to and from JSON."""

from __future__ import annotations

import pytest

from treeproof.model.case import REMOVE_MEMBER, Case
from treeproof.tree import NotationError, parse_tree

CASE = Case("t", parse_tree(r"a/{'\xff'=3}, l->a"), {"path": ".", "n": 1}, {"max_output_bytes": 9})


def test_members_are_set_and_removed_by_their_path() -> None:
    changed = CASE.with_update({"arguments.n": REMOVE_MEMBER, "arguments.m": 2, "context.max_output_bytes": 5})
    assert changed.arguments == {"path": ".", "m": 2}
    assert changed.context == {"max_output_bytes": 5}
    assert CASE.arguments == {"path": ".", "n": 1}


def test_the_configuration_is_the_table_of_the_tool_and_is_removed_with_its_last_member() -> None:
    configured = CASE.with_update({"config.max_entries": 3})
    assert configured.context["config"] == {"tools": {"t": {"max_entries": 3}}}
    assert configured.config == {"max_entries": 3}
    assert "config" not in configured.with_update({"config.max_entries": REMOVE_MEMBER}).context
    assert CASE.config is None


def test_all_arguments_can_be_replaced_by_any_value() -> None:
    assert CASE.with_update({"arguments": [1]}).arguments == [1]


def test_an_unknown_path_is_refused() -> None:
    with pytest.raises(ValueError, match="nowhere"):
        CASE.with_update({"nowhere.x": 1})


def test_a_case_is_equal_after_conversion_to_json_and_back() -> None:
    assert Case.from_json(CASE.to_json()) == CASE


def test_earlier_calls_are_a_part_of_a_case() -> None:
    after = CASE.with_update({"earlier": (CASE.with_update({"tree": parse_tree("b")}),)})
    assert Case.from_json(after.to_json()) == after
    assert after.weight > CASE.weight
    assert "earlier" not in CASE.to_json()


def test_an_invalid_tree_notation_is_refused() -> None:
    with pytest.raises(NotationError):
        Case.from_json({**CASE.to_json(), "tree": "a/{"})


def test_a_case_with_fewer_parts_has_less_weight() -> None:
    assert CASE.with_update({"arguments.n": REMOVE_MEMBER}).weight < CASE.weight
    assert CASE.with_update({"tree": parse_tree("a")}).weight < CASE.weight
