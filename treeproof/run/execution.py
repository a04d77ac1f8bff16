"""Asking in this process: one candidate after the other, each about its packs, and what came of it.

Whether it is one process that asks or several (`jobs.py`), what they do is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from treeproof.candidate import CandidateFault, InitializeResult, connect
from treeproof.run.circuit_breaker import CircuitBreaker
from treeproof.run.interrupts import INTERRUPTED, Interrupts
from treeproof.run.plan import Options, SelectedPack, TargetPlan, declared_readings, packs_claimed
from treeproof.run.session import Session
from treeproof.spec.gherkin import FeatureText
from treeproof.tree import Host, Workspace
from treeproof.verdict import ScenarioRecord

if TYPE_CHECKING:
    from treeproof.run.engine import ExecutionResult

OnStart = Callable[[InitializeResult, int], None]
"""Is told once, when the candidate has answered: who it is, and how many scenarios will be asked of it."""


@dataclass
class RunResults:
    """What was asked and what came of it: the records of each pack, and what is to be said of the run itself.

    ``left`` says what the candidate left behind, ``facilities`` what the processes that asked know of the machine.
    """

    pack_records: list[tuple[SelectedPack, tuple[ScenarioRecord, ...]]] = field(default_factory=list)
    initialize_results: list[InitializeResult] = field(default_factory=list)
    fault: CandidateFault | None = None
    completeness_errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False
    cleanup_reports: list[CleanupReport] = field(default_factory=list)
    host_facts: list[Mapping[str, object]] = field(default_factory=list)


@dataclass(frozen=True)
class CleanupReport:
    """What a candidate left behind in one place: processes, files beside the fixtures, what cannot be removed."""

    orphan_count: int = 0
    unexpected_names: tuple[str, ...] = ()
    removal_errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunContext:
    """What a process asks with; ``begun`` and ``listener`` hear of every scenario when it begins and when it ended."""

    options: Options
    workspace: Workspace
    host: Host
    interrupts: Interrupts
    on_record: Callable[[ScenarioRecord], None]
    on_scenario_start: Callable[[str], None] = lambda id: None


class CandidateRun:
    """One candidate, started in this process, and a session for each pack that it is asked about."""

    def __init__(self, plan: TargetPlan, context: RunContext) -> None:
        self.plan = plan
        self.adapter = connect(plan.target)
        self.circuit_breaker = CircuitBreaker()
        self._context = context
        self._sessions: dict[str, Session] = {}

    def start(self) -> tuple[InitializeResult, list[SelectedPack]]:
        """Start it; return what it says of itself, and the packs that it will be asked about.

        Raises CandidateFault, KeyboardInterrupt, and UsageError where manifest and candidate disagree.
        """
        with self._context.interrupts.interruptible():
            self._initialize_result = self.adapter.start(str(self._context.workspace.path))
        self._declared_readings = declared_readings(
            self.plan.target, self._initialize_result, self.plan.packs
        )
        return self._initialize_result, packs_claimed(
            self.plan.packs, self._initialize_result, named_explicitly=bool(self._context.options.specs)
        )

    def execute(
        self, part: SelectedPack, features: Mapping[Path, FeatureText], selected: frozenset[str] | None
    ) -> ExecutionResult:
        """Run the scenarios of ``features``, or of them those of ``selected``."""
        # Imported late: a run that asks from other processes needs no pytest in this one, and starts sooner.
        from treeproof.run.engine import execute

        means = self._context
        return execute(
            self._session(part),
            features,
            selected,
            means.on_record,
            means.options.order,
            means.on_scenario_start,
        )

    def _session(self, part: SelectedPack) -> Session:
        if part.pack.name not in self._sessions:
            means = self._context
            self._sessions[part.pack.name] = Session(
                part.pack,
                self.adapter,
                self._initialize_result,
                means.workspace,
                means.host,
                means.options.profile,
                self._declared_readings,
                self.circuit_breaker,
                means.interrupts,
                part.pack.simulated if self.plan.is_reference else {},
                means.options.seed,
                means.options.examples,
            )
        return self._sessions[part.pack.name]

    def close_sessions(self) -> None:
        """End what was started beside the candidate; it is started again where it is needed."""
        for session in self._sessions.values():
            session.close()

    def close(self) -> list[str]:
        """End the candidate. Returns what is to be said of it."""
        self.close_sessions()
        self.adapter.close()
        return (
            [f"the candidate was {self.circuit_breaker.open_reason}"]
            if self.circuit_breaker.open_reason
            else []
        )


def run_in_process(plans: Sequence[TargetPlan], context: RunContext, on_start: OnStart) -> RunResults:
    """Ask one party after the other until one does not start or somebody interrupts.

    Raises UsageError where manifest and candidate disagree.
    """
    done = RunResults()
    for number, party in enumerate(plans):
        if done.fault is not None or done.interrupted:
            done.pack_records += [(part, ()) for part in party.packs]
            continue
        rest = sum(part.scenario_count for other in plans[number + 1 :] for part in other.packs)
        _run_target(party, context, done, on_start if number == 0 else _ignore_start, rest)
    return done


def _run_target(party: TargetPlan, means: RunContext, done: RunResults, started: OnStart, rest: int) -> None:
    """Start one candidate and ask it about its packs; ``rest`` scenarios will follow with others."""
    first = len(done.pack_records)
    done.pack_records += [(part, ()) for part in party.packs]
    inquiry = CandidateRun(party, means)
    try:
        hello, parts = inquiry.start()
        done.initialize_results.append(hello)
        done.pack_records[first:] = [(part, ()) for part in parts]
        started(hello, rest + sum(part.scenario_count for part in parts))
        for number, part in enumerate(parts, start=first):
            if not part.scenario_count:
                continue
            executed = inquiry.execute(part, part.features, part.selected_ids)
            done.pack_records[number] = (part, executed.records)
            inquiry.close_sessions()
            if executed.interrupted:
                raise KeyboardInterrupt
            done.completeness_errors += executed.completeness_errors
    except CandidateFault as fault:
        done.fault = fault
        done.warnings += [said for said in [inquiry.adapter.captured_output()] if said]
    except KeyboardInterrupt:
        done.interrupted = True
        done.completeness_errors += [INTERRUPTED]
    finally:
        said = inquiry.close()
    if done.fault is None and not done.interrupted:
        done.warnings += said


def _ignore_start(hello: InitializeResult, scenarios: int) -> None:
    """The start of a run is told once."""
