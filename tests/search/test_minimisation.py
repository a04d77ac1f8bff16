"""Minimisation: the lightest failing value is found, and the check may stop the search or raise."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from treeproof.search.generation import StopSearch, sample
from treeproof.search.minimisation import find_minimal

NUMBERS = st.lists(st.integers(0, 100), max_size=6)


def test_a_failing_value_is_minimised() -> None:
    found = find_minimal(NUMBERS, lambda n: len(n) > 2 and max(n) > 40, seed=0, examples=50, attempts=500, weight=sum)
    assert found is not None and sorted(found) == [0, 0, 41]


def test_nothing_is_found_if_no_value_fails() -> None:
    assert find_minimal(NUMBERS, lambda n: False, seed=0, examples=20, attempts=10, weight=sum) is None


def test_a_search_begins_with_the_sample() -> None:
    seen: list[list[int]] = []

    def fails(value: list[int]) -> bool:
        seen.append(value)
        return False

    find_minimal(NUMBERS, fails, seed=5, examples=20, attempts=0, weight=sum)
    assert seen == sample(NUMBERS, seed=5, examples=20)


def test_without_attempts_the_first_failing_value_is_returned() -> None:
    found = find_minimal(NUMBERS, lambda n: sum(n) > 90, seed=0, examples=50, attempts=0, weight=sum)
    assert found is not None and sum(found) > 90


def test_an_exception_of_the_check_is_raised_and_not_minimised() -> None:
    raised: list[object] = []

    def fails(value: list[int]) -> bool:
        raised.append(value)
        raise LookupError(str(value))

    with pytest.raises(LookupError):
        find_minimal(NUMBERS, fails, seed=0, examples=20, attempts=50, weight=sum)
    assert len(raised) == 1


def test_the_check_can_stop_the_search() -> None:
    def fails(value: list[int]) -> bool:
        raise StopSearch

    assert find_minimal(NUMBERS, fails, seed=0, examples=20, attempts=50, weight=sum) is None


def test_a_value_that_fails_only_once_is_still_found() -> None:
    answers = iter([True])
    found = find_minimal(NUMBERS, lambda n: next(answers, False), seed=0, examples=20, attempts=50, weight=sum)
    assert found is not None
