"""Which reading of an unclear passage a run of the model follows, and every run that accepted readings allow.

The model asks for a reading only where it matters; each other accepted label of what was asked is a run of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from treeproof.search.model import Accepted, Unmodelled

Result = TypeVar("Result")

RECOMMENDED: Mapping[str, str] = {
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

MOST_RUNS = 300


class Run:
    """One way through the model. `taken` are the labels that this way rests on."""

    def __init__(self, accepted: Accepted, taken: Mapping[str, str]) -> None:
        self._accepted = accepted
        self.taken = dict(taken)
        self.open: list[Mapping[str, str]] = []

    def reads(self, number: str) -> str:
        """The label of `AMB-LS-number` on this way."""
        passage = f"AMB-LS-{number}"
        if passage not in self.taken:
            best = RECOMMENDED[passage]
            labels = self._accepted.get(passage) or {best}
            first, *others = sorted(labels, key=lambda label: (label != best, label))
            self.open += ({**self.taken, passage: other} for other in others)
            self.taken[passage] = first
        return self.taken[passage]


def runs(accepted: Accepted, model: Callable[[Run], Result]) -> Iterator[tuple[Mapping[str, str], Result]]:
    """Every result of a model with the labels it rests on, the recommended ones first. Raises Unmodelled."""
    waiting: list[Mapping[str, str]] = [{}]
    done = 0
    while waiting:
        done += 1
        if done > MOST_RUNS:
            raise Unmodelled("too many readings meet in this case")
        run = Run(accepted, waiting.pop(0))
        result = model(run)
        waiting.extend(run.open)
        yield run.taken, result
