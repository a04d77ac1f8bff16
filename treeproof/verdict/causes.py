"""The causes of a run: failed and broken scenarios, grouped by what went wrong, the worst first.

One bug can fail hundreds of scenarios of many requirements. Scenarios have one cause if the comparison came to the same
stage and found the same kind of difference there. A violation with a harm (lost data, an escape from the sandbox) never
shares a cause with another requirement. Contains pure functions of the JSON of a run document.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from treeproof.spec import KIND_SEPARATOR
from treeproof.verdict.blocking import BLOCKED, best_shown, is_control
from treeproof.verdict.stages import FORM_STAGES, NO_RETURN, UNEXPECTED_ENTRIES, difference_kind

Json = Mapping[str, Any]
_GroupKey = tuple[str, ...]


class Severity(enum.StrEnum):
    """The severity of a cause, the worst first."""

    DATA = "data"
    ESCAPE = "escape"
    CRASH = "crash"
    HARNESS = "harness"
    ANSWER = "answer"
    FORM = "form"
    ADVICE = "advice"
    BEYOND = "beyond"


SEVERITY_LABELS: Mapping[Severity, str] = {
    Severity.DATA: "data lost or leaked",
    Severity.ESCAPE: "breach of the sandbox or the policy",
    Severity.CRASH: "crash or hang",
    Severity.HARNESS: "error of treeproof",
    Severity.ANSWER: "wrong answer",
    Severity.FORM: "wrong order or form",
    Severity.ADVICE: "recommendation not followed",
    Severity.BEYOND: "beyond the document",
}

_ORDER = {severity: number for number, severity in enumerate(Severity)}
_HARMFUL_STAGES: Mapping[str, frozenset[str]] = {
    "data": frozenset({"effect", "access"}),
    "escape": frozenset({"refusal", "effect", "access"}),
}
"""The stages at which something was done that a requirement with this harm is to prevent."""
_LINES = "lines"
"""The first part of the key of lines that fail without a finding."""
_ERROR_STAGES = frozenset({"call", "error"})
_CALLS: _GroupKey = ("failed", "call")
_HANG: _GroupKey = ("failed", "call", NO_RETURN, "")
"""The group of calls that do not return. If a rule forbids that, the calls of other scenarios belong to it too."""


def find_causes(specs: Sequence[Json], profile: str) -> list[dict[str, Any]]:
    """Return the causes in the specifications of a run document: the most severe first, then the most frequent.

    Of those that did harm, the ones of a requirement that is to prevent harm come first.

    Members of a cause: ``spec``, ``severity``, ``requirement`` (the one that the failed scenarios show best),
    ``requirements`` (all of them), ``stage`` (null for a fault), ``kind``, ``message`` (of the smallest case),
    ``scenarios``, ``smallest`` (the id of that case), ``blocked`` (the scenarios that it blocks) and ``known`` (True if
    a baseline lists it).
    """
    causes = [cause for spec in specs for cause in _causes_of(spec, profile)]
    harmful = {(spec["name"], one["id"]) for spec in specs for one in spec["requirements"] if one.get("harm")}

    def rank(cause: Json) -> tuple[int, bool, bool, int, int]:
        does_harm = cause["severity"] in _HARMFUL_STAGES
        is_other = does_harm and (cause["spec"], cause["requirement"]) not in harmful
        sizes = -len(cause["scenarios"]), -len(cause["blocked"])
        return _ORDER[cause["severity"]], cause["known"], is_other, *sizes

    return sorted(causes, key=rank)


def _causes_of(spec: Json, profile: str) -> Iterable[dict[str, Any]]:
    requirements = {requirement["id"]: requirement for requirement in spec["requirements"]}
    is_whole = spec.get("judged") == "whole"
    failures = list(failures_of(spec))
    groups: dict[_GroupKey, list[Json]] = {}
    for failure in failures:
        requirement = requirements.get(failure["requirement"], {})
        key = _whole_group_key(failure) if is_whole else _group_key(failure, requirement)
        groups.setdefault(key, []).append(failure)
    if is_whole:
        groups = _with_lines(groups)
    groups = _with_hangs(groups)
    if not is_whole:
        groups = _merge_by_error(groups)
    executed = Counter(scenario["requirement"] for scenario in spec["scenarios"])
    blocked = _blocked_by_finding(spec) if is_whole else _blocked_by_group(spec, groups)
    for key, scenarios in groups.items():
        yield _cause(spec, scenarios, requirements, executed, blocked.get(key, ()), profile)
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

    Without any, those of one stage are one group: the words of a line name what it looks at, and not what is wrong.
    """
    found = {key: scenarios for key, scenarios in groups.items() if key[0] != _LINES}
    largest = {key[1]: key for key in sorted(found, key=lambda key: len(found[key])) if key[0] == "failed"}
    for key, scenarios in groups.items():
        if key[0] == _LINES:
            found.setdefault(largest.get(key[1], key), []).extend(scenarios)
    return found


