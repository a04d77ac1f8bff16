"""The kernel's counters of a candidate's private network: they show attempts to use it without tracing. Linux only.

A candidate that finds itself traced may behave. The kernel counts every datagram and connection that finds no route.
"""

import contextlib
import os

from treeproof.candidate.orphans import process_tree

_FILES = ("snmp", "snmp6")
_SENT = frozenset({"OutRequests", "OutNoRoutes", "Ip6OutRequests", "Ip6OutNoRoutes"})
"""What leaves this network, or would."""


def count_network_attempts(pid: int) -> int | None:
    """Return how often the process and its descendants have tried to send something in a private network so far.

    None if they share the network of treeproof, or if nothing can be read here.
    """
    counts: dict[str, int] = {}
    with contextlib.suppress(OSError):
        own = os.readlink("/proc/self/ns/net")
        for process in process_tree(pid):
            with contextlib.suppress(OSError):
                network = os.readlink(f"/proc/{process}/ns/net")
                if network != own:
                    counts[network] = sum(_read_counts(process, name) for name in _FILES)
    return sum(counts.values()) if counts else None


def _read_counts(pid: int, name: str) -> int:
    try:
        with open(f"/proc/{pid}/net/{name}", encoding="ascii") as file:
            lines = [line.split() for line in file]
    except FileNotFoundError:  # without IPv6
        return 0
    if name == "snmp6":
        return sum(int(value) for key, value in lines if key in _SENT)
    # Pairs of lines: the names after a protocol, and the values.
    pairs = zip(lines[::2], lines[1::2], strict=False)
    rows = (zip(names[1:], values[1:], strict=True) for names, values in pairs if names[0] == "Ip:")
    return sum(int(value) for row in rows for key, value in row if key in _SENT)
