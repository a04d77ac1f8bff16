"""Calls under strace: the trace of a call, and a call during which the process is killed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ProcessOptions, UnsupportedByAdapter
from treeproof.candidate.orphans import has_own_process_namespace, is_traced, left_processes, process_tree
from treeproof.candidate.strace import Trace, Tracer, TraceUnavailable
from treeproof.run.connected_candidate import ConnectedCandidate, not_sent
from treeproof.verdict import NotVerified


class TracedCalls:
    """The traced calls of one candidate.

    A candidate in this process, or one that starts a process per message, is traced in a process of its own.
    """

    def __init__(self, candidate: ConnectedCandidate) -> None:
        self._candidate = candidate
        self._process: Adapter | None = None
        self._is_persistent = False

    def call(
        self,
        call: Call,
        strace_args: Sequence[bytes],
        adapter: Adapter | None = None,
        on_delay: Callable[[], object] | None = None,
    ) -> tuple[CallResult, Trace]:
        """Make a call while strace runs with ``strace_args``.

        ``on_delay`` runs once, in a thread, when a system call begins to wait in an injected delay.

        Raises CandidateFault, and NotVerified if the call cannot be traced.
        """
        with self._require_strace():
            process = adapter or self._traceable_process()
            if process.pid is None:
                return self._call_in_new_process(call, strace_args, on_delay)
            self._ensure_started(process, call)
            with _trace(process.pid, strace_args) as tracer, tracer.during_delay(on_delay):
                answer = self._candidate.call(call, process)
            return answer, tracer.trace

    def call_and_kill(self, call: Call, strace_args: Sequence[bytes]) -> bool:
        """Make a call in a new process, which ``strace_args`` kill; return False if it answered.

        That death is no fault. Raises CandidateFault for other faults, and NotVerified if it cannot be traced.
        """
        with self._require_strace(), contextlib.closing(self._candidate.spawn(ProcessOptions())) as adapter:
            self._ensure_started(adapter, call)
            if adapter.pid is None:
                raise NotVerified(
                    "no_persistent_process",
                    "the candidate has no process between two messages that could be killed",
                )
            try:
                with Tracer(process_tree(adapter.pid), strace_args):
                    adapter.call(call)
            except UnsupportedByAdapter as reason:
                raise not_sent(reason) from reason
            except CandidateFault as fault:
                if fault.kind != "exit":
                    raise
                return True
        return False

    def close(self) -> None:
        """Stop the process that was started for tracing."""
        if self._process is not None:
            self._process.close()
            self._process = None

    @contextlib.contextmanager
    def _require_strace(self) -> Iterator[None]:
        self._candidate.environment.require_facility("strace")
        try:
            yield
        except TraceUnavailable as error:
            raise NotVerified("trace_unavailable", str(error)) from error

    def _ensure_started(self, adapter: Adapter, call: Call) -> None:
        self._candidate.guard(lambda: adapter.ensure_started(call), is_answer=False)

    def _traceable_process(self) -> Adapter:
        """Return the run's own process if it can be traced, else one that lives as long as the session."""
        if self._candidate.adapter.pid is not None:
            return self._candidate.adapter
        # A persistent process without a pid ended with a fault.
        if self._process is None or (self._is_persistent and self._process.pid is None):
            self.close()
            self._process = self._candidate.spawn(ProcessOptions())
            self._is_persistent = self._process.pid is not None
        return self._process

    def _call_in_new_process(
        self, call: Call, strace_args: Sequence[bytes], on_delay: Callable[[], object] | None
    ) -> tuple[CallResult, Trace]:
        """Attach strace to the process of the call, for candidates that have none between two messages."""
        tracers: list[Tracer] = []

        @contextlib.contextmanager
        def trace(pid: int) -> Iterator[None]:
            with _trace(pid, strace_args) as tracer, tracer.during_delay(on_delay):
                yield
            tracers.append(tracer)

        with contextlib.closing(self._candidate.spawn(ProcessOptions(during_call=trace))) as adapter:
            answer = self._candidate.call(call, adapter)
        if not tracers:  # an empty trace would be evidence of absent calls
            raise TraceUnavailable(f"the adapter {adapter.kind} has no process to which strace could attach")
        return answer, tracers[-1].trace


@contextlib.contextmanager
def _trace(pid: int, strace_args: Sequence[bytes]) -> Iterator[Tracer]:
    """Trace a process, its descendants, and the processes that have left its tree: they can act for it."""

    def processes() -> tuple[int, ...]:
        left = () if has_own_process_namespace(pid) else left_processes()
        return tuple(dict.fromkeys((*process_tree(pid), *left)))

    with Tracer(processes(), strace_args) as tracer:
        if not all(map(is_traced, processes())):
            raise TraceUnavailable("the candidate started a process while strace attached to it")
        yield tracer
