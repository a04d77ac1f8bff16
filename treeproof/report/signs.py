"""The signs of verdicts, outcomes, conclusions and severities, the same on pages and on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from treeproof.verdict.causes import SEVERITY_LABELS, Severity
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.spec_result import Verdict


@dataclass(frozen=True)
class Sign:
    """A label, a visible mark, and a class of style.css; always used together."""

    label: str
    mark: str
    style: str

    @property
    def colour(self) -> str:
        """The colour on a terminal."""
        return _COLOURS.get(self.style, "dim")


_COLOURS = {"pass": "green", "fail": "red", "open": "yellow", "advice": "yellow", "fault": "magenta"}


VERDICTS: Mapping[Verdict, Sign] = {
    Verdict.FAIL: Sign("FAIL", "✗", "fail"),
    Verdict.NOT_VERIFIED: Sign("NOT VERIFIED", "?", "open"),
    Verdict.PASS: Sign("PASS", "✓", "pass"),
    Verdict.NOT_APPLICABLE: Sign("NOT APPLICABLE", "–", "none"),
    Verdict.EXCLUDED: Sign("EXCLUDED", "∅", "out"),
}
"""Signs of verdicts, the most urgent first."""

NOT_SELECTED = Sign("NOT VERIFIED", "?", "none")
"""NOT VERIFIED because of the selection, which is no problem."""

FAULT = Sign("FAULT", "!", "fault")
"""A scenario, or a requirement with such a scenario, that ended with a fault."""

KNOWN = Sign("KNOWN", "△", "advice")
WARNING = Sign("WARNING", "△", "advice")
"""A requirement that fails and decides nothing: a baseline lists it; it is a SHOULD or beyond the document."""

RESULTS = (
    *(VERDICTS[Verdict.PASS], VERDICTS[Verdict.FAIL], KNOWN, WARNING),
    *(VERDICTS[Verdict.NOT_VERIFIED], VERDICTS[Verdict.NOT_APPLICABLE], VERDICTS[Verdict.EXCLUDED]),
)
"""What reports count requirements by."""

BY_URGENCY = (
    *(VERDICTS[Verdict.FAIL], KNOWN, WARNING, VERDICTS[Verdict.NOT_VERIFIED]),
    *(VERDICTS[Verdict.PASS], VERDICTS[Verdict.NOT_APPLICABLE], VERDICTS[Verdict.EXCLUDED]),
)
"""The same, the most urgent first: problems are at the base line of a bar, where lengths can be compared."""

OUTCOMES: Mapping[Outcome, Sign] = {
    Outcome.PASSED: Sign("passed", "✓", "pass"),
    Outcome.FAILED: Sign("failed", "✗", "fail"),
    Outcome.FAULT: Sign("fault", "!", "fault"),
    Outcome.NOT_VERIFIED: Sign("not verified", "?", "open"),
    Outcome.NOT_APPLICABLE: Sign("not applicable", "–", "none"),
}

CONCLUSIONS: Mapping[Conclusion, Sign] = {
    Conclusion.CONFORMANT: Sign("conformant", "✓", "pass"),
    Conclusion.SOUND: Sign("sound", "✓", "pass"),
    Conclusion.PARTIAL: Sign("partial", "✓", "pass"),
    Conclusion.NON_CONFORMANT: Sign("non-conformant", "✗", "fail"),
    Conclusion.UNSOUND: Sign("unsound", "✗", "fail"),
    Conclusion.USAGE: Sign("usage", "!", "fault"),
    Conclusion.INCOMPLETE: Sign("incomplete", "?", "open"),
    Conclusion.FAULT: Sign("fault", "!", "fault"),
    Conclusion.INTERRUPTED: Sign("interrupted", "?", "open"),
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


def used_signs(labels: Iterable[str]) -> list[Sign]:
    """Return the signs of requirements with these labels, the most urgent first."""
    present = set(labels)
    return [sign for sign in BY_URGENCY if sign.label in present]


def used_levels(levels: Iterable[str]) -> list[str]:
    """Return the levels without duplicates, the strictest first."""
    present = set(levels)
    return [level for level in LEVELS if level in present]
