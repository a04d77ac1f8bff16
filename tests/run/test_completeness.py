"""Parsed, collected and executed are compared by id; whatever differs is said."""

from __future__ import annotations

from treeproof.run.completeness import check_completeness


def test_nothing_is_said_when_every_promise_holds() -> None:
    assert check_completeness({"A", "B"}, ["B", "A"], ["A", "B"], None, []) == []
    assert check_completeness({"A", "B"}, ["A", "B"], ["A"], frozenset({"A"}), []) == []


def test_what_was_parsed_and_not_collected_is_named() -> None:
    assert check_completeness({"A", "B"}, ["A"], ["A"], None, []) == [
        "1 scenario was parsed and not collected: B",
        "1 scenario was selected and not executed: B",
    ]


def test_what_was_collected_or_executed_twice_is_named() -> None:
    said = check_completeness({"A"}, ["A", "A"], ["A", "A"], None, [])
    assert said == ["1 scenario was collected more than once: A", "1 scenario was executed more than once: A"]


def test_what_nobody_asked_for_is_named() -> None:
    assert check_completeness({"A", "B"}, ["A", "B"], ["A", "B"], frozenset({"A"}), []) == [
        "1 scenario was executed and not selected: B"
    ]


def test_errors_of_the_collection_come_first() -> None:
    assert check_completeness({"A"}, ["A"], ["A"], None, ["x.feature: broken"]) == ["x.feature: broken"]
