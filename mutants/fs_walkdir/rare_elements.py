"""Mutants: errors that only some elements show, or only some lists: large, long, deep, or with unusual names."""

import os
import re
import stat
import unicodedata
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import Elements, build_mutant, with_list_changed


class SystemSizeBelow(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return item.stat_result.st_size if len(item.parts) > 1 else super().size(item)


class TextsForLargeSizes(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        found = super().size(item)
        return str(found) if found >= 2**32 else found


class NamesAsFormats(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return re.sub("%.?", "%!", super().name(item))


class TrimsPaths(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return super().path(item).rstrip(" ")


class StartWhenEmpty(WalkDir):
    """An empty directory is its own only element."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        start = {"name": ".", "path": ".", "isDir": True, "size": 0, "modTime": "2025-04-22T20:36:00Z"}
        return found or [start]


def one_of_each_text(found: Elements) -> Elements:
    return list({element["path"]: element for element in found}.values())


SEPARATORS = r"(: | -> |, | \| | = |; )"
"""Signs that stand between the fields of a line."""


class FirstFieldOfNames(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return re.split(SEPARATORS, super().name(item))[0]


class FirstFieldOfPaths(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return re.split(SEPARATORS, super().path(item))[0]


class ComposesDirectories(EntryFormatter):
    """The directories of a path are composed, and its last component is as it is."""

    def path(self, item: WalkedEntry) -> str:
        *above, last = super().path(item).split("/")
        return "/".join([unicodedata.normalize("NFC", part) for part in above] + [last])


class TextsBeyondDoubles(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        found = super().size(item)
        return str(found) if found > 2**53 else found


class UnreadableIsAFile(Walk):
    """A directory that cannot be read is listed as a file."""

    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        found = super().read_entry(route, parts, name)
        if found is None or not found.is_directory:
            return found
        try:
            list(self._reader.list_names((*route, name)))
        except PermissionError:
            metadata = found.stat_result
            times = {"st_mtime_ns": metadata.st_mtime_ns}
            of_file = os.stat_result((stat.S_IFREG, *metadata[1:10]), times)
            return WalkedEntry(found.parts, found.route, of_file)
        return found


class SpecialFilesHaveTheTimeAbove(DirectoryReaderWrapper):
    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if not stat.S_ISFIFO(found.st_mode) and not stat.S_ISSOCK(found.st_mode):
            return found
        above = os.stat(self.join(*route))
        return os.stat_result(tuple(found[:10]), {"st_mtime_ns": above.st_mtime_ns})


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-187",
        "size of a directory below the first level is that of the file system.",
        "WD-ENT-06",
        entry_formatter=SystemSizeBelow,
    ),
    build_mutant(
        "MUT-WD-190",
        "A list of more than a thousand elements has paths instead of maps.",
        "WD-RET-01",
        tool=with_list_changed(lambda found: found if len(found) < 1000 else [element["path"] for element in found]),
    ),
    build_mutant(
        "MUT-WD-199",
        "Of elements with one path, whose names are not UTF-8, one is kept.",
        "WD-WALK-01 WD-ENT-01",
        tool=with_list_changed(one_of_each_text),
    ),
    build_mutant(
        "MUT-WD-192",
        "size is a text from 2^32 on.",
        "WD-RET-01 WD-ENT-04",
        entry_formatter=TextsForLargeSizes,
    ),
    build_mutant("MUT-WD-193", "A percent sign in a name is a format.", "WD-ENT-01", entry_formatter=NamesAsFormats),
    build_mutant("MUT-WD-194", "Blanks at the end of path are removed.", "WD-ENT-02", entry_formatter=TrimsPaths),
    build_mutant(
        "MUT-WD-196",
        "An empty directory has itself as an element.",
        "WD-WALK-02 WD-RET-02 WD-WALK-04 WD-ERR-06",
        tool=StartWhenEmpty(),
    ),
    build_mutant(
        "MUT-WD-251",
        "A name ends at a sign with a blank behind it.",
        "WD-ENT-01",
        entry_formatter=FirstFieldOfNames,
    ),
    build_mutant(
        "MUT-WD-252",
        "path ends at a sign with a blank behind it.",
        "WD-ENT-02",
        entry_formatter=FirstFieldOfPaths,
    ),
    build_mutant(
        "MUT-WD-253",
        "Letters and marks of the directories in path are composed.",
        "WD-ENT-02",
        entry_formatter=ComposesDirectories,
    ),
    build_mutant(
        "MUT-WD-254",
        "A directory that cannot be read is listed as a file.",
        "WD-ENT-03",
        walk=UnreadableIsAFile,
    ),
    build_mutant("MUT-WD-255", "size is a text beyond 2^53.", "WD-ENT-04", entry_formatter=TextsBeyondDoubles),
    build_mutant(
        "MUT-WD-258",
        "A special file has the time of its directory.",
        "WD-ENT-05",
        open_reader=SpecialFilesHaveTheTimeAbove,
    ),
)
