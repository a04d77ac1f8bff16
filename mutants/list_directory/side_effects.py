"""Mutants: side effects, network access, randomness and slowness."""

import contextlib
import os
import random
import socket
import stat
from collections.abc import Sequence
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, Route, open_reader
from treeproof.reference_impl.shared.errors import ErrorKind
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .implied import EMPTY


class LeavesAMark(DirectoryReaderWrapper):
    def list_names(self, route: Route) -> list[bytes]:
        names = super().list_names(route)
        if not names and not route:
            with contextlib.suppress(OSError):
                os.close(os.open(self.join(*route, b".listing"), os.O_CREAT | os.O_WRONLY, 0o600))
        return [name for name in names if name != b".listing"]


class Touches(DirectoryReaderWrapper):
    def __exit__(self, *failure: Any) -> None:
        super().__exit__(*failure)
        with contextlib.suppress(OSError):
            if stat.S_IMODE(os.stat(self.join()).st_mode) == 0o555:
                os.utime(self.join())


class MakesReadable(DirectoryReaderWrapper):
    """Makes a file readable for everybody."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if stat.S_ISREG(found.st_mode) and not found.st_mode & 0o444:
            os.chmod(self.join(*route, name), 0o644)
        return found


class RemovesDangling(DirectoryReaderWrapper):
    def list_names(self, route: Route) -> list[bytes]:
        names = super().list_names(route)
        for name in tuple(names):
            path = self.join(*route, name)
            if name.startswith(b".") and os.path.islink(path) and not os.path.exists(path):
                with contextlib.suppress(OSError):
                    os.unlink(path)
                    names.remove(name)
        return names


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


class Shuffled(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda entry: (entry.path, random.random()))


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


class FollowsTheLocale(Document):
    """Sorts by the environment's locale."""

    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        folds = os.environ.get("LC_ALL", "C").split(".")[0] not in ("C", "POSIX")
        return sorted(entries, key=lambda entry: (entry.path.casefold() if folds else entry.path, entry.raw_path))


class Remembers(Candidate):
    """Caches the result of each call."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._known: dict[str, dict[str, Any]] = {}

    def call(self, params: Any) -> dict[str, Any]:
        arguments = params["arguments"]
        key = repr((params["context"], sorted(arguments.items()) if isinstance(arguments, dict) else arguments))
        if key not in self._known:
            result = super().call(params)
            if not self._is_kept(result):
                return result
            self._known[key] = result
        return self._known[key]

    def _is_kept(self, result: dict[str, Any]) -> bool:
        return True


class RemembersFailures(Remembers):
    """Caches failed calls."""

    def _is_kept(self, result: dict[str, Any]) -> bool:
        return bool(result.get("error", {}).get("kind") == ErrorKind.EXECUTION_FAILED)


def with_document(document: type[Document]) -> ListDirectory:
    return ListDirectory(document=document)


def with_directory_reader(kind: type[DirectoryReaderWrapper]) -> ListDirectory:
    return ListDirectory(open_reader=kind)


class RemembersDeepListings(Remembers):
    """Caches recursive listings."""

    def call(self, params: Any) -> dict[str, Any]:
        arguments = params["arguments"]
        is_deep = isinstance(arguments, dict) and arguments.get("recursive") is True
        return super().call(params) if is_deep else Candidate.call(self, params)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-661",
        "A call leaves a file in an empty listed directory.",
        "FR-LD-DEF-03",
        EMPTY,
        "FR-LD-LST-02 DOC-01 FR-LD-OUT-08 T-LD-13 EF-06",  # The directory has another time afterwards.
        tool=with_directory_reader(LeavesAMark),
    ),
    build_mutant(
        "MUT-662",
        "A call changes the time of a directory without write permission.",
        "FR-LD-DEF-03",
        tool=with_directory_reader(Touches),
    ),
    build_mutant(
        "MUT-663",
        "A file without read permission is made readable.",
        "FR-LD-DEF-03 EF-04 EF-05 EF-08",
        tool=with_directory_reader(MakesReadable),
    ),
    build_mutant(
        "MUT-664",
        "Hidden dangling links are removed.",
        "FR-LD-DEF-03 FR-LD-LST-06",  # A later listing of hidden entries lacks them.
        tool=with_directory_reader(RemovesDangling),
    ),
    build_mutant("MUT-665", "Files are opened for writing.", "FR-LD-DEF-03", tool=with_directory_reader(OpensFiles)),
    build_mutant(
        "MUT-666",
        "A call sends data over the network.",
        "C-05",
        tool=ListDirectory(open_reader=connecting_by_ipv4),
    ),
    build_mutant(
        "MUT-960",
        "A call sends a datagram unless the process is traced.",
        "C-05",
        tool=ListDirectory(open_reader=sending_unless_traced),
    ),
    build_mutant(
        "MUT-667", "A call opens a connection over IPv6.", "C-05", tool=ListDirectory(open_reader=connecting_by_ipv6)
    ),
    build_mutant(
        "MUT-668",
        "Entries with equal converted names come in random order.",
        "FR-LD-OUT-02 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-VAL-10",
        tool=with_document(Shuffled),
    ),
    build_mutant(
        "MUT-669",
        "The order of entries follows the locale.",
        "FR-LD-OUT-02 FR-LD-OUT-01",
        tool=with_document(FollowsTheLocale),
    ),
    build_mutant(
        "MUT-670",
        "Sorting is quadratic.",
        "NFR-LD-PERF-02",
        tool=with_document(SlowSort),
    ),
    build_mutant(
        "MUT-671",
        "A repeated call returns the earlier result.",
        "FR-LD-OUT-02 FR-LD-LST-01 FR-LD-VAL-08 EF-05 EF-06",
        candidate_class=Remembers,
    ),
    build_mutant(
        "MUT-742",
        "A missing path stays missing.",
        "FR-LD-OUT-02 FR-LD-VAL-08",
        candidate_class=RemembersFailures,
    ),
    build_mutant(
        "MUT-934",
        "An equal recursive call has the earlier listing.",
        "FR-LD-LST-02 FR-LD-OUT-02",
        candidate_class=RemembersDeepListings,
    ),
)
