"""Profiles, and the readings of interpretations that each of them accepts."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from treeproof.spec import Interpretation


class Profile(enum.StrEnum):
    """The strictness of a run."""

    DEFAULT = "default"
    STRICT = "strict"
    LENIENT = "lenient"
    BEHAVIOUR = "behaviour"
    """Judges by the behaviour contract, and by no document (`treeproof.spec.contract`)."""


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
