"""One mutant before the scenarios of its pack, performed one by one: whoever asks may stop when they have seen enough.

What is performed is what a run performs, step by step; what a run adds for people (reports, the smallest case of a
law) is left out, and so is every scenario that cannot change a verdict any more.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from treeproof.adequacy.zoo import target
from treeproof.candidate import Target, connect
from treeproof.run.interrupts import Interrupts
from treeproof.run.lookup import Vocabulary
from treeproof.run.performing import perform
from treeproof.run.recording import record_of, refuse_what_cannot_be_shown
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.search.plays import Plays
from treeproof.search.subject import Samples
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioRow
from treeproof.tree import Machine, Workspace
from treeproof.verdict import Outcome, Profile, Record

UNEARNED = frozenset({Outcome.FAILED, Outcome.FAULT, Outcome.NOT_VERIFIED})
"""How a scenario can end that its requirement cannot pass with."""


class Trial:
    """A context: the mutant is started on entering, and gone with all that was built on leaving.

    Raises CandidateFault on entering for a mutant that does not start.
    """

    def __init__(
        self, pack: Pack, id: str, machine: Machine, vocabulary: Vocabulary, stop: Interrupts
    ) -> None:
        self._pack = pack
        self._id = id
        self._machine = machine
        self._vocabulary = vocabulary
        self._stop = stop
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            workspace = opened.enter_context(Workspace.create())
            adapter = connect(Target.parse(target(self._pack, self._id)))
            opened.callback(adapter.close)
            with self._stop.waiting():
                hello = adapter.start(str(workspace.path))
            self._session = Session(
                self._pack,
                adapter,
                hello,
                workspace,
                self._machine,
                Profile.DEFAULT,
                hello.interpretations,
                interrupts=self._stop,
            )
            opened.callback(self._session.close)
            if self._pack.oracle is not None:
                Samples.of(self._session).attempts_left = 0
            if self._pack.state_machine is not None:
                Plays.of(self._session).attempts_left = 0
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def ask(self, rows: Iterable[ScenarioRow], costs: Costs, enough: frozenset[Outcome]) -> list[Record]:
        """Perform the scenarios, of each requirement the cheap ones first and none once one ended as in ``enough``."""
        records = []
        settled: set[str] = set()
        for row in costs.cheap_first(rows):
            if row.requirement not in settled:
                record = self._perform(row)
                costs.note(record)
                records.append(record)
                if record.outcome in enough and not record.advisory:
                    settled.add(row.requirement)
        return records

    def _perform(self, row: ScenarioRow) -> Record:
        began, error = time.monotonic(), None
        world = World(self._session, row)
        try:
            refuse_what_cannot_be_shown(world)
            perform(world, self._vocabulary)
            world.settle()
        except Exception as problem:
            error = problem
        record = record_of(self._pack.folder, row, world, error, time.monotonic() - began)
        try:
            world.close()
        except Exception as problem:
            return record_of(self._pack.folder, row, world, problem, record.seconds, teardown=True)
        return record


class Costs:
    """What scenarios have cost until now, in seconds by id."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def note(self, record: Record) -> None:
        """Keep what a scenario has cost; one that ended early says little."""
        if record.outcome is not Outcome.FAILED:
            self._seconds[record.id] = record.seconds

    def cheap_first(self, rows: Iterable[ScenarioRow]) -> list[ScenarioRow]:
        """Return the rows in the order of their costs; those without a When, which try many calls, come last."""
        return sorted(rows, key=lambda row: (not _has_call(row), self._seconds.get(row.id, 0.0)))


def _has_call(row: ScenarioRow) -> bool:
    return any(step.keyword_type == "when" for step in row.steps)
