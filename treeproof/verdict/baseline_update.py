"""The text of a baseline file: a new one, or one merged into a file that exists.

What a person wrote stays: comments, reasons, issues, dates and platforms of failures that still occur, and the entries
that a run does not decide.
"""

from __future__ import annotations

import datetime
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tomlkit
from tomlkit.items import AoT

from treeproof.verdict.baseline import (
    FORMAT,
    FORMAT_KEY,
    VERSIONS_TABLE,
    AppliedBaseline,
    BaselineEntry,
    apply_baseline,
    cause_digest,
    failures_of,
    is_failure,
)
from treeproof.verdict.judge import PackJudgement

_COMMENT = "Known failures. Give the reason of each failure; remove an entry when it passes."
_MAX_REASON = 200  # characters
_Identity = tuple[str, str | None]
"""The id of an entry, and the violated requirement if it is not that of the scenario."""
_KEPT_KEYS = ("reason", "issue", "expires", "platform")


@dataclass(frozen=True)
class BaselineUpdate:
    """The new text of a baseline file, and the ids of the entries that were added, removed and kept."""

    text: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]


def update_baseline(
    text: str,
    entries: Sequence[BaselineEntry],
    judgements: Sequence[PackJudgement],
    *,
    is_whole: bool,
    platform: str,
    today: datetime.date,
) -> BaselineUpdate:
    """Return the baseline of a run. ``text`` and its ``entries`` are those of the present file; empty without one.

    An entry is removed if what it lists passes, or if entries for its scenarios replace it. ``is_whole``: the run had
    no selection, so that a requirement can be listed instead of its scenarios.
    """
    failures = {_identity(entry): entry for judgement in judgements for entry in _failures(judgement, is_whole)}
    verifies = {record.id: record.requirement for judgement in judgements for record in judgement.records}
    applied = apply_baseline(entries, judgements, platform=platform, today=today)
    document = tomlkit.parse(text) if text.strip() else tomlkit.document().add(tomlkit.comment(_COMMENT))
    tables = document.get("known")
    if not isinstance(tables, AoT):
        tables = tomlkit.aot()
    obsolete = _obsolete(applied, failures, verifies)
    document[FORMAT_KEY] = FORMAT
    # What a person wrote about a requirement holds for the scenarios that replace it.
    earlier = {entry.id: entry for entry in obsolete if entry.platform in (None, platform)}
    current = [entry for entry in applied.entries if entry not in obsolete]
    listed = {_identity(entry) for entry in current if entry.platform in (None, platform)}
    for position, entry in reversed(list(enumerate(applied.entries))):
        if entry in obsolete:
            del tables[position]
    for table, entry in zip(tables, current, strict=True):
        failure = failures.get(_identity(entry))
        if failure is not None and failure.digest is not None and entry.platform in (None, platform):
            table["digest"] = failure.digest
    added = [entry for identity, entry in failures.items() if identity not in listed]
    for failure in added:
        tables.append(_table(failure, earlier.get(verifies.get(failure.id, ""))))
    if added or current:
        versions = document.get(VERSIONS_TABLE)
        if versions is None:
            versions = document[VERSIONS_TABLE] = tomlkit.table()
        for judgement in judgements:
            versions[judgement.pack.name] = judgement.pack.version
    if added and "known" not in document:
        document.add("known", tables)
    return BaselineUpdate(
        tomlkit.dumps(document),
        tuple(entry.id for entry in added),
        tuple(entry.id for entry in obsolete),
        tuple(entry.id for entry in current),
    )


def _obsolete(
    applied: AppliedBaseline, failures: Mapping[_Identity, BaselineEntry], verifies: Mapping[str, str]
) -> list[BaselineEntry]:
    replaced = {one.requirement or verifies.get(one.id) for one in failures.values()}
    return [
        entry
        for entry in applied.entries
        if entry.state == "passed"
        or (entry.state != "unused" and _identity(entry) not in failures and entry.id in replaced)
    ]


def _identity(entry: BaselineEntry) -> _Identity:
    return entry.id, entry.requirement


def _failures(judgement: PackJudgement, is_whole: bool) -> Iterator[BaselineEntry]:
    """Yield an entry per failed scenario; one for the requirement if all its scenarios fail in the same way."""
    restated = {requirement.id for requirement in judgement.pack.requirements if requirement.restates}
    for verdict in judgement.requirements:
        if not is_failure(verdict):
            continue
        own = {record.id for record in judgement.records if record.requirement == verdict.id}
        failed = [one for one in failures_of(judgement.records) if one.requirement == verdict.id]
        digests = {one.digest for one in failed}
        if not failed and verdict.id not in restated and verdict.cause:
            yield BaselineEntry(verdict.id, _reason(verdict.cause), digest=cause_digest(verdict.cause))
        elif is_whole and len(digests) == 1 and own <= {one.scenario for one in failed}:
            yield BaselineEntry(verdict.id, _reason(failed[0].reason or verdict.cause or ""), digest=digests.pop())
        else:
            for one in failed:
                other = None if one.requirement == one.own_requirement else one.requirement
                reason = _reason(one.reason or verdict.cause or "")
                yield BaselineEntry(one.scenario, reason, digest=one.digest, requirement=other)


def _reason(text: str) -> str:
    whole = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    shortened = textwrap.shorten(whole, _MAX_REASON, placeholder=" …")
    return (shortened if shortened != "…" else whole[:_MAX_REASON]) or "fails"


def _table(failure: BaselineEntry, earlier: BaselineEntry | None) -> Any:
    table = tomlkit.table()
    table.add("id", failure.id)
    if failure.requirement is not None:
        table.add("requirement", failure.requirement)
    for key in _KEPT_KEYS:
        value = getattr(earlier or failure, key)
        if value is not None:
            table.add(key, value)
    if failure.digest is not None:
        table.add("digest", failure.digest)
    return table
