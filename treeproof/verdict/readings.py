"""Which readings of an interpretation a profile accepts, and whether a run saw only one of each.

The register itself lies in a pack's ``spec.toml``; no step and no candidate is known here.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from treeproof.spec import Interpretation
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord


class Profile(enum.StrEnum):
    """How strictly ambiguities are judged."""

    DEFAULT = "default"
    STRICT = "strict"
    LENIENT = "lenient"


def accepted_readings(entry: Interpretation, profile: Profile, declared: Mapping[str, str]) -> frozenset[str]:
    """Return the labels of ``entry`` that hold under ``profile`` for a candidate that declared ``declared``."""
    labels = frozenset(reading.label for reading in entry.readings)
    recommended = frozenset(label for label in (entry.recommended,) if label is not None)
    if profile is Profile.LENIENT:
        return labels
    if profile is Profile.STRICT or entry.treatment == "strict":
        return recommended
    if entry.treatment == "declared":
        return frozenset({declared[entry.id]}) if entry.id in declared else recommended
    if entry.treatment == "any":
        return frozenset(reading.label for reading in entry.readings if reading.accepted)
    return labels  # advisory, editorial: reported, never failing outside the strict profile


@dataclass(frozen=True)
class ReadingObservation:
    """The readings of one entry that a run saw, and the scenarios that saw another one than most."""

    id: str
    treatment: str
    observed: tuple[str, ...]
    outliers: Mapping[str, str]  # scenario id -> label, for the minority (all of them when there is a tie)

    @property
    def consistent(self) -> bool:
        """True when no two scenarios saw different readings."""
        return len(self.observed) <= 1


def observe_readings(
    entries: Iterable[Interpretation], records: Iterable[ScenarioRecord]
) -> list[ReadingObservation]:
    """Return what the passed and failed scenarios saw of each entry, in the register's order.

    What was seen on a simulated platform says nothing of the readings that hold here.
    """
    seen: dict[str, dict[str, str]] = {}
    for record in records:
        if record.outcome in (Outcome.PASSED, Outcome.FAILED) and "simulated" not in record.evidence:
            for entry_id, label in record.readings.items():
                seen.setdefault(entry_id, {})[record.id] = label
    result = []
    for entry in entries:
        by_scenario = seen.get(entry.id, {})
        counts = Counter(by_scenario.values())
        top = max(counts.values(), default=0)
        majority = [label for label, count in counts.items() if count == top]
        usual = majority[0] if len(majority) == 1 else None
        odd = (
            {s: label for s, label in sorted(by_scenario.items()) if label != usual}
            if len(counts) > 1
            else {}
        )
        result.append(ReadingObservation(entry.id, entry.treatment, tuple(sorted(counts)), odd))
    return result
