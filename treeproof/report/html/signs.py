"""The signs of verdicts, outcomes and words: a style, a glyph, and the word itself; tables, and which a page needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Sign:
    """``word`` as it is said, ``mark`` for the eye, ``style`` a class of style.css: never one of them alone."""

    label: str
    mark: str
    style: str


VERDICTS: Mapping[str, Sign] = {
    "FAIL": Sign("FAIL", "✗", "fail"),
    "NOT VERIFIED": Sign("NOT VERIFIED", "?", "open"),
    "PASS": Sign("PASS", "✓", "pass"),
    "NOT APPLICABLE": Sign("NOT APPLICABLE", "–", "none"),
    "EXCLUDED": Sign("EXCLUDED", "∅", "out"),
}
"""What a requirement can end with, the most urgent first."""

NOT_SELECTED = Sign("NOT VERIFIED", "?", "none")
"""NOT VERIFIED where nobody asked: a narrowed run is no reason to worry."""

OUTCOMES: Mapping[str, Sign] = {
    "passed": Sign("passed", "✓", "pass"),
    "failed": Sign("failed", "✗", "fail"),
    "fault": Sign("fault", "!", "fault"),
    "not-verified": Sign("not verified", "?", "open"),
    "not-applicable": Sign("not applicable", "–", "none"),
}

CONCLUSIONS: Mapping[str, Sign] = {
    "conformant": Sign("conformant", "✓", "pass"),
    "partial": Sign("partial", "✓", "pass"),
    "non-conformant": Sign("non-conformant", "✗", "fail"),
    "usage": Sign("usage", "!", "fault"),
    "incomplete": Sign("incomplete", "?", "open"),
    "fault": Sign("fault", "!", "fault"),
}

LEVELS = ("MUST", "SHOULD", "MAY")
"""How much a requirement asks, the most first."""


def used_signs(verdicts: Iterable[str]) -> list[Sign]:
    """Return the signs of the verdicts that are there, the most urgent first."""
    there = set(verdicts)
    return [sign for verdict, sign in VERDICTS.items() if verdict in there]


def used_levels(found: Iterable[str]) -> list[str]:
    """Return the levels that are there, the one that asks most first."""
    there = set(found)
    return [level for level in LEVELS if level in there]
