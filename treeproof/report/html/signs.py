"""The signs of verdicts, outcomes, conclusions and severities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from treeproof.verdict.causes import SEVERITY_LABELS, Severity


@dataclass(frozen=True)
class Sign:
    """A label, a visible mark, and a class of style.css; always used together."""

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
"""Signs of verdicts, the most urgent first."""

NOT_SELECTED = Sign("NOT VERIFIED", "?", "none")
"""NOT VERIFIED because of the selection, which is no problem."""

FAULT = Sign("FAULT", "!", "fault")
"""A scenario, or a requirement with such a scenario, that ended with a fault."""

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
    "interrupted": Sign("interrupted", "?", "open"),
}

_SEVERITY_MARKS: Mapping[Severity, tuple[str, str]] = {
    Severity.DATA: ("‼", "harm"),
    Severity.ESCAPE: ("‼", "harm"),
    Severity.CRASH: ("!", "fault"),
    Severity.HARNESS: ("!", "fault"),
    Severity.ANSWER: ("✗", "fail"),
    Severity.ADVICE: ("△", "advice"),
    Severity.BEYOND: ("○", "beyond"),
}

SEVERITIES: Mapping[Severity, Sign] = {
    severity: Sign(SEVERITY_LABELS[severity], mark, style) for severity, (mark, style) in _SEVERITY_MARKS.items()
}
"""Signs of the severity of a cause, the worst first."""

LEVELS = ("MUST", "SHOULD", "MAY")
"""The levels, the strictest first."""


def used_signs(verdicts: Iterable[str]) -> list[Sign]:
    """Return the signs of the verdicts, the most urgent first."""
    present = set(verdicts)
    return [sign for verdict, sign in VERDICTS.items() if verdict in present]


def used_levels(levels: Iterable[str]) -> list[str]:
    """Return the levels without duplicates, the strictest first."""
    present = set(levels)
    return [level for level in LEVELS if level in present]
