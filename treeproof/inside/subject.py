"""The candidate, opened once in a process of an adopter's test run: from a row of a feature to its record.

A worker of pytest-xdist has a subject of its own. Signals, the handling of processes that lost their parents and
everything else that belongs to the whole process stay pytest's.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from treeproof.candidate import Hello, connect
from treeproof.run.asked import Asked, Party, claimed, declared_readings
from treeproof.run.breaker import Breaker
from treeproof.run.interrupts import Interrupts
from treeproof.run.lookup import Vocabulary
from treeproof.run.performing import perform
from treeproof.run.recording import record_of, refuse_what_cannot_be_shown
from treeproof.run.session import Session
from treeproof.run.simulated import SimulatedPlatforms
from treeproof.run.world import World
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioRow
from treeproof.tree import Machine, Workspace, probe
from treeproof.verdict import Profile, Record

CURRENT_TEST = "PYTEST_CURRENT_TEST"


class Subject:
    """A context that is left by ``close``."""

    def __init__(self, parties: Sequence[Party], profile: Profile, *, named: bool) -> None:
        self._profile = profile
        self._open = contextlib.ExitStack()
        self._sessions: dict[str, Session] = {}
        self._vocabularies: dict[str, Vocabulary] = {}
        self._elsewhere: dict[str, SimulatedPlatforms] = {}
        self.hellos: list[Hello] = []
        self.asked: list[Asked] = []
        """The packs that the candidate claims."""
        try:
            self.workspace = self._open.enter_context(Workspace.create())
            self.machine: Machine = probe(os.fsencode(self.workspace.path))
            self.machine.to_json()  # looked at before a candidate can spoil what is looked at
            for party in parties:
                self._start(party, named=named)
        except BaseException:
            self.close()
            raise

    def _start(self, party: Party, *, named: bool) -> None:
        """Start the candidate of ``party``. Raises CandidateFault, and UsageError where the target is wrong."""
        adapter = connect(party.target)
        self._open.callback(adapter.close)
        hello = adapter.start(str(self.workspace.path))
        self.hellos.append(hello)
        declared = declared_readings(party.target, hello, party.asked)
        breaker, parts = Breaker(), claimed(party.asked, hello, named=named)
        self.asked += parts
        for part in parts:
            self._sessions[part.pack.name] = Session(
                part.pack,
                adapter,
                hello,
                self.workspace,
                self.machine,
                self._profile,
                declared,
                breaker,
                Interrupts(),  # never entered: signals are pytest's
                part.pack.simulated if party.is_reference else {},
            )

    def perform(self, pack: Pack, row: ScenarioRow) -> Record:
        """Run one scenario; whatever the candidate does, there is a record."""
        with _unnamed():
            return self._perform(pack, row)

    def _perform(self, pack: Pack, row: ScenarioRow) -> Record:
        began, world, error = time.monotonic(), None, None
        try:
            world = self._world(pack, row)
            refuse_what_cannot_be_shown(world)
            perform(world, self._vocabulary(pack))
            world.settle()
        except Exception as problem:
            error = problem
        except pytest.fail.Exception as timeout:  # an adopter's plugin has ended it
            error = RuntimeError(str(timeout))
        record = record_of(pack.folder, row, world, error, time.monotonic() - began)
        if world is None:
            return record
        try:
            world.close()
        except Exception as problem:
            return record_of(pack.folder, row, world, problem, time.monotonic() - began, teardown=True)
        return record

    def _world(self, pack: Pack, row: ScenarioRow) -> World:
        session = self._sessions[pack.name]
        if row.simulated is None or row.simulated not in session.simulated:
            return World(session, row)
        if pack.name not in self._elsewhere:
            self._elsewhere[pack.name] = SimulatedPlatforms(session)
        return self._elsewhere[pack.name].world(row, row.simulated)

    def _vocabulary(self, pack: Pack) -> Vocabulary:
        if pack.name not in self._vocabularies:
            self._vocabularies[pack.name] = Vocabulary(pack.steps)
        return self._vocabularies[pack.name]

    def facts(self) -> dict[str, Any]:
        """What a report says of candidate and machine, as plain JSON: it also crosses from a worker."""
        return {
            "packs": [part.pack.name for part in self.asked],
            "name": self.hellos[0].name,
            "version": self.hellos[0].version,
            "language": self.hellos[0].language,
            "capabilities": sorted({word for hello in self.hellos for word in hello.capabilities}),
            "machine": self.machine.to_json(),
        }

    def close(self) -> None:
        """Stop the candidate and remove everything that was built. May be called again."""
        for elsewhere in self._elsewhere.values():
            elsewhere.close()
        self._elsewhere.clear()
        for session in self._sessions.values():
            session.close()
        self._open.close()


@contextlib.contextmanager
def _unnamed() -> Iterator[None]:
    """Hide the variable in which pytest names the running test: a candidate would see which scenario it is."""
    named = os.environ.pop(CURRENT_TEST, None)
    try:
        yield
    finally:
        if named is not None:
            os.environ[CURRENT_TEST] = named
