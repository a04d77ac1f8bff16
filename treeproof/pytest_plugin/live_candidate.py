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

from treeproof.candidate import InitializeResult, connect
from treeproof.run.circuit_breaker import CircuitBreaker
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import SelectedPack, TargetPlan, declared_readings, packs_claimed
from treeproof.run.scenario_record import build_record, check_prerequisites
from treeproof.run.session import Session
from treeproof.run.simulated import SimulatedPlatforms
from treeproof.run.step_registry import StepRegistry
from treeproof.run.step_runner import run_steps
from treeproof.run.world import World
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import Host, Workspace, probe_host
from treeproof.verdict import Profile, ScenarioRecord

CURRENT_TEST_VARIABLE = "PYTEST_CURRENT_TEST"


class LiveCandidate:
    """A context that is left by ``close``."""

    def __init__(self, plans: Sequence[TargetPlan], profile: Profile, *, named_explicitly: bool) -> None:
        self._profile = profile
        self._exit_stack = contextlib.ExitStack()
        self._sessions: dict[str, Session] = {}
        self._step_registries: dict[str, StepRegistry] = {}
        self._simulated_platforms: dict[str, SimulatedPlatforms] = {}
        self.initialize_results: list[InitializeResult] = []
        self.packs: list[SelectedPack] = []
        """The packs that the candidate claims."""
        try:
            self.workspace = self._exit_stack.enter_context(Workspace.create())
            self.host: Host = probe_host(os.fsencode(self.workspace.path))
            self.host.to_json()  # looked at before a candidate can spoil what is looked at
            for party in plans:
                self._start(party, named=named_explicitly)
        except BaseException:
            self.close()
            raise

    def _start(self, party: TargetPlan, *, named: bool) -> None:
        """Start the candidate of ``party``. Raises CandidateFault, and UsageError where the target is wrong."""
        adapter = connect(party.target)
        self._exit_stack.callback(adapter.close)
        hello = adapter.start(str(self.workspace.path))
        self.initialize_results.append(hello)
        declared = declared_readings(party.target, hello, party.packs)
        breaker, parts = CircuitBreaker(), packs_claimed(party.packs, hello, named_explicitly=named)
        self.packs += parts
        for part in parts:
            self._sessions[part.pack.name] = Session(
                part.pack,
                adapter,
                hello,
                self.workspace,
                self.host,
                self._profile,
                declared,
                breaker,
                Interrupts(),  # never entered: signals are pytest's
                part.pack.simulated if party.is_reference else {},
            )

    def run_scenario(self, pack: Pack, row: ScenarioCase) -> ScenarioRecord:
        """Run one scenario; whatever the candidate does, there is a record."""
        with _hide_current_test():
            return self._run_scenario(pack, row)

    def _run_scenario(self, pack: Pack, row: ScenarioCase) -> ScenarioRecord:
        began, world, error = time.monotonic(), None, None
        try:
            world = self._create_world(pack, row)
            check_prerequisites(world)
            run_steps(world, self._step_registry(pack))
            world.check_evidence()
        except Exception as problem:
            error = problem
        except pytest.fail.Exception as timeout:  # an adopter's plugin has ended it
            error = RuntimeError(str(timeout))
        record = build_record(pack.folder, row, world, error, time.monotonic() - began)
        if world is None:
            return record
        try:
            world.close()
        except Exception as problem:
            return build_record(pack.folder, row, world, problem, time.monotonic() - began, teardown=True)
        return record

    def _create_world(self, pack: Pack, row: ScenarioCase) -> World:
        session = self._sessions[pack.name]
        if row.simulated is None or row.simulated not in session.simulated_entry_points:
            return World(session, row)
        if pack.name not in self._simulated_platforms:
            self._simulated_platforms[pack.name] = SimulatedPlatforms(session)
        return self._simulated_platforms[pack.name].create_world(row, row.simulated)

    def _step_registry(self, pack: Pack) -> StepRegistry:
        if pack.name not in self._step_registries:
            self._step_registries[pack.name] = StepRegistry(pack.steps)
        return self._step_registries[pack.name]

    def facts(self) -> dict[str, Any]:
        """What a report says of candidate and machine, as plain JSON: it also crosses from a worker."""
        return {
            "packs": [part.pack.name for part in self.packs],
            "name": self.initialize_results[0].name,
            "version": self.initialize_results[0].version,
            "language": self.initialize_results[0].language,
            "capabilities": sorted(
                {word for hello in self.initialize_results for word in hello.capabilities}
            ),
            "machine": self.host.to_json(),
        }

    def close(self) -> None:
        """Stop the candidate and remove everything that was built. May be called again."""
        for elsewhere in self._simulated_platforms.values():
            elsewhere.close()
        self._simulated_platforms.clear()
        for session in self._sessions.values():
            session.close()
        self._exit_stack.close()


@contextlib.contextmanager
def _hide_current_test() -> Iterator[None]:
    """Hide the variable in which pytest names the running test: a candidate would see which scenario it is."""
    named = os.environ.pop(CURRENT_TEST_VARIABLE, None)
    try:
        yield
    finally:
        if named is not None:
            os.environ[CURRENT_TEST_VARIABLE] = named
