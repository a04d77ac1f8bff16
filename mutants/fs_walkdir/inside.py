"""Mutants that stay inside the tool: names, the process, the system calls, and what a walk knows at its error."""

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry
from treeproof.reference_impl.fs_walkdir.start import StartMissing, StartResolver
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import reference
from .implied import EVERYTHING

# The names of the tool: those of its definition, which is no call, and those by which scripts call it.


class RenamedByACall(Candidate):
    """The definition has another name after the first call."""

    called = False

    def call(self, params: Any) -> dict[str, Any]:
        self.called = True
        return super().call(params)

    def describe(self, params: Any) -> dict[str, Any]:
        found = super().describe(params)
        return {**found, "name": found["name"].lower()} if self.called else found


class Registered(Candidate):
    def call(self, params: Any) -> dict[str, Any]:
        if params["tool"] == "FS.WalkDir":
            return {"status": "error", "error": {"kind": "UnknownTool", "message": "write TOOL.WalkDir"}}
        return super().call({**params, "tool": params["tool"].replace("TOOL.", "FS.")})


# The process that makes a call has the working directory, the time zone and the locale that a scenario gives it.


class ThenHere(StartResolver):
    """Looks for a start that is missing in the working directory of the process."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except StartMissing:
            if not os.path.isdir(path):
                raise
            return Place(os.fsencode(os.path.abspath(path)), ())


class HereFirst(StartResolver):
    """Looks for a start in the working directory of the process first."""

    def resolve(self, path: str) -> Place | None:
        here = os.path.abspath(path)
        if path not in (".", "") and ".." not in path and not path.startswith("/") and os.path.isdir(here):
            return Place(os.fsencode(here), ())
        return super().resolve(path)


class HereIfInside(StartResolver):
    """A path is relative to the working directory of the process if this is inside the sandbox."""

    def resolve(self, path: str) -> Place | None:
        here = os.path.relpath(os.getcwd(), self._context.roots[0])
        joined = os.path.join(here, path)
        if not here.startswith("..") and os.path.isdir(os.path.join(self._context.roots[0], joined)):
            return super().resolve(joined)
        return super().resolve(path)


class DotIsHereIfInside(HereIfInside):
    def resolve(self, path: str) -> Place | None:
        return super().resolve(path) if path == "." else StartResolver.resolve(self, path)


def in_local_time(offset: Callable[[time.struct_time], str]) -> type[EntryFormatter]:
    """Return the formatter with modTime in local time, and an offset behind it."""

    class Local(EntryFormatter):
        def mod_time(self, item: WalkedEntry) -> Any:
            moment = time.localtime(item.stat_result.st_mtime_ns // 10**9)
            return time.strftime("%Y-%m-%dT%H:%M:%S", moment) + offset(moment)

    return Local


def clock(seconds: int) -> str:
    return f"{'-' if seconds < 0 else '+'}{abs(seconds) // 3600:02}:{abs(seconds) % 3600 // 60:02}"


class NamesInASCII(EntryFormatter):
    def format_entry(self, item: WalkedEntry) -> dict[str, Any]:
        found = super().format_entry(item)
        is_simple = os.environ.get("LC_ALL") in ("C", "POSIX")
        return {**found, "name": found["name"].encode("ascii", "replace").decode()} if is_simple else found


# System calls that leave no trace in the list, or none that differs from another fault; and a call without an end.


class ReadsFiles(DirectoryReaderWrapper):
    """Opens a file to get its size."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if stat.S_ISREG(found.st_mode):
            self.read(self.join(*route, name))
        return found

    def read(self, path: bytes) -> None:
        os.close(os.open(path, os.O_RDONLY))


class LooksIntoFiles(ReadsFiles):
    """Reads the beginning of every file and ignores failures."""

    def read(self, path: bytes) -> None:
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY)
            os.read(descriptor, 64)
            os.close(descriptor)


class LooksIntoFilesUnlessTraced(LooksIntoFiles):
    def read(self, path: bytes) -> None:
        with open("/proc/self/status") as status:
            is_traced = "TracerPid:\t0\n" not in status.read()
        if not is_traced:
            super().read(path)


