"""Merging of run documents: grouping by run, and merging the shards of a run into one document.

Requirements are judged again from the records of all shards, by the same code and the same pack as in a run.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from treeproof.errors import UsageError
from treeproof.report.escape import visible
from treeproof.spec import Pack, load_pack
from treeproof.verdict import NotVerified, PackJudgement, Profile, baseline, judge
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START, EXIT_CODES, INTERRUPTED, Conclusion, conclude
from treeproof.verdict.outcome import CauseCode
from treeproof.verdict.run_document import (
    HostFacts,
    RunDocument,
    RunFacts,
    ShardFacts,
    build_run_document,
    merge_host_facts,
)
from treeproof.verdict.spec_result import SpecResult

SHARD_PREFIX = "shard "
"""The prefix of a shard in a selection."""

_PLATFORMS = {"Darwin": "macOS"}


FindPack = Callable[[str], Pack | None]
"""Returns the installed pack of a name in its newest version, or None."""


@dataclass(frozen=True)
class RunReport:
    """A file with a run document: ``data`` is the JSON value in it, which becomes the ``document`` when it is valid."""

    file: Path
    data: Any

    @cached_property
    def document(self) -> RunDocument:
        """The run document."""
        return RunDocument.from_json(self.data)

    @property
    def display_name(self) -> str:
        """The path of the file, escaped."""
        return visible(str(self.file))

    def packs(self, find: FindPack) -> list[Pack | None]:
        """Return the installed pack of each of its specifications in the same version, or None."""
        return [installed_pack(find(spec.name), spec.version) for spec in self.document.specs]

    def required_packs(self, find: FindPack) -> list[Pack]:
        """Return the installed packs of its specifications. Raises UsageError for one that is not installed."""
        return [
            pack or self._refuse(spec, find) for spec, pack in zip(self.document.specs, self.packs(find), strict=True)
        ]

    def _refuse(self, spec: SpecResult, find: FindPack) -> NoReturn:
        newest = find(spec.name)
        installed = f"{newest.name} {', '.join(newest.versions)}" if newest else "none of that name"
        raise UsageError(
            f"{self.display_name}: it is of {visible(spec.label)}, and installed is {installed}; install treeproof "
            f"{visible(self.document.treeproof)}, which wrote it, or be in the folder of the specification"
        )


def installed_pack(newest: Pack | None, version: str) -> Pack | None:
    """Return a pack in a version; None if it has none of that name."""
    if newest is None or version not in newest.versions:
        return None
    return newest if newest.version == version else load_pack(newest.folder, version)


def group_runs(reports: Sequence[RunReport]) -> list[tuple[RunReport, ...]]:
    """Return the reports grouped by run, in their order: a whole run alone, the shards of a run together.

    Raises UsageError for a duplicate report and for shards that are not of one run.
    """
    check_distinct([report.file for report in reports])
    groups: dict[object, list[RunReport]] = {}
    for report in reports:
        key = (report.file,) if report.document.shard is None else _run_identity(report.document)
        groups.setdefault(key, []).append(report)
    for group in groups.values():
        if group[0].document.shard is not None:
            _check_same_run(group)
            _check_records_differ(group)
            missing = _missing_shards(group)
            if missing and len(groups) > 1:
                labels = ", ".join(visible(other[0].document.candidate.label) for other in groups.values())
                raise UsageError(
                    f"{group[0].display_name}: {_format_shards(missing, group[0])} missing, and the other reports are "
                    f"of other candidates ({labels}); add the missing reports"
                )
    return [tuple(group) for group in groups.values()]


def check_distinct(files: Sequence[Path]) -> None:
    """Raise UsageError for a report that is given twice."""
    seen: set[Path] = set()
    for file in files:
        path = file.resolve()
        if path in seen:
            raise UsageError(f"{visible(str(file))}: given twice; name each report once")
        seen.add(path)


def merge_shards(shards: Sequence[RunReport], find: FindPack) -> RunDocument:
    """Return the document of the whole run; a document without a shard is returned as it is.

    Except for ``started`` and ``seconds`` it equals the document of a run without shards. The scenarios of a missing
    shard are NOT VERIFIED, and the conclusion is not `conformant`. Raises UsageError for a pack that is not installed.
    """
    first, documents = shards[0].document, [part.document for part in shards]
    if first.shard is None:
        return first
    parts = [_shard_of(part) for part in shards]
    missing = _missing_shards(shards)
    interrupted = any(one.interrupted for one in documents)
    lost = _missing_shard_messages(missing, shards[0])
    faults = [one.fault for one in parts if one.fault is not None]
    gaps: dict[CauseCode, str] = {"missing_shard": lost[0]} if lost else {}
    if interrupted:
        gaps["interrupted"] = "a shard was interrupted"
    if faults:
        gaps["candidate_did_not_start"] = CANDIDATE_DID_NOT_START
    broken = _unique(one.guards for one in parts)
    errors = [*lost, *broken]
    merged = replace(
        first,
        machine=HostFacts.from_json(merge_host_facts([one.machine.to_json() for one in documents])),
        started=min(one.started for one in documents),
        interrupted=interrupted,
    )
    unfinished = NotVerified([*gaps][-1], " and ".join(gaps.values())) if gaps else None
    specs = list(zip(*(one.specs for one in documents), strict=True))
    applied, conclusion, reason = _judge(merged, shards[0].required_packs(find), specs, unfinished, errors)
    if faults and EXIT_CODES[conclusion] != EXIT_CODES[Conclusion.NON_CONFORMANT]:
        conclusion, reason = Conclusion.FAULT, f"{CANDIDATE_DID_NOT_START}: {faults[0]}"
    numbers = tuple(sorted(number for one in parts for number in one.numbers))
    names = [f"{SHARD_PREFIX}{number}/{first.shard.of}" for number in numbers if missing]
    facts = RunFacts(
        candidate=first.candidate,
        machine=merged.machine,
        profile=first.profile,
        selection=[*_selection_without_shards(first), *names] or None,
        seed=first.seed,
        command=first.command,
        started=merged.started,
        seconds=sum(one.seconds for one in documents),
        interrupted=interrupted,
        warnings=[*errors, *applied.contradictions, *applied.changes, *_other_warnings(shards)],
        baseline=applied.result(first.baseline.file) if first.baseline else None,
        shard=replace(first.shard, numbers=numbers, guards=tuple(broken)) if missing else None,
    )
    return build_run_document(applied.judgements, conclusion, reason, facts)


def judge_again(run: RunDocument, packs: Sequence[Pack]) -> tuple[Sequence[PackJudgement], Conclusion]:
    """Return the verdicts and the conclusion that the records of a whole run show."""
    unfinished = INTERRUPTED if run.interrupted else None
    applied, conclusion, _ = _judge(run, packs, [(spec,) for spec in run.specs], unfinished, ())
    return applied.judgements, conclusion


def _judge(
    run: RunDocument,
    packs: Sequence[Pack],
    specs: Sequence[Sequence[SpecResult]],
    unfinished: NotVerified | None,
    errors: Sequence[str],
) -> tuple[baseline.AppliedBaseline, Conclusion, str]:
    """Judge a run. ``specs`` has for each pack its results in every shard."""
    platform = run.candidate.system or _PLATFORMS.get(run.machine.system, run.machine.system)
    select = _selection_without_shards(run)
    judgements = [
        _judge_spec(pack, results, select, platform=platform, profile=run.profile, unfinished=unfinished)
        for pack, results in zip(packs, specs, strict=True)
    ]
    entries = [replace(one, state="") for one in run.baseline.entries] if run.baseline else []
    today = datetime.datetime.fromisoformat(run.started).date()
    applied = baseline.apply_baseline(entries, judgements, platform=platform, today=today)
    conclusion, reason = conclude(
        applied.judgements,
        run.profile,
        has_selection=bool(select),
        completeness_errors=errors,
        contradictions=applied.contradictions,
        interrupted=run.interrupted,
    )
    return applied, conclusion, reason


# ---- identity of runs -------------------------------------------------------------------------------------------


def _run_identity(document: RunDocument) -> tuple[object, ...]:
    candidate = document.candidate
    return (candidate.label, candidate.adapter, *document.command[:1])


def _catalogue_identity(document: RunDocument) -> list[Any]:
    return [
        (spec.name, spec.version, spec.sha256)
        + tuple(
            (one.id, one.level, one.section, one.text, one.restates, one.condition, one.scenarios)
            for one in spec.requirements
        )
        for spec in document.specs
    ]


def _baseline_without_states(document: RunDocument) -> object:
    known = document.baseline
    return known and (known.file, [replace(entry, state="") for entry in known.entries])


def _selection_without_shards(document: RunDocument) -> list[str]:
    return [word for word in document.selection or () if not word.startswith(SHARD_PREFIX)]


def _shard_of(part: RunReport) -> ShardFacts:
    assert part.document.shard is not None  # parts of one group
    return part.document.shard


_EQUAL_IN_ALL_SHARDS: Mapping[str, Callable[[RunDocument], object]] = {
    "version of treeproof": lambda one: one.treeproof,
    "number of shards": lambda one: one.shard and one.shard.of,
    "version of a specification": lambda one: ", ".join(spec.label for spec in one.specs),
    "seed": lambda one: one.seed,
    "profile": lambda one: one.profile,
    "selection": _selection_without_shards,
    "command": lambda one: one.command,
    "candidate": lambda one: one.candidate,
    "baseline": _baseline_without_states,
    "specification": _catalogue_identity,
    "state of the catalogue and features": lambda one: one.shard and one.shard.content,
}
"""The properties that all shards of a run share."""


def _check_same_run(group: Sequence[RunReport]) -> None:
    first = group[0]
    taken: dict[int, RunReport] = {}
    for part in group:
        for name, property_of in _EQUAL_IN_ALL_SHARDS.items():
            if property_of(part.document) != property_of(first.document):
                texts = [visible(str(property_of(one.document))) for one in (first, part)]
                values = f" ({', '.join(texts)})" if max(map(len, texts)) <= 40 else ""
                raise _other_run_error(part, first, f"another {name}{values}")
        for name, value in first.document.machine.facts.items():
            other = part.document.machine.facts.get(name)
            if None not in (value, other) and value != other:
                values = f"{name}: {visible(str(value))}, {visible(str(other))}"
                raise _other_run_error(part, first, f"another host ({values})")
        for number in _shard_of(part).numbers:
            if number in taken:
                total = _shard_of(first).of
                raise UsageError(
                    f"{part.display_name}: shard {number}/{total} is already in {taken[number].display_name}; "
                    "name one of them"
                )
            taken[number] = part


def _check_records_differ(group: Sequence[RunReport]) -> None:
    """Raise UsageError for a scenario in two shards: one of the records would hide the other."""
    owners: dict[str, RunReport] = {}
    for part in group:
        for id in (record.id for spec in part.document.specs for record in spec.scenarios):
            if id in owners:
                raise UsageError(
                    f"{part.display_name}: the scenario {visible(id)} is already in {owners[id].display_name}; "
                    "run both shards again"
                )
            owners[id] = part


def _other_run_error(part: RunReport, first: RunReport, difference: str) -> UsageError:
    return UsageError(
        f"{part.display_name}: not a shard of the run in {first.display_name}: {difference}; merge shards of one run"
    )


def _missing_shards(group: Sequence[RunReport]) -> list[int]:
    present = {number for part in group for number in _shard_of(part).numbers}
    return [number for number in range(1, _shard_of(group[0]).of + 1) if number not in present]


def _missing_shard_messages(missing: Sequence[int], part: RunReport) -> list[str]:
    return [f"{_format_shards(missing, part)} missing"] if missing else []


def _format_shards(numbers: Sequence[int], part: RunReport) -> str:
    total = _shard_of(part).of
    names = ", ".join(f"{number}/{total}" for number in numbers[:5]) + (", …" if len(numbers) > 5 else "")
    return f"shard {names} is" if len(numbers) == 1 else f"shards {names} are"


# ---- judging ----------------------------------------------------------------------------------------------------


def _judge_spec(
    pack: Pack,
    specs: Sequence[SpecResult],
    select: Sequence[str],
    *,
    platform: str,
    profile: Profile,
    unfinished: NotVerified | None,
) -> PackJudgement:
    """Judge one specification from its results in every shard."""
    records = [record for spec in specs for record in spec.scenarios]
    # Of a requirement that restates another one, the scenarios are of the other.
    listed = sorted(specs[0].requirements, key=lambda one: one.restates is not None)
    expected = {record.id: record.requirement for record in records}
    for requirement in listed:
        for id in requirement.scenarios:
            expected.setdefault(id, requirement.id)
    evidence: dict[str, str] = {}
    for shown in (one for spec in specs for one in spec.evidence):
        evidence[shown.call] = evidence.get(shown.call) or shown.problem or ""
    return judge(
        pack,
        records,
        platform=platform,
        selected=_selected_scenarios(pack, expected, select) if select else None,
        named=select or (),
        expected=expected,
        profile=profile,
        unfinished=unfinished,
        evidence=evidence,
    )


def _selected_scenarios(pack: Pack, expected: Mapping[str, str], select: Sequence[str]) -> frozenset[str]:
    """Return the scenarios that are selected by their id, requirement, restated requirement or pack."""
    wanted = {*select, *(r.restates for r in pack.requirements if r.id in select and r.restates)}
    return frozenset(id for id, requirement in expected.items() if wanted & {id, requirement, pack.name})


def _other_warnings(shards: Sequence[RunReport]) -> list[str]:
    """Return the warnings that are not about completeness or the baseline, without duplicates."""
    others = []
    for part in shards:
        run, listed = part.document, part.document.baseline
        of_baseline = (*listed.contradictions, *listed.changes) if listed else ()
        known = {*_shard_of(part).guards, *of_baseline, *_missing_shard_messages(_missing_shards([part]), part)}
        others.append([text for text in run.warnings if text not in known])
    return _unique(others)


def _unique(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(text for texts in lists for text in texts))
