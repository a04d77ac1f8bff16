"""Mutants: errors in the result and the log of a failure."""

import os
from collections.abc import Iterable, Iterator
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import WalkedEntry
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import Elements, build_mutant


class EmptyOnError(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        super().nil_with_logged_error(context, message)
        return []


class FailsOnError(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        raise ToolError(ErrorKind.EXECUTION_FAILED, message)


class TextOnError(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        super().nil_with_logged_error(context, message)
        return f"error: {message}"


class MapOnError(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        super().nil_with_logged_error(context, message)
        return {"error": message}


class EmptyWhenMissing(WalkDir):
    def nil_for_missing_start(self, context: CallContext) -> Any:
        return []


class LogsMissing(WalkDir):
    def nil_for_missing_start(self, context: CallContext) -> Any:
        return self.nil_with_logged_error(context, "there is no such directory")


class WarnsOfMissing(WalkDir):
    def nil_for_missing_start(self, context: CallContext) -> Any:
        context.log.append(("warning", "there is no such directory"))
        return None


class Silent(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        return None


class Warns(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        context.log.append(("warning", message))
        return None


class LogsBlankMessage(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        context.log.append(("error", " "))
        return None


class SilentOnPermissions(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        return None if "ermission denied" in message else super().nil_with_logged_error(context, message)


class SilentOnPaths(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        return super().nil_with_logged_error(context, message) if message.startswith("the walk ended") else None


class LogsSuccess(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        context.log.append(("error", f"walked {len(found)} entries"))
        return found


class SkipsUnreadable(Walk):
    def list_names(self, route: Route) -> Iterable[bytes]:
        try:
            return list(super().list_names(route))
        except OSError:
            if not route:
                raise
            return []


class EmptyUnreadableStart(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        try:
            os.listdir(os.path.join(context.working_dir, arguments["path"]))
        except PermissionError:
            return []
        except (OSError, ValueError, TypeError, KeyError):
            pass  # the tool itself returns the error
        return super().list_elements(arguments, context, flavour)


class SkipsWithoutMetadata(Walk):
    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        try:
            return super().read_entry(route, parts, name)
        except OSError:
            return None


class InventsMetadata(Walk):
    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        try:
            return super().read_entry(route, parts, name)
        except OSError:
            nothing = os.stat_result((0o100644, 0, 0, 1, 0, 0, 0, 0, 0, 0), {"st_mtime_ns": 0})
            return WalkedEntry((*parts, name.decode("utf-8", "replace")), (*route, name), nothing)


class UntilTheError(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        try:
            yield from super().walk()
        except OSError:
            return


class HalfIsEnough(DirectoryReaderWrapper):
    """Returns the names that were read before a failure as if they were all."""

    def list_names(self, route: Route) -> list[bytes]:
        found = []
        try:
            with os.scandir(self.join(*route)) as reading:
                found = [entry.name for entry in reading]
        except OSError as error:
            if error.errno in (2, 13):
                raise
        return found


class EmptyIsNil(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Any:
        return super().list_elements(arguments, context, flavour) or None


class FilesAreWalked(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        if "not a directory" not in message:
            return super().nil_with_logged_error(context, message)
        return [{"name": "f", "path": "f", "isDir": False, "size": 1, "modTime": "2023-11-14T22:13:20Z"}]


class FilesAreEmpty(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        return [] if "not a directory" in message else super().nil_with_logged_error(context, message)


ERRORS = (
    "WD-ERR-01 WD-ERR-02 WD-ERR-04 WD-ERR-05 WD-ERR-06 WD-LOG-01 WD-ARG-01 WD-ARG-02 WD-ARG-03 WD-ARG-04 "
    "WD-SEC-01 WD-SEC-02 WD-SEC-04 WD-LAST-01"
)
MID_WALK = "WD-ERR-06 WD-LOG-01 WD-ERR-01 WD-SEC-04"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-WD-100", "An error returns the empty list.", ERRORS, tool=EmptyOnError()),
    build_mutant("MUT-WD-101", "An error fails the call.", ERRORS, tool=FailsOnError()),
    build_mutant("MUT-WD-102", "An error returns its text.", ERRORS, tool=TextOnError()),
    build_mutant("MUT-WD-103", "An error returns a map.", ERRORS, tool=MapOnError()),
    build_mutant(
        "MUT-WD-104",
        "A missing start returns the empty list.",
        "WD-ERR-03 WD-ERR-01 WD-LOG-02 WD-LAST-01 WD-ERR-04",
        tool=EmptyWhenMissing(),
    ),
    build_mutant("MUT-WD-105", "A missing start is logged as an error.", "WD-LOG-02", tool=LogsMissing()),
    build_mutant("MUT-WD-106", "A missing start is logged as a warning.", "WD-LOG-02", tool=WarnsOfMissing()),
    build_mutant("MUT-WD-107", "Nothing is ever logged.", "WD-LOG-01", tool=Silent()),
    build_mutant("MUT-WD-108", "Errors are logged as warnings.", "WD-LOG-01", tool=Warns()),
    build_mutant("MUT-WD-109", "Errors are logged without a text.", "WD-LOG-01", tool=LogsBlankMessage()),
    build_mutant("MUT-WD-110", "Refused permissions are not logged.", "WD-LOG-01", tool=SilentOnPermissions()),
    build_mutant("MUT-WD-111", "Only errors of the walk itself are logged.", "WD-LOG-01", tool=SilentOnPaths()),
    build_mutant("MUT-WD-112", "A walk that succeeds is logged as an error.", "WD-LOG-01", tool=LogsSuccess()),
    build_mutant("MUT-WD-113", "Unreadable directories are omitted.", MID_WALK, walk=SkipsUnreadable),
    build_mutant(
        "MUT-WD-114",
        "An unreadable start is empty.",
        MID_WALK,
        "WD-ERR-04 WD-SEC-02",
        tool=EmptyUnreadableStart(),
    ),
    build_mutant("MUT-WD-115", "Entries without metadata are omitted.", MID_WALK, walk=SkipsWithoutMetadata),
    build_mutant("MUT-WD-116", "Entries without metadata have zeros.", MID_WALK, walk=InventsMetadata),
    build_mutant("MUT-WD-117", "The elements found before the error are returned.", MID_WALK, walk=UntilTheError),
    build_mutant(
        "MUT-WD-118",
        "A directory whose reading fails has the names read until then.",
        MID_WALK,
        "WD-WALK-01",
        open_reader=HalfIsEnough,
    ),
    build_mutant(
        "MUT-WD-119",
        "A file as start is its own only element.",
        "WD-ERR-05 WD-ERR-01 WD-LOG-01 WD-LAST-01",
        tool=FilesAreWalked(),
    ),
    build_mutant(
        "MUT-WD-120",
        "A file as start is an empty directory.",
        "WD-ERR-05 WD-ERR-01 WD-LOG-01 WD-LAST-01",
        tool=FilesAreEmpty(),
    ),
    build_mutant(
        "MUT-WD-121",
        "An empty directory returns nil.",
        "WD-RET-02 WD-WALK-04",
        tool=EmptyIsNil(),
        reading="AMB-WD-01 nil",
    ),
)
