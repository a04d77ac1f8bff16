"""Mutants: side effects, errors in the tool's name, and errors in what scripts see."""

import contextlib
import os
from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.script import ScriptRun
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import Elements, build_mutant
from .implied import EVERYTHING

Params = Mapping[str, Any]


SEEN: dict[tuple[str, str], Elements] = {}


class RemembersPlaces(WalkDir):
    """Caches the result by path and sandbox."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        return SEEN.setdefault((context.roots[0], arguments["path"]), found)


class ReadsFiles(DirectoryReaderWrapper):
    """Opens a file to get its size."""

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if found.st_mode & 0o170000 == 0o100000:
            os.close(os.open(self.join(*route, name), os.O_RDONLY))
        return found


class LooksIntoFiles(DirectoryReaderWrapper):
    """Reads the beginning of every file and ignores failures."""

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if found.st_mode & 0o170000 == 0o100000:
            with contextlib.suppress(OSError):
                descriptor = os.open(self.join(*route, name), os.O_RDONLY)
                os.read(descriptor, 64)
                os.close(descriptor)
        return found


class LooksIntoFilesUnlessTraced(LooksIntoFiles):
    """Reads every file, and none while the process is traced."""

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        with open("/proc/self/status") as status:
            is_traced = "TracerPid:\t0\n" not in status.read()
        return DirectoryReaderWrapper.lstat(self, route, name) if is_traced else super().lstat(route, name)


class TouchesDirectories(DirectoryReaderWrapper):
    def list_names(self, route: tuple[bytes, ...]) -> list[bytes]:
        os.utime(self.join(*route))
        return super().list_names(route)


class KeepsAnIndex(DirectoryReaderWrapper):
    def list_names(self, route: tuple[bytes, ...]) -> list[bytes]:
        found = super().list_names(route)
        if not route:
            with open(self.join(b".index"), "w") as index:
                index.write(str(len(found)))
        return found


class OpensDirectoriesToAll(DirectoryReaderWrapper):
    def list_names(self, route: tuple[bytes, ...]) -> list[bytes]:
        os.chmod(self.join(*route), 0o755)
        return super().list_names(route)


class Remembers(WalkDir):
    """Caches the result by path alone."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        kept = REMEMBERED.setdefault(str(arguments), [])
        if not kept:
            kept.append(super().list_elements(arguments, context, flavour))
        return kept[0]


REMEMBERED: dict[str, list[Elements]] = {}


class Registered(Candidate):
    def call(self, params: Params) -> dict[str, Any]:
        if params["tool"] == "FS.WalkDir":
            error = {"kind": "UnknownTool", "message": "write TOOL.WalkDir"}
            return {"status": "error", "error": error}
        return super().call({**params, "tool": params["tool"].replace("TOOL.", "FS.")})


class KeepsLast(ScriptRun):
    def set_last(self, value: Any) -> None:
        self.last = self.last if value is None else value


class KeepsFirst(ScriptRun):
    def set_last(self, value: Any) -> None:
        self.last = value if self.last is None else self.last


class LastIsDetails(ScriptRun):
    def set_last(self, value: Any) -> None:
        self.last = "the walk failed" if value is None else value


class LastIsEmpty(ScriptRun):
    def set_last(self, value: Any) -> None:
        self.last = [] if value is None else value


class LastIsCount(ScriptRun):
    def set_last(self, value: Any) -> None:
        self.last = value if value is None else value[:0]


class KeepsReferences(ScriptRun):
    """SET keeps LAST itself, which the next call changes."""

    def set_last(self, value: Any) -> None:
        for name, kept in self.variables.items():
            if kept is self.last:
                self.variables[name] = value
        super().set_last(value)


EFFECTS = "WD-SEC-04 WD-WALK-01 WD-WALK-03 WD-ENT-01 WD-ENT-02 WD-SEC-03 WD-RET-01"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-130",
        "Files must be readable to be listed.",
        "WD-SEC-04 WD-WALK-01",
        open_reader=ReadsFiles,
    ),
    build_mutant("MUT-WD-131", "Every file is read.", "WD-SEC-04", open_reader=LooksIntoFiles),
    build_mutant(
        "MUT-WD-960",
        "Every file is read unless the process is traced.",
        "WD-SEC-04",
        open_reader=LooksIntoFilesUnlessTraced,
    ),
    build_mutant("MUT-WD-132", "Directories get a new time.", EFFECTS, EVERYTHING, open_reader=TouchesDirectories),
    build_mutant("MUT-WD-133", "An index file is left behind.", EFFECTS, EVERYTHING, open_reader=KeepsAnIndex),
    build_mutant(
        "MUT-WD-134",
        "Directories get all permissions before they are read.",
        EFFECTS,
        "WD-ERR-06",
        EVERYTHING,
        open_reader=OpensDirectoriesToAll,
    ),
    build_mutant(
        "MUT-WD-135",
        "A repeated path returns the earlier result.",
        "WD-WALK-01",
        EFFECTS,
        EVERYTHING,
        tool=Remembers(),
    ),
    build_mutant(
        "MUT-WD-146",
        "A repeated path in the same sandbox returns the earlier result.",
        "WD-WALK-01",
        tool=RemembersPlaces(),
    ),
    build_mutant(
        "MUT-WD-137",
        "Only the internal name can be called.",
        "WD-SYN-01",
        EVERYTHING,
        candidate_class=Registered,
    ),
    build_mutant("MUT-WD-138", "LAST keeps its value when a call returns nil.", "WD-LAST-01", script_run=KeepsLast),
    build_mutant("MUT-WD-139", "LAST keeps the first value of a script.", "WD-LAST-01", script_run=KeepsFirst),
    build_mutant("MUT-WD-140", "LAST holds the details of an error.", "WD-LAST-01", script_run=LastIsDetails),
    build_mutant("MUT-WD-141", "LAST is the empty list after an error.", "WD-LAST-01", script_run=LastIsEmpty),
    build_mutant("MUT-WD-142", "LAST holds an empty list, whatever was found.", "WD-LAST-01", script_run=LastIsCount),
    build_mutant(
        "MUT-WD-180",
        "SET keeps a reference to LAST, which the next call changes.",
        "WD-LAST-01",
        script_run=KeepsReferences,
    ),
)
