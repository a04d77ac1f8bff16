"""Puts mutmut's changes of the reference before the scenarios; `second_opinion` starts it in a changed copy.

    python jury.py PACKAGE DEAREST [SPEC …] <changes

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
from treeproof.candidate.orphans import Orphans
from treeproof.errors import UsageError
from treeproof.run.lookup import Vocabulary
from treeproof.run.performing import perform
from treeproof.run.recording import record_of, refuse_what_cannot_be_shown
from treeproof.run.session import Session
from treeproof.run.simulated import SimulatedPlatforms
from treeproof.run.world import World
from treeproof.search.plays import Plays
from treeproof.search.subject import Samples
from treeproof.spec import Pack, bundled, load
from treeproof.spec.gherkin import ScenarioRow, parse
from treeproof.spec.packs import find
from treeproof.tree import PROBES, Machine, Workspace, probe
from treeproof.verdict import Outcome, Profile, Record
from treeproof.verdict.readings import observe

CHOICE = "MUTANT_UNDER_TEST"

CALL_SECONDS = 5.0
"""What a changed function may take for one call: one that never ends costs so much."""

PATIENCE_SECONDS = 600.0
MEMORY_BYTES = 3 << 30


@dataclass(frozen=True)
class Case:
    """A scenario: how it ends without any change, the functions that it reaches, its processor seconds."""

    pack: Pack
    row: ScenarioRow
    record: Record
    functions: frozenset[str]
    seconds: float


class Asking:
    """A context in which scenarios are performed; the reference of a pack is started when its first one comes."""

    def __init__(self, machine: Machine, vocabularies: dict[str, Vocabulary]) -> None:
        self._machine = machine
        self._vocabularies = vocabularies
        self._open = contextlib.ExitStack()
        self._started: dict[str, tuple[Session, SimulatedPlatforms]] = {}

    def __enter__(self) -> Self:
        self._workspace = self._open.enter_context(Workspace.create())
        self._open.enter_context(Orphans())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def record(self, pack: Pack, row: ScenarioRow) -> Record:
        """Perform one scenario and return how it ended."""
        world, error = None, None
        try:
            session, platforms = self._of(pack)
            world = platforms.world(row, row.simulated) if row.simulated else World(session, row)
            refuse_what_cannot_be_shown(world)
            perform(world, self._vocabularies[pack.name])
            world.settle()
        except Exception as problem:
            error = problem
        record = record_of(pack.folder, row, world, error, 0.0)
        try:
            if world is not None:
                world.close()
        except Exception as problem:
            return record_of(pack.folder, row, world, problem, 0.0, teardown=True)
        return record

    def _of(self, pack: Pack) -> tuple[Session, SimulatedPlatforms]:
        """The session of a pack. Raises CandidateFault."""
        if pack.name not in self._started:
            target = Target.parse("reference", reference=pack.reference, folder=pack.folder)
            adapter = connect(target, Limits(call_seconds=CALL_SECONDS))
            self._open.callback(adapter.close)
            hello = adapter.start(str(self._workspace.path))
            session = Session(
                pack, adapter, hello, self._workspace, self._machine, Profile.DEFAULT, hello.interpretations
            )
            session.simulated = pack.simulated
            self._open.callback(session.close)
            if pack.oracle is not None:  # nobody reads a failing case, so it is not made smaller
                Samples.of(session).attempts_left = 0
            if pack.state_machine is not None:
                Plays.of(session).attempts_left = 0
            self._started[pack.name] = session, SimulatedPlatforms(session)
        return self._started[pack.name]


class Jury:
    """The scenarios of some packs, and what they have noticed until now."""

    def __init__(self, package: str, packs: Sequence[Pack], hits: Path, dearest: float) -> None:
        self._package = package
        self._vocabularies = {pack.name: Vocabulary(pack.steps) for pack in packs}
        with Workspace.create() as place:
            self._machine = probe(os.fsencode(place.path))
            for name in PROBES:  # looked at before a change can spoil what is looked at
                self._machine.can(name)
        cases = list(self._cases_of(packs, hits))
        usual = (Outcome.PASSED, Outcome.NOT_APPLICABLE)
        self.left_out = [case.row.id for case in cases if case.record.outcome not in usual]
        self._cases = [case for case in cases if case.record.outcome in usual and case.seconds <= dearest]
        self._noticed_by: dict[str, set[str]] = {}

    def _cases_of(self, packs: Sequence[Pack], hits: Path) -> Iterator[Case]:
        os.environ[CHOICE] = "stats"
        hits.touch()
        with Asking(self._machine, self._vocabularies) as asking:
            for pack in packs:
                for row in (row for file in pack.features() for row in parse(file).scenarios):
                    _forget(self._package)
                    os.truncate(hits, 0)
                    began = sum(os.times()[:4])
                    record = asking.record(pack, row)
                    took = sum(os.times()[:4]) - began
                    yield Case(pack, row, record, frozenset(hits.read_text().split()), took)
        os.environ[CHOICE] = ""

    def verdict(self, name: str, function: str) -> str:
        """Return what notices the change ``name``: a scenario's id, or words; nothing where nothing does."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            try:
                os.write(
                    writing, f"{self._noticed(self._package + name, self._package + function)}\n".encode()
                )
            finally:
                os._exit(0)
        os.close(writing)
        ready, _, _ = select.select([reading], [], [], PATIENCE_SECONDS)
        said = os.read(reading, 4096).decode() if ready else "no end\n"
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        noticed = (said or "the end of the process").strip()
        self._noticed_by.setdefault(self._package + function, set()).add(noticed)
        return noticed

    def _noticed(self, name: str, function: str) -> str:
        os.environ[CHOICE] = name
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        _forget(self._package)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        before = self._noticed_by.get(function, set())
        cases = [case for case in self._cases if function in case.functions]
        cases.sort(key=lambda case: (case.row.id not in before, case.seconds))
        records = {case.row.id: case.record for case in self._cases}
        with Asking(self._machine, self._vocabularies) as asking:
            for case in cases:
                records[case.row.id] = asking.record(case.pack, case.row)
                if records[case.row.id].outcome is not case.record.outcome:
                    return case.row.id
        return next(self._mixed(records), "")

    def _mixed(self, records: Mapping[str, Record]) -> Iterator[str]:
        """Where one scenario saw one reading and another one another, which no candidate may have."""
        for pack in {case.pack.name: case.pack for case in self._cases}.values():
            own = [records[case.row.id] for case in self._cases if case.pack is pack]
            for seen in observe(pack.interpretations, own):
                if seen.odd:
                    yield f"{seen.id} read in two ways"


def _forget(package: str) -> None:
    """Drop what the functions of a package have kept of results without the change."""
    for name, module in list(sys.modules.items()):
        for kept in vars(module).values() if name.startswith(package) else ():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


def main() -> int:
    """Judge the changes on stdin, one after the other; return the exit code."""
    package, dearest, *specs = sys.argv[1:]
    try:
        packs = [load(folder) for folder in [find(spec) for spec in specs] or bundled()]
    except UsageError as wrong:
        print(f"second_opinion: --spec {wrong}", file=sys.stderr)
        return 2
    jury = Jury(package, packs, Path(os.environ["SECOND_OPINION_HITS"]), float(dearest))
    if jury.left_out:
        print(f"left out, as they do not hold without a change: {' '.join(jury.left_out)}", file=sys.stderr)
    for line in sys.stdin:
        change = json.loads(line)
        print(jury.verdict(change["name"], change["function"]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
