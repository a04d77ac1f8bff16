"""Whose process listens at an address of this machine, and whether file modes bind it. Linux: read from /proc."""

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
    """A process that somebody else has started."""

    pid: int
    uid: int
    ignores_file_modes: bool


def find_listener_process(host: str, port: int) -> ListenerProcess | None:
    """The process that listens there; None where that cannot be told. Of several, one that ignores modes."""
    if not host.startswith(_LOCAL_HOSTS):
        return None
    sockets = set(_listening_sockets(port))
    owners = [owner for owner in _processes_with_sockets(sockets) if owner is not None] if sockets else []
    return max(owners, key=lambda owner: owner.ignores_file_modes, default=None)


def _listening_sockets(port: int) -> Iterator[str]:
    """What the descriptors of the sockets that listen on a port are links to."""
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path(f"/proc/self/net/{table}").read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    yield f"socket:[{fields[9]}]"


def _processes_with_sockets(sockets: set[str]) -> Iterator[ListenerProcess | None]:
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError):  # it has ended, or is none of ours
                if any(os.readlink(each) in sockets for each in (process / "fd").iterdir()):
                    yield _read_process(process)


def _read_process(process: Path) -> ListenerProcess:
    said = dict(
        line.split(":", 1) for line in (process / "status").read_text("utf-8", "replace").splitlines()
    )
    effective = int(said["CapEff"], 16)
    return ListenerProcess(int(process.name), int(said["Uid"].split()[1]), bool(effective & _DAC_BITS))
