"""Blocked scenarios: a failure that another requirement owns kept them from their own question.

A failure of the call, of the form of the output, or of a control call shows nothing about the rule that a scenario
verifies; nor does a changed tree, where one requirement forbids any change. The catalogue names the
requirements that own such failures (``owns``). While such a requirement FAILs in the same run, at the same stage and in
the same way (in any way, if the output cannot be read or the tree has changed), the others are blocked by it: NOT
VERIFIED instead of FAIL. The owner of a kind of difference comes before the owner of the whole stage. A call that
should fail with one error and fails with the error of the owner's call is blocked too. Where a control call fails, or a
requirement compares entries, a refusal, members, order or the like (``compares``) and the difference is at another
stage, the scenario is blocked by the requirement whose own scenarios fail most often in the same way, or else with the
same error. So is a scenario whose answer shows a reading that is not accepted, of interpretations that do not affect
its requirement.

A tool that the candidate offers under another name blocks every scenario that needs it.

Nothing is blocked without that FAIL, so a run with blocked scenarios is never conformant.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeproof.spec import KIND_SEPARATOR, Interpretation, Requirement
from treeproof.verdict.outcome import CONTROL_CALL, Outcome
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.stages import (
    MISSING_ENTRIES,
    NO_RETURN,
    UNEXPECTED_ENTRIES,
    difference_kind,
    interpretations_in,
)

BLOCKED = "blocked"
"""The code of a scenario or requirement that is blocked."""

_TOOL, _CONTROL, _CALL, _ERROR, _RETURNED = "tool", "control", "call", "error", "returned"
_MISSING_TOOL = "missing_tool"
_WHOLE_STAGES = frozenset({"output", "effect"})
"""The stages whose owner owns every difference there: an output that cannot be read, a tree that may not change."""

_EARLY_STAGES = frozenset({"call", "output", "refusal", "error", "entries"})
"""The stages at which a scenario about members or later stages has not come to its question."""

_MEMBERS, _TEXT, _REFUSAL, _ENTRIES = "members", "text", "refusal", "entries"
_DETAILS = frozenset({_MEMBERS, "order", _TEXT})
"""The stages that compare an answer with the right entries."""

_OTHER_STAGES: Mapping[str, frozenset[str]] = {
    _TEXT: _EARLY_STAGES | {_MEMBERS, "order"},
    _ENTRIES: _EARLY_STAGES - {_ENTRIES} | _DETAILS,
    _REFUSAL: _EARLY_STAGES - {_REFUSAL} | _DETAILS,
    _ERROR: _EARLY_STAGES - {_REFUSAL, _ERROR} | _DETAILS,
}
"""The same for the requirements that compare one of these stages: the details of a right listing are not theirs."""
_Difference = tuple[str, str]
_DUE = "; it should fail with "
_ANY_ERROR = frozenset({"any error"})


@dataclass(frozen=True)
class _Owners:
    """The failing owners of differences.

    ``kinds`` has all owners of a single kind, ``by_kind`` the chosen one; ``by_stage`` has, for each owned stage, the
    owner of each difference; ``errors`` the owner of each error that a failed call returned.
    """

    kinds: Mapping[_Difference, frozenset[str]]
    by_kind: Mapping[_Difference, str]
    by_stage: Mapping[str, Mapping[_Difference, str]]
    errors: Mapping[str, str]

    def of_stage(self, stage: str) -> Mapping[_Difference, str]:
        return self.by_stage.get(stage, {})


def block(
    requirements: Iterable[Requirement],
    records: Sequence[ScenarioRecord],
    interpretations: Iterable[Interpretation] = (),
) -> list[ScenarioRecord]:
    """Return the records with the blocked ones NOT VERIFIED; those that are no longer blocked are as they were.

    Pure: ``block`` of its own result is the same result.
    """
    failing = [unblock(record) for record in records]
    requirements = list(requirements)
    owners = _owners(requirements, failing)
    blocked = [_block_one(record, owners) for record in failing]
    other_stages = {one.id: _other_stages(one) for one in requirements if one.compares}
    deciding = {one.id for one in requirements if one.level == "MUST" and one.basis != "prudent"}
    affected = {one.id: frozenset(one.affects) for one in interpretations}
    harmful = {one.id for one in requirements if one.harm == "escape"}
    owned = {one.id: one.owns for one in requirements}
    others = [_is_about_another_question(record, other_stages, affected, harmful, owned) for record in blocked]
    own = [record for record, is_other in zip(blocked, others, strict=True) if not is_other]
    counts = _count_differences(record for record in own if record.requirement in deciding)
    return [
        _block_by_the_most_frequent(record, counts) if is_other else record
        for record, is_other in zip(blocked, others, strict=True)
    ]


def unblock(record: ScenarioRecord) -> ScenarioRecord:
    """Return a blocked record as it was: failed, or without its tool. Every other record is returned unchanged."""
    if record.evidence.get("code") != BLOCKED:
        return record
    evidence = {key: value for key, value in record.evidence.items() if key not in ("cause", "code", "blocked_by")}
    if evidence.get("stage") != _TOOL:
        return replace(record, outcome=Outcome.FAILED, evidence=evidence)
    cause = evidence.pop("message")
    del evidence["stage"]
    return replace(record, evidence={**evidence, "cause": cause, "code": _MISSING_TOOL})


def is_control(evidence: Mapping[str, Any]) -> bool:
    """Return True if a control call shows the difference."""
    return str(evidence.get("context", "")).startswith(CONTROL_CALL)


def _owners(requirements: Iterable[Requirement], records: Sequence[ScenarioRecord]) -> _Owners:
    """Return the requirements that own a difference and fail because of it.

    Of several it is the one that the failed scenarios show best. A scenario whose control call failed does not count.
    """
    failed = [
        one
        for one in records
        if one.outcome is Outcome.FAILED and one.basis != "prudent" and not is_control(one.evidence)
    ]
    shown: dict[_Difference, Counter[str]] = {}
    for record in failed:
        shown.setdefault(_difference(record), Counter())[record.requirement] += 1
    owned = [
        (requirement.id, *text.partition(KIND_SEPARATOR)[::2])
        for requirement in requirements
        for text in requirement.owns
    ]
    kinds: dict[_Difference, list[str]] = {}
    for id, stage, kind in owned:
        if kind and (counts := _shown_by(shown, stage, kind)) and id in counts:
            kinds.setdefault((stage, kind), []).append(id)
    stages: dict[str, dict[_Difference, list[str]]] = {}
    for id, stage, kind in owned:
        for difference, counts in shown.items():
            if not kind and id in counts and stage in (_CONTROL, difference[0]) and id in kinds.get(difference, [id]):
                stages.setdefault(stage, {}).setdefault(difference, []).append(id)
    executed = Counter(one.requirement for one in records)

    def choose(claims: Mapping[_Difference, Sequence[str]]) -> dict[_Difference, str]:
        return {
            key: best_shown({id: _shown_by(shown, *key)[id] for id in ids}, executed) for key, ids in claims.items()
        }

    chosen = choose(kinds)
    # The form of an output has parts within parts: the first owner in the catalogue is the outermost.
    by_stage = {
        stage: {key: ids[0] for key, ids in claims.items()} if stage in _WHOLE_STAGES else choose(claims)
        for stage, claims in stages.items()
    }
    errors: dict[str, str] = {}
    calls = [by_stage.get(_CALL, {}), {key: id for key, id in chosen.items() if key[0] == _CALL}]
    for record in failed:
        is_own = any(claims.get(_difference(record)) == record.requirement for claims in calls)
        if is_own and (error := _returned_error(record)):
            errors.setdefault(error, record.requirement)
    return _Owners({key: frozenset(ids) for key, ids in kinds.items()}, chosen, by_stage, errors)


def _shown_by(shown: Mapping[_Difference, Counter[str]], stage: str, kind: str) -> Counter[str]:
    """Return the requirements that fail with a difference; an error, whatever was due, also as a call that failed."""
    counts = shown.get((stage, kind)) or Counter()
    return counts + (shown.get((_CALL, kind)) or Counter()) if stage == _ERROR and _DUE not in kind else counts


def best_shown(counts: Mapping[str, int], executed: Mapping[str, int]) -> str:
    """Return the requirement that failed scenarios show best; ``counts`` are those of each, ``executed`` is of all.

    It has many of them, and they are a large part of its own (Ochiai's coefficient, which locates faults in programs).
    """
    return max(counts, key=lambda id: counts[id] / math.sqrt(executed[id] or 1))


def _difference(record: ScenarioRecord) -> _Difference:
    return str(record.evidence.get("stage", "")), str(record.evidence.get("kind", ""))


def _returned_error(record: ScenarioRecord) -> str:
    """Return the error of the last call without names, numbers and its own arguments; "" for a call that succeeded."""
    result = record.evidence.get("outcome") or {}
    if result.get("status") != "error":
        return ""
    message = str(result.get("message"))
    for text in _texts_of_call(record.evidence):
        message = re.sub(rf"(?<![\w./-]){re.escape(text)}(?![\w./-])", "…", message)
    return difference_kind(f"{result.get('kind')}: {message}")


def _texts_of_call(evidence: Mapping[str, Any]) -> list[str]:
    """Return the texts among the arguments of the call, the longest first."""
    try:
        arguments = json.loads((evidence.get("call") or {}).get("arguments") or "{}")
    except (ValueError, RecursionError):  # shortened for the record, or no JSON at all
        return []
    values = arguments.values() if isinstance(arguments, dict) else ()
    return sorted((one for one in values if isinstance(one, str) and one), key=len, reverse=True)


def _can_be_blocked(record: ScenarioRecord) -> bool:
    """Return whether a record failed, and its call has done no harm: lost data and escapes are never blocked.

    Without its tool a scenario fails only if its requirement names the tool.
    """
    has_harm = "harm" in record.evidence and not is_control(record.evidence)
    return record.outcome is Outcome.FAILED and not has_harm and record.evidence.get("stage") != _TOOL


def _block_one(record: ScenarioRecord, owners: _Owners) -> ScenarioRecord:
    if record.evidence.get("code") == _MISSING_TOOL and (tools := owners.of_stage(_TOOL)):
        evidence = {**record.evidence, "stage": _TOOL, "message": record.evidence["cause"]}
        return _blocked_by(next(iter(tools.values())), replace(record, evidence=evidence))
    if not _can_be_blocked(record):
        return record
    difference = _difference(record)
    stage = difference[0]
    if record.requirement in owners.kinds.get(difference, ()) and not is_control(record.evidence):
        return record
    owner = owners.by_kind.get(difference) or _owner_of_less(owners.by_kind, difference)
    if owner is None and stage == _ERROR:  # an error that other calls return as well shows nothing of this one
        owner = owners.errors.get(_returned_error(record))
    owner = owner or _stage_owner(owners.of_stage(stage), difference)
    if owner is None and stage in _WHOLE_STAGES:
        owner = next(iter(owners.of_stage(stage).values()), None)
    if owner is None and is_control(record.evidence):
        owner = owners.of_stage(_CONTROL).get(difference)
    return record if owner in (None, record.requirement) else _blocked_by(owner, record)


def _owner_of_less(owned: Mapping[_Difference, str], difference: _Difference) -> str | None:
    """Return the owner of a call that should fail, where fewer errors are right: a success shows nothing of the others.

    For an error it is the owner of this error, whatever was due.
    """
    stage, kind = difference
    got, due = _split_due(kind)
    if stage == _ERROR:
        return owned.get((stage, got))
    if stage != _REFUSAL or not due:
        return None
    for (own_stage, own_kind), owner in owned.items():
        own_got, own_due = _split_due(own_kind)
        if (own_stage, own_got) == (stage, got) and own_due and (due == _ANY_ERROR or own_due <= due):
            return owner
    return None


def _split_due(kind: str) -> tuple[str, frozenset[str]]:
    """Return what the call did, and the errors that are right."""
    got, _, due = kind.partition(_DUE)
    return got, frozenset(due.split(" or ")) if due else frozenset()


def _stage_owner(owned: Mapping[_Difference, str], difference: _Difference) -> str | None:
    """Return the owner of a difference; missing and unexpected entries together belong to the owner of either."""
    stage, kind = difference
    parts = [part for part in (MISSING_ENTRIES, UNEXPECTED_ENTRIES) if part in kind]
    return next((owned[stage, one] for one in (kind, *parts) if (stage, one) in owned), None)


def _other_stages(requirement: Requirement) -> Collection[str]:
    """Return the stages that are not a requirement's own question."""
    stages = _OTHER_STAGES.get(requirement.compares or "", _EARLY_STAGES)
    return stages - set(requirement.owns)


def _shows_harm(stage: str, kind: str, harmful: Collection[str], record: ScenarioRecord) -> bool:
    """Return whether a listing shows what its requirement is to keep out of it."""
    return stage == "entries" and kind.startswith(UNEXPECTED_ENTRIES) and record.requirement in harmful


def _is_about_another_question(
    record: ScenarioRecord,
    other_stages: Mapping[str, Collection[str]],
    affected: Mapping[str, Collection[str]],
    harmful: Collection[str],
    owned: Mapping[str, Collection[str]],
) -> bool:
    """Return whether a record shows nothing about its requirement.

    It failed in its control call, at another stage than the one that its requirement compares, or with readings of
    interpretations that do not affect its requirement.
    """
    if not _can_be_blocked(record):
        return False
    stage, kind = _difference(record)
    # Only a rule that forbids a hang is failed by one, so the hang is what its scenario is about.
    is_own = (
        kind == NO_RETURN
        or f"{stage}{KIND_SEPARATOR}{kind}" in owned.get(record.requirement, ())
        or _shows_harm(stage, kind, harmful, record)
    )
    is_other_stage = stage in other_stages.get(record.requirement, ()) and not is_own
    shown = [affected[id] for id in interpretations_in(kind) if id in affected]
    is_other_reading = bool(shown) and not any(record.requirement in ids for ids in shown)
    return is_other_stage or is_other_reading or is_control(record.evidence)


def _count_differences(records: Iterable[ScenarioRecord]) -> Mapping[_Difference, Counter[str]]:
    """Return for each difference how many scenarios of each requirement fail with it."""
    counts: dict[_Difference, Counter[str]] = {}
    for record in records:
        if record.outcome is Outcome.FAILED and record.basis != "prudent":
            difference = _difference(record)
            counts.setdefault(difference, Counter())[record.requirement] += 1
            if difference[0] in (_MEMBERS, _ENTRIES):
                counts.setdefault((difference[0], ""), Counter())[record.requirement] += 1
            if difference[0] in (_CALL, _ERROR) and (error := _returned_error(record)):
                counts.setdefault((_RETURNED, error), Counter())[record.requirement] += 1
    return counts


def _block_by_the_most_frequent(record: ScenarioRecord, counts: Mapping[_Difference, Counter[str]]) -> ScenarioRecord:
    difference = _difference(record)
    # The length of a text does not show which member is wrong, and wrong entries can show in several ways.
    owners = counts.get(difference) or counts.get((difference[0], ""))
    if not owners and difference[0] in (_CALL, _ERROR):
        owners = counts.get((_RETURNED, _returned_error(record)))
    if not owners:
        return record
    owner = owners.most_common(1)[0][0]
    # Its requirement fails anyway; a control call shows it only if no other requirement fails in this way more often.
    is_own = owner == record.requirement or (record.requirement in owners and not is_control(record.evidence))
    return record if is_own else _blocked_by(owner, record)


def _blocked_by(owner: str | None, record: ScenarioRecord) -> ScenarioRecord:
    evidence = {**record.evidence, "cause": f"blocked by {owner}", "code": BLOCKED, "blocked_by": owner}
    return replace(record, outcome=Outcome.NOT_VERIFIED, evidence=evidence)
