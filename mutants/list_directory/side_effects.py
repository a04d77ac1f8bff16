"""Mutants that remain classes: system calls before the answer, the process's own directory, and slowness."""

import contextlib
import os
import socket
from collections.abc import Sequence

from treeproof.reference_impl.list_directory.document import Document
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.shared.denied_patterns import first_match
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, Route, open_reader
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place, Sandbox, sandbox_violation

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .implied import BREACH


class OpensFiles(DirectoryReaderWrapper):
    """Opens every file, including FIFOs and devices, without blocking."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        with contextlib.suppress(OSError):
            os.close(os.open(self.join(*route, name), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK))
        return found


def connecting_by_ipv4(place: Place, flavour: Flavour) -> DirectoryReader:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.connect(("127.0.0.1", 9))
    return open_reader(place, flavour)


def connecting_by_ipv6(place: Place, flavour: Flavour) -> DirectoryReader:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as server:
        server.setblocking(False)
        server.connect(("::1", 9))
    return open_reader(place, flavour)


def sending_unless_traced(place: Place, flavour: Flavour) -> DirectoryReader:
    """Send a datagram, and open no socket at all while the process is traced."""
    with contextlib.suppress(OSError), open("/proc/self/status") as status:
        if "TracerPid:\t0\n" in status.read():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.sendto(b"x", ("127.0.0.1", 9))
    return open_reader(place, flavour)


class SlowSort(Document):
    """Inserts each entry by a linear search."""

    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        done: list[Entry] = []
        for entry in entries:
            at = 0
            while at < len(done) and (done[at].path, done[at].raw_path) < (entry.path, entry.raw_path):
                at += 1
            done.insert(at, entry)
        return done


# The process's directory, an access before the check, and how a pattern is matched to a path.
class OpensFirst(Sandbox):
    def resolve(self, path: str) -> Place:
        with contextlib.suppress(OSError):
            os.close(os.open(os.path.join(self._working_dir, path.encode()), os.O_RDONLY | os.O_NONBLOCK))
        return super().resolve(path)


class FromTheProcess(Sandbox):
    """A relative path that exists in the process's directory is resolved there."""

    def _canonical_target(self, path: str) -> CanonicalPath:
        here = os.path.join(os.getcwdb(), path.encode())
        return self._canonicalise(here) if path != "." and os.path.isdir(here) else super()._canonical_target(path)


class DeniesByTheLastName(Sandbox):
    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        super()._check_denied_patterns(components[-1:])


class JoinedToTheRoot(Sandbox):
    """Appends a pattern to the root's text, so that the root's characters become part of it."""

    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        for root in self._roots:
            above = os.fsdecode(b"/".join(root.parts))
            patterns = [f"{above}/{pattern}" for pattern in self._denied_patterns]
            if first_match(patterns, (*root.parts, *components), self._flavour.folds_case):
                raise sandbox_violation("the path is covered by a denied pattern")


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-665", "Files are opened for writing.", "FR-LD-DEF-03", open_reader=OpensFiles),
    build_mutant("MUT-666", "A call sends data over the network.", "C-05", open_reader=connecting_by_ipv4),
    build_mutant(
        "MUT-960", "A call sends a datagram unless the process is traced.", "C-05", open_reader=sending_unless_traced
    ),
    build_mutant("MUT-667", "A call opens a connection over IPv6.", "C-05", open_reader=connecting_by_ipv6),
    build_mutant("MUT-670", "Sorting is quadratic.", "NFR-LD-PERF-02", document=SlowSort),
    build_mutant(
        "MUT-127",
        "A relative path is resolved in the directory of the process first.",
        "FR-LD-VAL-07 FR-LD-OUT-02",
        BREACH,
        sandbox=FromTheProcess,
    ),
    build_mutant(
        "MUT-304", "The directory is opened before the sandbox check.", "FR-LD-VAL-07", BREACH, sandbox=OpensFirst
    ),
    build_mutant(
        "MUT-311", "Denied patterns apply to the last name only.", "FR-LD-VAL-07", BREACH, sandbox=DeniesByTheLastName
    ),
    build_mutant(
        "MUT-707",
        "The characters of the root are part of each denied pattern.",
        "FR-LD-VAL-07",
        sandbox=JoinedToTheRoot,
    ),
)
