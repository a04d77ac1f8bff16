"""Every combination of accepted readings that one case distinguishes.

A model looks up a reading only where it matters, so most cases need one run of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

from treeproof.api import AcceptedReadings, Unmodelled

Result = TypeVar("Result")

MAX_COMBINATIONS = 300


@dataclass(frozen=True)
class AlikeReadings:
    """Readings that have one result: `first` has a label for each key, `readings` have those that make a difference."""

    first: Mapping[str, str]
    readings: tuple[Mapping[str, str], ...]


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
        self._groups: list[AlikeReadings] = []
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

    def options(self, interpretation: str) -> tuple[str, ...]:
        """Return the accepted labels, the recommended one first; only the one that this run follows already, if any."""
        chosen = self._chosen.get(interpretation)
        return self.accepted_labels(interpretation) if chosen is None else (chosen,)

    def choose_group(self, groups: Sequence[AlikeReadings]) -> AlikeReadings:
        """Return one of the groups for this run, which stands for all its readings. None is looked up afterwards."""
        chosen: AlikeReadings = self.choose("readings with one result", groups)
        self._groups.append(chosen)
        return chosen

    @property
    def combinations(self) -> list[Mapping[str, str]]:
        """The combinations of readings that this run stands for."""
        found: list[Mapping[str, str]] = [self.labels]
        for group in self._groups:
            known = [{key: label for key, label in one.items() if key in self._recommended} for one in group.readings]
            found = [{**labels, **more} for labels in found for more in known]
        return found

    @property
    def labels(self) -> dict[str, str]:
        """The readings that this run has followed until now, by interpretation."""
        return {key: label for key, label in self._chosen.items() if key in self._recommended and label}


def enumerate_readings(
    recommended: Mapping[str, str], accepted: AcceptedReadings, run: Callable[[ReadingChoices], Result]
) -> list[tuple[Mapping[str, str], Result]]:
    """Run a model for every combination of readings and return its results with the readings that they depend on.

    The result for the recommended readings comes first. What several combinations share is one object. Raises
    Unmodelled for too many combinations.
    """
    results: list[tuple[Mapping[str, str], Result]] = []
    pending: list[Mapping[str, Any]] = [{}]
    runs = 0
    while pending:
        if runs == MAX_COMBINATIONS:
            raise Unmodelled("too many combinations of readings")
        runs += 1
        readings = ReadingChoices(recommended, accepted, pending.pop(0))
        result = run(readings)
        results += [(labels, result) for labels in readings.combinations]
        pending += readings.alternatives
    return results


def group_readings(
    options: Mapping[str, Sequence[str]], result: Callable[[Mapping[str, str]], Hashable]
) -> list[AlikeReadings]:
    """Return all combinations of options by their result, in the order of the first one with each result.

    A run of the model for each result takes the place of one for each combination.
    """
    found: dict[Hashable, list[tuple[str | None, ...]]] = {}
    for labels in product(*options.values()):
        found.setdefault(result(dict(zip(options, labels, strict=True))), []).append(labels)
    return [_alike(options, combinations) for combinations in found.values()]


def _alike(options: Mapping[str, Sequence[str]], combinations: Sequence[tuple[str | None, ...]]) -> AlikeReadings:
    first, merged = combinations[0], list(combinations)
    for at, labels in enumerate(options.values()):  # where all labels have the result, none makes a difference
        rests: dict[tuple[tuple[str | None, ...], tuple[str | None, ...]], list[str | None]] = {}
        for one in merged:
            rests.setdefault((one[:at], one[at + 1 :]), []).append(one[at])
        merged = [
            (*before, label, *after)
            for (before, after), present in rests.items()
            for label in ([None] if len(present) == len(labels) else present)
        ]
    readings = ({key: label for key, label in zip(options, one, strict=True) if label is not None} for one in merged)
    return AlikeReadings({key: str(label) for key, label in zip(options, first, strict=True)}, tuple(readings))
