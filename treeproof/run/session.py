"""One conversation with one candidate: the adapter, what the candidate said of itself, and when to stop asking.

A session knows no specification and no scenario. It outlives a broken process (the adapter restarts it) and stops
asking a candidate that keeps breaking, so that a run over hundreds of scenarios still ends in seconds.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from treeproof.candidate import Adapter, Answer, Call, CandidateFault, CannotAsk, Definition, Hello, Launch
from treeproof.candidate.tracing import FLAGS, Trace, Tracer, TraceUnavailable, family, program, read
from treeproof.run.breaker import VOUCHERS, Breaker
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack
from treeproof.tree import CannotBuild, Machine, Workspace
from treeproof.verdict import NotApplicable, NotVerified, Profile, accepted_readings

Result = TypeVar("Result")

_SAME_IN_EVERY_PROCESS = ("tools", "capabilities", "interpretations")


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
    breaker: Breaker = field(default_factory=Breaker)
    interrupts: Interrupts = field(default_factory=Interrupts)
    simulated: Mapping[str, str] = field(default_factory=dict)
    """Entry points of the same candidate for platforms that are simulated: of the reference, and of nobody else."""
    seed: int = 0
    examples: int | None = None
    """How many random cases each law shall see; None leaves it to the law."""
    kept: dict[str, object] = field(default_factory=dict)
    """What step modules keep from one scenario of the run to the next, by the module's name."""
    _answered: Call | None = None
    _traceable: Adapter | None = None
    _lives: bool = False

    def call(self, call: Call, adapter: Adapter | None = None) -> Answer:
        """Ask the candidate (or ``adapter``, a fresh process of it); raises CandidateFault."""
        self.require_tool(call.tool)
        subject = adapter or self.adapter
        answer = self._asked(lambda: subject.call(call))
        self._answered = call
        return answer

    def describe(self, tool: str) -> Definition:
        """Ask the candidate for a tool's definition; raises CandidateFault."""
        self.require_tool(tool)
        return self._asked(lambda: self.adapter.describe(tool))

    def fresh(self, launch: Launch) -> Adapter:
        """Start the candidate once more, in a new process; the caller closes it.

        Raises CandidateFault, and NotVerified where its process is not the suite's to start.
        """
        try:
            adapter = self.adapter.fresh(launch)
        except CannotAsk as why:
            raise NotVerified(str(why)) from why
        try:
            hello = self._asked(lambda: adapter.start(str(self.workspace.path)), is_answer=False)
            other = [
                name for name in _SAME_IN_EVERY_PROCESS if getattr(hello, name) != getattr(self.hello, name)
            ]
            if other:
                raise CandidateFault(
                    "lying", f"in a new process it declares other {' and '.join(other)} than before"
                )
        except BaseException:
            adapter.close()
            raise
        return adapter

    def observed(
        self,
        call: Call,
        words: Sequence[bytes],
        adapter: Adapter | None = None,
        attached: Callable[[], object] = lambda: None,
    ) -> tuple[Answer, Trace]:
        """Ask a process of the candidate while strace runs it with ``words``; raises NotVerified where it cannot.

        A candidate in this process, and one that lives for one message only, is asked in a process of its own.
        ``attached`` is called right before the question goes out.
        """
        why = self.machine.why_not("strace")
        if why is not None:
            raise NotVerified(f"needs strace: {why}")
        log = self._log
        try:
            subject = adapter or self._subject()
            if subject.pid is None:
                return self._launched(call, words, log, attached)
            self._asked(lambda: subject.stand_by(call), is_answer=False)
            assert subject.pid is not None
            with Tracer(family(subject.pid), words, log) as tracer:
                attached()
                answer = self.call(call, subject)
            return answer, tracer.trace
        except TraceUnavailable as why_not:
            raise NotVerified(str(why_not)) from why_not

    def killed(self, call: Call, words: Sequence[bytes]) -> bool:
        """Ask a process of its own, in which a call of the system ends by ``words`` of strace with its death.

        Return whether it died instead of answering, which is no fault of the candidate. Raises NotVerified where it
        cannot be traced, and CandidateFault for what is one.
        """
        why = self.machine.why_not("strace")
        if why is not None:
            raise NotVerified(f"needs strace: {why}")
        self.require_tool(call.tool)
        adapter = self.fresh(Launch())
        try:
            self._asked(lambda: adapter.stand_by(call), is_answer=False)
            if adapter.pid is None:
                raise NotVerified("nothing of the candidate lives between two messages that could be killed")
            with Tracer(family(adapter.pid), words, self._log):
                adapter.call(call)
        except TraceUnavailable as why_not:
            raise NotVerified(str(why_not)) from why_not
        except CandidateFault as fault:
            if fault.fault != "exit":
                raise
            return True
        finally:
            adapter.close()
        return False

    @property
    def _log(self) -> Path:
        return self.workspace.path / "strace.log"

    def _subject(self) -> Adapter:
        """The candidate as a process that can be traced: the run's own, or one more that lives as long."""
        if self.adapter.pid is not None:
            return self.adapter
        # One that lived and has no process now was lost by a fault.
        if self._traceable is None or (self._lives and self._traceable.pid is None):
            self.close()
            self._traceable = self.fresh(Launch())
            self._lives = self._traceable.pid is not None
        return self._traceable

    def _launched(
        self, call: Call, words: Sequence[bytes], log: Path, attached: Callable[[], object]
    ) -> tuple[Answer, Trace]:
        """For candidates of which nothing lives between two messages: strace starts them."""
        prefix = (program(), *FLAGS, b"-o", os.fsencode(log), *words)
        adapter = self.fresh(Launch(prefix=tuple(os.fsdecode(word) for word in prefix)))
        try:
            read(log)  # what the start wrote
            attached()
            answer = self.call(call, adapter)
            return answer, read(log, adapter.diagnostics().encode())
        finally:
            adapter.close()

    def close(self) -> None:
        """Stop the process that was started for tracing; the run's own adapter belongs to the run."""
        if self._traceable is not None:
            self._traceable.close()
            self._traceable = None

    def _asked(self, ask: Callable[[], Result], *, is_answer: bool = True) -> Result:
        """Ask, unless the candidate is not asked any more, and count how it went.

        Raises CandidateFault, and NotVerified for what this way to the candidate cannot carry.
        """
        self._doubt()
        self.breaker.refuse()
        began = time.monotonic()
        try:
            with self.interrupts.waiting():
                result = ask()
        except CandidateFault as fault:
            self.breaker.broke(fault, time.monotonic() - began)
            raise
        except CannotAsk as why:
            raise NotVerified(str(why)) from why
        if is_answer:
            self.breaker.answered()
        return result

    def _doubt(self) -> None:
        """After faults in a row: repeat the last call that was answered. A candidate that breaks at it is given up.

        Any answer will do; it is asked in a place of its own. On the main thread only: a process that was started
        anew dies with the thread that started it.
        """
        if not self.breaker.in_doubt or threading.current_thread() is not threading.main_thread():
            return
        answered, self._answered = self._answered, None
        if answered is None or self.breaker.vouchers == VOUCHERS:
            self.breaker.give_up()
            return
        began = time.monotonic()
        try:
            place = os.fsdecode(self.workspace.fixture("control"))
            context = {**answered.context, "roots": [place], "working_dir": place}
            with self.interrupts.waiting():
                self.adapter.call(replace(answered, context=context))
        except CandidateFault as fault:
            self.breaker.broke(fault, time.monotonic() - began)
            self.breaker.give_up()
        except CannotBuild:
            self.breaker.give_up()
        except CannotAsk:  # it did not break
            self.breaker.vouch()
        else:
            self.breaker.vouch()
            self._answered = answered

    def require_tool(self, tool: str) -> None:
        """Raise for a tool of the specification that is not offered; other names are asked on purpose.

        NotApplicable where the specification lets a candidate do without it, else NotVerified.
        """
        own = next((own for own in self.pack.tools if own.name == tool), None)
        if own is None or tool in self.hello.tools:
            return
        if own.optional:
            raise NotApplicable(f"the candidate does not offer the tool {tool!r}, which it may do without")
        raise NotVerified(f"the candidate does not offer the tool {tool!r}")

    def accepted(self, interpretation: str) -> frozenset[str]:
        """Return the readings of an interpretation that this run accepts."""
        entry = next(e for e in self.pack.interpretations if e.id == interpretation)
        return accepted_readings(entry, self.profile, self.declared)

    def require(self, capability: str) -> None:
        """Raise NotVerified when the candidate does not declare ``capability``."""
        if capability not in self.hello.capabilities:
            raise NotVerified(f"the candidate does not declare the capability {capability!r}")
