"""Finds the process that listens at a local address, and whether file modes apply to it. Linux: read from /proc."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_LISTENING = "0A"  # TCP_LISTEN
_DAC_BITS = 0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
_LOCAL_HOSTS = ("localhost", "::1", "127.")


@dataclass(frozen=True)
class ListenerProcess:
    """A process that treeproof did not start."""

    pid: int
    uid: int
    ignores_file_modes: bool


def find_listener_process(host: str, port: int) -> ListenerProcess | None:
    """Return the process that listens there, None if unknown; of several, one that ignores file modes."""
    if not host.startswith(_LOCAL_HOSTS):
        return None
    sockets = set(_listening_sockets(port))
    owners = _processes_with_sockets(sockets) if sockets else ()
    return max(owners, key=lambda owner: owner.ignores_file_modes, default=None)


def _listening_sockets(port: int) -> Iterator[str]:
    """Yield the link targets of the descriptors of all sockets that listen on a port."""
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path(f"/proc/self/net/{table}").read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    yield f"socket:[{fields[9]}]"


def _processes_with_sockets(sockets: set[str]) -> Iterator[ListenerProcess]:
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError):  # it has ended, or belongs to another user
                if any(os.readlink(each) in sockets for each in (process / "fd").iterdir()):
                    yield _read_process(process)


def _read_process(process: Path) -> ListenerProcess:
    lines = (process / "status").read_text("utf-8", "replace").splitlines()
    status = dict(line.split(":", 1) for line in lines)
    effective = int(status["CapEff"], 16)
    return ListenerProcess(int(process.name), int(status["Uid"].split()[1]), bool(effective & _DAC_BITS))
