"""Wrong in what a call does besides listing: side effects, the network, chance, and time."""

import contextlib
import os
import random
import socket
import stat
from collections.abc import Sequence
from typing import Any

from ...candidate import Candidate
from ...directories import Directories, Route, directories
from ...errors import Kind
from ...list_directory import ListDirectory
from ...listing.document import Document
from ...listing.entries import Entry
from ...paths import Flavour
from ...sandbox import Place
from ..mutant import Mutant
from .implied import EMPTY
from .made import wrong
from .through import Through


class LeavesAMark(Through):
    """Leaves a file for its own use in a directory where nothing is."""

    def names(self, route: Route) -> list[bytes]:
        names = super().names(route)
        if not names and not route:
            with contextlib.suppress(OSError):
                os.close(os.open(self.path(*route, b".listing"), os.O_CREAT | os.O_WRONLY, 0o600))
        return [name for name in names if name != b".listing"]


class Touches(Through):
    """Sets the time of a directory that nobody may write to."""

    def __exit__(self, *failure: Any) -> None:
        super().__exit__(*failure)
        with contextlib.suppress(OSError):
            if stat.S_IMODE(os.stat(self.path()).st_mode) == 0o555:
                os.utime(self.path())


class MakesReadable(Through):
    """Gives everybody the permission to read a file that nobody has."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if stat.S_ISREG(found.st_mode) and not found.st_mode & 0o444:
            os.chmod(self.path(*route, name), 0o644)
        return found


class RemovesDangling(Through):
    """Tidies up hidden links that lead nowhere."""

    def names(self, route: Route) -> list[bytes]:
        names = super().names(route)
        for name in tuple(names):
            path = self.path(*route, name)
            if name.startswith(b".") and os.path.islink(path) and not os.path.exists(path):
                with contextlib.suppress(OSError):
                    os.unlink(path)
                    names.remove(name)
        return names


class OpensFiles(Through):
    """Opens every file, to see what is in it; a FIFO or a device among them as well, without waiting."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        with contextlib.suppress(OSError):
            os.close(os.open(self.path(*route, name), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK))
        return found


def calling_home(place: Place, flavour: Flavour) -> Directories:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as home:
        home.connect(("127.0.0.1", 9))
    return directories(place, flavour)


def calling_out(place: Place, flavour: Flavour) -> Directories:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as server:
        server.setblocking(False)
        server.connect(("::1", 9))
    return directories(place, flavour)


class Shuffled(Document):
    """Entries that look alike come in any order."""

    def ordered(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda entry: (entry.path, random.random()))


class SlowSort(Document):
    """Puts each entry in its place by looking through those before it."""

    def ordered(self, entries: Sequence[Entry]) -> list[Entry]:
        done: list[Entry] = []
        for entry in entries:
            at = 0
            while at < len(done) and (done[at].path, done[at].raw_path) < (entry.path, entry.raw_path):
                at += 1
            done.insert(at, entry)
        return done


class FollowsTheLocale(Document):
    """Sorts as the environment's language does."""

    def ordered(self, entries: Sequence[Entry]) -> list[Entry]:
        folds = os.environ.get("LC_ALL", "C").split(".")[0] not in ("C", "POSIX")
        return sorted(
            entries, key=lambda entry: (entry.path.casefold() if folds else entry.path, entry.raw_path)
        )


class Remembers(Candidate):
    """Answers a call that it has had before from memory."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._known: dict[str, dict[str, Any]] = {}

    def call(self, params: Any) -> dict[str, Any]:
        arguments = params["arguments"]
        key = repr(
            (params["context"], sorted(arguments.items()) if isinstance(arguments, dict) else arguments)
        )
        if key not in self._known:
            result = super().call(params)
            if not self._is_kept(result):
                return result
            self._known[key] = result
        return self._known[key]

    def _is_kept(self, result: dict[str, Any]) -> bool:
        return True


class RemembersFailures(Remembers):
    """Answers a call that has failed before as it did then."""

    def _is_kept(self, result: dict[str, Any]) -> bool:
        return bool(result.get("error", {}).get("kind") == Kind.EXECUTION_FAILED)


def writing(document: type[Document]) -> ListDirectory:
    return ListDirectory(document=document)


def through(kind: type[Through]) -> ListDirectory:
    return ListDirectory(directories=kind)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-661",
        "A call leaves a file in an empty directory that it lists.",
        "FR-LD-DEF-03",
        *EMPTY,
        "FR-LD-LST-02",
        "DOC-01",
        "FR-LD-OUT-08",
        "T-LD-13",
        "EF-06",  # the directory has another time from then on
        tool=through(LeavesAMark),
    ),
    wrong(
        "MUT-662",
        "A call sets the time of a directory that nobody may write to.",
        "FR-LD-DEF-03",
        tool=through(Touches),
    ),
    wrong(
        "MUT-663",
        "A file that nobody may read is made readable.",
        "FR-LD-DEF-03",
        "EF-04",
        "EF-05",
        "EF-08",
        tool=through(MakesReadable),
    ),
    wrong(
        "MUT-664",
        "Hidden links that lead nowhere are removed.",
        "FR-LD-DEF-03",
        "FR-LD-LST-06",  # a later listing that shows what is hidden lacks them
        tool=through(RemovesDangling),
    ),
    wrong("MUT-665", "Files are opened for writing.", "FR-LD-DEF-03", tool=through(OpensFiles)),
    wrong(
        "MUT-666",
        "A call sends something over the network.",
        "C-05",
        tool=ListDirectory(directories=calling_home),
    ),
    wrong(
        "MUT-667", "A call opens a connection over IPv6.", "C-05", tool=ListDirectory(directories=calling_out)
    ),
    wrong(
        "MUT-668",
        "Entries that look alike come in any order.",
        "FR-LD-OUT-02",
        "FR-LD-OUT-03",
        "FR-LD-OUT-07",
        "FR-LD-VAL-10",
        tool=writing(Shuffled),
    ),
    wrong(
        "MUT-669", "The order of entries follows the locale.", "FR-LD-OUT-02", tool=writing(FollowsTheLocale)
    ),
    wrong(
        "MUT-670",
        "Sorting looks through all that is sorted already.",
        "NFR-LD-PERF-02",
        tool=writing(SlowSort),
    ),
    wrong("MUT-671", "A call that was made before is answered from memory.", "FR-LD-OUT-02", face=Remembers),
    wrong("MUT-742", "What was missing once is missing for good.", "FR-LD-OUT-02", face=RemembersFailures),
)
