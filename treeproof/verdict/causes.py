"""The causes of a run: failed and broken scenarios, grouped by what went wrong, the worst first.

One bug can fail hundreds of scenarios of many requirements. Findings have one cause if they name one requirement and
one kind of difference. Contains pure functions of the JSON of a run document.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from treeproof.verdict.finding import NO_RETURN, difference_kind
from treeproof.verdict.outcome import CONTROL_CALL

Json = Mapping[str, Any]
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
    Severity.DATA: "data lost or leaked",
    Severity.ESCAPE: "breach of the sandbox or the policy",
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


def find_causes(specs: Sequence[Json], profile: str) -> list[dict[str, Any]]:
    """Return the causes in the specifications of a run document: the most severe first, then the most frequent.

    Of those that did harm, the ones of a requirement that is to prevent harm come first.

    Members of a cause: ``spec``, ``severity``, ``requirement`` (that of most scenarios), ``requirements`` (all of
    them), ``kind``, ``message`` (of the smallest case), ``scenarios``, ``smallest`` (the id of that case), ``blocked``
    (the scenarios that it blocks) and ``known`` (True if a baseline lists it).
    """
    causes = [cause for spec in specs for cause in _causes_of(spec, profile)]
    harmful = {(spec["name"], one["id"]) for spec in specs for one in spec["requirements"] if one.get("harm")}

    def rank(cause: Json) -> tuple[int, bool, bool, int, int]:
        does_harm = cause["severity"] in _HARMFUL
        is_other = does_harm and (cause["spec"], cause["requirement"]) not in harmful
        sizes = -len(cause["scenarios"]), -len(cause["blocked"])
        return _ORDER[cause["severity"]], cause["known"], is_other, *sizes

    return sorted(causes, key=rank)


def _causes_of(spec: Json, profile: str) -> Iterable[dict[str, Any]]:
    requirements = {requirement["id"]: requirement for requirement in spec["requirements"]}
    failures = list(failures_of(spec))
    groups: dict[_GroupKey, list[Json]] = {}
    for failure in failures:
        groups.setdefault(_group_key(failure), []).append(failure)
    groups = _with_hangs(_with_lines(groups))
    blocked = _blocked_by_group(spec, groups)
    for key, scenarios in groups.items():
        yield _cause(spec, scenarios, requirements, blocked.get(key, ()), profile)
    failed = {failure["requirement"] for failure in failures if failure["outcome"] == "failed"}
    for id, requirement in requirements.items():
        if requirement["verdict"] == "FAIL" and id not in failed and not requirement.get("restates"):
            yield _cause_without_scenario(spec, requirement, profile)


def failures_of(spec: Json) -> Iterator[Json]:
    """Yield the failed and broken scenarios, and each finding that names another requirement as a scenario of that."""
    for scenario in spec["scenarios"]:
        found = {one["requirement"]: one for one in reversed(scenario.get("findings", ()))}
        own = found.pop(scenario["requirement"], None)
        if scenario["outcome"] in ("failed", "fault"):
            # A finding rests on the document, also in a scenario whose lines go beyond it.
            yield scenario if own is None else {**scenario, **_basis_of(own)}
        for requirement, finding in found.items():
            of_finding = {"requirement": requirement, "evidence": finding["evidence"], "known": finding.get("known")}
            yield {**scenario, **of_finding, **_basis_of(finding), "outcome": "failed"}


def _basis_of(finding: Json) -> Json:
    basis = finding["evidence"].get("basis", "stated")
    return {"basis": basis, "advisory": basis == "prudent"}


def _with_hangs(groups: Mapping[_GroupKey, list[Json]]) -> dict[_GroupKey, list[Json]]:
    """Return the groups; if a rule forbids that calls hang, the calls that hang elsewhere belong to its group."""
    hang = next((key for key in groups if NO_RETURN in key), None)
    if hang is None:
        return dict(groups)
    found: dict[_GroupKey, list[Json]] = {}
    for key, scenarios in groups.items():
        for one in scenarios:
            is_hang = one["outcome"] == "fault" and one["evidence"].get("code") == "candidate_timeout"
            found.setdefault(hang if is_hang else key, []).append(one)
    return found


def _with_lines(groups: Mapping[_GroupKey, list[Json]]) -> dict[_GroupKey, list[Json]]:
    """Return the groups; lines that fail alone belong to the findings on their requirement that are most frequent.

    The words of a line name what it looks at, and not what is wrong; they make a group only where no finding does.
    """
    found = {key: scenarios for key, scenarios in groups.items() if key[0] != _LINES}
    largest = {key[1]: key for key in sorted(found, key=lambda key: len(found[key])) if key[0] == "failed"}
    for key, scenarios in groups.items():
        if key[0] == _LINES:
            found.setdefault(largest.get(key[1], key), []).extend(scenarios)
    return found


def _group_key(failure: Json) -> _GroupKey:
    evidence = failure["evidence"]
    if failure["outcome"] == "fault":
        return "fault", str(evidence.get("code", "")), difference_kind(str(evidence.get("cause", "")))
    kind = kind_of(evidence)
    if _is_found(failure) or kind == NO_RETURN or "harm" in evidence:
        return "failed", failure["requirement"], kind
    return _LINES, failure["requirement"], kind


def _is_found(failure: Json) -> bool:
    """Return whether a finding names the requirement of a failure."""
    return any(one["requirement"] == failure["requirement"] for one in failure.get("findings", ()))


def _blocked_by_group(spec: Json, groups: Mapping[_GroupKey, Sequence[Json]]) -> Mapping[_GroupKey, Sequence[str]]:
    """Return the blocked scenarios of each group: those in which its finding was met.

    Where another name of the tool blocks a scenario there is none, and it belongs to the largest group of that rule.
    """
    largest: dict[str, _GroupKey] = {}
    for key in sorted(groups, key=lambda key: len(groups[key])):
        largest |= {one["requirement"]: key for one in groups[key] if one["outcome"] == "failed"}
    blocked: dict[_GroupKey, list[str]] = {}
    for scenario in spec["scenarios"]:
        owner = scenario["evidence"].get("blocked_by")
        finding = next((one for one in scenario.get("findings", ()) if one["requirement"] == owner), None)
        named = None if finding is None else _group_key({**finding, "outcome": "failed", "findings": [finding]})
        group = named if named in groups else largest.get(owner)
        if group is not None:
            blocked.setdefault(group, []).append(scenario["id"])
    return blocked


def kind_of(evidence: Json) -> str:
    """Return the kind of a difference; a document of an older version has only the message."""
    message = str(evidence.get("message", "")).removeprefix(evidence.get("context", ""))
    return str(evidence.get("kind") or difference_kind(message))


def _harm(failure: Json, requirement: Json) -> str | None:
    """Return the harm of a failure: what its call did, or what its requirement is to prevent and its success shows.

    The success of a tool that changes the tree shows no loss: the tree does. It shows an escape if it had an effect.
    """
    evidence = failure["evidence"]
    done: str | None = evidence.get("harm")
    if done == "none":
        return None
    is_control = str(evidence.get("context", "")).startswith(CONTROL_CALL)
    if done is not None or failure["outcome"] != "failed" or is_control:
        return done
    harm: str | None = requirement.get("harm")
    if "after" in evidence and (harm == "data" or evidence["after"] == evidence.get("before")):
        return None
    return harm if (evidence.get("outcome") or {}).get("status") == "ok" else None


def _severity(scenario: Json, requirement: Json, profile: str) -> Severity:
    if scenario["outcome"] == "fault":
        return Severity.HARNESS if scenario["evidence"].get("code") == "harness_fault" else Severity.CRASH
    is_prudent = scenario["advisory"] or "prudent" in (scenario.get("basis"), requirement.get("basis"))
    if is_prudent and profile != "strict":
        return Severity.BEYOND
    if (harm := _harm(scenario, requirement)) is not None:
        return Severity(harm)
    if kind_of(scenario["evidence"]) == NO_RETURN:
        return Severity.CRASH
    if requirement.get("level", "MUST") != "MUST":
        return Severity.ADVICE
    return Severity.ANSWER


def _cause(
    spec: Json,
    scenarios: Sequence[Json],
    requirements: Mapping[str, Json],
    blocked: Sequence[str],
    profile: str,
) -> dict[str, Any]:
    severities = {
        scenario["id"]: _severity(scenario, requirements.get(scenario["requirement"], {}), profile)
        for scenario in scenarios
    }
    worst = min(severities.values(), key=_ORDER.__getitem__)
    worst_scenarios = [scenario for scenario in scenarios if severities[scenario["id"]] is worst]
    # A rule that forbids the hang explains it better than the rule of a scenario that met it.
    worst_scenarios = [one for one in worst_scenarios if one["outcome"] == "failed"] or worst_scenarios
    counts = Counter(one["requirement"] for one in worst_scenarios)
    first = max(counts, key=counts.__getitem__)
    own = [scenario for scenario in worst_scenarios if scenario["requirement"] == first]
    own = [scenario for scenario in own if _is_found(scenario)] or own  # the model's words come before those of a line
    smallest = min(own, key=_weight)
    evidence = smallest["evidence"]
    is_fault = smallest["outcome"] == "fault"
    others = dict.fromkeys(scenario["requirement"] for scenario in scenarios if scenario["requirement"] != first)
    ids = [first, *others]
    return {
        "spec": spec["name"],
        "severity": str(worst),
        "requirement": first,
        "requirements": ids,
        "kind": difference_kind(str(evidence.get("cause", ""))) if is_fault else kind_of(evidence),
        "message": str(evidence.get("cause" if is_fault else "message", "")),
        "scenarios": list(dict.fromkeys(scenario["id"] for scenario in scenarios)),
        "smallest": smallest["id"],
        "blocked": list(blocked),
        "known": all(
            scenario.get("known") or requirements.get(scenario["requirement"], {}).get("known")
            for scenario in scenarios
        ),
    }


def _cause_without_scenario(spec: Json, requirement: Json, profile: str) -> dict[str, Any]:
    """Return the cause of a requirement that failed without a failed scenario: readings that differ."""
    advises = requirement["level"] != "MUST" and profile != "strict"
    return {
        "spec": spec["name"],
        "severity": str(Severity.ADVICE if advises else Severity.ANSWER),
        "requirement": requirement["id"],
        "requirements": [requirement["id"]],
        "kind": difference_kind(requirement["cause"] or ""),
        "message": requirement["cause"] or "",
        "scenarios": [],
        "smallest": None,
        "blocked": [],
        "known": requirement.get("known", False),
    }


def _weight(scenario: Json) -> tuple[int, int]:
    """Return the size of a case: its trees and calls, then its steps."""
    evidence = scenario["evidence"]
    call = evidence.get("call") or {}
    texts = (evidence.get("tree"), evidence.get("outside"), call.get("arguments"), evidence.get("message"))
    return sum(len(str(text or "")) for text in texts), len(evidence.get("steps", ()))
