"""strace attached to a running process: it records the calls in the context, and an incomplete trace is an error."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from treeproof.candidate import strace
from treeproof.candidate.orphans import process_tree
from treeproof.candidate.privileges import make_preexec_fn
from treeproof.candidate.strace import Tracer, TraceUnavailable
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
NEGLIGENT_PARENT = f"""
import os
if (child := os.fork()) == 0:
    os._exit(0)
os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
{PROGRAM}
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


def test_only_calls_inside_the_context_are_traced(start_process: Callable[..., StatProcess]) -> None:
    process = start_process()
    process.stat("/before")
    with Tracer(process_tree(process.pid), STAT_ARGS) as tracer:
        process.stat("/inside")
    process.stat("/after")
    text = "\n".join(tracer.trace.lines)
    assert ('"/inside"' in text, "/before" in text, "/after" in text) == (True, False, False)
    assert tracer.trace.injected_count == 0


def test_a_call_fails_inside_the_context_only(start_process: Callable[..., StatProcess]) -> None:
    process = start_process()
    inject = (b"-P", b"/etc", *STAT_ARGS, b"-e", b"inject=?lstat,?newfstatat,?statx:error=EIO")
    with Tracer(process_tree(process.pid), inject) as tracer:
        assert [process.stat(path) for path in ("/", "/etc", "/usr")] == [
            "there",
            "Input/output error",
            "there",
        ]
    assert tracer.trace.injected_count == 1
    assert process.stat("/etc") == "there"


def test_children_are_traced_with_their_parent(start_process: Callable[..., StatProcess]) -> None:
    process = start_process(PARENT, PROGRAM)
    pids = process_tree(process.pid)
    assert (pids[0], len(pids)) == (process.pid, 2)
    with Tracer(pids, STAT_ARGS) as tracer:
        process.stat("/inside")
    assert any("/inside" in line for line in tracer.trace.lines)


def test_a_second_trace_starts_empty(start_process: Callable[..., StatProcess]) -> None:
    process = start_process()
    for path in ("/first", "/second"):
        with Tracer(process_tree(process.pid), STAT_ARGS) as tracer:
            process.stat(path)
        assert [path in line for line in tracer.trace.lines].count(True) == 1
        assert "/first" not in "".join(tracer.trace.lines) or path == "/first"


def test_a_process_that_has_ended_cannot_be_traced(start_process: Callable[..., StatProcess]) -> None:
    process = start_process()
    process.end()
    with pytest.raises(TraceUnavailable, match="^the candidate's process has ended$"):
        Tracer((process.pid,), STAT_ARGS).__enter__()


def test_a_missing_strace_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(TraceUnavailable, match="^strace is not installed$"):
        Tracer((os.getpid(),), STAT_ARGS).__enter__()


