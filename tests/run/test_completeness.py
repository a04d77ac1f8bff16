"""Parsed, collected and executed scenarios are compared by id, and differences are reported."""

from __future__ import annotations

from treeproof.run.completeness import check_completeness


def test_a_complete_run_has_no_errors() -> None:
    assert check_completeness({"A", "B"}, ["B", "A"], ["A", "B"], None, []) == []
    assert check_completeness({"A", "B"}, ["A", "B"], ["A"], frozenset({"A"}), []) == []


def test_a_scenario_that_was_not_collected_is_reported() -> None:
    assert check_completeness({"A", "B"}, ["A"], ["A"], None, []) == [
        "1 scenario was parsed and not collected: B",
        "1 scenario was selected and not executed: B",
    ]


def test_a_scenario_collected_or_executed_twice_is_reported() -> None:
    errors = check_completeness({"A"}, ["A", "A"], ["A", "A"], None, [])
    assert errors == ["1 scenario was collected more than once: A", "1 scenario was executed more than once: A"]


def test_an_executed_scenario_that_was_not_selected_is_reported() -> None:
    assert check_completeness({"A", "B"}, ["A", "B"], ["A", "B"], frozenset({"A"}), []) == [
        "1 scenario was executed and not selected: B"
    ]


def test_errors_of_the_collection_come_first() -> None:
    assert check_completeness({"A"}, ["A"], ["A"], None, ["x.feature: broken"]) == ["x.feature: broken"]
