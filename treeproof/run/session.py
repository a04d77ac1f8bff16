"""One conversation with one candidate: the adapter, what the candidate said of itself, and when to stop asking.

A session knows no specification and no scenario. It outlives a broken process (the adapter restarts it) and stops
asking a candidate that keeps breaking, so that a run over hundreds of scenarios still ends in seconds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from treeproof.candidate import Adapter, Answer, Call, CandidateFault, Definition, Hello, Launch
from treeproof.candidate.tracing import FLAGS, Trace, Tracer, TraceUnavailable, family, program, read
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
    _traceable: Adapter | None = None

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

    def observed(
        self, call: Call, words: Sequence[bytes], adapter: Adapter | None = None
    ) -> tuple[Answer, Trace]:
        """Ask a process of the candidate while strace runs it with ``words``; raises NotVerified where it cannot.

        A candidate in this process, and one that lives for one message only, is asked in a process of its own.
        """
        why = self.machine.why_not("strace")
        if why is not None:
            raise NotVerified(f"needs strace: {why}")
        log = self.workspace.path / "strace.log"
        try:
            subject = adapter or self._subject()
            if subject.pid is None:
                return self._launched(call, words, log)
            with Tracer(family(subject.pid), words, log) as tracer:
                answer = self.call(call, subject)
            return answer, tracer.trace
        except TraceUnavailable as why_not:
            raise NotVerified(str(why_not)) from why_not

    def _subject(self) -> Adapter:
        """The candidate as a process that can be traced: the run's own, or one more that lives as long."""
        if self.adapter.pid is not None:
            return self.adapter
        if self._traceable is None:
            self._traceable = self.fresh(Launch())
        return self._traceable

    def _launched(self, call: Call, words: Sequence[bytes], log: Path) -> tuple[Answer, Trace]:
        """For candidates of which nothing lives between two messages: strace starts them."""
        prefix = (program(), *FLAGS, b"-o", os.fsencode(log), *words)
        adapter = self.fresh(Launch(prefix=tuple(os.fsdecode(word) for word in prefix)))
        try:
            read(log)  # what the start wrote
            return self.call(call, adapter), read(log)
        finally:
            adapter.close()

    def close(self) -> None:
        """Stop the process that was started for tracing; the run's own adapter belongs to the run."""
        if self._traceable is not None:
            self._traceable.close()
            self._traceable = None

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
                "exit",
                f"not asked any more after {FAULTS_IN_A_ROW} faults in a row, the last: {self.last_fault}",
            )

    def fresh(self, launch: Launch) -> Adapter:
        """Start the candidate once more, in a new process; the caller closes it. Raises CandidateFault."""
        # pytest names the running test in the environment; no candidate may see it.
        adapter = self.adapter.fresh(replace(launch, env={"PYTEST_CURRENT_TEST": None, **launch.env}))
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
