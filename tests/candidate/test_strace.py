"""strace attached to a running process: it records the calls in the context, and an incomplete trace is an error."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from treeproof.candidate import strace
from treeproof.candidate.orphans import process_tree
from treeproof.candidate.privileges import make_preexec_fn
from treeproof.candidate.strace import Tracer, TraceUnavailable, read_trace
from treeproof.tree import Workspace, probe_host

STAT_ARGS = (b"-e", b"trace=?lstat,?newfstatat,?statx")
PROGRAM = """
import os, sys
for line in sys.stdin:
    try:
        os.lstat(line.rstrip("\\n"))
        print("there", flush=True)
    except OSError as error:
        print(error.strerror, flush=True)
"""
PARENT = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-I', '-S', '-c', sys.argv[1]]))"


class StatProcess:
    """A process that calls lstat on given paths."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", *(command or (PROGRAM,))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=make_preexec_fn(),
        )
        self.pid = self.process.pid
        assert self.stat("/") == "there"

    def stat(self, path: str) -> str:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert isinstance(stdin, IO | object) and stdin is not None and stdout is not None
        stdin.write(f"{path}\n")
        stdin.flush()
        return stdout.readline().strip()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def start_process() -> Iterator[Callable[..., StatProcess]]:
    with Workspace.create() as workspace:
        reason = probe_host(os.fsencode(workspace.path)).unsupported_reason("strace")
    if reason is not None:
        pytest.skip(f"not verified: tracing and fault injection in a running process; needs strace: {reason}")
    processes: list[StatProcess] = []

    def make(*command: str) -> StatProcess:
        processes.append(StatProcess(*command))
        return processes[-1]

    yield make
    for each in processes:
        each.end()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "strace.log"


def test_only_calls_inside_the_context_are_traced(start_process: Callable[..., StatProcess], log: Path) -> None:
    process = start_process()
    process.stat("/before")
    with Tracer(process_tree(process.pid), STAT_ARGS, log) as tracer:
        process.stat("/inside")
    process.stat("/after")
    text = "\n".join(tracer.trace.lines)
    assert ('"/inside"' in text, "/before" in text, "/after" in text) == (True, False, False)
    assert tracer.trace.injected_count == 0
    assert not log.exists()


def test_a_call_fails_inside_the_context_only(start_process: Callable[..., StatProcess], log: Path) -> None:
    process = start_process()
    inject = (b"-P", b"/etc", *STAT_ARGS, b"-e", b"inject=?lstat,?newfstatat,?statx:error=EIO")
    with Tracer(process_tree(process.pid), inject, log) as tracer:
        assert [process.stat(path) for path in ("/", "/etc", "/usr")] == [
            "there",
            "Input/output error",
            "there",
        ]
    assert tracer.trace.injected_count == 1
    assert process.stat("/etc") == "there"


def test_children_are_traced_with_their_parent(start_process: Callable[..., StatProcess], log: Path) -> None:
    process = start_process(PARENT, PROGRAM)
    pids = process_tree(process.pid)
    assert (pids[0], len(pids)) == (process.pid, 2)
    with Tracer(pids, STAT_ARGS, log) as tracer:
        process.stat("/inside")
    assert any("/inside" in line for line in tracer.trace.lines)


def test_a_second_trace_starts_empty(start_process: Callable[..., StatProcess], log: Path) -> None:
    process = start_process()
    for path in ("/first", "/second"):
        with Tracer(process_tree(process.pid), STAT_ARGS, log) as tracer:
            process.stat(path)
        assert [path in line for line in tracer.trace.lines].count(True) == 1
        assert "/first" not in "".join(tracer.trace.lines) or path == "/first"


def test_a_process_that_has_ended_cannot_be_traced(start_process: Callable[..., StatProcess], log: Path) -> None:
    process = start_process()
    process.end()
    with pytest.raises(TraceUnavailable, match="strace cannot attach to the candidate"):
        Tracer((process.pid,), STAT_ARGS, log).__enter__()


