"""Mutants: entries whose metadata cannot be read, old times, and members with two values."""

import errno
import json
from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import ListDirectory, LocalFilesPlan
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant

_BROKEN = "broken"
"""Stands for the size of an entry that cannot be read."""


class SkipsBroken(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            raise FileNotFoundError(errno.ENOENT, "cannot be read") from error


class BrokenStatus:
    """The status of a regular file without size and time."""

    st_mode, st_size, st_mtime_ns = 0o100644, _BROKEN, 0


class TellsBroken(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return BrokenStatus()


class WithoutUnknownMembers(EntryFormatter):
    def format_entry(self, item: EntryMetadata) -> dict[str, Any]:
        members = super().format_entry(item)
        unknown = {"size", "lastModified"} if item.size == _BROKEN else set()  # type: ignore[comparison-overlap]
        return {name: value for name, value in members.items() if name not in unknown}


class RefusesBefore1970(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        if item.mtime_ns < 0:
            raise ToolError(ErrorKind.EXECUTION_FAILED, f"the time of {item.name} cannot be told")
        return super().last_modified(item)


class TwiceNamed(ListDirectory):
    """Writes the name of each entry a second time, in capitals."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> LocalFilesPlan:
        return TwiceNamedPlan(self, arguments, context)


class TwiceNamedPlan(LocalFilesPlan):
    def run(self) -> str:
        objects = (json.dumps(entry) for entry in self.value())
        names = (json.dumps(str(entry["name"]).upper()) for entry in self.value())
        return "[" + ",".join(f'{one[:-1]}, "name": {name}}}' for one, name in zip(objects, names, strict=True)) + "]"


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LF-368", "An entry without metadata is left out.", "LF-LIST-01", directory_scan=SkipsBroken),
    build_mutant(
        "MUT-LF-369",
        "An entry without metadata lacks its size and time.",
        "LF-MODEL-02",
        directory_scan=TellsBroken,
        entry_formatter=WithoutUnknownMembers,
    ),
)
