"""Mutants: errors in the result and the log of a failure."""

import os
from collections.abc import Iterator
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import WalkedEntry
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant


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


class MapOnWalkError(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        super().nil_with_logged_error(context, message)
        return {"error": message} if message.startswith("the walk ended") else None


class EmptyOnAbsolute(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> list[dict[str, Any]]:
        if isinstance(arguments, dict) and len(arguments) == 1 and str(arguments.get("path")).startswith("/"):
            return []
        return super().list_elements(arguments, context, flavour)


class EmptyWhenMissing(WalkDir):
    def nil_for_missing_start(self, context: CallContext) -> Any:
        return []


class LogsMissing(WalkDir):
    def nil_for_missing_start(self, context: CallContext) -> Any:
        return self.nil_with_logged_error(context, "there is no such directory")


class Silent(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
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


class EmptyIsMap(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Any:
        return super().list_elements(arguments, context, flavour) or {}


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
MID_WALK = "WD-ERR-06"


class SilentOnArguments(WalkDir):
    def nil_with_logged_error(self, context: CallContext, message: str) -> Any:
        is_argument = message.startswith(("path must be", "path must not be empty", "exactly one", "the arguments"))
        return None if is_argument else super().nil_with_logged_error(context, message)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-197",
        "An error of the walk gives a map with the key error.",
        "WD-ERR-01 WD-ERR-06 WD-LOG-01",
        tool=MapOnWalkError(),
    ),
    build_mutant("MUT-WD-198", "An absolute path gives the empty list.", "WD-ERR-02 WD-SEC-01", tool=EmptyOnAbsolute()),
    build_mutant("MUT-WD-100", "An error returns the empty list.", ERRORS, tool=EmptyOnError()),
    build_mutant(
        "MUT-WD-101",
        "An error fails the call and is not logged.",
        "WD-LOG-01 WD-ERR-03 WD-WALK-01",
        tool=FailsOnError(),
    ),
    build_mutant("MUT-WD-102", "An error returns its text.", ERRORS, tool=TextOnError()),
    build_mutant("MUT-WD-103", "An error returns a map.", ERRORS, tool=MapOnError()),
    build_mutant(
        "MUT-WD-104",
        "A missing start returns the empty list.",
        "WD-ERR-03 WD-ERR-01 WD-LOG-02 WD-LAST-01 WD-ERR-04",
        tool=EmptyWhenMissing(),
    ),
    build_mutant("MUT-WD-105", "A missing start is logged as an error.", "WD-LOG-02", tool=LogsMissing()),
    build_mutant("MUT-WD-107", "Nothing is ever logged.", "WD-LOG-01", tool=Silent()),
    build_mutant("MUT-WD-109", "Errors are logged without a text.", "WD-LOG-01", tool=LogsBlankMessage()),
    build_mutant("MUT-WD-110", "Refused permissions are not logged.", "WD-LOG-01", tool=SilentOnPermissions()),
    build_mutant("MUT-WD-111", "Only errors of the walk itself are logged.", "WD-LOG-01", tool=SilentOnPaths()),
    build_mutant("MUT-WD-116", "Entries without metadata have zeros.", MID_WALK, walk=InventsMetadata),
    build_mutant("MUT-WD-117", "The elements found before the error are returned.", MID_WALK, walk=UntilTheError),
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
        "MUT-WD-305", "An empty directory gives an empty map.", "WD-RET-02 WD-WALK-04 WD-ERR-06", tool=EmptyIsMap()
    ),
    build_mutant("MUT-WD-267", "Arguments that are wrong are not logged.", "WD-LOG-01", tool=SilentOnArguments()),
)
