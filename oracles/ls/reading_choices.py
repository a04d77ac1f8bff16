"""Which reading of an unclear passage a run of the model follows, and every run that accepted readings allow.

The model asks for a reading only where it matters; each other accepted label of what was asked is a run of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from treeproof.api import AcceptedReadings, Unmodelled

Result = TypeVar("Result")

RECOMMENDED_READINGS: Mapping[str, str] = {
    **{
        f"AMB-LS-{number}": "a"
        for number in (
            *("01", "02", "04", "05", "06", "07", "12", "13", "14", "17", "18", "21", "22", "33"),
            *("41", "51", "52", "53", "54", "55", "56", "58", "60", "61"),
        )
    },
    "AMB-LS-15": "exact",
}
"""The passages that the model can read in more than one way, each with the label that the register recommends."""

MAX_READING_RUNS = 300


class ReadingChoices:
    """One way through the model. `taken` are the labels that this way rests on."""

    def __init__(self, accepted: AcceptedReadings, taken: Mapping[str, str]) -> None:
        self._accepted = accepted
        self.chosen = dict(taken)
        self.alternatives: list[Mapping[str, str]] = []

    def label(self, number: str) -> str:
        """The label of `AMB-LS-number` on this way."""
        passage = f"AMB-LS-{number}"
        if passage not in self.chosen:
            best = RECOMMENDED_READINGS[passage]
            labels = self._accepted.get(passage) or {best}
            first, *others = sorted(labels, key=lambda label: (label != best, label))
            self.alternatives += ({**self.chosen, passage: other} for other in others)
            self.chosen[passage] = first
        return self.chosen[passage]


def enumerate_readings(
    accepted: AcceptedReadings, model: Callable[[ReadingChoices], Result]
) -> Iterator[tuple[Mapping[str, str], Result]]:
    """Every result of a model with the labels it rests on, the recommended ones first. Raises Unmodelled."""
    waiting: list[Mapping[str, str]] = [{}]
    done = 0
    while waiting:
        done += 1
        if done > MAX_READING_RUNS:
            raise Unmodelled("too many readings meet in this case")
        run = ReadingChoices(accepted, waiting.pop(0))
        result = model(run)
        waiting.extend(run.alternatives)
        yield run.chosen, result
