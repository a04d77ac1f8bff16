"""Adapters to the gallery of small candidates, and what a test may look at in this process afterwards."""

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Adapter, Call, Limits, Target, ToolConfig, connect

GALLERY = Path(__file__).parents[1] / "candidate" / "gallery"
Connect = Callable[..., Adapter]


@pytest.fixture
def gallery() -> Path:
    return GALLERY


@pytest.fixture
def call() -> Callable[..., Call]:
    """A call of list_directory with these arguments."""

    def made(text: str | None = None, /, **arguments: Any) -> Call:
        return Call("list_directory", arguments, {"roots": ["/tmp"], "working_dir": "/tmp"}, text)

    return made


@pytest.fixture
def adapter() -> Iterator[Connect]:
    """Make adapters to gallery candidates; when they are closed no child and no descriptor is left."""
    before = descriptors()
    made: list[Adapter] = []

    def make(kind: str, words: str = "misbehaving.py", **changes: Any) -> Adapter:
        limits = Limits(**{"call_seconds": 5.0, "close_seconds": 1.0} | changes.pop("limits", {}))
        if kind == "python":
            changes["factory"] = words
        else:
            changes["argv"] = (sys.executable, *words.split())
        target = Target(text=f"{kind}:{words}", kind=kind, folder=GALLERY, limits=limits, **changes)
        made.append(connect(target))
        return made[-1]

    yield make
    for each in made:
        each.close()
    assert children() == []
    assert descriptors() == before


@pytest.fixture
def server(adapter: Connect) -> Connect:
    """Make adapters to the MCP server of the gallery; ``told`` says that it declares itself to the suite."""

    def make(
        *, told: bool = True, words: str = "", env: dict[str, str] | None = None, **changes: Any
    ) -> Adapter:
        declared = {"treeproof/candidate": {"tools": {"list_directory": "list_directory@1.1"}}}
        capabilities = {"tools": {}, "experimental": declared}
        says = {"SAYS": json.dumps({"capabilities": capabilities})} if told else {}
        return adapter("mcp", f"mcp_server.py {words}".strip(), env={**says, **(env or {})}, **changes)

    return make


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """The event loop of an MCP server ends with its adapter, whatever became of the server."""
    yield
    deadline = time.monotonic() + 5
    while any(thread.name == "treeproof mcp" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def descriptors() -> list[str]:
    """What this process has open, but for the look at it."""
    listed = Path("/proc/self/fd")
    return sorted(
        f"{entry.name} {os.readlink(entry)}"
        for entry in listed.iterdir()
        if entry.is_symlink() and "/fd" not in os.readlink(entry)
    )


def children() -> list[int]:
    """The child processes of this process, zombies among them."""
    tasks = Path("/proc/self/task").iterdir()
    found: list[int] = []
    for task in tasks:
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile has no children
            found += map(int, (task / "children").read_text().split())
    return found


@pytest.fixture
def is_running() -> Callable[[int], bool]:
    def look(pid: int) -> bool:
        try:
            return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
        except FileNotFoundError:
            return False

    return look


@pytest.fixture
def offered() -> Callable[[str], ToolConfig]:
    return ToolConfig
