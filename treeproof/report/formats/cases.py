"""A run as a list of test cases, for JUnit and SARIF: one test case per scenario.

A verdict that is not the outcome of a scenario (a requirement without scenarios, contradicting readings) has its own
test case. Otherwise an incomplete run could look complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treeproof.report.digest import requirements_without_showing_scenario
from treeproof.report.escape import json_text, shortened, visible
from treeproof.verdict.evidence import EMPTY, Evidence
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.spec_result import RequirementResult, SpecResult, Verdict

PASSED, FAILED, FAULT = "passed", "failed", "fault"
NOT_VERIFIED, NOT_APPLICABLE, EXCLUDED = "not verified", "not applicable", "excluded"
ADVISORY, KNOWN = "beyond the document", "known failure"
"""The states of a case: five outcomes, excluded requirements, and two kinds of failures without effect."""

_STATE_OF_OUTCOME = {
    Outcome.PASSED: PASSED,
    Outcome.FAULT: FAULT,
    Outcome.NOT_VERIFIED: NOT_VERIFIED,
    Outcome.NOT_APPLICABLE: NOT_APPLICABLE,
}
_STATE_OF_VERDICT = {
    Verdict.PASS: PASSED,
    Verdict.FAIL: FAILED,
    Verdict.NOT_VERIFIED: NOT_VERIFIED,
    Verdict.NOT_APPLICABLE: NOT_APPLICABLE,
    Verdict.EXCLUDED: EXCLUDED,
}
_MAX_TEXT = 16_384  # characters of one evidence member


@dataclass(frozen=True)
class Case:
    """One test case. ``message`` is why it did not pass; ``requirement`` is None if the catalogue lacks it."""

    spec: SpecResult
    id: str
    requirement_id: str
    requirement: RequirementResult | None
    state: str
    message: str | None
    scenario: ScenarioRecord | None = None

    @property
    def name(self) -> str:
        """Id and title."""
        return f"{self.id} {self.scenario.title}".strip() if self.scenario else self.id

    @property
    def evidence(self) -> Evidence:
        """The evidence of its scenario."""
        return self.scenario.evidence if self.scenario else EMPTY


def scenario_cases(spec: SpecResult, profile: Profile) -> Iterator[Case]:
    """Yield a case per scenario, in the order of the document."""
    for one in spec.scenarios:
        requirement = spec.requirements_by_id.get(one.requirement)
        message = _message(one.evidence) or str(one.outcome)
        yield Case(spec, one.id, one.requirement, requirement, _state(one, requirement, profile), message, one)


def requirement_cases(spec: SpecResult, profile: Profile) -> Iterator[Case]:
    """Yield a case per requirement whose verdict is not the outcome of a scenario."""
    for one in requirements_without_showing_scenario(spec, profile):
        state = KNOWN if one.verdict is Verdict.FAIL and one.known else _STATE_OF_VERDICT[one.verdict]
        message = "" if state == PASSED else one.cause or "no scenario shows the cause"
        yield Case(spec, one.id, one.id, one, state, message)


def _message(evidence: Evidence) -> str:
    """Return the difference or the cause; for a blocked scenario both."""
    if evidence.blocked_by:
        return ": ".join(filter(None, (evidence.cause, evidence.message)))
    return evidence.reason


def _state(scenario: ScenarioRecord, requirement: RequirementResult | None, profile: Profile) -> str:
    if scenario.known and scenario.outcome in (Outcome.FAILED, Outcome.FAULT):
        return KNOWN
    if scenario.outcome is not Outcome.FAILED:
        return _STATE_OF_OUTCOME[scenario.outcome]
    if scenario.is_advisory(profile):
        return ADVISORY
    return KNOWN if requirement is not None and requirement.known else FAILED


def evidence_members(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield name and text of each member, escaped and cut."""
    for name, value in evidence.to_json().items():
        if value not in ("", None):
            whole = "\n".join(value) if name == "steps" else value if isinstance(value, str) else json_text(value)
            yield name, shortened(visible(whole, lines=True), _MAX_TEXT)


def evidence_text(evidence: Evidence) -> str:
    """Return the evidence as one text, one paragraph per member."""
    return "".join(_paragraph(name, text.split("\n")) for name, text in evidence_members(evidence))


def _paragraph(name: str, lines: list[str]) -> str:
    return f"{name}: {lines[0]}\n" if len(lines) == 1 else "\n  ".join([f"{name}:", *lines]) + "\n"
