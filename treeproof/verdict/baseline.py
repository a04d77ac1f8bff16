"""Known failures: a list that a candidate's repository keeps, applied to verdicts after they were reached.

A listed failure does not decide the exit; a list that says otherwise than what happened does. Pure but for reading
the one file; writing files is the reports' business.
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

ENTRY_KEYS = {"id": str, "reason": str, "issue": str, "expires": datetime.date, "platform": str}
PLATFORMS = ("Linux", "macOS", "Windows")


@dataclass(frozen=True)
class BaselineEntry:
    """One entry. ``expires`` is the last day on which it holds; ``platform`` None means everywhere."""

    id: str
    reason: str
    issue: str | None = None
    expires: datetime.date | None = None
    platform: str | None = None


def read_baseline(path: Path, ids: Iterable[str]) -> tuple[BaselineEntry, ...]:
    """Return the entries of a baseline file; ``ids`` are those of all requirements and scenarios that exist.

    Raises UsageError (exit 2) for a file that cannot be read, an unknown key, an unknown id or a duplicate entry.
    """
    data = load_toml(path)
    if set(data) - {"known"} or not isinstance(data.get("known", []), list):
        raise UsageError(f"{path}: a baseline holds only [[known]] tables with id and reason")
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
        raise UsageError(
            f"{path}: known holds {abbreviated_json(row)}; write each entry as a [[known]] table"
        )
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
            raise UsageError(f"{where}: {key} is missing; an entry says what is known to fail and why")
    if row.get("platform") not in (None, *PLATFORMS):
        raise UsageError(f"{where}: platform must be one of {', '.join(PLATFORMS)}")
    return BaselineEntry(**row)


@dataclass(frozen=True)
class AppliedBaseline:
    """Verdicts with known failures marked, what became of every entry, and a sentence for each that does not hold.

    ``states`` maps each entry to ``failed`` (as listed), ``passed``, ``expired`` or ``unused`` (not decided here).
    """

    judgements: tuple[PackJudgement, ...]
    states: tuple[tuple[BaselineEntry, str], ...]

    @property
    def contradictions(self) -> tuple[str, ...]:
        """The sentences of the entries that say otherwise than what happened."""
        said = []
        for entry, state in self.states:
            if state == "passed":
                said.append(f"the baseline lists {entry.id} as failing, and it passed: remove the entry")
            elif state == "expired":
                said.append(f"the baseline's entry {entry.id} expired on {entry.expires}: renew or remove it")
        return tuple(said)

    def to_json(self, file: str) -> dict[str, Any]:
        """Return what the run document says of the baseline."""
        entries = []
        for entry, state in self.states:
            told: dict[str, Any] = {"id": entry.id, "reason": entry.reason, "state": state}
            more = {"issue": entry.issue, "expires": entry.expires and entry.expires.isoformat()}
            entries.append(
                told | {k: v for k, v in {**more, "platform": entry.platform}.items() if v is not None}
            )
        return {"file": file, "entries": entries}


def apply_baseline(
    entries: Sequence[BaselineEntry],
    judgements: Sequence[PackJudgement],
    *,
    platform: str,
    today: datetime.date,
) -> AppliedBaseline:
    """Mark what the baseline covers. An expired entry covers nothing."""
    expired = {e for e in entries if e.expires is not None and e.expires < today}
    elsewhere = {e for e in entries if e.platform not in (None, platform)}
    valid = {e.id for e in entries if e not in expired and e not in elsewhere}
    failed: set[str] = set()
    passed: set[str] = set()
    marked = []
    for judgement in judgements:
        failing = {r.id for r in judgement.records if r.outcome is Outcome.FAILED}
        failed |= failing | {v.id for v in judgement.requirements if v.verdict is Verdict.FAIL}
        passed |= {r.id for r in judgement.records if r.outcome is Outcome.PASSED}
        # Of a requirement that was asked about in part only, nobody knows whether it passes.
        ran = {r.id for r in judgement.records}
        passed |= {
            v.id for v in judgement.requirements if v.verdict is Verdict.PASS and ran.issuperset(v.scenarios)
        }
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


def _mark_known_failure(
    verdict: RequirementVerdict, valid: set[str], failing: set[str]
) -> RequirementVerdict:
    if verdict.verdict is not Verdict.FAIL:
        return verdict
    own = [id for id in verdict.scenarios if id in failing]
    covered = verdict.id in valid or (bool(own) and all(id in valid for id in own))
    return replace(verdict, is_known_failure=True) if covered else verdict


def format_baseline(judgements: Sequence[PackJudgement]) -> str:
    """Return a baseline file that lists every requirement that fails in these verdicts."""
    lines = [
        "# Known failures. Say in `reason` why each is not mended yet; remove an entry when it passes.",
        "",
    ]
    for judgement in judgements:
        for verdict in judgement.requirements:
            if verdict.verdict is Verdict.FAIL:
                failed = (
                    r
                    for r in judgement.records
                    if r.requirement == verdict.id and r.outcome is Outcome.FAILED
                )
                first = next(failed, None)
                why = verdict.cause or (str(first.evidence.get("message", "")) if first else "")
                reason = json.dumps(" ".join(why.split())[:200] or "fails")
                lines += ["[[known]]", f'id = "{verdict.id}"', f"reason = {reason}", ""]
    return "\n".join(lines)