def _whole_group_key(failure: Json) -> _GroupKey:
    evidence = failure["evidence"]
    if failure["outcome"] == "fault":
        return "fault", str(evidence.get("code", "")), difference_kind(str(evidence.get("cause", "")))
    stage, kind = stage_and_kind(evidence)
    if _is_found(failure) or kind == NO_RETURN:
        return "failed", failure["requirement"], kind
    return _LINES, failure["requirement"], stage


def _is_found(failure: Json) -> bool:
    """Return whether a finding names the requirement of a failure."""
    return any(one["requirement"] == failure["requirement"] for one in failure.get("findings", ()))


def _blocked_by_finding(spec: Json) -> Mapping[_GroupKey, Sequence[str]]:
    """Return the blocked scenarios of each group: those in which the finding of this group was met."""
    blocked: dict[_GroupKey, list[str]] = {}
    for scenario in spec["scenarios"]:
        owner = scenario["evidence"].get("blocked_by")
        finding = next((one for one in scenario.get("findings", ()) if one["requirement"] == owner), None)
        if finding is not None:
            key = _whole_group_key({**finding, "outcome": "failed", "findings": [finding]})
            blocked.setdefault(key, []).append(scenario["id"])
    return blocked


def _merge_by_error(groups: Mapping[_GroupKey, Sequence[Json]]) -> dict[_GroupKey, list[Json]]:
    """Return the groups; those of failed calls with one error message, whatever tool was called, are one."""
    found: dict[_GroupKey, list[Json]] = {}
    keys: dict[str, _GroupKey] = {}
    for key, scenarios in groups.items():
        texts = {_error_text(one["evidence"]) for one in scenarios} if key[:2] == _CALLS else set()
        errors = sorted(difference_kind(text) for text in texts if text.partition(": ")[2])  # those with a message
        first, *further = dict.fromkeys([keys[error] for error in errors if error in keys] or [key])
        for other in further:  # this group has the errors of two others
            found[first] += found.pop(other)
            keys = {error: first if known == other else known for error, known in keys.items()}
        keys.update(dict.fromkeys(errors, first))
        found.setdefault(first, []).extend(scenarios)
    return found


def _blocked_by_group(spec: Json, groups: Mapping[_GroupKey, Sequence[Json]]) -> Mapping[_GroupKey, Sequence[str]]:
    """Return the blocked scenarios of each group.

    Of the groups of the requirement that blocks it, a scenario belongs to the one that is most like it.
    """
    owned: dict[str, list[_GroupKey]] = {}
    for key, scenarios in groups.items():
        for id in dict.fromkeys(one["requirement"] for one in scenarios if one["outcome"] == "failed"):
            owned.setdefault(id, []).append(key)
    blocked: dict[_GroupKey, list[str]] = {}
    for scenario in spec["scenarios"]:
        evidence = scenario["evidence"]
        if evidence.get("code") != BLOCKED or evidence.get("blocked_by") not in owned:
            continue
        stage, kind = stage_and_kind(evidence)
        ranks: dict[_GroupKey, tuple[bool, bool, int]] = {}
        for key in owned[evidence["blocked_by"]]:
            own_stage, own_kind = stage_and_kind(groups[key][0]["evidence"])
            ranks[key] = own_stage == stage, own_kind == kind, len(groups[key])
        blocked.setdefault(max(ranks, key=ranks.__getitem__), []).append(scenario["id"])
    return blocked


