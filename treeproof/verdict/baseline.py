"""Baselines: a list of known failures in a candidate's repository, applied to finished verdicts.

A listed failure does not decide the exit code; an entry that contradicts the results does. Writes no file.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError, abbreviated_json, load_toml
from treeproof.verdict.judge import PackJudgement, RequirementVerdict, Verdict
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord

ENTRY_KEYS = {"id": str, "reason": str, "issue": str, "expires": datetime.date, "platform": str}
PLATFORMS = ("Linux", "macOS", "Windows")


@dataclass(frozen=True)
class BaselineEntry:
    """One known failure. ``expires`` is its last valid day; ``platform`` None means every platform."""

    id: str
    reason: str
    issue: str | None = None
    expires: datetime.date | None = None
    platform: str | None = None


def read_baseline(path: Path, ids: Iterable[str]) -> tuple[BaselineEntry, ...]:
    """Return the entries of a baseline file; ``ids`` are the ids of all requirements and scenarios.

    Raises UsageError for an unreadable file, an unknown key or id, and a duplicate entry.
    """
    data = load_toml(path)
    if set(data) - {"known"} or not isinstance(data.get("known", []), list):
        raise UsageError(f"{path}: contains more than [[known]] tables; remove the rest")
    entries = [_parse_entry(path, number, row) for number, row in enumerate(data.get("known", []), start=1)]
    known, seen = set(ids), set[tuple[str, str | None]]()
    for entry in entries:
        if entry.id not in known:
            raise UsageError(
                f"{path}: [[known]] {entry.id}: no requirement or scenario of this run has this id; remove the entry"
            )
        if (entry.id, entry.platform) in seen:
            raise UsageError(f"{path}: [[known]] {entry.id}: listed twice; keep one entry")
        seen.add((entry.id, entry.platform))
    return tuple(entries)


def _parse_entry(path: Path, number: int, row: Any) -> BaselineEntry:
    if not isinstance(row, dict):
        raise UsageError(f"{path}: known is {abbreviated_json(row)}; write each entry as a [[known]] table")
    id = row.get("id")
    where = f"{path}: [[known]] {id if isinstance(id, str) and id.strip() else f'entry {number}'}"
    for key, value in row.items():
        if key not in ENTRY_KEYS:
            raise UsageError(f"{where}: unknown key '{key}'; the keys are {', '.join(ENTRY_KEYS)}")
        if not isinstance(value, ENTRY_KEYS[key]) or isinstance(value, datetime.datetime):
            kind = "a date such as 2030-01-31" if key == "expires" else "a text"
            raise UsageError(f"{where}: {key} = {abbreviated_json(value)} must be {kind}")
    for key in ("id", "reason"):
        if not row.get(key, "").strip():
            raise UsageError(f"{where}: {key} is missing; add it")
    if row.get("platform") not in (None, *PLATFORMS):
        raise UsageError(f"{where}: platform must be one of {', '.join(PLATFORMS)}")
    return BaselineEntry(**row)


@dataclass(frozen=True)
class AppliedBaseline:
    """Verdicts with marked known failures, and the state of each entry.

    A state is ``failed`` (as listed), ``passed``, ``expired`` or ``unused`` (not decided by this run).
    """

    judgements: tuple[PackJudgement, ...]
    states: tuple[tuple[BaselineEntry, str], ...]

    @property
    def contradictions(self) -> tuple[str, ...]:
        """One text for each entry that contradicts the results."""
        texts = []
        for entry, state in self.states:
            if state == "passed":
                texts.append(f"the baseline lists {entry.id} as failing, and it passed: remove the entry")
            elif state == "expired":
                texts.append(f"the baseline's entry {entry.id} expired on {entry.expires}: renew or remove it")
        return tuple(texts)

    def to_json(self, file: str) -> dict[str, Any]:
        """Return the ``baseline`` member of the run document."""
        entries = []
        for entry, state in self.states:
            members = {
                "id": entry.id,
                "reason": entry.reason,
                "state": state,
                "issue": entry.issue,
                "expires": entry.expires and entry.expires.isoformat(),
                "platform": entry.platform,
            }
            entries.append({name: value for name, value in members.items() if value is not None})
        return {"file": file, "entries": entries}


def apply_baseline(
    entries: Sequence[BaselineEntry],
    judgements: Sequence[PackJudgement],
    *,
    platform: str,
    today: datetime.date,
) -> AppliedBaseline:
    """Mark the failures that the baseline covers. An expired entry covers nothing."""
    expired = {e for e in entries if e.expires is not None and e.expires < today}
    elsewhere = {e for e in entries if e.platform not in (None, platform)}
    valid = {e.id for e in entries if e not in expired and e not in elsewhere}
    failed: set[str] = set()
    passed: set[str] = set()
    marked = []
    for judgement in judgements:
        failing = {r.id for r in judgement.records if _does_not_hold(r)}
        failed |= failing | {v.id for v in judgement.requirements if _is_failure(v)}
        passed |= {r.id for r in judgement.records if r.outcome is Outcome.PASSED}
        # A requirement passes only if all of its scenarios ran.
        ran = {r.id for r in judgement.records}
        passed |= {v.id for v in judgement.requirements if v.verdict is Verdict.PASS and ran.issuperset(v.scenarios)}
        marked.append(
            replace(
                judgement,
                requirements=tuple(_mark_known_failure(v, valid, failing) for v in judgement.requirements),
            )
        )

    def state(entry: BaselineEntry) -> str:
        if entry in elsewhere:
            return "unused"
        if entry in expired:
            return "expired"
        return "failed" if entry.id in failed else "passed" if entry.id in passed else "unused"

    return AppliedBaseline(tuple(marked), tuple((entry, state(entry)) for entry in entries))


def _is_failure(verdict: RequirementVerdict) -> bool:
    """Return True for a failed requirement and for a blocked one, which a baseline lists in the same way."""
    return verdict.verdict is Verdict.FAIL or verdict.blocked_by is not None


def _does_not_hold(record: ScenarioRecord) -> bool:
    return record.outcome is Outcome.FAILED or "blocked_by" in record.evidence


def _mark_known_failure(verdict: RequirementVerdict, valid: set[str], failing: set[str]) -> RequirementVerdict:
    if not _is_failure(verdict):
        return verdict
    own = [id for id in verdict.scenarios if id in failing]
    covered = verdict.id in valid or (bool(own) and all(id in valid for id in own))
    return replace(verdict, is_known_failure=True) if covered else verdict


def format_baseline(judgements: Sequence[PackJudgement]) -> str:
    """Return the text of a baseline file with every failed or blocked requirement."""
    lines = ["# Known failures. Give the reason of each failure; remove an entry when it passes.", ""]
    for judgement in judgements:
        for verdict in judgement.requirements:
            if _is_failure(verdict):
                failed = (r for r in judgement.records if r.requirement == verdict.id and _does_not_hold(r))
                first = next(failed, None)
                cause = verdict.cause or (str(first.evidence.get("message", "")) if first else "")
                reason = json.dumps(" ".join(cause.split())[:200] or "fails")
                lines += ["[[known]]", f'id = "{verdict.id}"', f"reason = {reason}", ""]
    return "\n".join(lines)