def install_fake_strace(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    (folder / "strace").write_text(script)
    (folder / "strace").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_too_many_arguments_make_the_trace_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_fake_strace(tmp_path, monkeypatch, "#!/bin/sh\n")
    with pytest.raises(TraceUnavailable, match="^strace cannot be started: Argument list too long$"):
        Tracer((os.getpid(),), (b"-P", b"/" + b"x" * 4_000_000)).__enter__()


def test_a_strace_that_never_attaches_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_fake_strace(tmp_path, monkeypatch, "#!/bin/sh\nexec sleep 600\n")
    monkeypatch.setattr(strace, "_TIMEOUT_SECONDS", 0.2)
    with pytest.raises(
        TraceUnavailable, match="^strace did not attach to the candidate in time: strace printed nothing$"
    ):
        Tracer((os.getpid(),), STAT_ARGS).__enter__()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("strace: attach: ptrace(PTRACE_SEIZE, PID): Operation not permitted", "strace cannot attach to the candidate"),
        ("strace: Can't fopen '/proc/self/fd/3'", "strace ended before it attached"),
    ],
)
def test_the_reason_of_a_strace_that_ends_is_its_own(
    line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = line.replace("PID", str(os.getpid()))
    install_fake_strace(tmp_path, monkeypatch, f'#!/bin/sh\necho "{line}" >&2\nexit 1\n')
    with pytest.raises(TraceUnavailable) as raised:
        Tracer((os.getpid(),), STAT_ARGS).__enter__()
    assert str(raised.value) == f"{message}: {line}"


def test_a_killed_strace_makes_the_trace_unavailable(start_process: Callable[..., StatProcess]) -> None:
    process = start_process()
    tracer = Tracer(process_tree(process.pid), STAT_ARGS)
    with pytest.raises(TraceUnavailable, match="strace was killed"), tracer:
        assert tracer._strace is not None
        os.kill(tracer._strace.pid, signal.SIGKILL)
        tracer._strace.wait()
        process.stat("/unseen")
    assert tracer.trace.lines == ("",) or tracer.trace.injected_count == 0


def test_an_error_inside_is_not_hidden_by_the_end_of_the_trace(start_process: Callable[..., StatProcess]) -> None:
    process = start_process()
    with pytest.raises(ZeroDivisionError), Tracer(process_tree(process.pid), STAT_ARGS):
        process.end()
        raise ZeroDivisionError


def test_a_process_may_end_during_the_trace(start_process: Callable[..., StatProcess]) -> None:
    process = start_process()
    with Tracer(process_tree(process.pid), STAT_ARGS) as tracer:  # raises after a time-out
        process.stat("/inside")
        process.end()
    assert any("/inside" in line for line in tracer.trace.lines)


def test_a_zombie_is_not_waited_for(start_process: Callable[..., StatProcess]) -> None:
    process = start_process(NEGLIGENT_PARENT)
    pids = process_tree(process.pid)
    assert len(pids) == 2
    with Tracer(pids, STAT_ARGS) as tracer:  # raises after a time-out
        process.stat("/inside")
    assert any("/inside" in line for line in tracer.trace.lines)


def test_a_process_that_ends_while_strace_attaches_is_not_waited_for(
    start_process: Callable[..., StatProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    process, other = start_process(), start_process()
    asked: list[int] = []

    def ends_late(pid: int) -> bool:
        asked.append(pid)
        return pid == other.pid and len(asked) > 2

    monkeypatch.setattr(strace, "has_ended", ends_late)
    other.process.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    with Tracer((process.pid, other.pid), STAT_ARGS) as tracer:
        process.stat("/inside")
    assert any("/inside" in line for line in tracer.trace.lines)


def test_a_log_that_is_too_long_makes_the_trace_unavailable(
    start_process: Callable[..., StatProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strace, "_MAX_LOG_BYTES", 1000)
    process = start_process()
    with pytest.raises(TraceUnavailable, match="longer than"), Tracer((process.pid,), STAT_ARGS) as tracer:
        for _ in range(50):
            assert process.stat("/inside") == "No such file or directory"
        assert os.fstat(tracer._log).st_size == 1001


def test_the_log_has_no_name(start_process: Callable[..., StatProcess], monkeypatch: pytest.MonkeyPatch) -> None:
    process = start_process()
    for memory in (True, False):
        if not memory:
            monkeypatch.delattr(os, "memfd_create")
        with Tracer((process.pid,), STAT_ARGS) as tracer:
            process.stat("/inside")
            assert os.fstat(tracer._log).st_nlink == 0
        assert any("/inside" in line for line in tracer.trace.lines)


@pytest.mark.skipif(
    shutil.which("unshare") is None,
    reason="not verified: that a trace cut by a full disk is noticed; needs unshare",
)
def test_a_full_disk_makes_the_trace_unavailable(start_process: Callable[..., StatProcess], tmp_path: Path) -> None:
    start_process()  # skips where there is no strace
    (tmp_path / "tiny").mkdir()
    code = f"""
import os, subprocess, sys
import tempfile
from treeproof.candidate.strace import Tracer, TraceUnavailable
del os.memfd_create
tempfile.tempdir = {str(tmp_path / "tiny")!r}
process = subprocess.Popen(["sh", "-c", "read go; for i in 1 2 3 4 5 6 7 8 9; do ls -l / >&2; done"],
                          stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
try:
    with Tracer((process.pid,), (b"-e", b"trace=%file,%desc")):
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
        timeout=120,
        check=False,
    )
    if "unshare" in done.stderr:
        pytest.skip(f"not verified: that a trace cut by a full disk is noticed; {done.stderr.strip()}")
    assert done.stdout == "strace could not write its log: No space left on device\n", done.stderr


def test_an_action_runs_while_a_call_waits(start_process: Callable[..., StatProcess], tmp_path: Path) -> None:
    process, path = start_process(), tmp_path / "late"
    delay = b"inject=?lstat,?newfstatat,?statx:delay_enter=5000000"
    args = (*STAT_ARGS, b"-P", os.fsencode(path), b"-e", delay)
    with Tracer(process_tree(process.pid), args) as tracer, tracer.during_delay(path.touch):
        assert not path.exists()
        assert process.stat(str(path)) == "there"
    assert tracer.trace.injected_count == 1


def test_no_action_runs_if_no_call_waits(start_process: Callable[..., StatProcess], tmp_path: Path) -> None:
    process, path = start_process(), tmp_path / "never"
    args = (*STAT_ARGS, b"-P", os.fsencode(path), b"-e", b"inject=?lstat:delay_enter=500000")
    with Tracer(process_tree(process.pid), args) as tracer, tracer.during_delay(path.touch):
        assert process.stat("/") == "there"
    assert not path.exists()