def _group_key(scenario: Json, requirement: Json) -> _GroupKey:
    evidence = scenario["evidence"]
    if scenario["outcome"] == "fault":
        return "fault", str(evidence.get("code", "")), difference_kind(str(evidence.get("cause", "")))
    stage, kind = stage_and_kind(evidence)
    if harm := _harm(scenario, requirement):
        return "harm", harm, requirement["id"] if requirement.get("harm") else "", stage, kind
    owned = requirement.get("owns", ())
    is_convention = stage in owned or f"{stage}{KIND_SEPARATOR}{kind}" in owned  # whatever the message
    error = difference_kind(_error_text(evidence)) if stage in _ERROR_STAGES and not is_convention else ""
    return "failed", stage, kind, error


def stage_and_kind(evidence: Json) -> tuple[str, str]:
    """Return stage and kind of a difference; a document of an older version has only the message."""
    message = str(evidence.get("message", "")).removeprefix(evidence.get("context", ""))
    return str(evidence.get("stage", "answer")), str(evidence.get("kind") or difference_kind(message))


def _harm(scenario: Json, requirement: Json) -> str | None:
    """Return the harm of a failed scenario: what its call did, or what its requirement is to prevent. Else None."""
    evidence = scenario["evidence"]
    done: str | None = evidence.get("harm")
    harm: str | None = requirement.get("harm")
    if done is not None or harm is None or scenario["outcome"] != "failed" or is_control(evidence):
        return done
    stage, kind = stage_and_kind(evidence)
    is_shown = harm == "escape" and stage == "entries" and kind.startswith(UNEXPECTED_ENTRIES)
    return harm if is_shown or stage in _HARMFUL_STAGES.get(harm, ()) else None


def _error_text(evidence: Json) -> str:
    """Return the first line of the error that the call returned."""
    result = evidence.get("outcome") or {}
    if result:
        text = f"{result.get('kind')}: {result.get('message') or ''}" if result.get("status") == "error" else ""
    else:  # a control call: its message ends with the kind and the message of the error
        _, is_error, error = str(evidence.get("message", "")).partition(" failed with ")
        text = error if is_error else ""
    return text.split("\n", 1)[0]


def _severity(scenario: Json, requirement: Json, profile: str) -> Severity:
    if scenario["outcome"] == "fault":
        return Severity.HARNESS if scenario["evidence"].get("code") == "harness_fault" else Severity.CRASH
    is_prudent = scenario["advisory"] or "prudent" in (scenario.get("basis"), requirement.get("basis"))
    if is_prudent and profile != "strict":
        return Severity.BEYOND
    if (harm := _harm(scenario, requirement)) is not None:
        return Severity(harm)
    if stage_and_kind(scenario["evidence"]) == _HANG[1:3]:
        return Severity.CRASH
    if requirement.get("level", "MUST") != "MUST":
        return Severity.ADVICE
    return Severity.FORM if stage_and_kind(scenario["evidence"])[0] in FORM_STAGES else Severity.ANSWER


def _cause(
    spec: Json,
    scenarios: Sequence[Json],
    requirements: Mapping[str, Json],
    executed: Mapping[str, int],
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
    # If a quarter of the scenarios of the tool's own rule fail in this way, hardly a call works, whatever it is about.
    is_call = all(stage_and_kind(one["evidence"])[0] == "call" for one in worst_scenarios)
    in_all = Counter(one["requirement"] for one in scenarios)
    tool_rules = {
        id: count
        for id, count in counts.items()
        if is_call and "tool" in requirements.get(id, {}).get("owns", ()) and 4 * in_all[id] >= executed[id]
    }
    first = best_shown(tool_rules or counts, executed)
    own = [scenario for scenario in worst_scenarios if scenario["requirement"] == first]
    own = [scenario for scenario in own if _is_found(scenario)] or own  # the model's words come before those of a line
    smallest = min(own, key=_weight)
    evidence = smallest["evidence"]
    is_fault = smallest["outcome"] == "fault"
    stage, kind = stage_and_kind(evidence)
    others = dict.fromkeys(scenario["requirement"] for scenario in scenarios if scenario["requirement"] != first)
    ids = [first, *others]
    return {
        "spec": spec["name"],
        "severity": str(worst),
        "requirement": first,
        "requirements": ids,
        "stage": None if is_fault else stage,
        "kind": difference_kind(str(evidence.get("cause", ""))) if is_fault else kind,
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
        "stage": "repetition",
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
