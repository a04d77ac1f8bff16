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

from treeproof.candidate import (
    Adapter,
    Call,
    CallResult,
    CandidateFault,
    InitializeResult,
    ProcessOptions,
    ToolDefinition,
    UnsupportedByAdapter,
)
from treeproof.candidate.orphans import process_tree
from treeproof.candidate.strace import STRACE_FLAGS, Trace, Tracer, TraceUnavailable, find_strace, read_trace
from treeproof.run.circuit_breaker import MAX_SUCCESSFUL_PROBES, CircuitBreaker
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack
from treeproof.tree import CannotBuild, Host, Workspace
from treeproof.verdict import NotApplicable, NotVerified, Profile, accepted_readings
from treeproof.verdict.outcome import FACILITY_REMEDIES

Result = TypeVar("Result")

_SAME_IN_EVERY_PROCESS = ("tools", "capabilities", "interpretations")


@dataclass
class Session:
    """What every scenario of a run shares."""

    pack: Pack
    adapter: Adapter
    initialize_result: InitializeResult
    workspace: Workspace
    host: Host
    profile: Profile
    declared_readings: Mapping[str, str]
    circuit_breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    interrupts: Interrupts = field(default_factory=Interrupts)
    simulated_entry_points: Mapping[str, str] = field(default_factory=dict)
    """Entry points of the same candidate for platforms that are simulated: of the reference, and of nobody else."""
    seed: int = 0
    examples: int | None = None
    """How many random cases each law shall see; None leaves it to the law."""
    module_state: dict[str, object] = field(default_factory=dict)
    """What step modules keep from one scenario of the run to the next, by the module's name."""
    _last_answered_call: Call | None = None
    _traceable_process: Adapter | None = None
    _has_persistent_process: bool = False

    def call(self, call: Call, adapter: Adapter | None = None) -> CallResult:
        """Ask the candidate (or ``adapter``, a fresh process of it); raises CandidateFault."""
        self.require_tool(call.tool)
        subject = adapter or self.adapter
        answer = self._run_guarded(lambda: subject.call(call))
        self._last_answered_call = call
        return answer

    def describe(self, tool: str) -> ToolDefinition:
        """Ask the candidate for a tool's definition; raises CandidateFault."""
        self.require_tool(tool)
        return self._run_guarded(lambda: self.adapter.describe(tool))

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Start the candidate once more, in a new process; the caller closes it.

        Raises CandidateFault, and NotVerified where its process is not the suite's to start.
        """
        try:
            adapter = self.adapter.spawn(options)
        except UnsupportedByAdapter as why:
            raise NotVerified("adapter_unsupported", str(why)) from why
        try:
            hello = self._run_guarded(lambda: adapter.start(str(self.workspace.path)), is_answer=False)
            other = [
                name
                for name in _SAME_IN_EVERY_PROCESS
                if getattr(hello, name) != getattr(self.initialize_result, name)
            ]
            if other:
                raise CandidateFault(
                    "inconsistent", f"in a new process it declares other {' and '.join(other)} than before"
                )
        except BaseException:
            adapter.close()
            raise
        return adapter

    def call_traced(
        self,
        call: Call,
        strace_args: Sequence[bytes],
        adapter: Adapter | None = None,
        on_attached: Callable[[], object] = lambda: None,
    ) -> tuple[CallResult, Trace]:
        """Ask a process of the candidate while strace runs it with ``words``; raises NotVerified where it cannot.

        A candidate in this process, and one that lives for one message only, is asked in a process of its own.
        ``attached`` is called right before the question goes out.
        """
        self.require_facility("strace")
        log = self._strace_log
        try:
            subject = adapter or self._traceable_adapter()
            if subject.pid is None:
                return self._call_started_by_strace(call, strace_args, log, on_attached)
            self._run_guarded(lambda: subject.ensure_started(call), is_answer=False)
            assert subject.pid is not None
            with Tracer(process_tree(subject.pid), strace_args, log) as tracer:
                on_attached()
                answer = self.call(call, subject)
            return answer, tracer.trace
        except TraceUnavailable as why_not:
            raise NotVerified("trace_unavailable", str(why_not)) from why_not

    def call_and_kill(self, call: Call, strace_args: Sequence[bytes]) -> bool:
        """Ask a process of its own, in which a call of the system ends by ``words`` of strace with its death.

        Return whether it died instead of answering, which is no fault of the candidate. Raises NotVerified where it
        cannot be traced, and CandidateFault for what is one.
        """
        self.require_facility("strace")
        self.require_tool(call.tool)
        adapter = self.spawn(ProcessOptions())
        try:
            self._run_guarded(lambda: adapter.ensure_started(call), is_answer=False)
            if adapter.pid is None:
                raise NotVerified(
                    "no_persistent_process",
                    "nothing of the candidate lives between two messages that could be killed",
                )
            with Tracer(process_tree(adapter.pid), strace_args, self._strace_log):
                adapter.call(call)
        except TraceUnavailable as why_not:
            raise NotVerified("trace_unavailable", str(why_not)) from why_not
        except CandidateFault as fault:
            if fault.kind != "exit":
                raise
            return True
        finally:
            adapter.close()
        return False

    @property
    def _strace_log(self) -> Path:
        return self.workspace.path / "strace.log"

    def _traceable_adapter(self) -> Adapter:
        """The candidate as a process that can be traced: the run's own, or one more that lives as long."""
        if self.adapter.pid is not None:
            return self.adapter
        # One that lived and has no process now was lost by a fault.
        if self._traceable_process is None or (
            self._has_persistent_process and self._traceable_process.pid is None
        ):
            self.close()
            self._traceable_process = self.spawn(ProcessOptions())
            self._has_persistent_process = self._traceable_process.pid is not None
        return self._traceable_process

    def _call_started_by_strace(
        self, call: Call, words: Sequence[bytes], log: Path, attached: Callable[[], object]
    ) -> tuple[CallResult, Trace]:
        """For candidates of which nothing lives between two messages: strace starts them."""
        prefix = (find_strace(), *STRACE_FLAGS, b"-o", os.fsencode(log), *words)
        adapter = self.spawn(ProcessOptions(command_prefix=tuple(os.fsdecode(word) for word in prefix)))
        try:
            read_trace(log)  # what the start wrote
            attached()
            answer = self.call(call, adapter)
            return answer, read_trace(log, adapter.captured_output().encode())
        finally:
            adapter.close()

    def close(self) -> None:
        """Stop the process that was started for tracing; the run's own adapter belongs to the run."""
        if self._traceable_process is not None:
            self._traceable_process.close()
            self._traceable_process = None

    def _run_guarded(self, ask: Callable[[], Result], *, is_answer: bool = True) -> Result:
        """Ask, unless the candidate is not asked any more, and count how it went.

        Raises CandidateFault, and NotVerified for what this way to the candidate cannot carry.
        """
        self._probe_if_needed()
        self.circuit_breaker.raise_if_open()
        began = time.monotonic()
        try:
            with self.interrupts.interruptible():
                result = ask()
        except CandidateFault as fault:
            self.circuit_breaker.record_failure(fault, time.monotonic() - began)
            raise
        except UnsupportedByAdapter as why:
            raise NotVerified("adapter_unsupported", str(why)) from why
        if is_answer:
            self.circuit_breaker.record_success()
        return result

    def _probe_if_needed(self) -> None:
        """After faults in a row: repeat the last call that was answered. A candidate that breaks at it is given up.

        Any answer will do; it is asked in a place of its own. On the main thread only: a process that was started
        anew dies with the thread that started it.
        """
        if not self.circuit_breaker.needs_probe or threading.current_thread() is not threading.main_thread():
            return
        answered, self._last_answered_call = self._last_answered_call, None
        if answered is None or self.circuit_breaker.successful_probes == MAX_SUCCESSFUL_PROBES:
            self.circuit_breaker.trip()
            return
        began = time.monotonic()
        try:
            place = os.fsdecode(self.workspace.create_fixture("control"))
            context = {**answered.context, "roots": [place], "working_dir": place}
            with self.interrupts.interruptible():
                self.adapter.call(replace(answered, context=context))
        except CandidateFault as fault:
            self.circuit_breaker.record_failure(fault, time.monotonic() - began)
            self.circuit_breaker.trip()
        except CannotBuild:
            self.circuit_breaker.trip()
        except UnsupportedByAdapter:  # it did not break
            self.circuit_breaker.probe_succeeded()
        else:
            self.circuit_breaker.probe_succeeded()
            self._last_answered_call = answered

    def require_tool(self, tool: str) -> None:
        """Raise for a tool of the specification that is not offered; other names are asked on purpose.

        NotApplicable where the specification lets a candidate do without it, else NotVerified.
        """
        own = next((own for own in self.pack.tools if own.name == tool), None)
        if own is None or tool in self.initialize_result.tools:
            return
        if own.optional:
            raise NotApplicable(f"the candidate does not offer the tool {tool!r}, which it may do without")
        raise NotVerified("missing_tool", f"the candidate does not offer the tool {tool!r}")

    def accepted_readings(self, interpretation: str) -> frozenset[str]:
        """Return the readings of an interpretation that this run accepts."""
        entry = next(e for e in self.pack.interpretations if e.id == interpretation)
        return accepted_readings(entry, self.profile, self.declared_readings)

    def require_facility(self, name: str) -> None:
        """Raise NotVerified if the host lacks the facility ``name``."""
        why = self.host.unsupported_reason(name)
        if why is not None:
            raise NotVerified("host_lacks", f"needs {name}: {why}", FACILITY_REMEDIES.get(name))

    def require_capability(self, capability: str) -> None:
        """Raise NotVerified when the candidate does not declare ``capability``."""
        if capability not in self.initialize_result.capabilities:
            raise NotVerified(
                "missing_capability", f"the candidate does not declare the capability {capability!r}"
            )
