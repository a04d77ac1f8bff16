"""Mutants inside the reference: errors by what only a candidate itself meets."""

import errno
import os
import stat
import time
from collections.abc import Iterable
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory, build_candidate
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata

from ..shared.mutant import Mutant, create_mutant

_BROKEN = -1
"""Stands for the size of an entry that cannot be read."""


def inside(
    id: str,
    summary: str,
    *violates: str,
    scan: type[DirectoryScan] = DirectoryScan,
    formatter: type[EntryFormatter] = EntryFormatter,
) -> Mutant:
    """Return the reference with parts of both tools replaced."""
    tools = [tool(directory_scan=scan, entry_formatter=formatter) for tool in (ListDirectory, FindFiles)]
    return create_mutant(id, summary, violates, lambda: build_candidate(*tools, name=id))


class LocalTimes(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return item.mtime_ns // 10**6 + time.localtime(item.mtime_ns // 10**9).tm_gmtoff * 1000


class WaitsAtPipes(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(below, name)
        if stat.S_ISFIFO(found.st_mode):
            os.close(os.open(self.join(*below, name), os.O_RDONLY))
        return found


class AsFarAsRead(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        found: list[bytes] = []
        try:
            with os.scandir(self.join(*below)) as entries:
                found.extend(entry.name for entry in entries)
        except OSError:
            if not found:
                raise
        return found


class SkipsBroken(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        try:
            return super().lstat(below, name)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return self.instead_of_broken(error)

    def instead_of_broken(self, error: OSError) -> os.stat_result:
        raise FileNotFoundError(errno.ENOENT, "cannot be read") from error


class TellsBroken(SkipsBroken):
    def instead_of_broken(self, error: OSError) -> os.stat_result:
        return os.stat_result((stat.S_IFREG, 0, 0, 0, 0, 0, _BROKEN, 0, 0, 0), {"st_mtime_ns": 0})


class WithoutUnknownMembers(EntryFormatter):
    def format_entry(self, item: EntryMetadata) -> dict[str, Any]:
        unknown = {"size", "lastModified"} if item.size == _BROKEN else set()
        return {name: value for name, value in super().format_entry(item).items() if name not in unknown}


class StaysOnOneFileSystem(DirectoryScan):
    def is_entered(self, item: EntryMetadata) -> bool:
        return super().is_entered(item) and os.lstat(item.path).st_dev == os.lstat(self.directory).st_dev


MUTANTS: tuple[Mutant, ...] = (
    # A process of its own has the time zone that the scenario gives it.
    inside("MUT-LF-132", "lastModified is local time.", "LF-FIELD-04 LF-WHY-01", formatter=LocalTimes),
    # The candidate has to be what waits, so that its time limit ends it.
    inside("MUT-LF-271", "A call waits at a named pipe for a writer.", "LF-TYPE-03 LF-LIST-02", scan=WaitsAtPipes),
    # Faults of the disk fail calls of the system in the candidate's process alone.
    inside("MUT-LF-194", "A failing read returns the entries until then.", "LF-LIST-01", "LF-ERR-01", scan=AsFarAsRead),
    # Only the candidate's process has the mount.
    inside("MUT-LF-385", "A search stays on its file system.", "LF-FIND-01", scan=StaysOnOneFileSystem),
    inside("MUT-LF-368", "An entry without metadata is left out.", "LF-LIST-01", scan=SkipsBroken),
    inside(
        *("MUT-LF-369", "An entry without metadata lacks its size and time.", "LF-MODEL-02"),
        scan=TellsBroken,
        formatter=WithoutUnknownMembers,
    ),
)
