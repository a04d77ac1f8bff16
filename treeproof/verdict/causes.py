"""The causes of a run: failed and broken scenarios, grouped by what went wrong, the worst first.

One bug can fail hundreds of scenarios of many requirements. Findings have one cause if they name one requirement and
one kind of difference. Every report shows the same causes in the same order. Contains pure functions.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeproof.verdict.difference import NO_RETURN, difference_kind
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.spec_result import RequirementResult, SpecResult, unlisted_requirement

_GroupKey = tuple[str, ...]


class Severity(enum.StrEnum):
    """The severity of a cause, the worst first."""

    DATA = "data"
    ESCAPE = "escape"
    CRASH = "crash"
    HARNESS = "harness"
    ANSWER = "answer"
    ADVICE = "advice"
    BEYOND = "beyond"


SEVERITY_LABELS: Mapping[Severity, str] = {
    Severity.DATA: "data lost",
    Severity.ESCAPE: "breach of the sandbox",
    Severity.CRASH: "crash or hang",
    Severity.HARNESS: "error of treeproof",
    Severity.ANSWER: "wrong answer",
    Severity.ADVICE: "recommendation not followed",
    Severity.BEYOND: "beyond the document",
}

_ORDER = {severity: number for number, severity in enumerate(Severity)}
_HARMFUL = (Severity.DATA, Severity.ESCAPE)
_LINES = "lines"
"""The first part of the key of lines that fail without a finding."""


@dataclass(frozen=True)
class Cause:
    """One cause of a run. ``number`` counts from 1 over the run, ``known``: a baseline lists all of it.

    The first of the ``requirements`` is the one that its scenarios show best. ``kind`` and ``message`` are those of the
    ``smallest`` case, which is None if no scenario failed and only readings differ. ``blocked`` are the ids of the
    scenarios that the cause blocks.
    """

    number: int
    spec: SpecResult
    severity: Severity
    requirements: Sequence[RequirementResult]
    kind: str
    message: str
    scenarios: Sequence[ScenarioRecord]
    smallest: ScenarioRecord | None
    blocked: Sequence[str]
    known: bool

    @property
    def label(self) -> str:
        """The severity in words."""
        return SEVERITY_LABELS[self.severity]

    @property
    def requirement(self) -> RequirementResult:
        """The requirement that its scenarios show best."""
        return self.requirements[0]

    @property
    def in_order(self) -> list[ScenarioRecord]:
        """Its scenarios: the smallest case, then the others of the same requirement, then the rest."""
        rest = [one for one in self.scenarios if self.smallest is None or one.id != self.smallest.id]
        first = [] if self.smallest is None else [self.smallest]
        return [*first, *sorted(rest, key=lambda one: one.requirement != self.requirement.id)]

    @property
    def others(self) -> list[ScenarioRecord]:
        """The other scenarios: first those of the same requirement."""
        return self.in_order[self.smallest is not None :]

    @property
    def is_fault(self) -> bool:
        """True if the candidate, its adapter or treeproof broke, so that there is no verdict."""
        return self.smallest is not None and self.smallest.outcome is Outcome.FAULT

    @property
    def is_beyond_document(self) -> bool:
        """True if the document is silent, so that it decides nothing."""
        return self.severity is Severity.BEYOND

    def decides(self, profile: Profile) -> bool:
        """Return whether it counts for the conclusion; otherwise it is only a warning."""
        if self.known or self.is_beyond_document:
            return False
        if self.is_fault:
            return self.severity is Severity.HARNESS or not all(one.is_advisory(profile) for one in self.scenarios)
        return any(one.fails(profile) for one in self.requirements)

    @property
    def other_requirements(self) -> Mapping[str, int]:
        """The number of scenarios of each other requirement, the largest first."""
        own = self.requirement.id
        return dict(Counter(one.requirement for one in self.scenarios if one.requirement != own).most_common())

    @property
    def blocked_requirements(self) -> list[str]:
        """The ids of the requirements of the blocked scenarios."""
        blocked = frozenset(self.blocked)
        return list(dict.fromkeys(one.requirement for one in self.spec.scenarios if one.id in blocked))

    def to_json(self) -> dict[str, Any]:
        """Return the cause as JSON of the run document."""
        return {
            "spec": self.spec.name,
            "severity": str(self.severity),
            "requirement": self.requirement.id,
            "requirements": [one.id for one in self.requirements],
            "kind": self.kind,
            "message": self.message,
            "scenarios": [one.id for one in self.scenarios],
            "smallest": self.smallest.id if self.smallest is not None else None,
            "blocked": list(self.blocked),
            "known": self.known,
        }


def find_causes(specs: Sequence[SpecResult], profile: Profile) -> list[Cause]:
    """Return the causes in the specifications of a run document: the most severe first, then the most frequent.

    Those that decide nothing are the last. Of those that did harm, the ones of a requirement that is to prevent harm
    come first.
    """

    def rank(cause: Cause) -> tuple[bool, int, bool, int, int]:
        is_other = cause.severity in _HARMFUL and cause.requirement.harm is None
        is_warning = not cause.decides(profile)
        return is_warning, _ORDER[cause.severity], is_other, -len(cause.scenarios), -len(cause.blocked)

    causes = sorted((cause for spec in specs for cause in _causes_of(spec, profile)), key=rank)
    return [replace(cause, number=number) for number, cause in enumerate(causes, start=1)]


def _causes_of(spec: SpecResult, profile: Profile) -> Iterable[Cause]:
    failures = list(spec.failures())
    groups: dict[_GroupKey, list[ScenarioRecord]] = {}
    for failure in failures:
        groups.setdefault(_group_key(failure), []).append(failure)
    groups = _with_hangs(_with_lines(groups))
    blocked = _blocked_by_group(spec, groups)
    for key, scenarios in groups.items():
        yield _cause(spec, failures, scenarios, blocked.get(key, ()), profile)
    failed = {failure.requirement for failure in failures if failure.outcome is Outcome.FAILED}
    for requirement in spec.requirements_by_id.values():
        if requirement.verdict == "FAIL" and requirement.id not in failed and not requirement.restates:
            yield _cause_without_scenario(spec, requirement, profile)


def _with_hangs(groups: Mapping[_GroupKey, list[ScenarioRecord]]) -> dict[_GroupKey, list[ScenarioRecord]]:
    """Return the groups; if a rule forbids that calls hang, the calls that hang elsewhere belong to its group."""
    hang = next((key for key in groups if NO_RETURN in key), None)
    if hang is None:
        return dict(groups)
    found: dict[_GroupKey, list[ScenarioRecord]] = {}
    for key, scenarios in groups.items():
        for one in scenarios:
            is_hang = one.outcome is Outcome.FAULT and one.evidence.code == "candidate_timeout"
            found.setdefault(hang if is_hang else key, []).append(one)
    return found


def _with_lines(groups: Mapping[_GroupKey, list[ScenarioRecord]]) -> dict[_GroupKey, list[ScenarioRecord]]:
    """Return the groups; lines that fail alone belong to the findings on their requirement that are most frequent.

    The words of a line name what it looks at, and not what is wrong; they make a group only where no finding does.
    """
    found = {key: scenarios for key, scenarios in groups.items() if key[0] != _LINES}
    largest = {key[1]: key for key in sorted(found, key=lambda key: len(found[key])) if key[0] == "failed"}
    for key, scenarios in groups.items():
        if key[0] == _LINES:
            found.setdefault(largest.get(key[1], key), []).extend(scenarios)
    return found


def _group_key(failure: ScenarioRecord) -> _GroupKey:
    evidence = failure.evidence
    if failure.outcome is Outcome.FAULT:
        return "fault", evidence.code or "", difference_kind(evidence.cause or "")
    kind = evidence.difference_kind
    if _is_found(failure) or kind == NO_RETURN or evidence.harm is not None:
        return _finding_key(failure.requirement, evidence)
    return _LINES, failure.requirement, kind


def _finding_key(requirement: str, evidence: Evidence) -> _GroupKey:
    return "failed", requirement, evidence.difference_kind


def _is_found(failure: ScenarioRecord) -> bool:
    """Return whether a finding names the requirement of a failure."""
    return any(one.requirement == failure.requirement for one in failure.findings)


def _blocked_by_group(
    spec: SpecResult, groups: Mapping[_GroupKey, Sequence[ScenarioRecord]]
) -> Mapping[_GroupKey, Sequence[str]]:
    """Return the blocked scenarios of each group: those in which its finding was met.

    Where another name of the tool blocks a scenario there is none, and it belongs to the largest group of that rule.
    """
    largest: dict[str | None, _GroupKey] = {}
    for key in sorted(groups, key=lambda key: len(groups[key])):
        largest |= {one.requirement: key for one in groups[key] if one.outcome is Outcome.FAILED}
    blocked: dict[_GroupKey, list[str]] = {}
    for scenario in spec.scenarios:
        owner = scenario.evidence.blocked_by
        finding = next((one for one in scenario.findings if one.requirement == owner), None)
        named = None if finding is None else _finding_key(finding.requirement, finding.evidence)
        group = named if named in groups else largest.get(owner)
        if group is not None:
            blocked.setdefault(group, []).append(scenario.id)
    return blocked


def _severity(scenario: ScenarioRecord, requirement: RequirementResult | None, profile: Profile) -> Severity:
    if scenario.outcome is Outcome.FAULT:
        return Severity.HARNESS if scenario.evidence.code == "harness_fault" else Severity.CRASH
    is_of_prudence = requirement is not None and requirement.is_beyond_document(profile)
    if is_of_prudence or scenario.is_advisory(profile):
        return Severity.BEYOND
    if (harm := scenario.evidence.harm) in _HARMFUL:
        return Severity(harm)
    if scenario.evidence.difference_kind == NO_RETURN:
        return Severity.CRASH
    return Severity.ANSWER if requirement is None or requirement.level == "MUST" else Severity.ADVICE


def _cause(
    spec: SpecResult,
    failures: Sequence[ScenarioRecord],
    scenarios: Sequence[ScenarioRecord],
    blocked: Sequence[str],
    profile: Profile,
) -> Cause:
    requirements = spec.requirements_by_id
    severities = {one.id: _severity(one, requirements.get(one.requirement), profile) for one in scenarios}
    worst = min(severities.values(), key=_ORDER.__getitem__)
    worst_scenarios = [scenario for scenario in scenarios if severities[scenario.id] is worst]
    # A rule that forbids the hang explains it better than the rule of a scenario that met it.
    worst_scenarios = [one for one in worst_scenarios if one.outcome is Outcome.FAILED] or worst_scenarios
    counts = Counter(one.requirement for one in worst_scenarios)
    first = max(counts, key=counts.__getitem__)
    own = [scenario for scenario in worst_scenarios if scenario.requirement == first]
    own = [scenario for scenario in own if _is_found(scenario)] or own  # the model's words come before those of a line
    smallest = min(own, key=_weight)
    is_fault, evidence = smallest.outcome is Outcome.FAULT, smallest.evidence
    ids = dict.fromkeys([first, *(scenario.requirement for scenario in scenarios)])
    # A finding on another requirement is shown with the call that it was met in, not with the last one.
    shown = {**spec.scenarios_by_id, **{one.id: one for one in failures if one.requirement == first}}
    return Cause(
        number=0,
        spec=spec,
        severity=worst,
        requirements=[requirements.get(id) or unlisted_requirement(id, "not in the catalogue") for id in ids],
        kind=difference_kind(evidence.cause or "") if is_fault else evidence.difference_kind,
        message=(evidence.cause if is_fault else evidence.message) or "",
        scenarios=[shown[id] for id in dict.fromkeys(scenario.id for scenario in scenarios)],
        smallest=shown[smallest.id],
        blocked=blocked,
        known=all(one.known or _is_known(requirements.get(one.requirement)) for one in scenarios),
    )


def _is_known(requirement: RequirementResult | None) -> bool:
    return requirement is not None and requirement.known


def _cause_without_scenario(spec: SpecResult, requirement: RequirementResult, profile: Profile) -> Cause:
    """Return the cause of a requirement that failed without a failed scenario: readings that differ."""
    advises = requirement.level != "MUST" and profile is not Profile.STRICT
    return Cause(
        number=0,
        spec=spec,
        severity=Severity.ADVICE if advises else Severity.ANSWER,
        requirements=[requirement],
        kind=difference_kind(requirement.cause or ""),
        message=requirement.cause or "",
        scenarios=[],
        smallest=None,
        blocked=[],
        known=requirement.known,
    )


def _weight(scenario: ScenarioRecord) -> tuple[int, int, int]:
    """Return the size of a case: the number of its calls, then its trees and their texts, then its steps."""
    evidence = scenario.evidence
    calls = evidence.calls or (evidence.call,)
    texts = [evidence.tree, evidence.outside, evidence.message]
    texts += [f"{one.arguments}{dict(one.shown_context) or ''}" for one in calls if one is not None]
    return evidence.call_number or 1, sum(len(text or "") for text in texts), len(evidence.steps or ())
