"""Adapter kind ``stdio``: a candidate in any language that answers JSON-RPC lines on its stdin and stdout.

The process lives from call to call. Kind ``python`` uses the same channel when a scenario needs a fresh
process.
"""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from treeproof.candidate import (
    Adapter,
    Call,
    CandidateFault,
    Child,
    Conversation,
    Launch,
    Limits,
    Method,
    Reply,
    Tail,
    Target,
    UsageError,
    framing,
    messages,
    shown,
)

_TERM_SECONDS = 0.5


def connect(target: Target, limits: Limits) -> Adapter:
    """An adapter, not yet started, to a command line. Raises UsageError where its program is missing."""
    require_program(target)
    return Conversation("stdio", Server(target.argv, target, limits, Launch()), target, limits)


class Server:
    """The channel to a process that answers line by line."""

    heeds_modes = True  # Child sees to it

    def __init__(self, argv: Sequence[str], target: Target, limits: Limits, launch: Launch) -> None:
        self._argv = tuple(argv)
        self._target = target
        self._limits = limits
        self._launch = launch
        self._child: Child | None = None
        self._asked = 0
        self._stderr = Tail(limits.stderr_bytes)

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.pid

    def open(self) -> None:
        self.drop()
        self._stderr = Tail(self._limits.stderr_bytes)
        self._child = launched(self._argv, self._target, self._launch, self._stderr)

    def ask(self, method: Method, params: str, seconds: float) -> Reply:
        if self._child is None:
            raise RuntimeError("the candidate is not open")
        self._asked += 1
        request = framing.request(self._asked, method, params)
        line = self._child.ask(request, seconds, self._limits.answer_bytes)
        return Reply(framing.result(line, self._asked), line)

    def stand_by(self, call: Call) -> None:
        """Nothing: one process answers all calls."""

    def close(self, seconds: float) -> str | None:
        if self._child is None:
            return None
        try:
            reply = self.ask("shutdown", messages.shutdown_params(), seconds)
            messages.checked_result("shutdown", reply.result)
            disorder = self._child.leave(seconds)
        except (CandidateFault, messages.MessageError) as fault:
            disorder = str(fault)
        self._child.end(_TERM_SECONDS)
        return disorder and f"shutdown: {disorder}"

    def drop(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None

    def fresh(self, launch: Launch) -> "Server":
        return Server(self._argv, self._target, self._limits, launch)

    def diagnostics(self) -> str:
        return self._stderr.shown()


def require_program(target: Target) -> None:
    """Raises UsageError unless the first word of the target's command line is a program."""
    program = target.argv[0]
    # A word with a slash starts from the candidate's working directory; any other is looked up on its PATH.
    place = target.working_directory / program if "/" in program else program
    if shutil.which(place, path=target.env.get("PATH")) is None:
        written_in = target.manifest or f"TARGET {shown(target.text)}"
        there = Path(place)
        if "/" in program and there.is_dir():
            raise UsageError(f"{written_in}: '{shown(program)}' is a folder; name a program in it")
        if "/" in program and there.exists():
            raise UsageError(
                f"{written_in}: '{shown(program)}' may not be executed; give it the execute bit, or name what runs it "
                f"first, as in 'node {shown(program)}'"
            )
        where = f"below {target.working_directory}" if "/" in program else "on the PATH"
        raise UsageError(f"{written_in}: there is no program '{shown(program)}' {where}")


def launched(argv: Sequence[str], target: Target, launch: Launch, stderr: Tail) -> Child:
    """A process of the candidate. Raises CandidateFault ``start``."""
    home = target.working_directory
    words = list(argv)
    if launch.cwd is not None:
        # Elsewhere ``./tool`` and ``server.mjs`` would name nothing: words that name a file at home become
        # absolute.
        words = [str(home / word) if os.path.isfile(home / word) else word for word in words]
    return Child(
        [*launch.prefix, *words],
        env=_environment(target.env, launch.env),
        cwd=os.fsencode(home) if launch.cwd is None else launch.cwd,
        umask=launch.umask,
        stderr=stderr,
    )


def host_command(target: Target, tools: Mapping[str, str]) -> list[str]:
    """The command line that serves a python target in its own process, with this one's import path."""
    paths = [path or os.getcwd() for path in sys.path]  # noqa: PTH109 - as the interpreter means ""
    start = f"import sys; sys.path[:] = {paths!a}; from treeproof.candidate.host import serve; "
    serve = f"serve('stdio', {target.factory!a}, folder={str(target.folder)!a}, tools={dict(tools)!a})"
    return [sys.executable, "-c", start + serve]


def _environment(*layers: Mapping[str, str | None]) -> dict[str, str]:
    environment = dict(os.environ)
    for layer in layers:
        for name, value in layer.items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
    return environment
