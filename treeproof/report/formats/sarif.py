"""A run as SARIF 2.1.0: a requirement is a rule, a failed scenario is a result at its feature file and line.

Results have the order of the causes, the worst first; those of one cause share a fingerprint and a rank (3.27.25). A
requirement that failed or was not verified without such a scenario is a result, too. Not verified is of kind `open`
and level `none` (OASIS SARIF 2.1.0, 3.27.10). Passed scenarios are left out. In messages braces are doubled (3.11.5),
and no text can become a link (3.11.6).
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from treeproof.report.digest import explain_command, rerun_command
from treeproof.report.escape import shortened, visible
from treeproof.report.formats import cases
from treeproof.report.formats.cases import Case
from treeproof.verdict.causes import Cause, Severity
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.readings import Profile
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import SpecResult, Verdict

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "TREEPROOF"
_RANKS: Mapping[Severity, float] = {
    Severity.DATA: 100.0,
    Severity.ESCAPE: 95.0,
    Severity.CRASH: 80.0,
    Severity.HARNESS: 70.0,
    Severity.ANSWER: 60.0,
    Severity.ADVICE: 20.0,
    Severity.BEYOND: 0.0,
}
_SECURITY_SEVERITIES = {"data": "9.0", "escape": "8.0"}
"""The property by which code scanning ranks rules of security: a text, from 0.0 to 10.0."""
_LEVELS: Mapping[str, str] = {"MUST": "error", "SHOULD": "warning", "MAY": "note"}
_MAX_MESSAGE = 1000  # characters that consumers show
_MAX_DESCRIPTION = 1024  # characters that code scanning accepts
_MAX_MEMBER = 4096  # characters of one member of the evidence
_FAILING_STATES = (cases.FAILED, cases.ADVISORY, cases.KNOWN)


def dump(run: RunDocument) -> bytes:
    """Return the run as a SARIF log of one run in UTF-8."""
    rules, indices = _rules(run)
    sarif_run = {
        "tool": {"driver": {"name": "treeproof", "semanticVersion": run.treeproof, "rules": rules}},
        "automationDetails": {"id": f"treeproof/{_segment(run.candidate.name)}/"},
        "invocations": [_invocation(run)],
        "originalUriBaseIds": {_BASE: {"description": {"text": "The folder of treeproof with the feature files."}}},
        "results": list(_results(run, rules, indices)),
        "columnKind": "unicodeCodePoints",
        "properties": {
            "verdict": run.verdict,
            "reason": visible(run.reason),
            "claim": run.claim,
            "profile": run.profile,
            "candidate": visible(run.candidate.label),
        },
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [sarif_run]}
    return (json.dumps(log, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _rules(run: RunDocument) -> tuple[list[Any], dict[tuple[str, str], int]]:
    """Return one rule per requirement, and the index of each rule by specification and requirement."""
    taken = Counter(requirement.id for spec in run.specs for requirement in spec.requirements)
    rules: list[Any] = []
    indices: dict[tuple[str, str], int] = {}
    for spec in run.specs:
        source = visible(spec.label)
        for requirement in spec.requirements:
            id = requirement.id
            indices[spec.name, id] = len(rules)
            text = visible(requirement.text) or id
            where = f"{source}, {visible(requirement.section)}"
            rules.append(
                {
                    "id": id if taken[id] == 1 else f"{_segment(spec.name)}/{id}",
                    "shortDescription": {"text": _escape_message(f"{id}: {text}", 160)},
                    "fullDescription": {"text": _escape_message(text, _MAX_DESCRIPTION)},
                    "help": {
                        "text": _escape_message(
                            f"{text} ({requirement.level}; {where}.) "
                            f"Scenarios and interpretations: {explain_command(run, id)}",
                            _MAX_MEMBER,
                        )
                    },
                    "defaultConfiguration": {"level": _LEVELS[requirement.level]},
                    "properties": {
                        "level": requirement.level,
                        "section": visible(requirement.section),
                        "specification": source,
                        "verdict": requirement.verdict,
                        "tags": ["conformance", requirement.level, *(["security"] if requirement.harm else [])],
                        **({"security-severity": _SECURITY_SEVERITIES[requirement.harm]} if requirement.harm else {}),
                    },
                }
            )
    return rules, indices


def _invocation(run: RunDocument) -> dict[str, Any]:
    started = datetime.datetime.fromisoformat(run.started)
    ended = started + datetime.timedelta(seconds=run.seconds)
    broken = [
        (case.name, case.message)
        for spec in run.specs
        for case in cases.scenario_cases(spec, run.profile)
        if case.state == cases.FAULT
    ]
    return {
        "executionSuccessful": run.verdict not in (Conclusion.FAULT, Conclusion.USAGE) and not run.interrupted,
        "exitCode": run.exit,
        "exitCodeDescription": f"{run.conclusion}: {visible(run.reason)}",
        "startTimeUtc": _utc(started),
        "endTimeUtc": _utc(ended),
        "toolExecutionNotifications": [
            *({"level": "error", "message": _message_object(f"{name}: {message}")} for name, message in broken),
            *({"level": "warning", "message": _message_object(warning)} for warning in run.warnings),
        ],
    }


def _results(
    run: RunDocument, rules: Sequence[Mapping[str, Any]], indices: Mapping[tuple[str, str], int]
) -> Iterator[dict[str, Any]]:
    reasons = {entry.id: entry.reason for entry in run.baseline.entries} if run.baseline else {}
    failing = {
        (spec.name, case.id): case
        for spec in run.specs
        for case in cases.scenario_cases(spec, run.profile)
        if case.state in _FAILING_STATES
    }
    for cause in run.causes:
        for scenario in cause.in_order:
            case = failing.get((cause.spec.name, scenario.id))
            if case is not None:
                yield _with_cause(_result(run, case, rules, indices, reasons), cause)
    for spec in run.specs:
        for case in _requirement_results(spec, run.profile):
            yield _result(run, case, rules, indices, reasons)


def _with_cause(result: dict[str, Any], cause: Cause) -> dict[str, Any]:
    """Return the result with the cause that it shares with others."""
    identity = "/".join([cause.spec.name, cause.requirement.id, cause.kind])
    digest = hashlib.sha256(identity.encode("utf-8", "backslashreplace")).hexdigest()
    return {
        **result,
        "rank": _RANKS[cause.severity],
        "partialFingerprints": {**result["partialFingerprints"], "treeproofCause/v1": digest},
        "properties": {"cause": cause.number, "severity": str(cause.severity), **result["properties"]},
    }


def _requirement_results(spec: SpecResult, profile: Profile) -> Iterator[Case]:
    """Yield the requirements that failed without a failed scenario, and all unverified ones.

    A failed requirement that restates another one is left out: the results of the other one show the failure.
    """
    shown = {case.id: case for case in cases.requirement_cases(spec, profile)}
    first = {scenario.requirement: scenario for scenario in reversed(spec.scenarios)}
    for requirement in spec.requirements:
        id = requirement.id
        if requirement.verdict is Verdict.FAIL and requirement.restates:
            continue
        case = shown.get(id)
        if case is None and requirement.verdict is Verdict.NOT_VERIFIED and id in first:
            case = Case(spec, id, id, requirement, cases.NOT_VERIFIED, requirement.cause)
        if case is not None and case.state in (*_FAILING_STATES, cases.NOT_VERIFIED):
            yield case


def _result(
    run: RunDocument,
    case: Case,
    rules: Sequence[Mapping[str, Any]],
    indices: Mapping[tuple[str, str], int],
    reasons: Mapping[str, str],
) -> dict[str, Any]:
    fails = case.state in _FAILING_STATES
    level = case.requirement.level if case.requirement else "MUST"
    remedy = case.requirement.general_remedy if case.requirement and not fails else None
    text = f"{case.name}: {case.message}" + (f". Remedy: {remedy}" if remedy else "")
    result: dict[str, Any] = {
        "ruleId": case.requirement_id,
        "kind": "fail" if fails else "open",
        "level": ("note" if case.state == cases.ADVISORY else _LEVELS[level]) if fails else "none",
        "message": _message_object(text),
        "locations": [_location(case)],
        "partialFingerprints": _fingerprints(case),
        "properties": {"outcome": case.state, "again": visible(rerun_command(run, case.id))},
    }
    index = indices.get((case.spec.name, case.requirement_id))
    if index is not None:  # otherwise the catalogue lacks the requirement
        result |= {"ruleId": rules[index]["id"], "ruleIndex": index}
    if case.state == cases.KNOWN:
        reason = reasons.get(case.id) or reasons.get(case.requirement_id) or "listed in the baseline"
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": shortened(visible(reason), _MAX_MESSAGE)}
        ]
    evidence = {name: shortened(text, _MAX_MEMBER) for name, text in cases.evidence_members(case.evidence)}
    if evidence:
        result["properties"]["evidence"] = evidence
    return result


def _location(case: Case) -> dict[str, Any]:
    """Return the place of the case; code scanning requires one."""
    place = case.scenario or next(
        (scenario for scenario in case.spec.scenarios if scenario.requirement == case.requirement_id), None
    )
    if place is not None and place.file:
        uri, line = place.file, max(1, place.line)
    else:  # the catalogue, beside the features
        written = next((scenario.file for scenario in case.spec.scenarios if scenario.file), None)
        folder = PurePosixPath(written).parent if written else PurePosixPath("features", case.spec.name)
        uri, line = str(folder / "spec.toml"), 1
    return {
        "physicalLocation": {"artifactLocation": {"uri": _uri(uri), "uriBaseId": _BASE}, "region": {"startLine": line}},
        "logicalLocations": [{"name": case.id, "fullyQualifiedName": f"{case.requirement_id}/{case.id}"}],
    }


def _fingerprints(case: Case) -> dict[str, str]:
    identity = f"{case.spec.name}/{case.requirement_id}/{case.id}"
    digest = hashlib.sha256(identity.encode("utf-8", "backslashreplace")).hexdigest()
    # Code scanning uses the second one; by default it hashes a line of the feature file.
    return {"treeproofCase/v1": digest, "primaryLocationLineHash": f"{digest[:16]}:1"}


def _message_object(text: str) -> dict[str, str]:
    return {"text": _escape_message(visible(text), _MAX_MESSAGE)}


def _escape_message(text: str, limit: int) -> str:
    """Return a message: cut, with doubled braces, without links."""
    return shortened(text, limit).replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogatepass"), safe="/")


def _segment(name: str) -> str:
    return visible(name).replace("/", "-") or "candidate"


def _utc(moment: datetime.datetime) -> str:
    return moment.astimezone(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
