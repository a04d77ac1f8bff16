"""Mutants: errors in results that few trees and starts show."""

import os
import re
import stat
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry
from treeproof.reference_impl.fs_walkdir.request import ArgumentParser
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import Elements, build_mutant, with_list_changed

Parts = tuple[str, ...]
HIDDEN_START = re.compile(r"(?:.*/)?\.[^/.][^/]*/*")


class RemovesDanglingLinks(DirectoryReaderWrapper):
    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        path = self.join(*route, name)
        if stat.S_ISLNK(found.st_mode) and not os.path.exists(path):
            os.unlink(path)
        return found


class LinksToFilesTwice(DirectoryReaderWrapper):
    def list_names(self, route: Route) -> list[bytes]:
        names = super().list_names(route)
        paths = {name: self.join(*route, name) for name in names}
        return names + [name for name, path in paths.items() if os.path.islink(path) and os.path.isfile(path)]


class NewestBelow(DirectoryReaderWrapper):
    """The time of a directory is that of the newest entry in it, if that is later."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if not stat.S_ISDIR(found.st_mode):
            return found
        try:
            times = [entry.stat(follow_symlinks=False).st_mtime_ns for entry in os.scandir(self.join(*route, name))]
        except OSError:
            return found
        return os.stat_result(tuple(found[:10]), {"st_mtime_ns": max(found.st_mtime_ns, *times, 0)})


class NamesBehindBackslashes(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return super().name(item).rpartition("\\")[2]


class NamesInASCII(EntryFormatter):
    """In a process of the simplest locale, letters beyond ASCII are question marks in name."""

    def name(self, item: WalkedEntry) -> str:
        name = super().name(item)
        return name.encode("ascii", "replace").decode() if os.environ.get("LC_ALL") in ("C", "POSIX") else name


class PathsWithoutFirstDots(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return super().path(item).lstrip("./")


class DanglingIsLessThanNothing(DirectoryReaderWrapper):
    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if not stat.S_ISLNK(found.st_mode) or os.path.exists(self.join(*route, name)):
            return found
        members = (*found[:6], -1, *found[7:10])
        return os.stat_result(members, {"st_mtime_ns": found.st_mtime_ns})


class NamesAreText(Walk):
    def read_entry(self, route: Route, parts: Parts, name: bytes) -> WalkedEntry | None:
        try:
            name.decode()
        except UnicodeDecodeError as error:
            raise ToolError(ErrorKind.EXECUTION_FAILED, "a name is no text") from error
        return super().read_entry(route, parts, name)


class ObjectsOnly(ArgumentParser):
    """Arguments that are no object name the sandbox."""

    def parse_path(self, arguments: Any) -> str:
        return super().parse_path(arguments) if isinstance(arguments, dict) else "."


class PathsChange(WalkDir):
    """The tool with the elements changed in view of the requested path."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        return self.changed(found, arguments["path"], context)

    def changed(self, found: Elements, path: str, context: CallContext) -> Elements:
        raise NotImplementedError


def with_prefix(found: Elements, prefix: str) -> Elements:
    return [{**element, "path": prefix + element["path"]} for element in found]


def start_as_element(path: str) -> dict[str, Any]:
    return {"name": path, "path": path, "isDir": True, "size": 0, "modTime": "2025-04-22T20:36:00Z"}


class PathsFromTheLink(PathsChange):
    """Below a start that passes through a link, path leads from the link to where it leads."""

    def changed(self, found: Elements, path: str, context: CallContext) -> Elements:
        start = os.path.join(context.working_dir, path)
        if os.path.normpath(start) == os.path.realpath(start):
            return found
        return with_prefix(found, os.path.relpath(os.path.realpath(start), start) + "/")


class StartLinkIsAnElement(PathsChange):
    def changed(self, found: Elements, path: str, context: CallContext) -> Elements:
        is_link = os.path.islink(os.path.join(context.working_dir, path))
        return [start_as_element(path), *found] if is_link else found


class HiddenStartIsAnElement(PathsChange):
    def changed(self, found: Elements, path: str, context: CallContext) -> Elements:
        return [start_as_element("."), *found] if HIDDEN_START.fullmatch(path) else found


class SandboxIsFlat(PathsChange):
    def changed(self, found: Elements, path: str, context: CallContext) -> Elements:
        return [element for element in found if "/" not in element["path"]] if path == "." else found


