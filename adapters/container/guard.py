"""Removes the containers of a process that was killed: a process of its own, which outlives it.

This file is also that process's program, which imports nothing of treeproof. Each line that it reads adds a container
to those that exist, or takes one away. The end of its input is the end of treeproof.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

_SECONDS = 60.0
"""How long the guard goes on after the end of treeproof."""
_COMMAND_SECONDS = 20.0
_PAUSE_SECONDS = 0.2


class Guard:
    """The guard of this process, which runs as long as there are containers."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._names: set[str] = set()

    def add(self, command: Sequence[str], name: str) -> None:
        """Let the guard remove the container ``name`` of an engine, unless `discard` comes first."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-IS", __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                process_group=0,  # in this session, for what is in another one counts as a candidate's
            )
        self._names.add(name)
        self._send([list(command), name])

    def discard(self, name: str) -> None:
        """Tell the guard that a container is gone."""
        if name not in self._names:
            return
        self._names.discard(name)
        self._send([[], name])
        if not self._names and self._process is not None:
            process, self._process = self._process, None
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self._stdin_of(process).close()
                process.wait(_COMMAND_SECONDS)

    def _send(self, message: object) -> None:
        if self._process is not None:
            with contextlib.suppress(OSError):  # somebody has killed the guard
                self._stdin_of(self._process).write(json.dumps(message).encode() + b"\n")
                self._stdin_of(self._process).flush()

    def _stdin_of(self, process: "subprocess.Popen[bytes]") -> IO[bytes]:
        assert process.stdin is not None
        return process.stdin


def main() -> None:
    """Read names until the end of stdin, and remove what is left then."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    left: dict[str, list[str]] = {}
    for line in sys.stdin:
        command, name = json.loads(line)
        if command:
            left[name] = command
        else:
            left.pop(name, None)
    deadline = time.monotonic() + _SECONDS
    while left and time.monotonic() < deadline:
        for name, command in tuple(left.items()):
            # A client that still runs may make the container after its removal.
            is_used = _has_process(name)
            if _remove(command, name) and not is_used:
                del left[name]
        time.sleep(_PAUSE_SECONDS if left else 0)


def _remove(command: Sequence[str], name: str) -> bool:
    """Return whether the container is gone."""
    force = ["rm", "--force", "--volumes"] + (["--time", "0", "--ignore"] if command[0].endswith("podman") else [])
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            [*command, *force, name],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_COMMAND_SECONDS,
            check=False,
        )
        return done.returncode == 0 or b"o such container" in done.stderr
    return False


def _has_process(name: str) -> bool:
    """Return whether a process, such as a client of the engine, has the name in its command line."""
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if name.encode() in process.read_bytes() and process.parent.name != str(os.getpid()):
                return True
    return False


if __name__ == "__main__":
    main()
