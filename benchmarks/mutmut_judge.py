"""Puts mutmut's changes of the reference before the scenarios; `mutmut_survivors` starts it in a changed copy.

    python mutmut_judge.py PACKAGE DEAREST [SPEC …] <changes

One line of JSON a change comes in and one line goes out: the id of a scenario that notices it, in words what else does,
or nothing. The scenarios are performed once without any change, to see how each ends, which functions it
reaches and what it costs. Each change has a process of its own, forked from this one, and meets the scenarios that
reach its function until one ends in another way: those first that have noticed a change of it before, the cheap ones
before the dear ones, and none of more than DEAREST processor seconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from treeproof.candidate import Limits, Target, connect
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.run.scenario_record import build_record, check_prerequisites
from treeproof.run.session import Session
from treeproof.run.simulated import SimulatedPlatforms
from treeproof.run.step_registry import StepRegistry
from treeproof.run.step_runner import run_steps
from treeproof.run.world import World
from treeproof.search.case_run import CaseSamples
from treeproof.search.sequences import SequenceRunner
from treeproof.spec import Pack, bundled_packs, load_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.spec.packs import find_pack
from treeproof.tree import PROBES, Host, Workspace, probe_host
from treeproof.verdict import Outcome, Profile, ScenarioRecord
from treeproof.verdict.readings import observe_readings

MUTANT_VARIABLE = "MUTANT_UNDER_TEST"

CALL_SECONDS = 5.0
"""What a changed function may take for one call: one that never ends costs so much."""

TIMEOUT_SECONDS = 600.0
MEMORY_BYTES = 3 << 30


@dataclass(frozen=True)
class BaselineRun:
    """A scenario: how it ends without any change, the functions that it reaches, its processor seconds."""

    pack: Pack
    scenario: ScenarioCase
    record: ScenarioRecord
    functions: frozenset[str]
    seconds: float


class ScenarioRunner:
    """A context in which scenarios are performed; the reference of a pack is started when its first one comes."""

    def __init__(self, machine: Host, vocabularies: dict[str, StepRegistry]) -> None:
        self._machine = machine
        self._vocabularies = vocabularies
        self._open = contextlib.ExitStack()
        self._started: dict[str, tuple[Session, SimulatedPlatforms]] = {}

    def __enter__(self) -> Self:
        self._workspace = self._open.enter_context(Workspace.create())
        self._open.enter_context(OrphanReaper())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def run(self, pack: Pack, row: ScenarioCase) -> ScenarioRecord:
        """Perform one scenario and return how it ended."""
        world, error = None, None
        try:
            session, platforms = self._session_for(pack)
            world = platforms.create_world(row, row.simulated) if row.simulated else World(session, row)
            check_prerequisites(world)
            run_steps(world, self._vocabularies[pack.name])
            world.check_evidence()
        except Exception as problem:
            error = problem
        record = build_record(pack.folder, row, world, error, 0.0)
        try:
            if world is not None:
                world.close()
        except Exception as problem:
            return build_record(pack.folder, row, world, problem, 0.0, teardown=True)
        return record

    def _session_for(self, pack: Pack) -> tuple[Session, SimulatedPlatforms]:
        """The session of a pack. Raises CandidateFault."""
        if pack.name not in self._started:
            target = Target.parse("reference", reference=pack.reference, folder=pack.folder)
            adapter = connect(target, Limits(call_seconds=CALL_SECONDS))
            self._open.callback(adapter.close)
            hello = adapter.start(str(self._workspace.path))
            session = Session(
                pack, adapter, hello, self._workspace, self._machine, Profile.DEFAULT, hello.interpretations
            )
            session.simulated_entry_points = pack.simulated
            self._open.callback(session.close)
            if pack.oracle is not None:  # nobody reads a failing case, so it is not made smaller
                CaseSamples.for_session(session).shrink_attempts_left = 0
            if pack.state_machine is not None:
                SequenceRunner.for_session(session).shrink_attempts_left = 0
            self._started[pack.name] = session, SimulatedPlatforms(session)
        return self._started[pack.name]


class MutantJudge:
    """The scenarios of some packs, and what they have noticed until now."""

    def __init__(self, package: str, packs: Sequence[Pack], hits: Path, dearest: float) -> None:
        self._package = package
        self._vocabularies = {pack.name: StepRegistry(pack.steps) for pack in packs}
        with Workspace.create() as place:
            self._machine = probe_host(os.fsencode(place.path))
            for name in PROBES:  # looked at before a change can spoil what is looked at
                self._machine.supports(name)
        cases = list(self._run_baseline(packs, hits))
        usual = (Outcome.PASSED, Outcome.NOT_APPLICABLE)
        self.skipped = [case.scenario.id for case in cases if case.record.outcome not in usual]
        self._baseline_runs = [
            case for case in cases if case.record.outcome in usual and case.seconds <= dearest
        ]
        self._detected_by: dict[str, set[str]] = {}

    def _run_baseline(self, packs: Sequence[Pack], hits: Path) -> Iterator[BaselineRun]:
        os.environ[MUTANT_VARIABLE] = "stats"
        hits.touch()
        with ScenarioRunner(self._machine, self._vocabularies) as asking:
            for pack in packs:
                for row in (row for file in pack.feature_files() for row in parse_feature(file).scenarios):
                    _clear_caches(self._package)
                    os.truncate(hits, 0)
                    began = sum(os.times()[:4])
                    record = asking.run(pack, row)
                    took = sum(os.times()[:4]) - began
                    yield BaselineRun(pack, row, record, frozenset(hits.read_text().split()), took)
        os.environ[MUTANT_VARIABLE] = ""

    def detected_by(self, name: str, function: str) -> str:
        """Return what notices the change ``name``: a scenario's id, or words; nothing where nothing does."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            try:
                os.write(
                    writing,
                    f"{self._find_detection(self._package + name, self._package + function)}\n".encode(),
                )
            finally:
                os._exit(0)
        os.close(writing)
        ready, _, _ = select.select([reading], [], [], TIMEOUT_SECONDS)
        said = os.read(reading, 4096).decode() if ready else "no end\n"
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        noticed = (said or "the end of the process").strip()
        self._detected_by.setdefault(self._package + function, set()).add(noticed)
        return noticed

    def _find_detection(self, name: str, function: str) -> str:
        os.environ[MUTANT_VARIABLE] = name
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        _clear_caches(self._package)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        before = self._detected_by.get(function, set())
        cases = [case for case in self._baseline_runs if function in case.functions]
        cases.sort(key=lambda case: (case.scenario.id not in before, case.seconds))
        records = {case.scenario.id: case.record for case in self._baseline_runs}
        with ScenarioRunner(self._machine, self._vocabularies) as asking:
            for case in cases:
                records[case.scenario.id] = asking.run(case.pack, case.scenario)
                if records[case.scenario.id].outcome is not case.record.outcome:
                    return case.scenario.id
        return next(self._inconsistent_readings(records), "")

    def _inconsistent_readings(self, records: Mapping[str, ScenarioRecord]) -> Iterator[str]:
        """Where one scenario saw one reading and another one another, which no candidate may have."""
        for pack in {case.pack.name: case.pack for case in self._baseline_runs}.values():
            own = [records[case.scenario.id] for case in self._baseline_runs if case.pack is pack]
            for seen in observe_readings(pack.interpretations, own):
                if seen.outliers:
                    yield f"{seen.id} read in two ways"


def _clear_caches(package: str) -> None:
    """Drop what the functions of a package have kept of results without the change."""
    for name, module in list(sys.modules.items()):
        for kept in vars(module).values() if name.startswith(package) else ():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


def main() -> int:
    """Judge the changes on stdin, one after the other; return the exit code."""
    package, dearest, *specs = sys.argv[1:]
    try:
        packs = [load_pack(folder) for folder in [find_pack(spec) for spec in specs] or bundled_packs()]
    except UsageError as wrong:
        print(f"second_opinion: --spec {wrong}", file=sys.stderr)
        return 2
    judge = MutantJudge(package, packs, Path(os.environ["SECOND_OPINION_HITS"]), float(dearest))
    if judge.skipped:
        print(f"left out, as they do not hold without a change: {' '.join(judge.skipped)}", file=sys.stderr)
    for line in sys.stdin:
        change = json.loads(line)
        print(judge.detected_by(change["name"], change["function"]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