class WaitsAtPipes(DirectoryReaderWrapper):
    """Opens a named pipe, and waits for a writer."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if stat.S_ISFIFO(found.st_mode):
            os.close(os.open(self.join(*route, name), os.O_RDONLY))
        return found


# A walk that ends at an error gives nil, so that only the tool knows what it had found.


class InventsMetadata(Walk):
    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        try:
            return super().read_entry(route, parts, name)
        except OSError:
            nothing = os.stat_result((0o100644, 0, 0, 1, 0, 0, 0, 0, 0, 0), {"st_mtime_ns": 0})
            return WalkedEntry((*parts, name.decode("utf-8", "replace")), (*route, name), nothing)


class UntilTheError(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        with contextlib.suppress(OSError):
            yield from super().walk()


class OneDevice(Walk):
    """Enters no directory of another file system."""

    def list_names(self, route: Route) -> Iterable[bytes]:
        is_mount = route and self._reader.lstat(route, b".").st_dev != self._reader.lstat((), b".").st_dev
        return () if is_mount else super().list_names(route)


class UnreadableIsAFile(Walk):
    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        found = super().read_entry(route, parts, name)
        if found is None or not found.is_directory:
            return found
        try:
            list(self._reader.list_names((*route, name)))
        except PermissionError:
            times = {"st_mtime_ns": found.stat_result.st_mtime_ns}
            return found._replace(stat_result=os.stat_result((stat.S_IFREG, *found.stat_result[1:10]), times))
        return found


class KeepsFindings(Walk):
    """What a walk found before its error is at the beginning of the next list."""

    left_over: list[WalkedEntry] = []

    def walk(self) -> Iterator[WalkedEntry]:
        found = [*self.left_over]
        self.left_over.clear()
        try:
            for item in super().walk():
                found.append(item)
        except OSError:
            self.left_over[:] = found
            raise
        yield from found


MUTANTS: tuple[Mutant, ...] = (
    reference("MUT-WD-268", "After a call the definition has another name.", "WD-SYN-01")(
        candidate_class=RenamedByACall
    ),
    reference("MUT-WD-137", "Only the internal name can be called.", "WD-SYN-01", EVERYTHING)(
        candidate_class=Registered
    ),
    reference(
        "MUT-WD-183", "A start that is missing is looked up in the working directory of the process.", "WD-SEC-02"
    )(start=ThenHere),
    reference(
        "MUT-WD-184",
        "A directory of the working directory of the process comes before the sandbox's.",
        "WD-ARG-04 WD-SEC-02",
    )(start=HereFirst),
    reference(
        "MUT-WD-273", "A path is relative to the working directory of the process if this is inside.", "WD-ARG-04"
    )(start=HereIfInside),
    reference("MUT-WD-274", "A dot names the working directory of the process if this is inside.", "WD-ARG-05")(
        start=DotIsHereIfInside
    ),
    reference("MUT-WD-025", "modTime is local time with the suffix Z.", "WD-ENT-05")(
        entry_formatter=in_local_time(lambda moment: "Z")
    ),
    reference("MUT-WD-165", "Hours and minutes of a negative offset are rounded separately.", "WD-ENT-05")(
        entry_formatter=in_local_time(lambda moment: f"{moment.tm_gmtoff // 3600:+03}:{moment.tm_gmtoff // 60 % 60:02}")
    ),
    reference("MUT-WD-166", "modTime is local time with the offset of winter.", "WD-ENT-05")(
        entry_formatter=in_local_time(lambda moment: clock(-time.timezone))
    ),
    reference("MUT-WD-167", "modTime is local time with the current offset.", "WD-ENT-05")(
        entry_formatter=in_local_time(lambda moment: clock(time.localtime().tm_gmtoff))
    ),
    reference("MUT-WD-301", "In the simplest locale, letters beyond ASCII are question marks in name.", "WD-ENT-01")(
        entry_formatter=NamesInASCII
    ),
    reference("MUT-WD-130", "Files must be readable to be listed.", "WD-SEC-04 WD-SEC-05 WD-WALK-01")(
        open_reader=ReadsFiles
    ),
    reference("MUT-WD-131", "Every file is read.", "WD-SEC-04")(open_reader=LooksIntoFiles),
    reference("MUT-WD-960", "Every file is read unless the process is traced.", "WD-SEC-05 WD-SEC-04")(
        open_reader=LooksIntoFilesUnlessTraced
    ),
    reference("MUT-WD-229", "A call waits at a named pipe for a writer.", "WD-WALK-03 WD-ENT-04 WD-RET-02 WD-SEC-04")(
        open_reader=WaitsAtPipes
    ),
    reference("MUT-WD-116", "Entries without metadata have zeros.", "WD-ERR-06")(walk=InventsMetadata),
    reference("MUT-WD-117", "The elements found before the error are returned.", "WD-ERR-06")(walk=UntilTheError),
    reference("MUT-WD-310", "What is on another file system is not entered.", "WD-WALK-01")(walk=OneDevice),
    reference("MUT-WD-254", "A directory that cannot be read is listed as a file.", "WD-ERR-06 WD-ENT-03")(
        walk=UnreadableIsAFile
    ),
    reference("MUT-WD-303", "What a walk found before its error is in the next list.", "WD-WALK-01")(
        walk=KeepsFindings
    ),
)
