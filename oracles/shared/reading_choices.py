"""Every combination of accepted readings that one case distinguishes.

A model looks up a reading only where it matters, so most cases need one run of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from treeproof.api import AcceptedReadings, Unmodelled

Result = TypeVar("Result")

MAX_COMBINATIONS = 300


class ReadingChoices:
    """The readings that one run of a model follows. `recommended` has a label for every interpretation."""

    def __init__(
        self,
        recommended: Mapping[str, str],
        accepted: AcceptedReadings | None = None,
        chosen: Mapping[str, Any] | None = None,
    ) -> None:
        self._recommended = recommended
        self._accepted = accepted or {}
        self._chosen = dict(chosen or {})
        self.alternatives: list[Mapping[str, Any]] = []
        """The choices that other runs start from."""

    def __getitem__(self, interpretation: str) -> str:
        """Return the label that this run follows, the recommended one first."""
        return str(self.choose(interpretation, self.accepted_labels(interpretation)))

    def accepted_labels(self, interpretation: str) -> tuple[str, ...]:
        """Return all accepted labels, the recommended one first."""
        best = self._recommended[interpretation]
        return tuple(sorted(self._accepted.get(interpretation) or {best}, key=lambda label: (label != best, label)))

    def choose(self, key: str, options: Sequence[Any]) -> Any:
        """Return one of several equally right options, the same one for the same key throughout a run.

        The key is an interpretation or any other text; the option "" of an interpretation stands for no reading.
        """
        if key not in self._chosen:
            self.alternatives += [{**self._chosen, key: option} for option in options[1:]]
            self._chosen[key] = options[0]
        return self._chosen[key]

    def resolve(self, interpretation: str, results: Callable[[str], Result]) -> Result:
        """Return the result for an interpretation; look up its reading only if accepted ones differ in the result."""
        first, *others = map(results, self.accepted_labels(interpretation))
        return first if all(other == first for other in others) else results(self[interpretation])

    @property
    def labels(self) -> dict[str, str]:
        """The readings that this run has followed until now, by interpretation."""
        return {key: label for key, label in self._chosen.items() if key in self._recommended and label}


def enumerate_readings(
    recommended: Mapping[str, str], accepted: AcceptedReadings, run: Callable[[ReadingChoices], Result]
) -> list[tuple[Mapping[str, str], Result]]:
    """Run a model for every combination of readings and return its results with the readings that they depend on.

    The result for the recommended readings comes first. Raises Unmodelled for too many combinations.
    """
    results: list[tuple[Mapping[str, str], Result]] = []
    pending: list[Mapping[str, Any]] = [{}]
    while pending:
        if len(results) == MAX_COMBINATIONS:
            raise Unmodelled("too many combinations of readings")
        readings = ReadingChoices(recommended, accepted, pending.pop(0))
        result = run(readings)
        results.append((readings.labels, result))
        pending += readings.alternatives
    return results
