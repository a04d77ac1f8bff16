"""Runs hypothesis: draws values of a strategy.

It neither uses the database of hypothesis nor prints anything. A seed determines the values and their order, so a
search for a failure begins with the values of the sample.
"""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import hypothesis
from hypothesis import configuration
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Unsatisfiable
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider
from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value")

BACKEND_NAME = "treeproof"


class UniformProvider(HypothesisProvider):
    """Draws uniformly: neither small values first, nor mutations of earlier ones.

    A small sample then covers more, because the strategies weigh each choice themselves.
    """

    def _maybe_draw_constant(self, choice_type: Any, constraints: Any, *, p: float = 0.05) -> None:
        """Return None: constants of loaded modules would change the sample, and cost a second to collect."""

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
    """Raised by the check of a value: ends the search with the values found so far.

    Hypothesis does not catch it, as it does not catch an interrupt.
    """


def sample(strategy: SearchStrategy[Value], *, seed: int, examples: int) -> list[Value]:
    """Return `examples` values, the same ones for the same seed."""
    drawn: list[Value] = []
    run_hypothesis(strategy, drawn.append, seed, examples)
    return drawn


def run_hypothesis(strategy: SearchStrategy[Any], take: Callable[[Any], object], seed: int, examples: int) -> None:
    """Call `take` with up to `examples` values, and with smaller ones while it raises. Raises what `take` raises."""

    def each(value: Any) -> None:
        take(value)

    settings = hypothesis.settings(
        max_examples=examples,
        backend=BACKEND_NAME,
        database=None,
        deadline=None,
        derandomize=False,  # the seed below determines the values
        print_blob=False,
        report_multiple_bugs=False,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    with contextlib.suppress(Unsatisfiable), _without_storage(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Generating overly large repr")  # of a tree, which is not shown
        hypothesis.seed(seed)(settings(hypothesis.given(strategy)(each)))()


@contextlib.contextmanager
def _without_storage() -> Iterator[None]:
    """Prevent hypothesis from writing files, by default to `.hypothesis` in the current directory.

    Its home directory becomes one that cannot be created. Afterwards the previous one is restored, because a test suite
    that runs a specification may use hypothesis itself.
    """
    before = configuration.__hypothesis_home_directory
    set_hypothesis_home_dir(os.path.join(os.devnull, "hypothesis"))
    try:
        yield
    finally:
        set_hypothesis_home_dir(before)
