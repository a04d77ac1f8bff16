"""A whole run: target and packs in, run document out. Usage errors are raised before a candidate starts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from treeproof.candidate import InitializeResult, Target
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError, suggest
from treeproof.run.claims import packs_claimed
from treeproof.run.conclusion import Clock, Run, conclude_run
from treeproof.run.connected_candidate import open_environment
from treeproof.run.execution import CleanupReport, RunContext, run_in_process
from treeproof.run.interrupts import Interrupts
from treeproof.run.parallel_run import DEFAULT_CANDIDATE_JOBS, SHARED_SERVER_KINDS, default_jobs, run_in_workers
from treeproof.run.plan import (
    Options,
    TargetPlan,
    declared_readings,
    plan_run,
    reference_targets,
    scenario_ids_by_file,
    with_exact_selection,
)
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.targets import MUTANT_PREFIX, REFERENCE, isolated, resolve_target, with_mutant
from treeproof.spec.packs import default_specs, load_packs
from treeproof.spec.quotations import use_documents
from treeproof.spec.version_features import ids_of_all_versions
from treeproof.verdict import Outcome, Profile, ScenarioRecord, baseline
from treeproof.verdict.difference import NO_RETURN
from treeproof.verdict.run_document import merge_host_facts

__all__ = [
    "SelectedPack",
    "Options",
    "TargetPlan",
    "Run",
    "plan_run",
    "packs_claimed",
    "declared_readings",
    "reference_targets",
    "run",
]


def run(
    options: Options,
    *,
    on_start: Callable[[InitializeResult, int], None] = lambda hello, scenarios: None,
    on_record: Callable[[ScenarioRecord], None] = lambda record: None,
    interrupts: Interrupts | None = None,
) -> Run:
    """Run and judge the target. Raises UsageError before a candidate starts (exit 2).

    SIGINT, SIGTERM and SIGHUP end the run early: scenarios without a record are NOT VERIFIED, and the exit code is
    never 0. A caller that handles signals for longer passes its own ``interrupts``.
    """
    began = Clock()
    command = options.command  # as typed: without the specifications that the manifest names
    target = _resolve(options)
    if target is not None and not options.specs:
        options = replace(options, specs=target.specs)
    if target is not None and options.profile is None:
        options = replace(options, profile=Profile(target.profile or Profile.DEFAULT))
    if not options.specs and default_specs():
        options = replace(options, specs=default_specs())
        command = options.command
    packs = plan_run(options)
    options = with_exact_selection(options)
    if options.documents is not None:
        named = _named_documents(target) if target is not None else ()
        use_documents(options.documents, [one.pack for one in packs], named)
    baseline_entries = _read_baseline(options.baseline, packs)
    plans = [TargetPlan(target, tuple(packs))] if target is not None else reference_targets(packs)
    if options.isolate:
        plans = [replace(plan, target=isolated(plan.target)) for plan in plans]
    options = replace(options, jobs=_job_count(options, plans))
    reaper = OrphanReaper(adopts=all(plan.target.image is None for plan in plans))
    with interrupts or Interrupts() as stop, open_environment(stop) as environment, reaper as orphans:
        context = RunContext(options, environment, on_record)
        run_plans = run_in_process if options.jobs == 1 else run_in_workers
        results = run_plans(plans, context, on_start)
        facilities = merge_host_facts([environment.host.to_json(), *results.host_facts])
        unexpected = environment.workspace.unexpected_names()
    leftovers = environment.workspace.leftovers
    own = CleanupReport(orphans.killed_count, tuple(unexpected), tuple(leftovers))
    warnings = [*_cleanup_warnings([own, *results.cleanup_reports]), *results.warnings]
    if options.baseline is not None:
        warnings += baseline.version_warnings(options.baseline, {one.pack.name: one.pack.version for one in packs})
    result = conclude_run(
        results,
        options,
        plans[0].target,
        began,
        packs=packs,
        selection=options.selection,
        machine=facilities,
        command=command,
        warnings=warnings,
        baseline_entries=baseline_entries,
    )
    return with_tried_reruns(result, options, interrupts) if options.reruns and result.document.is_whole else result


MAX_RERUNS = 5
"""The number of causes whose command is tried: the ones that the terminal shows."""


def with_tried_reruns(result: Run, options: Options, interrupts: Interrupts | None) -> Run:
    """Return the result; a smallest case that does not fail alone, in a new process, has the outcome that it has then.

    A candidate that keeps something between calls fails only after those that have changed it. An answer that another
    reading permits fails only beside the answers that follow the first one.
    """
    alone: dict[tuple[str, str], Outcome] = {}
    for cause in result.document.causes[:MAX_RERUNS]:
        case = cause.smallest
        if case is None or case.evidence.code == "candidate_timeout" or case.evidence.difference_kind == NO_RETURN:
            continue  # a hang takes its time again
        again = replace(options, select=(case.id,), jobs=1, baseline=None, reruns=False, documents=None)
        repeated = run(again, interrupts=interrupts)
        found = [one for spec in repeated.document.specs for one in spec.scenarios if one.id == case.id]
        is_repeated = any(one.requirement.id == cause.requirement.id for one in repeated.document.causes)
        if found and found[0].outcome is Outcome.PASSED and not is_repeated:
            alone[cause.spec.name, case.id] = found[0].outcome
    if not alone:
        return result
    document = result.document
    specs = tuple(
        replace(
            spec,
            scenarios=tuple(
                replace(one, alone=alone[spec.name, one.id]) if (spec.name, one.id) in alone else one
                for one in spec.scenarios
            ),
        )
        for spec in document.specs
    )
    return replace(result, document=replace(document, specs=specs))


def _named_documents(target: Target) -> Sequence[Path]:
    """Return the documents that a manifest names. Raises UsageError for one of an unknown specification."""
    names = [pack.name for pack in load_packs(target.specs)] if target.documents else []
    for name in target.documents:
        if name not in names:
            raise UsageError(
                f"{target.manifest}: documents.{name}: there is no such specification; {suggest(name, names)}"
            )
    return tuple(target.documents.values())


def _resolve(options: Options) -> Target | None:
    """Return the target; None for the reference of each specification. Raises UsageError."""
    if options.mutant is None:
        return None if options.target == REFERENCE else resolve_target(options.target, options.specs)
    if options.target == REFERENCE:
        return resolve_target(MUTANT_PREFIX + options.mutant, options.specs)
    return with_mutant(resolve_target(options.target, options.specs), options.mutant, options.specs)


def _cleanup_warnings(left: Sequence[CleanupReport]) -> list[str]:
    """Return warnings about the remains of the candidate."""
    unexpected = sorted({name for report in left for name in report.unexpected_names})
    leftovers = sorted({problem for report in left for problem in report.removal_errors})
    orphans = sum(report.orphan_count for report in left)
    messages = [f"the candidate wrote beside the sandboxes, in the workspace: {name}" for name in unexpected[:5]]
    messages += [f"in the workspace could not be removed: {problem}" for problem in leftovers]
    if orphans:
        several = "process" if orphans == 1 else "processes"
        messages.append(f"the candidate left {orphans} {several} running; treeproof ended them")
    return messages


def _job_count(options: Options, plans: Sequence[TargetPlan]) -> int:
    """Return the number of worker processes. Raises UsageError for more than a manifest permits."""
    if options.jobs is not None:  # a file is never split, so more processes would be idle
        for plan in plans:
            if plan.target.jobs is not None and options.jobs > plan.target.jobs:
                raise UsageError(
                    f"--jobs {options.jobs}: {plan.target.manifest} permits {plan.target.jobs} ([candidate] jobs); "
                    "leave --jobs out, or change the manifest"
                )
        files = sum(len(scenario_ids_by_file(part)) for plan in plans for part in plan.packs)
        return min(options.jobs, max(files, 1))
    size = sum(part.scenario_count for plan in plans for part in plan.packs)
    return min([default_jobs(size), *(_default_limit(plan) for plan in plans)])


def _default_limit(plan: TargetPlan) -> int:
    """Return the largest number of jobs without ``--jobs``. Only the reference is known to bear any number."""
    if plan.is_reference:
        return sys.maxsize
    if plan.target.kind in SHARED_SERVER_KINDS:
        return 1
    return DEFAULT_CANDIDATE_JOBS if plan.target.jobs is None else plan.target.jobs


def _read_baseline(path: Path | None, packs: Sequence[SelectedPack]) -> tuple[baseline.BaselineEntry, ...]:
    if path is None:
        return ()
    return baseline.read_baseline(path, {id for part in packs for id in ids_of_all_versions(part.pack)})