def test_a_missing_strace_is_reported_in_one_line(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(TraceUnavailable, match="^strace is not installed$"):
        Tracer((1,), STAT_ARGS, log).__enter__()


def install_fake_strace(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    (folder / "strace").write_text(script)
    (folder / "strace").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_too_many_arguments_make_the_trace_unavailable(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_fake_strace(tmp_path, monkeypatch, "#!/bin/sh\n")
    with pytest.raises(TraceUnavailable, match="^strace cannot be started: Argument list too long$"):
        Tracer((1,), (b"-P", b"/" + b"x" * 4_000_000), log).__enter__()


def test_a_strace_that_never_attaches_times_out(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_fake_strace(tmp_path, monkeypatch, "#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(strace, "_TIMEOUT_SECONDS", 0.2)
    with pytest.raises(TraceUnavailable, match="strace printed nothing"):
        Tracer((os.getpid(),), STAT_ARGS, log).__enter__()


def test_a_killed_strace_makes_the_trace_unavailable(start_process: Callable[..., StatProcess], log: Path) -> None:
    process = start_process()
    tracer = Tracer(process_tree(process.pid), STAT_ARGS, log)
    with pytest.raises(TraceUnavailable, match="strace was killed"), tracer:
        assert tracer._strace is not None
        os.kill(tracer._strace.pid, signal.SIGKILL)
        tracer._strace.wait()
        process.stat("/unseen")
    assert tracer.trace.lines == ("",) or tracer.trace.injected_count == 0


def test_an_error_inside_is_not_hidden_by_the_end_of_the_trace(
    start_process: Callable[..., StatProcess], log: Path
) -> None:
    process = start_process()
    with pytest.raises(ZeroDivisionError), Tracer(process_tree(process.pid), STAT_ARGS, log):
        process.end()
        raise ZeroDivisionError


def test_a_process_may_end_during_the_trace(start_process: Callable[..., StatProcess], log: Path) -> None:
    process = start_process()
    began = time.monotonic()
    with Tracer(process_tree(process.pid), STAT_ARGS, log) as tracer:
        process.stat("/inside")
        process.end()
    assert any("/inside" in line for line in tracer.trace.lines)
    assert time.monotonic() - began < 5


def test_an_unwritable_log_makes_the_trace_unavailable(log: Path) -> None:
    log.write_text("1 lstat() = 0\n")
    stderr = f"strace: Process 7 attached\n/usr/bin/strace: {log}: No space left on device\n".encode()
    with pytest.raises(TraceUnavailable, match="could not write its log: No space left on device"):
        read_trace(log, stderr)
    assert not log.exists()


def test_a_log_that_is_too_long_makes_the_trace_unavailable(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strace, "_MAX_LOG_BYTES", 10)
    log.write_bytes(b"0123456789")
    assert read_trace(log).lines == ("0123456789",)
    log.write_bytes(b"0123456789x")
    with pytest.raises(TraceUnavailable, match="longer than"):
        read_trace(log)


def test_no_log_is_an_empty_trace(log: Path) -> None:
    assert read_trace(log).lines == ()


@pytest.mark.skipif(
    shutil.which("unshare") is None,
    reason="not verified: that a trace cut by a full disk is noticed; needs unshare",
)
def test_a_full_disk_makes_the_trace_unavailable(start_process: Callable[..., StatProcess], tmp_path: Path) -> None:
    start_process()  # skips where there is no strace
    (tmp_path / "tiny").mkdir()
    code = f"""
import os, subprocess, sys
from pathlib import Path
from treeproof.candidate.strace import Tracer, TraceUnavailable
process = subprocess.Popen(["sh", "-c", "read go; for i in 1 2 3 4 5 6 7 8 9; do ls -l / >&2; done"],
                          stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
try:
    with Tracer((process.pid,), (b"-e", b"trace=%file,%desc"), Path({str(tmp_path)!r}) / "tiny" / "log"):
        process.communicate(b"\\n")
except TraceUnavailable as error:
    print(error)
"""
    mounted = f'mount -t tmpfs -o size=8k tmpfs {tmp_path / "tiny"} && exec "$@"'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mounted, "sh", sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    if "unshare" in done.stderr:
        pytest.skip(f"not verified: that a trace cut by a full disk is noticed; {done.stderr.strip()}")
    assert done.stdout == "strace could not write its log: No space left on device\n", done.stderr
