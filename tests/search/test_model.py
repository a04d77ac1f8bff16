"""A case: how it is changed, weighed, written down and read back."""

from __future__ import annotations

import pytest

from treeproof.search.model import REMOVE_MEMBER, Case
from treeproof.tree import NotationError, parse_tree

CASE = Case("t", parse_tree(r"a/{'\xff'=3}, l->a"), {"path": ".", "n": 1}, {"max_output_bytes": 9})


def test_members_are_set_and_taken_away_by_their_places() -> None:
    changed = CASE.with_update({"arguments.n": REMOVE_MEMBER, "arguments.m": 2, "context.max_output_bytes": 5})
    assert changed.arguments == {"path": ".", "m": 2}
    assert changed.context == {"max_output_bytes": 5}
    assert CASE.arguments == {"path": ".", "n": 1}


def test_the_configuration_is_the_tools_own_table_and_goes_with_its_last_member() -> None:
    configured = CASE.with_update({"config.max_entries": 3})
    assert configured.context["config"] == {"tools": {"t": {"max_entries": 3}}}
    assert configured.config == {"max_entries": 3}
    assert "config" not in configured.with_update({"config.max_entries": REMOVE_MEMBER}).context
    assert CASE.config is None


def test_the_arguments_as_a_whole_can_be_anything() -> None:
    assert CASE.with_update({"arguments": [1]}).arguments == [1]


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(ValueError, match="nowhere"):
        CASE.with_update({"nowhere.x": 1})


def test_a_case_survives_json() -> None:
    assert Case.from_json(CASE.to_json()) == CASE


def test_a_tree_that_is_none_is_told() -> None:
    with pytest.raises(NotationError):
        Case.from_json({**CASE.to_json(), "tree": "a/{"})


def test_what_holds_less_weighs_less() -> None:
    assert CASE.with_update({"arguments.n": REMOVE_MEMBER}).weight < CASE.weight
    assert CASE.with_update({"tree": parse_tree("a")}).weight < CASE.weight
