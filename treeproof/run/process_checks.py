"""The checks of the processes of a candidate: output, a second process, signals, the end, and what is left behind.

Like `adapter_checks`, they give no verdict.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from treeproof.candidate import Adapter, Call, CandidateFault, ProcessOptions, RpcAdapter, format_untrusted
from treeproof.run.check_context import (
    FAULT_REMEDIES,
    PROCESS_MARKER_VARIABLE,
    TIMEOUT_REMEDY,
    CheckContext,
    fault_result,
)
from treeproof.verdict.checks import CheckResult

_LATE_OUTPUT_SECONDS = 0.2
_SIGNAL_SECONDS = 10.0
"""How long a process may take to stop or to end after a signal."""
_SIGNAL_POLL_SECONDS = 0.002


def check_output(context: CheckContext) -> Iterator[CheckResult]:
    time.sleep(_LATE_OUTPUT_SECONDS)
    for tool in list(context.candidate.initialize_result.tools)[:1]:
        context.candidate.adapter.describe(tool)  # late output on stdout is a fault here
    in_process = context.target.is_own
    detail = context.candidate.adapter.captured_output()
    lines = len(detail.splitlines())
    if in_process and detail:
        last = format_untrusted(detail.splitlines()[-1], 80)
        yield CheckResult(
            "stdout", "warning", f"it prints ({lines} lines; the last: {last}); not mixed with its answers"
        )
    elif not in_process:
        yield CheckResult("stdout", "ok", "only answers, one line for each request")
        left_out = "; more than treeproof keeps" if "earlier bytes left out" in detail else ""
        yield CheckResult("stderr", "warning" if left_out else "ok", f"{lines} lines, read separately{left_out}")
    limit = context.target.limits.call_seconds
    slow = context.slowest_call_seconds > limit / 2
    detail = f"the slowest answer took {context.slowest_call_seconds:.2f} s (limit {limit:g} s)"
    yield CheckResult("time", "warning" if slow else "ok", detail, TIMEOUT_REMEDY if slow else "")


def check_second_process(context: CheckContext) -> Iterator[CheckResult]:
    """Start a second process in another working directory; stop it, kill it, and call it after each signal."""
    first = context.candidate.initialize_result
    other = context.spawn(ProcessOptions(cwd=b"/", umask=0o077))
    try:
        hello = context.start(other).initialize_result
        plain = next((context.build_plain_call(*claim) for claim in first.tools.items()), None)
        if plain is None:
            return
        context.call(plain, other)
    except CandidateFault as fault:
        yield CheckResult("second process", "error", f"in the working directory /: {fault}", _WORKING_DIRECTORY_REMEDY)
        return
    same = (hello.tools, hello.capabilities) == (first.tools, first.capabilities)
    detail = "started in another working directory, it answers" + ("" if same else ", but declares something else")
    yield CheckResult(
        "second process", "ok" if same else "error", detail, "" if same else FAULT_REMEDIES["inconsistent"]
    )
    if other.pid is None:
        yield CheckResult("time-out", "skipped", "the candidate has no process between two messages")
        return
    signals = ((signal.SIGSTOP, "time-out", "timeout"), (signal.SIGKILL, "crash", "exit"))
    for number, name, expected in signals:
        yield _check_recovery(context, other, plain, number, name, expected)


_WORKING_DIRECTORY_REMEDY = (
    "find files beside the program itself, not in the working directory (in a manifest: {folder}/…)"
)


_LAUNCHER_REMEDY = (
    "another process answers than the one that was started: name the program that npx, uvx or a script starts, or "
    "write exec before it"
)


def _check_recovery(
    context: CheckContext, other: Adapter, plain: Call, number: signal.Signals, name: str, expected: str
) -> CheckResult:
    """Stop or kill the process: the next call must report the ``expected`` fault, and the one after it succeed."""
    assert other.pid is not None
    os.kill(other.pid, number)
    _wait_for_effect(other.pid)
    try:
        _call_soon(context, other, plain)
    except CandidateFault as fault:
        if fault.kind != expected:
            return fault_result(name, fault)
        detail = fault.detail.partition(";")[0]
    else:
        return CheckResult(name, "error", f"after {number.name} the process still answers", _LAUNCHER_REMEDY)
    try:
        context.call(plain, other)
    except CandidateFault as fault:
        return CheckResult(name, "error", f"restarted after {number.name}: {fault}", FAULT_REMEDIES[fault.kind])
    return CheckResult(name, "ok", f"reported as a fault ({format_untrusted(detail, 80)}); after a restart it answers")


def _wait_for_effect(pid: int) -> None:
    """Wait until a signal has stopped or ended a child process."""
    if not hasattr(os, "waitid"):  # macOS
        time.sleep(0.02)
        return
    options = os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT
    deadline = time.monotonic() + _SIGNAL_SECONDS
    with contextlib.suppress(ChildProcessError):  # another thread has read its exit status
        while os.waitid(os.P_PID, pid, options) is None and time.monotonic() < deadline:
            time.sleep(_SIGNAL_POLL_SECONDS)


def _call_soon(context: CheckContext, other: Adapter, plain: Call) -> None:
    """Call a process that cannot answer. It need not be waited for as long as for one that can."""
    if isinstance(other, RpcAdapter):
        seconds = min(context.target.limits.call_seconds, max(1.0, 4 * context.slowest_call_seconds))
        other.call_within(plain, seconds)
    else:
        other.call(plain)


def check_shutdown(context: CheckContext) -> Iterator[CheckResult]:
    seconds = context.target.limits.close_seconds
    began = time.monotonic()
    context.candidate.adapter.close()
    seconds_taken = time.monotonic() - began
    close_problem = getattr(context.candidate.adapter, "close_problem", None)
    if close_problem is not None:
        remedy = f"answer shutdown with null and exit with 0 within {seconds:g} s"
        yield CheckResult("shutdown", "error", format_untrusted(close_problem, 200), remedy)
    elif context.target.kind == "command":
        yield CheckResult("shutdown", "skipped", "one process per message: each has ended")
    else:
        yield CheckResult("shutdown", "ok", f"done in {seconds_taken:.2f} s (limit {seconds:g} s)")


def check_leftovers(context: CheckContext) -> Iterator[CheckResult]:
    context.close()
    left = context.orphans.kill_orphans() or len(_marked_processes(context.process_marker))
    if left:
        several = "process is" if left == 1 else "processes are"
        remedy = "end the processes that the candidate starts before it exits; start no daemons"
        yield CheckResult("left behind", "error", f"{left} {several} still running after the end", remedy)
    else:
        yield CheckResult("left behind", "ok", "no process")
    if unknown := context.environment.workspace.unexpected_names():
        names = ", ".join(format_untrusted(name, 40) for name in unknown[:5])
        yield CheckResult("left behind", "warning", f"in the workspace: {names}", "write nothing beside the sandboxes")


def _marked_processes(marker: str) -> list[int]:
    """Return the processes with the marker variable in their environment, read from /proc."""
    marker_entry, found = f"{PROCESS_MARKER_VARIABLE}={marker}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker_entry in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found
