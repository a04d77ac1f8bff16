"""hypothesis, driven from here: values of a strategy in a fixed sequence, and the smallest one that fails.

Nothing is read from or written to hypothesis's own database, nothing is printed, and the same seed gives the same
values in the same order: whoever has drawn a sample finds in it what a later search for a failure begins with.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import hypothesis
from hypothesis import configuration
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Flaky, Unsatisfiable
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider
from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value")

BACKEND_NAME = "treeproof"


class UniformProvider(HypothesisProvider):
    """Choices as even as the strategies ask for: neither small first, nor mutated from those before.

    That suits strategies whose every choice has been weighed; a small sample then shows more of what there is.
    """

    def _maybe_draw_constant(self, choice_type: Any, constraints: Any, *, p: float = 0.05) -> None:
        """None: constants of the modules that happen to be loaded would make a sample depend on them, and cost a
        second to collect.
        """

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        if min_value is None or max_value is None or weights is not None or self._random is None:
            return super().draw_integer(min_value, max_value, weights=weights, shrink_towards=shrink_towards)
        return int(self._random.randint(min_value, max_value))


AVAILABLE_PROVIDERS[BACKEND_NAME] = UniformProvider


class StopSearch(BaseException):
    """Raised by whoever looks at a value: ends the search with what has been found until then.

    hypothesis lets it pass, as it does an interrupt.
    """


class _FailingExample(Exception):
    """What a failing value raises, always from the same line."""


def sample(strategy: SearchStrategy[Value], *, seed: int, examples: int) -> list[Value]:
    """So many values, always the same for the same seed."""
    drawn: list[Value] = []
    _run_hypothesis(strategy, drawn.append, seed, examples)
    return drawn


def find_minimal(
    strategy: SearchStrategy[Value],
    fails: Callable[[Value], bool],
    *,
    seed: int,
    examples: int,
    attempts: int,
    weight: Callable[[Value], int],
) -> Value | None:
    """The lightest value that fails, of those that `sample` gives and of `attempts` further ones that shrink it.

    None when none of them fails. What `fails` raises goes through, but for Enough.
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
            _run_hypothesis(strategy, attempt, seed, examples)
    except _PassThrough as through:
        raise through.problem from None
    return min(failing, key=weight, default=None)


class _PassThrough(BaseException):
    """Carries an exception past hypothesis, which would take it for a failure and shrink it."""

    def __init__(self, problem: Exception) -> None:
        super().__init__(problem)
        self.problem = problem


def _run_hypothesis(
    strategy: SearchStrategy[Any], take: Callable[[Any], object], seed: int, examples: int
) -> None:
    def each(value: Any) -> None:
        take(value)

    settings = hypothesis.settings(
        max_examples=examples,
        backend=BACKEND_NAME,
        database=None,
        deadline=None,
        derandomize=False,  # the seed below decides
        print_blob=False,
        report_multiple_bugs=False,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    with contextlib.suppress(Unsatisfiable), _without_storage():
        hypothesis.seed(seed)(settings(hypothesis.given(strategy)(each)))()


@contextlib.contextmanager
def _without_storage() -> Iterator[None]:
    """Inside, hypothesis keeps no file: by default it would in `.hypothesis`, in whatever directory this is.

    It asks for a directory where none can be made, which it takes for a disk that cannot be written. Afterwards it
    keeps what it did before: a test suite that runs the specification may have properties of its own.
    """
    before = configuration.__hypothesis_home_directory
    set_hypothesis_home_dir(os.path.join(os.devnull, "hypothesis"))
    try:
        yield
    finally:
        set_hypothesis_home_dir(before)
