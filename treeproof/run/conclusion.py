"""The end of every run, also of an adopter's: results are judged, the baseline is applied, the document is built."""

from __future__ import annotations

import datetime
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.candidate import InitializeResult, Target
from treeproof.run.candidate_commit import candidate_commit
from treeproof.run.execution import RunResults
from treeproof.run.plan import Options, catalogue_digest, platform_name
from treeproof.run.selected_pack import SelectedPack
from treeproof.spec.contract import CONTRACT, load_contract
from treeproof.verdict import PackJudgement, Profile, ScenarioRecord, baseline, judge
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START, INTERRUPTED, NOT_STARTED, Conclusion, conclude
from treeproof.verdict.run_document import (
    CandidateFacts,
    HostFacts,
    RunDocument,
    RunFacts,
    ShardFacts,
    build_run_document,
)


@dataclass(frozen=True)
class Clock:
    """When a run began: as a date in UTC, and in seconds of the monotonic clock."""

    date: datetime.datetime = field(default_factory=lambda: datetime.datetime.now(datetime.UTC))
    seconds: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class Run:
    """The result of a run: the document, the judgements that it contains, and what the baseline changed."""

    document: RunDocument
    applied: baseline.AppliedBaseline

    @property
    def judgements(self) -> tuple[PackJudgement, ...]:
        """The judgement of each pack."""
        return self.applied.judgements


def conclude_run(
    results: RunResults,
    options: Options,
    target: Target,
    began: Clock,
    *,
    packs: Sequence[SelectedPack],
    selection: Sequence[str],
    machine: Mapping[str, Any],
    command: list[str],
    warnings: Sequence[str],
    baseline_entries: Sequence[baseline.BaselineEntry],
) -> Run:
    """Judge the results of a run and build its document.

    ``packs`` are those of the plan, ``selection`` names what was selected (empty: everything), ``command`` has the
    arguments as typed.
    """
    judged = results.pack_records
    if options.chosen_profile is Profile.BEHAVIOUR:
        judged = [_joined(judged)]
        results.evidence = {CONTRACT: {call: why for shown in results.evidence.values() for call, why in shown.items()}}
    profile, platform = options.chosen_profile, platform_name(target)
    judgements = [_judge_pack(part, records, profile, results, selection, platform) for part, records in judged]
    applied = baseline.apply_baseline(baseline_entries, judgements, platform=platform, today=began.date.date())
    conclusion, reason = conclude(
        applied.judgements,
        options.chosen_profile,
        has_selection=bool(selection),
        completeness_errors=results.completeness_errors,
        contradictions=applied.contradictions,
        interrupted=results.interrupted,
    )
    if results.fault is not None:
        conclusion, reason = Conclusion.FAULT, f"{CANDIDATE_DID_NOT_START}: {results.fault.detail}"
    facts = RunFacts(
        candidate=_candidate_facts(target, results.initialize_results),
        machine=HostFacts.from_json(machine),
        profile=options.chosen_profile,
        selection=list(selection) or None,
        shard=_shard_facts(options, packs, results),
        seed=options.seed,
        command=command,
        started=began.date.isoformat(timespec="seconds"),
        seconds=time.monotonic() - began.seconds,
        interrupted=results.interrupted,
        warnings=[*results.completeness_errors, *applied.contradictions, *applied.changes, *warnings],
        baseline=applied.result(options.baseline.name) if options.baseline else None,
    )
    return Run(build_run_document(applied.judgements, conclusion, reason, facts), applied)


def _joined(
    parts: Sequence[tuple[SelectedPack, tuple[ScenarioRecord, ...]]],
) -> tuple[SelectedPack, tuple[ScenarioRecord, ...]]:
    """Return the packs of a run as the one contract that judges all of them, with their records."""
    features = {file: feature for part, _ in parts for file, feature in part.features.items()}
    ids = [part.selected_ids for part, _ in parts if part.selected_ids is not None]
    selected = frozenset().union(*ids) if ids else None
    return SelectedPack(load_contract(), features, selected), tuple(one for _, records in parts for one in records)


def _judge_pack(
    part: SelectedPack,
    records: Sequence[ScenarioRecord],
    profile: Profile,
    results: RunResults,
    selection: Sequence[str],
    platform: str,
) -> PackJudgement:
    """Judge one pack; missing records are no completeness error if the run was interrupted or never started."""
    return judge(
        part.pack,
        records,
        platform=platform,
        selected=part.selected_ids,
        named=selection,
        expected=part.requirement_by_scenario,
        profile=profile,
        unfinished=NOT_STARTED if results.fault is not None else INTERRUPTED if results.interrupted else None,
        evidence=results.evidence.get(part.pack.name),
    )


def _shard_facts(options: Options, packs: Sequence[SelectedPack], results: RunResults) -> ShardFacts | None:
    """Return the data that a merge of shards needs."""
    if options.shard is None:
        return None
    return ShardFacts(
        numbers=(options.shard.number,),
        of=options.shard.total,
        content=catalogue_digest(packs),
        guards=tuple(results.completeness_errors),
        fault=results.fault.detail if results.fault is not None else None,
    )


def _candidate_facts(target: Target, hellos: Sequence[InitializeResult]) -> CandidateFacts:
    """Return the facts about the candidate: those of the first one, with the capabilities of all."""
    hello = hellos[0] if hellos else None
    return CandidateFacts(
        name=hello.name if hello else target.display_name,
        version=hello.version if hello else "",
        language=hello.language if hello else "",
        adapter=target.kind,
        capabilities=tuple(sorted({name for hello in hellos for name in hello.capabilities})),
        platform=target.platform_label,
        commit=candidate_commit(target.manifest),
    )
