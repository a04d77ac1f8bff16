"""The decorators of step definitions: `given`, `when` and `then` of pytest-bdd, with data about the step.

The data is for the lint, for lists of steps and for the check of an adapter. Executing a step does not need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

from pytest_bdd import parsers, step

from treeproof.spec.gherkin import KeywordType
from treeproof.spec.step_definitions import StepInfo, StepRole

P = ParamSpec("P")
T = TypeVar("T")


class StepDecorator:
    """A decorator for the steps of one keyword."""

    def __init__(self, keyword_type: KeywordType) -> None:
        self._keyword_type = keyword_type

    def __call__(
        self,
        pattern: str,
        *,
        example: str = "",
        role: StepRole | None = None,
        needs: str | Iterable[str] = (),
        tree: str = "",
        columns: str | Iterable[str] = (),
        capabilities: str | Iterable[str] = (),
        context: str = "",
    ) -> Callable[[Callable[P, T]], Callable[P, T]]:
        """Define the steps whose text matches `pattern` completely. The arguments are the fields of StepInfo.

        A pattern without groups is its own example. `needs`, `columns` and `capabilities` are one name or
        several. Raises ValueError for a pattern with groups and without an example.
        """
        parser = parsers.re(pattern)
        if parser.regex.groups and not example:
            raise ValueError(f"{pattern}: a pattern with groups needs an example")
        info = StepInfo(
            example or pattern,
            role,
            _names(needs),
            tree,
            _names(columns),
            _names(capabilities),
            context,
        )
        vars(parser)["info"] = info
        return step(parser, self._keyword_type)


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


given = StepDecorator("given")
when = StepDecorator("when")
then = StepDecorator("then")
