"""Wrong when something goes wrong: in what is returned, and in what is logged."""

import os
from collections.abc import Iterable, Iterator
from typing import Any

from ...context import CallContext
from ...directories import Route
from ...errors import Kind, ToolError
from ...fs_walkdir import WalkDir
from ...paths import Flavour
from ...walking.entries import Item
from ...walking.walk import Walk
from ..mutant import Mutant
from .made import Elements, wrong
from .through import Through


class EmptyOnError(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        super().failed(context, why)
        return []


class FailsOnError(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        raise ToolError(Kind.EXECUTION_FAILED, why)


class TextOnError(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        super().failed(context, why)
        return f"error: {why}"


class MapOnError(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        super().failed(context, why)
        return {"error": why}


class EmptyWhenMissing(WalkDir):
    def missing(self, context: CallContext) -> Any:
        return []


class LogsMissing(WalkDir):
    def missing(self, context: CallContext) -> Any:
        return self.failed(context, "there is no such directory")


class WarnsOfMissing(WalkDir):
    def missing(self, context: CallContext) -> Any:
        context.log.append(("warning", "there is no such directory"))
        return None


class Silent(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        return None


class Warns(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        context.log.append(("warning", why))
        return None


class Wordless(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        context.log.append(("error", " "))
        return None


class SilentOnPermissions(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        return None if "ermission denied" in why else super().failed(context, why)


class SilentOnPaths(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        return super().failed(context, why) if why.startswith("the walk ended") else None


class LogsSuccess(WalkDir):
    def elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().elements(arguments, context, flavour)
        context.log.append(("error", f"walked {len(found)} entries"))
        return found


class SkipsUnreadable(Walk):
    def names(self, route: Route) -> Iterable[bytes]:
        try:
            return list(super().names(route))
        except OSError:
            if not route:
                raise
            return []


class EmptyUnreadableStart(WalkDir):
    def elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        try:
            os.listdir(os.path.join(context.working_dir, arguments["path"]))
        except PermissionError:
            return []
        except (OSError, ValueError, TypeError, KeyError):
            pass  # the tool itself says what is wrong
        return super().elements(arguments, context, flavour)


class SkipsWithoutMetadata(Walk):
    def item(self, route: Route, parts: tuple[str, ...], name: bytes) -> Item | None:
        try:
            return super().item(route, parts, name)
        except OSError:
            return None


class InventsMetadata(Walk):
    def item(self, route: Route, parts: tuple[str, ...], name: bytes) -> Item | None:
        try:
            return super().item(route, parts, name)
        except OSError:
            nothing = os.stat_result((0o100644, 0, 0, 1, 0, 0, 0, 0, 0, 0), {"st_mtime_ns": 0})
            return Item((*parts, name.decode("utf-8", "replace")), (*route, name), nothing)


class UntilTheError(Walk):
    def items(self) -> Iterator[Item]:
        try:
            yield from super().items()
        except OSError:
            return


class HalfIsEnough(Through):
    """Takes the names that it got before reading broke off for all."""

    def names(self, route: Route) -> list[bytes]:
        found = []
        try:
            with os.scandir(self.path(*route)) as reading:
                found = [entry.name for entry in reading]
        except OSError as error:
            if error.errno in (2, 13):
                raise
        return found


class EmptyIsNil(WalkDir):
    def elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Any:
        return super().elements(arguments, context, flavour) or None


class FilesAreWalked(WalkDir):
    """A file as start gives itself as the only element."""

    def failed(self, context: CallContext, why: str) -> Any:
        if "not a directory" not in why:
            return super().failed(context, why)
        return [{"name": "f", "path": "f", "isDir": False, "size": 1, "modTime": "2023-11-14T22:13:20Z"}]


class FilesAreEmpty(WalkDir):
    def failed(self, context: CallContext, why: str) -> Any:
        return [] if "not a directory" in why else super().failed(context, why)


ERRORS = (
    *("WD-ERR-01", "WD-ERR-02", "WD-ERR-04", "WD-ERR-05", "WD-ERR-06", "WD-LOG-01", "WD-ARG-01", "WD-ARG-02"),
    *("WD-ARG-03", "WD-ARG-04", "WD-SEC-01", "WD-SEC-02", "WD-SEC-04", "WD-LAST-01"),
)
MID_WALK = ("WD-ERR-06", "WD-LOG-01", "WD-ERR-01", "WD-SEC-04")

MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-WD-100", "An error gives the empty list.", *ERRORS, tool=EmptyOnError()),
    wrong("MUT-WD-101", "An error fails the call.", *ERRORS, tool=FailsOnError()),
    wrong("MUT-WD-102", "An error gives its text.", *ERRORS, tool=TextOnError()),
    wrong("MUT-WD-103", "An error gives a map.", *ERRORS, tool=MapOnError()),
    wrong(
        "MUT-WD-104",
        "A missing start gives the empty list.",
        "WD-ERR-03",
        "WD-ERR-01",
        "WD-LOG-02",
        "WD-LAST-01",
        "WD-ERR-04",
        tool=EmptyWhenMissing(),
    ),
    wrong("MUT-WD-105", "A missing start is logged as an error.", "WD-LOG-02", tool=LogsMissing()),
    wrong("MUT-WD-106", "A missing start is logged as a warning.", "WD-LOG-02", tool=WarnsOfMissing()),
    wrong("MUT-WD-107", "Nothing is ever logged.", "WD-LOG-01", tool=Silent()),
    wrong("MUT-WD-108", "Errors are logged as warnings.", "WD-LOG-01", tool=Warns()),
    wrong("MUT-WD-109", "Errors are logged without a word.", "WD-LOG-01", tool=Wordless()),
    wrong("MUT-WD-110", "Refused permissions are not logged.", "WD-LOG-01", tool=SilentOnPermissions()),
    wrong("MUT-WD-111", "Only errors of the walk itself are logged.", "WD-LOG-01", tool=SilentOnPaths()),
    wrong("MUT-WD-112", "A walk that succeeds is logged as an error.", "WD-LOG-01", tool=LogsSuccess()),
    wrong("MUT-WD-113", "Directories that cannot be read are passed over.", *MID_WALK, walk=SkipsUnreadable),
    wrong(
        "MUT-WD-114",
        "A start that cannot be read is empty.",
        *MID_WALK,
        "WD-ERR-04",
        "WD-SEC-02",
        tool=EmptyUnreadableStart(),
    ),
    wrong("MUT-WD-115", "Entries without metadata are passed over.", *MID_WALK, walk=SkipsWithoutMetadata),
    wrong("MUT-WD-116", "Entries without metadata get zeros.", *MID_WALK, walk=InventsMetadata),
    wrong("MUT-WD-117", "What was found until the error is returned.", *MID_WALK, walk=UntilTheError),
    wrong(
        "MUT-WD-118",
        "A directory whose reading breaks off has what was read.",
        *MID_WALK,
        "WD-WALK-01",
        directories=HalfIsEnough,
    ),
    wrong(
        "MUT-WD-119",
        "A file as start is its own only element.",
        "WD-ERR-05",
        "WD-ERR-01",
        "WD-LOG-01",
        "WD-LAST-01",
        tool=FilesAreWalked(),
    ),
    wrong(
        "MUT-WD-120",
        "A file as start is an empty directory.",
        "WD-ERR-05",
        "WD-ERR-01",
        "WD-LOG-01",
        "WD-LAST-01",
        tool=FilesAreEmpty(),
    ),
    wrong(
        "MUT-WD-121",
        "An empty directory gives nil.",
        "WD-RET-02",
        "WD-WALK-04",
        tool=EmptyIsNil(),
        reading="AMB-WD-01 nil",
    ),
)
