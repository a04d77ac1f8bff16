"""Find the scenario that detects each change by mutmut; `mutmut_survivors` starts this script in a changed copy.

    python mutmut_judge.py PACKAGE MAX_SECONDS [SPEC …] <changes

Reads one JSON line per change and prints one line: the id of a scenario that detects it, another detection as text, or
an empty line. First all scenarios run without any change; this records their outcomes, the functions that they reach
and their times. Then a forked process per change runs the scenarios that reach its function, until an outcome differs.
Scenarios that detected an earlier change of the function run first, then the fast ones. Scenarios of more than
MAX_SECONDS processor seconds do not run.
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
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from treeproof.candidate import Limits
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.plan import TargetPlan
from treeproof.run.scenario_record import build_record
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session
from treeproof.run.targets import own_target
from treeproof.spec import Pack, bundled_packs, load_pack, open_pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.version_features import scenarios_of
from treeproof.tree import PROBES, Host, Workspace, probe_host
from treeproof.verdict import Outcome, ScenarioRecord
from treeproof.verdict.judge import observe_readings

MUTANT_VARIABLE = "MUTANT_UNDER_TEST"

CALL_SECONDS = 5.0
"""The deadline of a call; also the time that a change without end takes."""

TIMEOUT_SECONDS = 600.0
MEMORY_BYTES = 3 << 30


@dataclass(frozen=True)
class BaselineRun:
    """A scenario without any change: its record, the functions that it reaches, its processor seconds."""

    pack: Pack
    case: ScenarioCase
    record: ScenarioRecord
    functions: frozenset[str]
    seconds: float


class ScenarioRunner:
    """Run scenarios in one workspace; start the reference implementation of a pack at its first scenario."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._open = contextlib.ExitStack()
        self._sessions: dict[str, Session] = {}

    def __enter__(self) -> Self:
        self._environment = Environment(self._open.enter_context(Workspace.create()), self._host)
        self._open.enter_context(OrphanReaper())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def run(self, pack: Pack, case: ScenarioCase) -> ScenarioRecord:
        """Run one scenario and return its record."""
        try:
            session = self._session_for(pack)
        except Exception as error:
            return build_record(pack, case, None, error, 0.0)
        return run_scenario(session, case)

    def _session_for(self, pack: Pack) -> Session:
        """Return the session of a pack. Raises CandidateFault."""
        if pack.name not in self._sessions:
            target = own_target(pack)
            target = replace(target, limits=Limits(call_seconds=CALL_SECONDS))
            plan = TargetPlan(target, (SelectedPack(pack),))
            candidate = self._open.enter_context(ConnectedCandidate.connect(plan, self._environment))
            policy = Policy(minimises=False)  # failing cases are not shown
            session = self._open.enter_context(contextlib.closing(Session(pack, candidate.start(), policy)))
            self._sessions[pack.name] = session
        return self._sessions[pack.name]


class MutantJudge:
    """The scenarios of the selected packs and the changes that they have detected."""

    def __init__(self, package: str, packs: Sequence[Pack], hits: Path, max_seconds: float) -> None:
        self._package = package
        with Workspace.create() as workspace:
            self._host = probe_host(os.fsencode(workspace.path))
            for name in PROBES:  # probe now: a change could falsify the result later
                self._host.supports(name)
        runs = list(self._run_baseline(packs, hits))
        accepted = (Outcome.PASSED, Outcome.NOT_APPLICABLE)
        self.skipped = [run.case.id for run in runs if run.record.outcome not in accepted]
        self._baseline_runs = [run for run in runs if run.record.outcome in accepted and run.seconds <= max_seconds]
        self._detected_by: dict[str, set[str]] = {}

    def _run_baseline(self, packs: Sequence[Pack], hits: Path) -> Iterator[BaselineRun]:
        os.environ[MUTANT_VARIABLE] = "stats"
        hits.touch()
        with ScenarioRunner(self._host) as runner:
            for pack in packs:
                for case in scenarios_of(pack):
                    _clear_caches(self._package)
                    os.truncate(hits, 0)
                    started = sum(os.times()[:4])
                    record = runner.run(pack, case)
                    seconds = sum(os.times()[:4]) - started
                    yield BaselineRun(pack, case, record, frozenset(hits.read_text().split()), seconds)
        os.environ[MUTANT_VARIABLE] = ""

    def detected_by(self, name: str, function: str) -> str:
        """Return what detects the change ``name``: a scenario's id, another reason, or an empty text."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            try:
                detection = self._find_detection(self._package + name, self._package + function)
                os.write(writing, f"{detection}\n".encode())
            finally:
                os._exit(0)
        os.close(writing)
        ready, _, _ = select.select([reading], [], [], TIMEOUT_SECONDS)
        text = os.read(reading, 4096).decode() if ready else "timeout\n"
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        detection = (text or "the process ended").strip()
        self._detected_by.setdefault(self._package + function, set()).add(detection)
        return detection

    def _find_detection(self, name: str, function: str) -> str:
        os.environ[MUTANT_VARIABLE] = name
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        _clear_caches(self._package)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        before = self._detected_by.get(function, set())
        runs = [run for run in self._baseline_runs if function in run.functions]
        runs.sort(key=lambda run: (run.case.id not in before, run.seconds))
        records = {run.case.id: run.record for run in self._baseline_runs}
        with ScenarioRunner(self._host) as runner:
            for run in runs:
                records[run.case.id] = runner.run(run.pack, run.case)
                if records[run.case.id].outcome is not run.record.outcome:
                    return run.case.id
        return next(self._inconsistent_readings(records), "")

    def _inconsistent_readings(self, records: Mapping[str, ScenarioRecord]) -> Iterator[str]:
        """Yield the interpretations for which scenarios observed different readings."""
        for pack in {run.pack.name: run.pack for run in self._baseline_runs}.values():
            of_pack = [records[run.case.id] for run in self._baseline_runs if run.pack is pack]
            for observation in observe_readings(pack, of_pack):
                if not observation.consistent:
                    yield f"{observation.id}: several readings"


def _clear_caches(package: str) -> None:
    """Clear the caches of a package's functions; they hold results without the change."""
    for name, module in list(sys.modules.items()):
        for value in vars(module).values() if name.startswith(package) else ():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def main() -> int:
    """Judge the changes on stdin; return the exit code."""
    package, max_seconds, *specs = sys.argv[1:]
    try:
        packs = [open_pack(spec) for spec in specs] or [load_pack(folder) for folder in bundled_packs()]
    except UsageError as error:
        print(f"mutmut_judge: --spec {error}", file=sys.stderr)
        return 2
    judge = MutantJudge(package, packs, Path(os.environ["MUTMUT_HITS"]), float(max_seconds))
    if judge.skipped:
        print(f"skipped, because they fail without any change: {' '.join(judge.skipped)}", file=sys.stderr)
    for line in sys.stdin:
        change = json.loads(line)
        print(judge.detected_by(change["name"], change["function"]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
