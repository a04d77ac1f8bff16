"""The candidates of one process of an adopter's pytest run, started once. Each worker of pytest-xdist has its own.

Signal handlers, orphaned processes and everything else that belongs to the whole process remain pytest's.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from treeproof.run.connected_candidate import ConnectedCandidate, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import TargetPlan
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import Profile, ScenarioRecord


class LiveCandidate:
    """The started candidates of all plans and a session for each pack that they claim. ``close`` ends it."""

    def __init__(self, plans: Sequence[TargetPlan], profile: Profile, *, named_explicitly: bool) -> None:
        self._exit_stack = contextlib.ExitStack()
        self._candidates: list[ConnectedCandidate] = []
        self._sessions: dict[str, Session] = {}
        with self._exit_stack:  # close everything if a candidate does not start
            # These interrupts are never entered: signals are pytest's.
            environment = self._exit_stack.enter_context(open_environment(Interrupts()))
            for plan in plans:
                candidate = self._exit_stack.enter_context(ConnectedCandidate.connect(plan, environment))
                self._candidates.append(candidate.start(named_explicitly=named_explicitly))
                for part in candidate.packs:
                    session = Session(part.pack, candidate, Policy(profile))
                    self._sessions[part.pack.name] = session
                    self._exit_stack.callback(session.close)
            self._exit_stack = self._exit_stack.pop_all()

    @property
    def packs(self) -> list[SelectedPack]:
        """The packs that the candidates claim."""
        return [part for candidate in self._candidates for part in candidate.packs]

    def run_scenario(self, pack: Pack, case: ScenarioCase) -> ScenarioRecord:
        """Run one scenario and return its record."""
        return run_scenario(self._sessions[pack.name], case)

    def facts(self) -> dict[str, Any]:
        """Return what a report states about candidate and host, as JSON: a worker sends it to the controller."""
        hellos = [candidate.initialize_result for candidate in self._candidates]
        return {
            "packs": [part.pack.name for part in self.packs],
            "name": hellos[0].name,
            "version": hellos[0].version,
            "language": hellos[0].language,
            "capabilities": sorted({name for hello in hellos for name in hello.capabilities}),
            "machine": self._candidates[0].environment.host.to_json(),
        }

    def finish_evidence(self) -> dict[str, dict[str, str]]:
        """Return the positive evidence of each pack at the end of the run."""
        found = {name: PositiveEvidence.for_session(session).finish() for name, session in self._sessions.items()}
        return {name: dict(evidence) for name, evidence in found.items()}

    def close(self) -> None:
        """Stop the candidates and remove everything that was built. Idempotent."""
        self._exit_stack.close()
