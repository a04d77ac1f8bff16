"""Selected and executed scenarios are compared by id, and differences are reported."""

from __future__ import annotations

from treeproof.run.completeness import check_completeness


def test_a_complete_run_has_no_errors() -> None:
    assert check_completeness({"A", "B"}, ["B", "A"]) == []


def test_a_scenario_that_was_not_executed_is_reported() -> None:
    assert check_completeness({"A", "B"}, ["A"]) == ["1 scenario was selected and not executed: B"]


def test_a_scenario_executed_twice_is_reported() -> None:
    assert check_completeness({"A"}, ["A", "A"]) == ["1 scenario was executed more than once: A"]


def test_an_executed_scenario_that_was_not_selected_is_reported() -> None:
    assert check_completeness({"A"}, ["A", "B"]) == ["1 scenario was executed and not selected: B"]
