"""Baselines: a list of known failures in a candidate's repository, applied to finished verdicts.

A listed failure does not decide the exit code; an entry that contradicts the results does. The digest of an entry
identifies what failed, so that a scenario that fails in another way is a new failure.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treeproof.errors import abbreviated_json
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import TomlFile, load_toml
from treeproof.verdict.difference import difference_kind
from treeproof.verdict.json_object import JsonObject, absent
from treeproof.verdict.judge import PackJudgement
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.spec_result import RequirementResult, Verdict

SCHEMA = JsonSchema(Path(__file__).with_name("baseline.schema.json"))
FORMAT_KEY, FORMAT = "format", 2
"""The key of a baseline file for the way in which its digests are made, and the present one."""
VERSIONS_TABLE = "specifications"
"""The table of a baseline file with the versions that the run judged which wrote the file, by name."""
_DIGEST_LENGTH = 12


@dataclass(frozen=True)
class BaselineEntry(JsonObject):
    """One known failure of a requirement or a scenario.

    ``state`` is what became of it in a run: ``failed`` (as listed), ``changed`` (it fails in another way), ``passed``,
    ``expired`` or ``unused`` (not decided by the run). ``expires`` is its last valid day; ``platform`` None means every
    platform. ``digest`` None means every failure. ``requirement`` is the violated one, if it is not that of the
    scenario. ``has_old_digest``: an earlier treeproof made the digest in another way.
    """

    id: str
    reason: str
    state: str = absent("")
    issue: str | None = absent()
    expires: datetime.date | None = absent()
    platform: str | None = absent()
    digest: str | None = absent()
    requirement: str | None = absent()
    has_old_digest: bool = absent(False)

    def to_json(self) -> dict[str, Any]:
        """Return the entry as JSON of the run document."""
        return JsonObject.to_json(replace(self, has_old_digest=False))

    def is_valid(self, platform: str, today: datetime.date) -> bool:
        """Return True if the entry is for this platform and has not expired."""
        return self.platform in (None, platform) and (self.expires is None or self.expires >= today)

    def excuses(self, failure: Failure) -> bool:
        """Return True if the entry lists this failure: of its requirement, or of its scenario."""
        is_listed = self.id == failure.requirement or (
            self.id == failure.scenario and (self.requirement or failure.own_requirement) == failure.requirement
        )
        return is_listed and self.digest in (None, failure.digest)


@dataclass(frozen=True)
class Failure:
    """One failure of a run: a scenario that does not hold, or a finding on another requirement in a scenario.

    ``own_requirement`` is the requirement of the scenario. ``digest`` identifies what failed.
    """

    scenario: str
    requirement: str
    own_requirement: str
    digest: str
    reason: str


def failures_of(records: Iterable[ScenarioRecord]) -> list[Failure]:
    """Return the failures in resolved records: what a baseline can list."""
    found = []
    for record in records:
        if does_not_hold(record):
            evidence = record.evidence
            reason = (evidence.blocked_by and evidence.cause) or evidence.reason
            found.append(Failure(record.id, record.requirement, record.requirement, record_digest(record), reason))
        for finding in record.findings:
            if finding.decides and finding.requirement != record.requirement:
                evidence = finding.evidence
                digest, reason = _digest(evidence.difference_kind, evidence.harm), evidence.message or ""
                found.append(Failure(record.id, finding.requirement, record.requirement, digest, reason))
    return list({(one.scenario, one.requirement, one.digest): one for one in found}.values())


def record_digest(record: ScenarioRecord) -> str:
    """Return 12 hexadecimal digits that identify what failed: kind and harm of the difference, or the fault."""
    evidence = record.evidence
    if record.outcome is Outcome.FAULT:
        return _digest("fault", evidence.code, difference_kind(evidence.cause or ""))
    return _digest(evidence.difference_kind, evidence.harm)


def cause_digest(cause: str) -> str:
    """Return the digest of a requirement that fails without a failed scenario."""
    return _digest(difference_kind(cause))


def _digest(*parts: str | None) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_DIGEST_LENGTH]


def read_baseline(path: Path, ids: Iterable[str] | None) -> tuple[BaselineEntry, ...]:
    """Return the entries of a baseline file; ``ids`` are the ids of all requirements and scenarios (None: any).

    Raises UsageError for an unreadable file, an unknown key or id, and a duplicate entry.
    """
    file = TomlFile(path, SCHEMA)
    file.check()
    known, seen = None if ids is None else set(ids), set[tuple[str | None, ...]]()
    entries = []
    is_old = file.tables.get(FORMAT_KEY, 1) != FORMAT
    for number, row in enumerate(file.tables.get("known", [])):
        day = row.get("expires")
        if day is not None and (not isinstance(day, datetime.date) or isinstance(day, datetime.datetime)):
            shown = abbreviated_json(day)
            message = f'the key "expires" holds {shown}; write a date without quotes such as expires = 2030-01-31'
            raise file.error(("known", number, "expires"), message)
        entry = BaselineEntry(**row, has_old_digest=is_old and "digest" in row)
        for key, id in (("id", entry.id), ("requirement", entry.requirement)):
            if known is not None and id is not None and id not in known:
                message = f'no requirement or scenario of this run has the id "{id}"; remove the entry'
                raise file.error(("known", number, key), message)
        identity = (entry.id, entry.requirement, entry.platform)
        if identity in seen:
            raise file.error(("known", number, "id"), "listed twice; keep one entry")
        seen.add(identity)
        entries.append(entry)
    return tuple(entries)


def version_warnings(path: Path, versions: Mapping[str, str]) -> list[str]:
    """Return a text for each specification of which the baseline file names another version than that in a run.

    ``versions``: those of the run by name. Raises UsageError for an unreadable file.
    """
    written = load_toml(path).get(VERSIONS_TABLE, {})
    return [
        f"the baseline is of {name} {written[name]}, and this run judged {name} {version}: write the baseline again"
        for name, version in versions.items()
        if written.get(name, version) != version
    ]


class _JudgedEntries:
    """Texts about entries with their states."""

    entries: tuple[BaselineEntry, ...]

    @property
    def contradictions(self) -> tuple[str, ...]:
        """One text for each entry that contradicts the results."""
        texts = {
            "passed": "the baseline lists {0.id} as failing, and it passed: remove the entry",
            "expired": "the baseline's entry {0.id} expired on {0.expires}: renew or remove it",
        }
        return tuple(texts[entry.state].format(entry) for entry in self.entries if entry.state in texts)

    @property
    def changes(self) -> tuple[str, ...]:
        """One text for each entry that lists another failure than the one in this run."""
        changed = [entry for entry in self.entries if entry.state == "changed"]
        texts = [
            f"the baseline lists {entry.id}, and it fails in another way now: correct it, or write the baseline again"
            for entry in changed
            if not entry.has_old_digest
        ]
        if old := len(changed) - len(texts):
            message = "an earlier version of treeproof wrote the baseline, and its digests mean something else now"
            texts.insert(0, f"{message}: write it again (--write-baseline); {old} of its entries do not hold")
        return tuple(texts)


@dataclass(frozen=True)
class BaselineResult(_JudgedEntries, JsonObject):
    """The baseline of a run: its file, and its entries with their states."""

    file: str
    entries: tuple[BaselineEntry, ...]


@dataclass(frozen=True)
class AppliedBaseline(_JudgedEntries):
    """Verdicts and records with marked known failures, and the entries with their states."""

    judgements: tuple[PackJudgement, ...]
    entries: tuple[BaselineEntry, ...]

    def result(self, file: str) -> BaselineResult:
        """Return the member ``baseline`` of the run document."""
        return BaselineResult(file, self.entries)


def apply_baseline(
    entries: Sequence[BaselineEntry], judgements: Sequence[PackJudgement], *, platform: str, today: datetime.date
) -> AppliedBaseline:
    """Mark the failures that the baseline covers.

    An entry that has expired or is for another platform covers nothing.
    """
    valid = [entry for entry in entries if entry.is_valid(platform, today)]
    listed: set[BaselineEntry] = set()
    failed: set[str] = set()
    passed: set[str] = set()
    marked = []
    for judgement in judgements:
        failures = failures_of(judgement.records)
        excused = {one for one in failures if any(entry.excuses(one) for entry in valid)}
        requirements = tuple(_mark_known_failure(v, failures, valid, excused) for v in judgement.requirements)
        known = {(one.scenario, one.requirement) for one in excused}
        records = tuple(_mark_known(record, known) for record in judgement.records)
        marked.append(replace(judgement, requirements=requirements, records=records))
        failed |= {one.scenario for one in failures} | {v.id for v in requirements if is_failure(v)}
        known_ids = {v.id for v in requirements if v.known}
        listed |= {one for one in valid if one.id in known_ids or any(map(one.excuses, failures))}
        passed |= {r.id for r in judgement.records if r.outcome is Outcome.PASSED and r.id not in failed}
        # A requirement passes only if all of its scenarios ran.
        ran = {r.id for r in judgement.records}
        passed |= {v.id for v in requirements if v.verdict is Verdict.PASS and ran.issuperset(v.scenarios)}

    def state(entry: BaselineEntry) -> str:
        if entry.platform not in (None, platform):
            return "unused"
        if entry not in valid:
            return "expired"
        if entry.id in failed:
            return "failed" if entry.digest is None or entry in listed else "changed"
        return "passed" if entry.id in passed else "unused"

    return AppliedBaseline(tuple(marked), tuple(replace(entry, state=state(entry)) for entry in entries))


def _mark_known(record: ScenarioRecord, known: Set[tuple[str, str]]) -> ScenarioRecord:
    """Return a record; it and its findings are marked if ``known`` has the scenario with their requirement."""
    findings = tuple(replace(one, known=(record.id, one.requirement) in known) for one in record.findings)
    return replace(record, findings=findings, known=(record.id, record.requirement) in known)


def is_failure(verdict: RequirementResult) -> bool:
    """Return True if a baseline can list the requirement: it failed, is blocked, or has no verdict for a fault."""
    return verdict.verdict is Verdict.FAIL or verdict.blocked_by is not None or verdict.fault


def does_not_hold(record: ScenarioRecord) -> bool:
    """Return True if a baseline can list the scenario: it failed, is blocked, or ended with a fault."""
    return record.outcome in (Outcome.FAILED, Outcome.FAULT) or record.evidence.blocked_by is not None


def _mark_known_failure(
    verdict: RequirementResult, failures: Sequence[Failure], valid: Sequence[BaselineEntry], excused: set[Failure]
) -> RequirementResult:
    """Return the verdict, marked if every failure of it is excused.

    For a requirement that fails without a scenario, an entry for the requirement itself is needed.
    """
    if not is_failure(verdict):
        return verdict
    scenarios = set(verdict.scenarios)  # of a requirement that restates another one, these are of the other
    own = [
        one
        for one in failures
        if one.requirement == verdict.id or (one.scenario in scenarios and one.requirement == one.own_requirement)
    ]
    entries = [entry for entry in valid if entry.id == verdict.id]
    if own:
        covered = all(one in excused or any(e.digest in (None, one.digest) for e in entries) for one in own)
    else:
        covered = verdict.verdict is Verdict.FAIL and any(
            entry.digest in (None, cause_digest(verdict.cause or "")) for entry in entries
        )
    return replace(verdict, known=True) if covered else verdict
