"""One conversation with one candidate: the adapter, what the candidate said of itself, and when to stop asking.

A session knows no specification and no scenario. It outlives a broken process (the adapter restarts it) and stops
asking a candidate that keeps breaking, so that a run over hundreds of scenarios still ends in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treeproof.candidate import Adapter, Answer, Call, CandidateFault, Definition, Hello, Launch
from treeproof.spec import Pack
from treeproof.tree import Machine, Workspace
from treeproof.verdict import NotVerified, Profile, accepted_readings

FAULTS_IN_A_ROW = 4
"""After this many faults without a good answer between them the candidate is not asked any more."""


@dataclass
class Session:
    """What every scenario of a run shares."""

    pack: Pack
    adapter: Adapter
    hello: Hello
    workspace: Workspace
    machine: Machine
    profile: Profile
    declared: Mapping[str, str]
    faults_in_a_row: int = 0
    last_fault: str = ""
    calls: int = 0

    def call(self, call: Call, adapter: Adapter | None = None) -> Answer:
        """Ask the candidate (or ``adapter``, a fresh process of it); raises CandidateFault."""
        self._refuse_the_broken()
        self.calls += 1
        try:
            answer = (adapter or self.adapter).call(call)
        except CandidateFault as fault:
            self._count(fault)
            raise
        self.faults_in_a_row = 0
        return answer

    def describe(self, tool: str) -> Definition:
        """Ask the candidate for a tool's definition; raises CandidateFault."""
        self._refuse_the_broken()
        try:
            return self.adapter.describe(tool)
        except CandidateFault as fault:
            self._count(fault)
            raise

    def _count(self, fault: CandidateFault) -> None:
        self.faults_in_a_row += 1
        self.last_fault = f"{fault.fault}: {fault.detail}"

    def _refuse_the_broken(self) -> None:
        if self.faults_in_a_row >= FAULTS_IN_A_ROW:
            raise CandidateFault(
                "exit", f"not asked any more after {FAULTS_IN_A_ROW} faults in a row, the last: {self.last_fault}"
            )

    def fresh(self, launch: Launch) -> Adapter:
        """Start the candidate once more, in a new process; the caller closes it. Raises CandidateFault."""
        adapter = self.adapter.fresh(launch)
        try:
            adapter.start(str(self.workspace.path))
        except BaseException:
            adapter.close()
            raise
        return adapter

    def accepted(self, interpretation: str) -> frozenset[str]:
        """Return the readings of an interpretation that this run accepts."""
        entry = next(e for e in self.pack.interpretations if e.id == interpretation)
        return accepted_readings(entry, self.profile, self.declared)

    def require(self, capability: str) -> None:
        """Raise NotVerified when the candidate does not declare ``capability``."""
        if capability not in self.hello.capabilities:
            raise NotVerified(f"the candidate does not declare the capability {capability!r}")
