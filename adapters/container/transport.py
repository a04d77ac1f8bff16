"""The transport to a container: one that answers line by line, with a mount, variables and a directory of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from treeproof.candidate import (
    CandidateProcess,
    Limits,
    Method,
    PrivateMount,
    ProcessOptions,
    RpcResponse,
    TailBuffer,
    Target,
    UnsupportedByAdapter,
    UsageError,
    format_untrusted,
)

from ..root_placeholders import require_own_directory
from ..stdio import StdioTransport
from .engine import Engine, EngineRefusal, new_name
from .image import Image

_MOUNT_PROGRAM = Path(__file__).with_name("mounting.py")
_MOUNT_SECONDS = 30.0
_PID_SECONDS = 20.0
_POLL_SECONDS = 0.02
_KEPT_VARIABLE = "HOME"
"""Each engine sets it, whatever it is told."""


class ContainerProcess(CandidateProcess):
    """The client that is attached to a container; its end is that of the container."""

    def __init__(
        self, engine: Engine, name: str, process: int | None, stderr: TailBuffer, target: Target, place: str
    ) -> None:
        """Start the container ``name``, whose waiting process is ``process``, and which has the directory ``place``.

        ``program_pid`` is 0 if its process is not known. Raises CandidateFault ``start``.
        """
        self._engine, self._name, self._place = engine, name, place
        self._pidfd_inside = -1
        command = [*engine.command, "start", "--attach", "--interactive", name]
        super().__init__(
            command,
            env=os.environ,
            cwd=b"/",
            umask=None,
            stderr=stderr,
            ignored=target.ignored_output,
            is_client=True,
        )
        self.program_pid = process or (0 if engine.is_podman else self._wait_for_process())
        with contextlib.suppress(AttributeError, OSError):  # not Linux, or it has ended
            if self.program_pid:
                self._pidfd_inside = os.pidfd_open(self.program_pid)

    def terminate(self, term_seconds: float = 0.0) -> None:
        """End the client and the container, and remove that. Idempotent."""
        if self._terminated:
            return
        if self._pidfd_inside >= 0:
            if not term_seconds:
                with contextlib.suppress(OSError):  # it has ended, or belongs to another user
                    signal.pidfd_send_signal(self._pidfd_inside, signal.SIGKILL)
            os.close(self._pidfd_inside)
        super().terminate(term_seconds)
        self._engine.remove(self._name)

    def _wait_for_process(self) -> int:
        deadline = time.monotonic() + _PID_SECONDS
        with contextlib.suppress(EngineRefusal):
            while not self._has_exited() and time.monotonic() < deadline:
                if (process := self._engine.process_of(self._name)) is not None:
                    return process if sees_directory(process, self._place) else 0
                self._poll_once(_POLL_SECONDS)
        return 0


def sees_directory(process: int, place: str) -> bool:
    """Return whether a process of this machine has this directory: an engine elsewhere has process ids of its own."""
    with contextlib.suppress(OSError):
        return os.path.samefile(f"/proc/{process}/root{place}", place)
    return False


class ContainerTransport(StdioTransport):
    """The transport to the containers of an image; each process of the candidate is a container of its own."""

    def __init__(self, image: Image, target: Target, limits: Limits, options: ProcessOptions) -> None:
        super().__init__(image.command(target.argv), target, limits, options)
        self._image = image
        self._places: tuple[str, ...] = ()

    def open(self) -> None:
        """Wait for `initialize`: it names the directory that the container needs."""
        self.kill()
        self._stderr = TailBuffer(self._limits.stderr_bytes)

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        if method == "initialize":
            own = str(json.loads(params)["workspace"])
            self._places = tuple(dict.fromkeys((own, *map(str, self._target.workspaces))))
            if self._roots is None:
                self._process = self._start(self._argv, self._target)
        return super().send_request(method, params, seconds)

    def spawn(self, options: ProcessOptions) -> "ContainerTransport":
        require_own_directory(self._target, options)
        return ContainerTransport(self._image, self._target, self._limits, options)

    def _start(self, argv: Sequence[str], target: Target) -> CandidateProcess:
        engine, name = self._image.engine, new_name()
        options, variables, argv = self._arguments(target, self._image.command(target.argv))
        try:
            process = engine.create(name, options, variables, self._image.start_words(argv), self._image.name)
            if process is not None and not sees_directory(process, self._places[0]):
                process = None
            self._image.learn(process, argv)
            if self._options.mount is not None:
                _mount(process, self._options.mount)
            return ContainerProcess(engine, name, process, self._stderr, target, self._places[0])
        except BaseException:
            engine.remove(name)
            raise

    def _arguments(self, target: Target, argv: tuple[str, ...]) -> tuple[list[str], str, tuple[str, ...]]:
        """Return the options of the engine, the lines of its file of variables, and the command line.

        Raises UnsupportedByAdapter for what no container can have, and UsageError for what none of them can have.
        """
        image, wanted = self._image, self._options
        options: list[str] = []
        for place in self._places:
            if any(sign in place for sign in ',"\n\r') or not _is_text(place):
                raise UsageError(
                    f"{format_untrusted(place)}: no container can have a directory with a comma, a quote, a line break "
                    "or a byte that is not UTF-8 in its path; name another one in TREEPROOF_WORKSPACE"
                )
            options += ["--mount", f"type=bind,source={place},destination={place}"]
        cwd = wanted.cwd
        if cwd is None and target.start_directory is not None:
            cwd = os.fsencode(target.start_directory)
        if cwd is not None and not _is_text(os.fsdecode(cwd)):
            raise UnsupportedByAdapter("no container can have a working directory with a path that is not UTF-8")
        if cwd is not None:
            options += ["--workdir", os.fsdecode(cwd)]
            argv = image.absolute(argv)
        if wanted.umask is not None:
            if not image.engine.is_podman:
                raise UnsupportedByAdapter(f"{image.engine.name} cannot give a container another umask")
            options += ["--umask", f"{wanted.umask:04o}"]
        own_home = {name: value for name, value in target.usual_env.items() if name == _KEPT_VARIABLE}
        merged: dict[str, str | None] = {**own_home, **wanted.env, **target.env}
        removed = [name for name, value in merged.items() if value is None]
        prefix = list(wanted.command_prefix)
        if _KEPT_VARIABLE in removed or (not image.engine.is_podman and image.env.keys() & removed):
            prefix[:0] = ["env", *(word for name in removed for word in ("-u", name))]
        elif image.env.keys() & removed:
            options += [word for name in removed for word in ("--unsetenv", name)]
        if prefix and image.has_program(prefix[0]) is not True:
            why = "has no program" if image.has_program(prefix[0]) is False else "may not have the program"
            raise UnsupportedByAdapter(f"the image {why} '{prefix[0]}', with which this process has to start")
        return options, _variables(merged), (*prefix, *argv)


def _variables(values: Mapping[str, str | None]) -> str:
    """Return the lines of a file of variables: a command line would show the values to every user.

    Raises UnsupportedByAdapter for a value that no line can hold.
    """
    for name, value in values.items():
        if value is not None and ("\n" in value or "\r" in value or not _is_text(value)):
            shown = format_untrusted(name, 80)
            raise UnsupportedByAdapter(f"no container can have a line break in a variable, or no UTF-8 ({shown})")
    return "".join(f"{name}={value}\n" for name, value in values.items() if value is not None)


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _mount(process: int | None, mount: PrivateMount) -> None:
    """Mount a file system for a container whose program has not started. Raises UnsupportedByAdapter."""
    if process is None:
        raise UnsupportedByAdapter(
            "a file system is mounted before a container starts, which only podman on this machine permits"
        )
    size = "" if mount.kib is None else f"{mount.kib}k"
    kind = "copy" if mount.is_copy else "bind"
    try:
        done = subprocess.run(
            [sys.executable, "-IS", str(_MOUNT_PROGRAM), str(process), kind, mount.source, mount.place, size],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_MOUNT_SECONDS,
            check=False,
            process_group=0,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise UnsupportedByAdapter(f"nothing can be mounted in the container: {problem}") from None
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise UnsupportedByAdapter(f"nothing can be mounted in the container: {format_untrusted(lines[-1], 200)}")
