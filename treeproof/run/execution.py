"""Runs the planned packs in this process, one candidate after the other. `parallel_run` uses worker processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.run.completeness import ExecutionResult
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.interrupts import INTERRUPTED
from treeproof.run.plan import Options, TargetPlan
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session
from treeproof.verdict import ScenarioRecord

OnStart = Callable[[InitializeResult, int], None]
"""Called once when the first candidate has started, with its declarations and the number of scenarios of the run."""


@dataclass
class RunResults:
    """The records of each pack and everything else that the reports state about the run."""

    pack_records: list[tuple[SelectedPack, tuple[ScenarioRecord, ...]]] = field(default_factory=list)
    initialize_results: list[InitializeResult] = field(default_factory=list)
    fault: CandidateFault | None = None
    completeness_errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False
    cleanup_reports: list[CleanupReport] = field(default_factory=list)
    host_facts: list[Mapping[str, object]] = field(default_factory=list)
    evidence: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each pack, the calls for positive evidence, and why one of them has shown no content."""

    def add_evidence(self, pack: str, found: Mapping[str, str]) -> None:
        """Add the evidence of one process: a call that has shown nothing there has shown nothing in the run."""
        known = self.evidence.setdefault(pack, {})
        known.update({call: known.get(call) or problem for call, problem in found.items()})


@dataclass(frozen=True)
class CleanupReport:
    """The remains of a candidate: processes, names in the workspace, errors when these were removed."""

    orphan_count: int = 0
    unexpected_names: tuple[str, ...] = ()
    removal_errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunContext:
    """The options and the environment of a run, and the callback for the record of each scenario."""

    options: Options
    environment: Environment
    on_record: Callable[[ScenarioRecord], None]


class CandidateRun:
    """One candidate in this process and a session per pack. A context manager: the candidate is stopped at the end."""

    def __init__(self, plan: TargetPlan, context: RunContext) -> None:
        self.candidate = ConnectedCandidate.connect(plan, context.environment)
        self._context = context
        self._sessions: dict[str, Session] = {}

    def __enter__(self) -> CandidateRun:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the candidate. Raises CandidateFault, KeyboardInterrupt and UsageError."""
        self.candidate.start(named_explicitly=bool(self._context.options.specs))

    def execute(self, part: SelectedPack, selected: frozenset[str] | None) -> ExecutionResult:
        """Run the scenarios of a pack, or those of ``selected``."""
        from treeproof.run.engine import execute  # pytest takes a while to import, and not every process needs it

        cases = part.cases if selected is None else [case for case in part.cases if case.id in selected]
        return execute(self.session(part), cases, self._context.on_record, self._context.options.order)

    def session(self, part: SelectedPack) -> Session:
        """Return the session of a pack; each has one."""
        name, options = part.pack.name, self._context.options
        if name not in self._sessions:
            policy = Policy(options.chosen_profile, options.seed, options.examples)
            self._sessions[name] = Session(part.pack, self.candidate, policy)
        return self._sessions[name]

    @property
    def warnings(self) -> list[str]:
        """Warnings of the reports about the candidate."""
        reason = self.candidate.circuit_breaker.open_reason
        return [*self.candidate.warnings, *([f"the candidate was {reason}"] if reason else [])]

    def close_sessions(self) -> None:
        """Stop the additional processes of the candidate; they restart when they are needed."""
        for session in self._sessions.values():
            session.close()

    def close(self) -> None:
        """Stop the candidate and everything else."""
        self.close_sessions()
        self.candidate.close()


def run_in_process(plans: Sequence[TargetPlan], context: RunContext, on_start: OnStart) -> RunResults:
    """Run one plan after the other until a candidate does not start or a signal arrives. Raises UsageError."""
    results = RunResults()
    for number, plan in enumerate(plans):
        if results.fault is not None or results.interrupted:
            results.pack_records += [(part, ()) for part in plan.packs]
            continue
        remaining = sum(part.scenario_count for other in plans[number + 1 :] for part in other.packs)
        _run_target(plan, context, results, on_start if number == 0 else _ignore_start, remaining)
    return results


def _run_target(plan: TargetPlan, context: RunContext, results: RunResults, on_start: OnStart, remaining: int) -> None:
    """Start one candidate and run its packs; ``remaining`` scenarios follow with other candidates."""
    first = len(results.pack_records)
    results.pack_records += [(part, ()) for part in plan.packs]
    with CandidateRun(plan, context) as run:
        try:
            run.start()
            packs = run.candidate.packs
            results.initialize_results.append(run.candidate.initialize_result)
            results.pack_records[first:] = [(part, ()) for part in packs]
            on_start(run.candidate.initialize_result, remaining + sum(part.scenario_count for part in packs))
            for number, part in enumerate(packs, start=first):
                if not part.scenario_count:
                    continue
                executed = run.execute(part, part.selected_ids)
                results.pack_records[number] = (part, executed.records)
                results.add_evidence(part.pack.name, executed.evidence)
                run.close_sessions()
                if executed.interrupted:
                    raise KeyboardInterrupt
                results.completeness_errors += executed.completeness_errors
            results.warnings += run.warnings
        except CandidateFault as fault:
            results.fault = fault
            output = run.candidate.adapter.captured_output()
            results.warnings += [output] if output else []
        except KeyboardInterrupt:
            results.interrupted = True
            results.completeness_errors += [INTERRUPTED]


def _ignore_start(hello: InitializeResult, scenario_count: int) -> None:
    pass
