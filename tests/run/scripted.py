"""An adapter that does what a test says, without a process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from treeproof.candidate import (
    Call,
    CallResult,
    CandidateFault,
    InitializeResult,
    ProcessOptions,
    ToolDefinition,
    UnsupportedByAdapter,
)

INITIALIZE_RESULT = InitializeResult(1, "scripted", "1", "python", {"say": "echoes@1"}, frozenset({"log"}), {})


@dataclass
class ScriptedAdapter:
    """An adapter without a process; a call with ``bad`` is a fault, and one with ``unsupported`` is refused."""

    initialize_result: InitializeResult = INITIALIZE_RESULT
    kind: str = "scripted"
    target: str = "scripted"
    pid: int | None = None
    respects_file_modes: bool = True
    before_fault: Callable[[], None] = lambda: None
    calls: list[Call] = field(default_factory=list)
    start_workspaces: list[str] = field(default_factory=list)
    spawn_options: list[ProcessOptions] = field(default_factory=list)
    spawned_initialize_result: InitializeResult = INITIALIZE_RESULT
    threads: set[int] = field(default_factory=set)
    dead: bool = False
    closed: bool = False

    def start(self, workspace: str) -> InitializeResult:
        self.start_workspaces.append(workspace)
        return self.initialize_result

    def describe(self, tool: str) -> ToolDefinition:
        raise CandidateFault("exit", "describe: gone")

    def call(self, call: Call) -> CallResult:
        self.calls.append(call)
        self.threads.add(threading.get_ident())
        if isinstance(call.arguments, dict) and call.arguments.get("unsupported"):
            raise UnsupportedByAdapter("this call is not supported")
        if self.dead or (isinstance(call.arguments, dict) and call.arguments.get("bad")):
            self.before_fault()
            raise CandidateFault("exit", "call: it ended with exit code 1")
        return CallResult("ok", "fine", None, None, None, None, None, b"")

    def ensure_started(self, call: Call) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def spawn(self, options: ProcessOptions) -> ScriptedAdapter:
        if options.umask == 0:
            raise UnsupportedByAdapter("it cannot be started")
        self.spawn_options.append(options)
        return replace(self, initialize_result=self.spawned_initialize_result)

    def captured_output(self) -> str:
        return ""
