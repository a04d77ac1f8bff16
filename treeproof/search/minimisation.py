"""Reduces a failing value of a strategy to a light one, with hypothesis."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from treeproof.search.generation import StopSearch, Value, run_hypothesis


class _FailingExample(Exception):
    """Raised for a failing value, always from the same line."""


def find_minimal(
    strategy: SearchStrategy[Value],
    fails: Callable[[Value], bool],
    *,
    seed: int,
    examples: int,
    attempts: int,
    weight: Callable[[Any], int] = attrgetter("weight"),
) -> Value | None:
    """Return the lightest failing value of the sample and of `attempts` further values that shrink it.

    None if no value fails. Exceptions of `fails` are raised, except StopSearch.
    """
    failing: list[Value] = []
    tried = 0

    def attempt(value: Value) -> None:
        nonlocal tried
        tried += bool(failing)
        if tried > attempts:
            raise StopSearch
        try:
            wrong = fails(value)
        except Exception as problem:
            raise _PassThrough(problem) from problem
        if wrong:
            failing.append(value)
            raise _FailingExample

    try:
        with contextlib.suppress(_FailingExample, StopSearch, Flaky):
            run_hypothesis(strategy, attempt, seed, examples)
    except _PassThrough as through:
        raise through.problem from None
    return min(failing, key=weight, default=None)


class _PassThrough(BaseException):
    """Carries an exception through hypothesis, which would otherwise shrink it as a failure."""

    def __init__(self, problem: Exception) -> None:
        super().__init__(problem)
        self.problem = problem
