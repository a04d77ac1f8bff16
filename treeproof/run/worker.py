"""The worker of a parallel run: starts candidates and executes batches of scenarios. `parallel_run` judges the records.

Each worker has its own candidates, workspace and sealed pytest.
"""

from __future__ import annotations

import contextlib
import copyreg
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.candidate.orphans import OrphanReaper
from treeproof.run.connected_candidate import open_environment
from treeproof.run.execution import CandidateRun, RunContext
from treeproof.run.plan import Options, TargetPlan
from treeproof.run.worker_main import ParentConnection


def _read_only(members: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(members)


# A catalogue contains read-only mappings, which pickle does not support.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


@dataclass(frozen=True)
class WorkerTask:
    """The part of a run that is the same for all workers."""

    options: Options
    plans: tuple[TargetPlan, ...]


def work(task: WorkerTask, parent: ParentConnection) -> None:
    """Execute the requests of the parent, and report at the end what remained. Raises UsageError."""
    runs: dict[int, CandidateRun] = {}
    with open_environment(parent.interrupts) as environment, OrphanReaper() as orphans:
        context = RunContext(
            task.options,
            environment,
            on_record=lambda record: parent.send(record=record.to_json()),
            on_scenario_start=lambda id: parent.send(begun=id),
        )
        with contextlib.ExitStack() as candidates, contextlib.suppress(KeyboardInterrupt):
            for request in parent.read_requests():
                target = request["target_index"]
                if target in runs:
                    _execute(runs[target], request, parent)
                else:
                    runs[target] = candidates.enter_context(CandidateRun(task.plans[target], context))
                    _start(runs[target], parent)
        host_facts = environment.host.to_json()
        unexpected_names = environment.workspace.unexpected_names()
    parent.send(
        left=[orphans.killed_count, unexpected_names, environment.workspace.leftovers],
        warnings=[warning for run in runs.values() for warning in run.warnings],
        host_facts=host_facts,
    )


def _start(run: CandidateRun, parent: ParentConnection) -> None:
    candidate = run.candidate
    try:
        run.start()
    except CandidateFault as fault:
        parent.send(fault=[fault.kind, fault.detail], output=candidate.adapter.captured_output())
    else:
        hello = initialize_result_to_json(candidate.initialize_result)
        parent.send(hello=hello, packs=[part.pack.name for part in candidate.packs])


def _execute(run: CandidateRun, request: Mapping[str, Any], parent: ParentConnection) -> None:
    part = next(part for part in run.candidate.packs if part.pack.name == request["pack_name"])
    executed = run.execute(part, frozenset(request["scenario_ids"]))
    parent.send(done=executed.completeness_errors, interrupted=executed.interrupted, evidence=dict(executed.evidence))
    if executed.interrupted:
        raise KeyboardInterrupt


def initialize_result_to_json(hello: InitializeResult) -> dict[str, Any]:
    """Return a candidate's declarations as JSON, without the raw message."""
    members = {**vars(hello), "capabilities": sorted(hello.capabilities)}
    return {name: value for name, value in members.items() if name != "raw"}


def initialize_result_from_json(data: Mapping[str, Any]) -> InitializeResult:
    """Return the declarations that `initialize_result_to_json` has written."""
    return InitializeResult(**{**data, "capabilities": frozenset(data["capabilities"])})
