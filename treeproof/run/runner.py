"""A whole run: target and packs in, run document out. What can be refused is refused before anything runs."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treeproof.candidate import InitializeResult, Target
from treeproof.candidate.orphans import OrphanReaper
from treeproof.run.connected_candidate import open_environment
from treeproof.run.execution import CleanupReport, RunContext, RunResults, run_in_process
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import (
    REFERENCE,
    Options,
    SelectedPack,
    TargetPlan,
    catalogue_digest,
    declared_readings,
    packs_claimed,
    plan_run,
    platform_name,
    reference_targets,
    scenario_ids_by_file,
)
from treeproof.run.targets import resolve_target
from treeproof.run.worker_pool import default_jobs, run_in_workers
from treeproof.verdict import PackJudgement, Profile, ScenarioRecord, baseline, judge
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START, INTERRUPTED, NOT_STARTED, Conclusion, conclude
from treeproof.verdict.run_document import RunFacts, build_run_document, merge_host_facts

__all__ = [
    "REFERENCE",
    "SelectedPack",
    "Options",
    "TargetPlan",
    "Run",
    "plan_run",
    "packs_claimed",
    "declared_readings",
    "platform_name",
    "reference_targets",
    "run",
]


@dataclass(frozen=True)
class Run:
    """What a run ends with: the document, and the judgements that it was made of."""

    document: dict[str, Any]
    judgements: tuple[PackJudgement, ...]


def run(
    options: Options,
    *,
    on_start: Callable[[InitializeResult, int], None] = lambda hello, scenarios: None,
    on_record: Callable[[ScenarioRecord], None] = lambda record: None,
    interrupts: Interrupts | None = None,
) -> Run:
    """Judge the target. Raises UsageError before anything ran (exit 2).

    SIGINT, SIGTERM and SIGHUP end the run early and in order: what ran until then is judged, the rest is NOT VERIFIED,
    and the exit is never 0. ``interrupts`` are those of a caller who wants to be spared by them for longer.
    """
    began, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
    command = options.command  # as it was typed: a manifest's own specifications need not be said again
    target = None if options.target == REFERENCE else resolve_target(options.target, options.specs)
    if target is not None and not options.specs:
        options = replace(options, specs=target.specs)
    asked = plan_run(options)
    known = _read_baseline(options.baseline, asked)
    parties = [TargetPlan(target, tuple(asked))] if target is not None else reference_targets(asked)
    here = not _runs_inside_judging_process(options, parties)
    options = replace(options, jobs=_job_count(options, parties))
    with interrupts or Interrupts() as stop, open_environment(stop) as environment, OrphanReaper() as orphans:
        context = RunContext(options, environment, on_record)
        run_plans = run_in_process if here and options.jobs == 1 else run_in_workers
        done = run_plans(parties, context, on_start)
        facilities = merge_host_facts([environment.host.to_json(), *done.host_facts])
        strangers = environment.workspace.unexpected_names()
    leftovers = environment.workspace.leftovers
    own = CleanupReport(orphans.killed_count, tuple(strangers), tuple(leftovers))
    warnings = [*_cleanup_warnings([own, *done.cleanup_reports]), *done.warnings]
    judgements = [_judge_pack(part, records, options.profile, done) for part, records in done.pack_records]
    applied = baseline.apply_baseline(known, judgements, platform=platform_name(), today=began.date())
    word, reason = conclude(
        applied.judgements,
        options.profile,
        has_selection=bool(options.selection),
        completeness_errors=done.completeness_errors,
        contradictions=applied.contradictions,
    )
    if done.fault is not None:
        word, reason = Conclusion.FAULT, f"{CANDIDATE_DID_NOT_START}: {done.fault.detail}"
    facts = RunFacts(
        candidate=_candidate_facts(parties[0].target, done.initialize_results),
        machine=facilities,
        profile=options.profile,
        selection=options.selection or None,
        shard=_shard_facts(options, asked, done),
        seed=options.seed,
        command=command,
        started=began.isoformat(timespec="seconds"),
        seconds=time.monotonic() - clock,
        interrupted=done.interrupted,
        warnings=[*done.completeness_errors, *applied.contradictions, *warnings],
        baseline=applied.to_json(options.baseline.name) if options.baseline else None,
    )
    return Run(build_run_document(applied.judgements, word, reason, facts), applied.judgements)


def _cleanup_warnings(left: Sequence[CleanupReport]) -> list[str]:
    """What the candidate left behind, in sentences."""
    strangers = sorted({name for one in left for name in one.unexpected_names})
    leftovers = sorted({problem for one in left for problem in one.removal_errors})
    orphans = sum(one.orphan_count for one in left)
    said = [f"the candidate wrote beside the fixtures, in the workspace: {name}" for name in strangers[:5]]
    said += [f"in the workspace could not be removed: {problem}" for problem in leftovers]
    if orphans:
        several = "process" if orphans == 1 else "processes"
        said.append(f"the candidate left {orphans} {several} running; ended now")
    return said


def _job_count(options: Options, parties: Sequence[TargetPlan]) -> int:
    """How many processes ask. Of the reference it is known that several may be asked beside each other."""
    if options.jobs is not None:  # one file is never split, so more processes would have nothing to do
        files = sum(len(scenario_ids_by_file(part)) for party in parties for part in party.packs)
        return min(options.jobs, max(files, 1))
    size = sum(part.scenario_count for party in parties for part in party.packs)
    return default_jobs(size) if all(party.is_reference for party in parties) else 1


def _runs_inside_judging_process(options: Options, parties: Sequence[TargetPlan]) -> bool:
    """Whether a candidate might take the judging process with it: it is Python, and no ``--jobs 1`` keeps it here.

    It can end the process that asks it (with exit code 0, as if all were well), keep it from ending, or spoil it.
    """
    return options.jobs != 1 and any(p.target.kind == "python" and not p.is_reference for p in parties)


def _shard_facts(options: Options, asked: Sequence[SelectedPack], done: RunResults) -> dict[str, Any] | None:
    """What a part of a run says for those who put the parts together."""
    if options.shard is None:
        return None
    return {
        "numbers": [options.shard.number],
        "of": options.shard.total,
        "content": catalogue_digest(asked),
        "guards": list(done.completeness_errors),
        "fault": done.fault.detail if done.fault is not None else None,
    }


def _read_baseline(path: Path | None, asked: Sequence[SelectedPack]) -> tuple[baseline.BaselineEntry, ...]:
    if path is None:
        return ()
    ids = {id for part in asked for id in part.requirement_by_scenario}
    return baseline.read_baseline(path, ids | {r.id for part in asked for r in part.pack.requirements})


def _judge_pack(
    part: SelectedPack, records: Sequence[ScenarioRecord], profile: Profile, done: RunResults
) -> PackJudgement:
    """What was not asked is no broken guard where the run was interrupted or nobody was there to be asked."""
    return judge(
        part.pack,
        records,
        platform=platform_name(),
        selected=part.selected_ids,
        expected=part.requirement_by_scenario,
        profile=profile,
        unfinished=NOT_STARTED if done.fault is not None else INTERRUPTED if done.interrupted else None,
    )


def _candidate_facts(target: Target, hellos: Sequence[InitializeResult]) -> dict[str, Any]:
    """Who was asked; where several references were, the first speaks for all and their capabilities are joined."""
    hello = hellos[0] if hellos else None
    return {
        "name": hello.name if hello else target.display_name,
        "version": hello.version if hello else "",
        "language": hello.language if hello else "",
        "adapter": target.kind,
        "capabilities": sorted({word for hello in hellos for word in hello.capabilities}),
    }
