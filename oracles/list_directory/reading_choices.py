"""Where the specification can be read in several ways: every combination of readings that a case can tell apart.

A part of the model asks for a reading only when it matters. So one run of the model per combination *of those that
were asked for* is enough, and most cases need a single one. Which readings exist is in the pack's register; only
the order in which they are tried is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

Result = TypeVar("Result")
Accepted: TypeAlias = Mapping[str, frozenset[str]]

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-LD-01": "exceeded",
    "AMB-LD-02": "a",
    "AMB-LD-03": "replace",
    "AMB-LD-04": "a",
    "AMB-LD-06": "always",
    "AMB-LD-08": "descend",
    "AMB-LD-09": "a",
    "AMB-LD-10": "execution_failed",
    "AMB-LD-11": "a",
    "AMB-LD-12": "maximal_subpart",
    "AMB-LD-13": "a",
    "AMB-LD-15": "minimal",
    "AMB-LD-17": "truthful",
    "AMB-LD-18": "b",
    "AMB-LD-20": "a",
    "AMB-LD-21": "refuse",
    "AMB-LD-22": "platform",
    "AMB-LD-23": "a",
    "AMB-LD-25": "b",
    "AMB-LD-26": "floor",
    "AMB-LD-27": "a",
    "AMB-LD-28": "reject",
    "AMB-LD-29": "ignore",
    "AMB-LD-31": "a",
    "AMB-LD-33": "a",
    "AMB-LD-34": "a",
    "AMB-LD-36": "follow",
    "AMB-LD-37": "b",
    "AMB-LD-45": "a",
    "AMB-LD-57": "a",
}
"""The reading of each passage that the register recommends: what holds where nothing else is accepted."""

MAX_READING_RUNS = 200
MAX_ORDERS = 24


class ReadingChoices:
    """One way to read everything. Asking fixes the reading for this run and leaves the others to later runs."""

    def __init__(self, accepted: Accepted, taken: Mapping[str, Any]) -> None:
        self.accepted = accepted
        self.chosen: dict[str, Any] = dict(taken)
        self.alternatives: list[dict[str, Any]] = []

    def __getitem__(self, passage: str) -> str:
        """The label by which the passage is read in this run."""
        return str(self.choose(passage, self.accepted_labels(passage)))

    def accepted_labels(self, passage: str) -> tuple[str, ...]:
        """All accepted labels, the recommended one first where it is accepted."""
        best = RECOMMENDED_READINGS[passage]
        accepted = self.accepted.get(passage) or frozenset({best})
        return tuple(sorted(accepted, key=lambda label: (label != best, label)))

    def choose(self, key: str, options: Sequence[Any]) -> Any:
        """One of several equally right ways to go on; the same for the same key throughout a run."""
        if key not in self.chosen:
            self.alternatives += [{**self.chosen, key: option} for option in options[1:]]
            self.chosen[key] = options[0]
        return self.chosen[key]


def enumerate_readings(
    accepted: Accepted, run: Callable[[ReadingChoices], Result]
) -> Iterator[tuple[Mapping[str, str], Result]]:
    """Every result that accepted readings allow, with the labels it took; the recommended ones come first."""
    waiting: list[dict[str, Any]] = [{}]
    for _ in range(MAX_READING_RUNS):
        if not waiting:
            return
        readings = ReadingChoices(accepted, waiting.pop(0))
        result = run(readings)
        waiting += readings.alternatives
        yield {key: label for key, label in readings.chosen.items() if key in RECOMMENDED_READINGS}, result
