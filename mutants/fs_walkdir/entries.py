"""Mutants: errors in the elements and in the structure of the list."""

import html
import re
import time
from typing import Any
from urllib.parse import unquote_plus

from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry

from ..shared.mutant import Mutant
from .builders import Elements, build_mutant, with_elements_changed, with_list_changed
from .implied import EVERYTHING


class ShowsPath(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return self.path(item)


class CutsExtensions(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return item.parts[-1].partition(".")[0] or item.parts[-1]


class SmallLetters(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return item.parts[-1].lower()


class StripsNames(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return "".join(character for character in item.parts[-1] if character.isprintable())


class TrimsNames(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return item.parts[-1].strip() or item.parts[-1]


def dropping_characters(marks: str) -> type[EntryFormatter]:
    """Return a change that removes characters from names and paths."""

    class LeavesOut(EntryFormatter):
        def name(self, item: WalkedEntry) -> str:
            return re.sub(marks, "", super().name(item))

        def path(self, item: WalkedEntry) -> str:
            return re.sub(marks, "", super().path(item))

    return LeavesOut


class TwoHundredCharacters(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        return item.parts[-1][:200]


class BaseNames(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return item.parts[-1]


class DotSlash(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return "./" + super().path(item)


class SlashInFront(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return "/" + super().path(item)


class SlashBehind(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return super().path(item) + ("/" if item.is_directory else "")


class Backslashes(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return "\\".join(item.parts)


class UnescapedPaths(EntryFormatter):
    """Reads a path as an address or as text of a page, and so changes it."""

    def path(self, item: WalkedEntry) -> str:
        return html.unescape(unquote_plus(super().path(item)))


class TidiesBackslashes(EntryFormatter):
    def path(self, item: WalkedEntry) -> str:
        return super().path(item).replace("\\", "/")


class TextForDirectories(EntryFormatter):
    def is_dir(self, item: WalkedEntry) -> Any:
        return "true" if item.is_directory else "false"


class OneForDirectories(EntryFormatter):
    def is_dir(self, item: WalkedEntry) -> Any:
        return int(item.is_directory)


class GuessesByName(EntryFormatter):
    def is_dir(self, item: WalkedEntry) -> Any:
        return "." not in item.parts[-1].strip(".")


class GuessesBySize(EntryFormatter):
    def is_dir(self, item: WalkedEntry) -> Any:
        return item.is_directory or item.stat_result.st_size == 0


class Blocks(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return 0 if item.is_directory else item.stat_result.st_blocks * 512


class Kibibytes(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return super().size(item) / 1024


class ThirtyTwoBits(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return super().size(item) & 0xFFFFFFFF


class FortyBits(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return super().size(item) % 2**40


class Floats(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return f"{super().size(item)}"


class NoneForDirectories(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return None if item.is_directory else super().size(item)


class BelowZero(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return -1 if item.is_directory else super().size(item)


class Seconds(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return int(item.stat_result.st_mtime)


class WithoutOffset(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return super().mod_time(item).removesuffix("Z")


class LocalAsZulu(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime(item.stat_result.st_mtime_ns // 10**9))


class ChangeTime(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(item.stat_result.st_ctime))


class MailDate(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(item.stat_result.st_mtime))


class MonthsFromZero(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        date = super().mod_time(item)
        return f"{date[:5]}{int(date[5:7]) - 1:02}{date[7:]}"


class NothingBefore1970(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return super().mod_time(item) if item.stat_result.st_mtime >= 0 else "1970-01-01T00:00:00Z"


def renamed(element: dict[str, Any]) -> dict[str, Any]:
    names = {"isDir": "is_dir", "modTime": "mod_time"}
    return {names.get(key, key): value for key, value in element.items()}


def without_size(element: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in element.items() if key != "size" or not element["isDir"]}


def nested(found: Elements) -> Elements:
    """Return the first level, where each directory contains its children."""
    by_path = {element["path"]: {**element, "children": []} for element in found}
    for path, element in by_path.items():
        above = path.rpartition("/")[0]
        if above:
            by_path[above]["children"].append(element)
    return [element for path, element in by_path.items() if "/" not in path]


def sums(found: Elements) -> Elements:
    return [
        {**one, "size": sum(f["size"] for f in found if f["path"].startswith(one["path"] + "/"))}
        if one["isDir"]
        else one
        for one in found
    ]


SHAPE = "WD-RET-01 WD-ENT-03 WD-ENT-04 WD-ENT-05"
PATHS = (
    "WD-ENT-02 WD-WALK-01 WD-WALK-02 WD-WALK-03 WD-SEC-03 WD-ENT-01 WD-ENT-03 WD-RET-01 WD-ARG-05 "
    "WD-SEC-04 WD-LAST-01 WD-SYN-01 WD-ENT-04"
)
TIMES = "WD-ENT-05"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-WD-182", "path is unescaped.", "WD-ENT-02", entry_formatter=UnescapedPaths),
    build_mutant("MUT-WD-001", "name holds the path.", "WD-ENT-01", entry_formatter=ShowsPath),
    build_mutant("MUT-WD-002", "name lacks the extension.", "WD-ENT-01", entry_formatter=CutsExtensions),
    build_mutant("MUT-WD-003", "name is in lower case.", "WD-ENT-01", entry_formatter=SmallLetters),
    build_mutant("MUT-WD-004", "name lacks control characters.", "WD-ENT-01", entry_formatter=StripsNames),
    build_mutant("MUT-WD-143", "name lacks leading and trailing blanks.", "WD-ENT-01", entry_formatter=TrimsNames),
    build_mutant(
        "MUT-WD-161",
        "name and path lack carriage returns.",
        "WD-ENT-01 WD-ENT-02 WD-WALK-01",
        entry_formatter=dropping_characters("\r"),
    ),
    build_mutant(
        "MUT-WD-176",
        "name and path lack invisible marks.",
        "WD-ENT-01 WD-ENT-02 WD-WALK-01",
        entry_formatter=dropping_characters("[\u200b-\u200f\u202a-\u202e\ufeff]"),
    ),
    build_mutant(
        "MUT-WD-162",
        "name ends at two hundred characters.",
        "WD-ENT-01",
        entry_formatter=TwoHundredCharacters,
    ),
    build_mutant(
        "MUT-WD-005",
        "path holds the base name only.",
        PATHS,
        "WD-ENT-05 WD-LOG-01 WD-SEC-02",
        entry_formatter=BaseNames,
    ),
    build_mutant("MUT-WD-006", "path begins with ./.", PATHS, "WD-ERR-01", EVERYTHING, entry_formatter=DotSlash),
    build_mutant(
        "MUT-WD-007",
        "path begins with a slash.",
        PATHS,
        "WD-ERR-01",
        EVERYTHING,
        entry_formatter=SlashInFront,
    ),
    build_mutant(
        "MUT-WD-008",
        "path of a directory ends in a slash.",
        PATHS,
        "WD-ENT-05 WD-ERR-06 WD-LOG-01 WD-SEC-02",
        entry_formatter=SlashBehind,
    ),
    build_mutant(
        "MUT-WD-009",
        "path has backslashes between components.",
        PATHS,
        "WD-LOG-01 WD-SEC-02",
        entry_formatter=Backslashes,
    ),
    build_mutant(
        "MUT-WD-010",
        "A backslash in a name becomes a slash of path.",
        "WD-ENT-02",
        entry_formatter=TidiesBackslashes,
    ),
    build_mutant("MUT-WD-011", "isDir is a text.", "WD-ENT-03 WD-RET-01", entry_formatter=TextForDirectories),
    build_mutant("MUT-WD-012", "isDir is 1 or 0.", "WD-ENT-03 WD-RET-01", entry_formatter=OneForDirectories),
    build_mutant(
        "MUT-WD-013",
        "isDir is true without an extension.",
        "WD-ENT-03 WD-RET-01 WD-ENT-05",
        entry_formatter=GuessesByName,
    ),
    build_mutant(
        "MUT-WD-014",
        "isDir is true for empty files.",
        "WD-ENT-03 WD-RET-01 WD-ENT-05",
        entry_formatter=GuessesBySize,
    ),
    build_mutant(
        "MUT-WD-015",
        "size is the allocated space.",
        "WD-ENT-04 WD-RET-01 WD-SEC-04",
        entry_formatter=Blocks,
    ),
    build_mutant("MUT-WD-016", "size counts kibibytes.", "WD-ENT-04 WD-RET-01 WD-SEC-04", entry_formatter=Kibibytes),
    build_mutant("MUT-WD-017", "size is cut to 32 bits.", "WD-ENT-04", entry_formatter=ThirtyTwoBits),
    build_mutant("MUT-WD-160", "size is cut to 40 bits.", "WD-ENT-04", entry_formatter=FortyBits),
    build_mutant("MUT-WD-018", "size is a text.", "WD-ENT-04 WD-RET-01 WD-SEC-04", entry_formatter=Floats),
    build_mutant(
        "MUT-WD-019",
        "size of a directory is null.",
        "WD-ENT-04 WD-RET-01",
        entry_formatter=NoneForDirectories,
    ),
    build_mutant("MUT-WD-020", "size of a directory is -1.", "WD-ENT-04 WD-RET-01", entry_formatter=BelowZero),
    build_mutant(
        "MUT-WD-021",
        "size of a directory is the sum of its files.",
        "WD-ENT-06 WD-ENT-04",
        tool=with_list_changed(sums),
    ),
    build_mutant(
        "MUT-WD-022",
        "size is missing for directories.",
        "WD-RET-01 WD-ENT-04 WD-LAST-01",
        tool=with_elements_changed(without_size),
    ),
    build_mutant("MUT-WD-023", "modTime is a number.", TIMES, "WD-RET-01", entry_formatter=Seconds),
    build_mutant("MUT-WD-024", "modTime has no offset.", TIMES, entry_formatter=WithoutOffset),
    build_mutant("MUT-WD-025", "modTime is local time with the suffix Z.", TIMES, entry_formatter=LocalAsZulu),
    build_mutant("MUT-WD-027", "modTime is the time of the last metadata change.", TIMES, entry_formatter=ChangeTime),
    build_mutant("MUT-WD-028", "modTime has the format of mail.", TIMES, entry_formatter=MailDate),
    build_mutant("MUT-WD-029", "Months of modTime count from 0.", TIMES, entry_formatter=MonthsFromZero),
    build_mutant("MUT-WD-030", "modTime is never before 1970.", TIMES, entry_formatter=NothingBefore1970),
    build_mutant(
        "MUT-WD-031",
        "Keys are named is_dir and mod_time.",
        SHAPE,
        "WD-WALK-03 WD-SEC-04 WD-LAST-01",
        tool=with_elements_changed(renamed),
    ),
    build_mutant(
        "MUT-WD-033",
        "The list is in a map, under entries.",
        "WD-RET-01",
        PATHS,
        EVERYTHING,
        tool=with_list_changed(lambda found: {"entries": found}),
    ),
    build_mutant(
        "MUT-WD-034",
        "Elements are nested like the directories.",
        "WD-RET-01",
        PATHS,
        EVERYTHING,
        tool=with_list_changed(nested),
    ),
    build_mutant(
        "MUT-WD-035",
        "The list contains paths instead of maps.",
        "WD-RET-01",
        PATHS,
        EVERYTHING,
        tool=with_list_changed(lambda found: [element["path"] for element in found]),
    ),
)