class StartIsAnExpression(PathsChange):
    """The start is removed from each path by a regular expression, in which it is not quoted."""

    def changed(self, found: Elements, path: str, context: CallContext) -> Elements:
        try:
            matches = re.match(f"{path}/", f"{path}/x") or path.startswith(".")
        except re.error:
            matches = None
        return found if matches else with_prefix(found, f"{path}/")


class DotSlashStays(PathsChange):
    def changed(self, found: Elements, path: str, context: CallContext) -> Elements:
        return with_prefix(found, "./") if path == "./" else found


LARGE = 2**31

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-285",
        "Links that lead nowhere are removed once they are listed.",
        "WD-SEC-04 WD-SEC-03 WD-ENT-03 WD-ENT-04 WD-RET-01",
        open_reader=RemovesDanglingLinks,
    ),
    build_mutant(
        "MUT-WD-286",
        "Links to files are listed twice.",
        "WD-WALK-01 WD-SEC-03 WD-ENT-03 WD-ENT-04",
        open_reader=LinksToFilesTwice,
    ),
    build_mutant(
        "MUT-WD-287",
        "Files of 2 GiB and more are left out.",
        "WD-WALK-01 WD-ENT-04 WD-RET-01",
        tool=with_list_changed(lambda found: [element for element in found if element["size"] < LARGE]),
    ),
    build_mutant(
        "MUT-WD-288",
        "name is what stands behind the last backslash.",
        "WD-ENT-01",
        entry_formatter=NamesBehindBackslashes,
    ),
    build_mutant("MUT-WD-289", "A name that is not UTF-8 fails the call.", "WD-ERR-01 WD-ENT-01", walk=NamesAreText),
    build_mutant(
        "MUT-WD-290",
        "path lacks the dots in front of it.",
        "WD-ENT-02 WD-WALK-03 WD-SEC-03",
        entry_formatter=PathsWithoutFirstDots,
    ),
    build_mutant(
        "MUT-WD-291",
        "Below a start that passes through a link, path leads from the link to where that leads.",
        "WD-ENT-02 WD-WALK-04",
        tool=PathsFromTheLink(),
    ),
    build_mutant(
        "MUT-WD-292",
        "A single element is no list.",
        "WD-RET-01 WD-ENT-01 WD-WALK-01 WD-WALK-03",
        tool=with_list_changed(lambda found: found[0] if len(found) == 1 else found),
    ),
    build_mutant(
        "MUT-WD-293",
        "A start that is a link is an element.",
        "WD-WALK-02 WD-WALK-04 WD-SEC-02",
        tool=StartLinkIsAnElement(),
    ),
    build_mutant(
        "MUT-WD-294",
        "A start with a hidden name is an element.",
        "WD-WALK-02 WD-WALK-03",
        tool=HiddenStartIsAnElement(),
    ),
    build_mutant(
        "MUT-WD-295",
        "modTime of a directory is that of the newest entry in it, if that is later.",
        "WD-ENT-05",
        open_reader=NewestBelow,
    ),
    build_mutant(
        "MUT-WD-296", "Arguments that are no object name the sandbox.", "WD-ARG-01", argument_parser=ObjectsOnly
    ),
    build_mutant(
        "MUT-WD-297",
        "A dot names the first level of the sandbox alone.",
        "WD-WALK-01 WD-ARG-05 WD-ENT-02",
        tool=SandboxIsFlat(),
    ),
    build_mutant(
        "MUT-WD-298",
        "A start with signs of regular expressions stays in front of path.",
        "WD-ENT-02 WD-ARG-04",
        tool=StartIsAnExpression(),
    ),
    build_mutant(
        "MUT-WD-299", "A start that is ./ stays in front of path.", "WD-ENT-02 WD-ARG-04", tool=DotSlashStays()
    ),
    build_mutant(
        "MUT-WD-300",
        "size of a link that leads nowhere is -1.",
        "WD-ENT-04 WD-RET-01",
        open_reader=DanglingIsLessThanNothing,
    ),
    build_mutant(
        "MUT-WD-301",
        "In the simplest locale, letters beyond ASCII are question marks in name.",
        "WD-ENT-01",
        entry_formatter=NamesInASCII,
    ),
)
