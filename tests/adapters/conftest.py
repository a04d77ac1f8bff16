"""Adapters to the sample candidates, and checks of this process afterwards.

Time limits are so long that only what never ends exceeds them. A test of a time-out shortens the limit of one call.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.descriptors import open_descriptors
from treeproof.candidate import Adapter, Call, CallResult, Limits, RpcAdapter, Target, ToolConfig, connect

SAMPLE_CANDIDATES = Path(__file__).parents[1] / "candidate" / "sample_candidates"
Connect = Callable[..., Adapter]
LONG_LIMITS = {"call_seconds": 60.0, "start_seconds": 60.0, "close_seconds": 60.0}
PATIENCE_SECONDS = 60


@pytest.fixture
def sample_candidates() -> Path:
    return SAMPLE_CANDIDATES


@pytest.fixture
def call() -> Callable[..., Call]:
    """Return a function that makes calls of list_directory with given arguments."""

    def make_call(text: str | None = None, /, **arguments: Any) -> Call:
        return Call("list_directory", arguments, {"roots": ["/tmp"], "working_dir": "/tmp"}, text)

    return make_call


@pytest.fixture
def call_within() -> Callable[[Adapter, Call, float | None], CallResult]:
    """Return a function that makes a call with a time limit of its own; with None, that of the adapter."""

    def make_call(candidate: Adapter, call: Call, seconds: float | None) -> CallResult:
        if seconds is None:
            return candidate.call(call)
        assert isinstance(candidate, RpcAdapter)
        return candidate.call_within(call, seconds)

    return make_call


@pytest.fixture
def adapter() -> Iterator[Connect]:
    """Make adapters to sample candidates; after their end no child process and no descriptor may remain."""
    before = open_descriptors()
    adapters: list[Adapter] = []

    def make(kind: str, args: str = "misbehaving.py", **changes: Any) -> Adapter:
        limits = Limits(**LONG_LIMITS | changes.pop("limits", {}))
        if kind == "python":
            changes["factory"] = args
        else:
            changes["argv"] = (sys.executable, *args.split())
        target = Target(text=f"{kind}:{args}", kind=kind, folder=SAMPLE_CANDIDATES, limits=limits, **changes)
        adapters.append(connect(target))
        return adapters[-1]

    yield make
    for each in adapters:
        each.close()
    assert children() == []
    assert open_descriptors() == before


@pytest.fixture
def server(adapter: Connect) -> Connect:
    """Make adapters to the sample MCP server; with ``declares`` it sends a declaration for treeproof."""

    def make(*, declares: bool = True, args: str = "", env: dict[str, str] | None = None, **changes: Any) -> Adapter:
        declared = {"treeproof/candidate": {"tools": {"list_directory": "list_directory@1.1"}}}
        capabilities = {"tools": {}, "experimental": declared}
        declaration = {"INITIALIZE": json.dumps({"capabilities": capabilities})} if declares else {}
        return adapter("mcp", f"mcp_server.py {args}".strip(), env={**declaration, **(env or {})}, **changes)

    return make


@pytest.fixture(autouse=True)
def assert_no_thread_remains() -> Iterator[None]:
    """Check that the event loop of an MCP server ends with its adapter."""
    yield
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(thread.name == "treeproof mcp" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def children() -> list[int]:
    """Return the child processes of this process, including zombies."""
    tasks = Path("/proc/self/task").iterdir()
    found: list[int] = []
    for task in tasks:
        with contextlib.suppress(OSError):  # the thread has ended meanwhile
            found += map(int, (task / "children").read_text().split())
    return found


@pytest.fixture
def is_running() -> Callable[[int], bool]:
    def check(pid: int) -> bool:
        try:
            return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
        except FileNotFoundError:
            return False

    return check


@pytest.fixture
def wait_for_end(is_running: Callable[[int], bool]) -> Callable[[int], None]:
    def wait(pid: int) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while is_running(pid):
            assert time.monotonic() < deadline
            time.sleep(0.01)

    return wait


@pytest.fixture
def assert_ends_with_treeproof(wait_for_end: Callable[[int], None]) -> Callable[[str], None]:
    """Return a check that the process of a target ends when the process that started it is killed."""

    def check(target: str) -> None:
        script = f"""
            import os, signal, sys
            from pathlib import Path
            from treeproof.candidate import Target, connect
            adapter = connect(Target.parse({target!r}, folder=Path({str(SAMPLE_CANDIDATES)!r})))
            adapter.start("/tmp")
            print(adapter.pid, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        """
        run = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            capture_output=True,
            text=True,
            cwd=SAMPLE_CANDIDATES.parents[2],
            check=False,
        )
        assert run.returncode == -signal.SIGKILL, run.stderr
        wait_for_end(int(run.stdout))

    return check


@pytest.fixture
def wait_for_file() -> Callable[[Path], None]:
    """Return a function that waits until a file exists."""

    def wait(path: Path) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not path.exists():
            assert time.monotonic() < deadline, f"{path} does not exist"
            time.sleep(0.01)

    return wait


@pytest.fixture
def assert_ends_by_ctrl_c(
    call: Callable[..., Call], wait_for_file: Callable[[Path], None], tmp_path: Path
) -> Callable[[Adapter], None]:
    """Return a check that SIGINT during a call ends the candidate's process."""
    marker = tmp_path / "called"

    def interrupt_the_call() -> None:
        wait_for_file(marker)
        os.kill(os.getpid(), signal.SIGINT)

    def check(candidate: Adapter) -> None:
        candidate.start("/tmp")
        thread = threading.Thread(target=interrupt_the_call)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            candidate.call(call(do="hang", marker=str(marker)))
        thread.join()
        assert candidate.pid is None

    return check


@pytest.fixture
def tool_config() -> Callable[[str], ToolConfig]:
    return ToolConfig
