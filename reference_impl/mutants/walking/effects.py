"""Wrong in what a walk does beside answering, in its name, and in what scripts see of it."""

import contextlib
import os
from collections.abc import Mapping
from typing import Any

from ...candidate import Candidate
from ...context import CallContext
from ...fs_walkdir import WalkDir
from ...paths import Flavour
from ...walking.script import Run
from ..mutant import Mutant
from .implied import EVERYTHING
from .made import Elements, wrong
from .through import Through

Params = Mapping[str, Any]


SEEN: dict[tuple[str, str], Elements] = {}


class RemembersPlaces(WalkDir):
    """Walks each path of a sandbox once, and gives that again."""

    def elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().elements(arguments, context, flavour)
        return SEEN.setdefault((context.roots[0], arguments["path"]), found)


class ReadsFiles(Through):
    """Has to open a file to learn of its size."""

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if found.st_mode & 0o170000 == 0o100000:
            os.close(os.open(self.path(*route, name), os.O_RDONLY))
        return found


class LooksIntoFiles(Through):
    """Opens every file, and does not mind where it may not."""

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if found.st_mode & 0o170000 == 0o100000:
            with contextlib.suppress(OSError):
                os.close(os.open(self.path(*route, name), os.O_RDONLY))
        return found


class TouchesDirectories(Through):
    def names(self, route: tuple[bytes, ...]) -> list[bytes]:
        os.utime(self.path(*route))
        return super().names(route)


class KeepsAnIndex(Through):
    def names(self, route: tuple[bytes, ...]) -> list[bytes]:
        found = super().names(route)
        if not route:
            with open(self.path(b".index"), "w") as index:
                index.write(str(len(found)))
        return found


class OpensDirectoriesToAll(Through):
    def names(self, route: tuple[bytes, ...]) -> list[bytes]:
        os.chmod(self.path(*route), 0o755)
        return super().names(route)


class Remembers(WalkDir):
    """Walks each path once, whatever the sandbox, and gives that again."""

    def elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        kept = REMEMBERED.setdefault(str(arguments), [])
        if not kept:
            kept.append(super().elements(arguments, context, flavour))
        return kept[0]


REMEMBERED: dict[str, list[Elements]] = {}


class Renamed(Candidate):
    def describe(self, params: Params) -> dict[str, Any]:
        return {**super().describe(params), "name": "TOOL.WalkDir"}


class Registered(Candidate):
    """Answers to the internal name only."""

    def call(self, params: Params) -> dict[str, Any]:
        if params["tool"] == "FS.WalkDir":
            error = {"kind": "UnknownTool", "message": "write TOOL.WalkDir"}
            return {"status": "error", "error": error}
        return super().call({**params, "tool": params["tool"].replace("TOOL.", "FS.")})


class KeepsLast(Run):
    def keep(self, value: Any) -> None:
        self.last = self.last if value is None else value


class KeepsFirst(Run):
    def keep(self, value: Any) -> None:
        self.last = value if self.last is None else self.last


class LastIsDetails(Run):
    def keep(self, value: Any) -> None:
        self.last = "the walk failed" if value is None else value


class LastIsEmpty(Run):
    def keep(self, value: Any) -> None:
        self.last = [] if value is None else value


class LastIsCount(Run):
    def keep(self, value: Any) -> None:
        self.last = value if value is None else value[:0]


EFFECTS = ("WD-SEC-04", "WD-WALK-01", "WD-WALK-03", "WD-ENT-01", "WD-ENT-02", "WD-SEC-03", "WD-RET-01")

MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-WD-130",
        "Files have to be readable to be listed.",
        "WD-SEC-04",
        "WD-WALK-01",
        directories=ReadsFiles,
    ),
    wrong("MUT-WD-131", "Every file is opened.", "WD-SEC-04", directories=LooksIntoFiles),
    wrong("MUT-WD-132", "Directories get a new time.", *EFFECTS, *EVERYTHING, directories=TouchesDirectories),
    wrong("MUT-WD-133", "An index is left behind.", *EFFECTS, *EVERYTHING, directories=KeepsAnIndex),
    wrong(
        "MUT-WD-134",
        "Directories are opened to all before they are read.",
        *EFFECTS,
        "WD-ERR-06",
        *EVERYTHING,
        directories=OpensDirectoriesToAll,
    ),
    wrong(
        "MUT-WD-135",
        "A path is walked once, and that is given again.",
        "WD-WALK-01",
        *EFFECTS,
        *EVERYTHING,
        tool=Remembers(),
    ),
    wrong(
        "MUT-WD-146", "A place is walked once, and that is given again.", "WD-WALK-01", tool=RemembersPlaces()
    ),
    wrong("MUT-WD-136", "The definition has the internal name.", "WD-SYN-01", face=Renamed),
    wrong("MUT-WD-137", "Only the internal name can be called.", "WD-SYN-01", *EVERYTHING, face=Registered),
    wrong("MUT-WD-138", "LAST keeps what it was when a call gives nil.", "WD-LAST-01", run=KeepsLast),
    wrong("MUT-WD-139", "LAST keeps the first value of a script.", "WD-LAST-01", run=KeepsFirst),
    wrong("MUT-WD-140", "LAST holds the details of an error.", "WD-LAST-01", run=LastIsDetails),
    wrong("MUT-WD-141", "LAST is the empty list after an error.", "WD-LAST-01", run=LastIsEmpty),
    wrong("MUT-WD-142", "LAST holds an empty list, whatever was found.", "WD-LAST-01", run=LastIsCount),
)
