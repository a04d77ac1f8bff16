"""The readings of interpretations: which of them a profile accepts, and which of them a run observed."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from treeproof.spec import Interpretation
from treeproof.spec.catalogue import Treatment
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord


class Profile(enum.StrEnum):
    """The strictness of a run."""

    DEFAULT = "default"
    STRICT = "strict"
    LENIENT = "lenient"


def accepted_readings(entry: Interpretation, profile: Profile, declared: Mapping[str, str]) -> frozenset[str]:
    """Return the labels that ``profile`` accepts for a candidate with the declared readings ``declared``.

    A declared reading is the only accepted one, if the profile accepts it.
    """
    accepted = _accepted_by(entry, profile)
    return accepted & {declared.get(entry.id)} or accepted


def _accepted_by(entry: Interpretation, profile: Profile) -> frozenset[str]:
    labels = frozenset(reading.label for reading in entry.readings)
    recommended = frozenset(label for label in (entry.recommended,) if label is not None)
    if profile is Profile.LENIENT:
        return labels
    if profile is Profile.STRICT or entry.treatment == "strict":
        return recommended
    if entry.treatment == "any":
        return frozenset(reading.label for reading in entry.readings if reading.accepted)
    return labels  # advisory, editorial: never a failure outside the strict profile


@dataclass(frozen=True)
class ReadingObservation:
    """The observed readings of one interpretation, with the scenarios of each."""

    id: str
    treatment: Treatment
    observed: tuple[str, ...]
    scenarios: Mapping[str, tuple[str, ...]]  # label -> scenario ids, sorted; the most frequent label first

    @property
    def consistent(self) -> bool:
        """True if no two scenarios observed different readings."""
        return len(self.observed) <= 1


def _shown(record: ScenarioRecord) -> Mapping[str, str]:
    """Return the readings that a scenario shows.

    A line that failed may have taken an error for a reading, so a failed scenario shows those of its right answers.
    """
    if record.outcome is Outcome.PASSED:
        return record.readings
    right = {item for call in record.calls for one in call.explanations for item in one.items()}
    return {id: label for id, label in record.readings.items() if (id, label) in right}


def observe_readings(entries: Iterable[Interpretation], records: Iterable[ScenarioRecord]) -> list[ReadingObservation]:
    """Return the readings that passed and failed scenarios observed, in the order of ``entries``.

    Simulated scenarios do not count: they are no evidence for this platform.
    """
    labels: dict[str, dict[str, str]] = {}
    for record in records:
        if record.outcome in (Outcome.PASSED, Outcome.FAILED) and record.evidence.simulated is None:
            for entry_id, label in _shown(record).items():
                labels.setdefault(entry_id, {})[record.id] = label
    result = []
    for entry in entries:
        by_scenario = labels.get(entry.id, {})
        sides: dict[str, tuple[str, ...]] = {}
        for scenario, label in sorted(by_scenario.items()):
            sides[label] = (*sides.get(label, ()), scenario)
        ordered = dict(sorted(sides.items(), key=lambda side: (-len(side[1]), side[0])))
        result.append(ReadingObservation(entry.id, entry.treatment, tuple(sorted(sides)), ordered))
    return result
