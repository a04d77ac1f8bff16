"""A run as a list of test cases, for JUnit and SARIF: one test case per scenario.

A verdict that is not the outcome of a scenario (a requirement without scenarios, contradicting readings) has its own
test case. Otherwise an incomplete run could look complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from treeproof.report.digest import requirements_without_showing_scenario
from treeproof.report.document import is_advisory
from treeproof.report.escape import json_text, shortened, visible

PASSED, FAILED, FAULT = "passed", "failed", "fault"
NOT_VERIFIED, NOT_APPLICABLE, EXCLUDED = "not verified", "not applicable", "excluded"
ADVISORY, KNOWN = "beyond the document", "known failure"
"""The states of a case: five outcomes, excluded requirements, and two kinds of failures without effect."""

_STATE_OF_OUTCOME = {
    "passed": PASSED,
    "fault": FAULT,
    "not-verified": NOT_VERIFIED,
    "not-applicable": NOT_APPLICABLE,
}
_STATE_OF_VERDICT = {
    "PASS": PASSED,
    "FAIL": FAILED,
    "NOT VERIFIED": NOT_VERIFIED,
    "NOT APPLICABLE": NOT_APPLICABLE,
    "EXCLUDED": EXCLUDED,
}
_MAX_TEXT = 16_384  # characters of one evidence member


@dataclass(frozen=True)
class Case:
    """One test case. ``message`` is why it did not pass; ``requirement`` is None if the catalogue lacks it."""

    spec: Mapping[str, Any]
    id: str
    title: str
    requirement_id: str
    requirement: Mapping[str, Any] | None
    state: str
    message: str = ""
    seconds: float = 0.0
    scenario: Mapping[str, Any] | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Id and title."""
        return f"{self.id} {self.title}".strip()

    @property
    def state_and_message(self) -> str:
        """State and message, for formats without such a state."""
        return f"{self.state}: {self.message}"

    @property
    def level(self) -> str:
        return str(self.requirement["level"]) if self.requirement else ""

    @property
    def verdict(self) -> str:
        return str(self.requirement["verdict"]) if self.requirement else ""

    @property
    def section(self) -> str:
        return str(self.requirement["section"]) if self.requirement else ""


def scenario_cases(spec: Mapping[str, Any], profile: str) -> Iterator[Case]:
    """Yield a case per scenario, in the order of the document."""
    requirements = {requirement["id"]: requirement for requirement in spec["requirements"]}
    for scenario in spec["scenarios"]:
        requirement = requirements.get(scenario["requirement"])
        evidence = scenario["evidence"]
        yield Case(
            spec,
            scenario["id"],
            scenario["title"],
            scenario["requirement"],
            requirement,
            _state(scenario, requirement, profile),
            _message(evidence) or scenario["outcome"],
            scenario["seconds"],
            scenario,
            evidence,
        )


def requirement_cases(spec: Mapping[str, Any], profile: str) -> Iterator[Case]:
    """Yield a case per requirement whose verdict is not the outcome of a scenario."""
    for requirement in requirements_without_showing_scenario(spec, profile):
        known = requirement["verdict"] == "FAIL" and requirement.get("known")
        state = KNOWN if known else _STATE_OF_VERDICT[requirement["verdict"]]
        message = "" if state == PASSED else requirement["cause"] or "no scenario shows the cause"
        yield Case(spec, requirement["id"], "", requirement["id"], requirement, state, message)


def _message(evidence: Mapping[str, Any]) -> str:
    """Return the difference or the cause; for a blocked scenario both."""
    texts = (evidence.get("cause"), evidence.get("message"))
    if "blocked_by" in evidence:
        return ": ".join(str(text) for text in texts if text)
    return str(texts[1] or texts[0] or "")


def _state(scenario: Mapping[str, Any], requirement: Mapping[str, Any] | None, profile: str) -> str:
    if scenario.get("known") and scenario["outcome"] in ("failed", "fault"):
        return KNOWN
    if scenario["outcome"] != "failed":
        return _STATE_OF_OUTCOME[scenario["outcome"]]
    if is_advisory(scenario, profile):
        return ADVISORY
    return KNOWN if requirement is not None and requirement.get("known") else FAILED


def evidence_members(evidence: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each member, escaped and cut."""
    for name, value in evidence.items():
        if value not in ("", None):
            whole = "\n".join(value) if name == "steps" else value if isinstance(value, str) else json_text(value)
            yield name, shortened(visible(whole, lines=True), _MAX_TEXT)


def evidence_text(evidence: Mapping[str, Any]) -> str:
    """Return the evidence as one text, one paragraph per member."""
    return "".join(_paragraph(name, text.split("\n")) for name, text in evidence_members(evidence))


def _paragraph(name: str, lines: list[str]) -> str:
    return f"{name}: {lines[0]}\n" if len(lines) == 1 else "\n  ".join([f"{name}:", *lines]) + "\n"
