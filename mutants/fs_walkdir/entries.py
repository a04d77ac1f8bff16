"""Mutants: errors in the elements and in the structure of the list."""

import html
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_plus

from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import EVERYTHING
from .rows import Item, Items, row

SHAPE = "WD-RET-01 WD-ENT-03 WD-ENT-04 WD-ENT-05"
PATHS = (
    "WD-ENT-02 WD-WALK-01 WD-WALK-02 WD-WALK-03 WD-SEC-03 WD-ENT-01 WD-ENT-03 WD-RET-01 WD-ARG-05 "
    "WD-SEC-04 WD-LAST-01 WD-SYN-01 WD-ENT-04"
)
NAMES, KINDS, SIZES = "WD-ENT-01", "WD-ENT-03 WD-RET-01", "WD-ENT-04 WD-RET-01"
INVISIBLE = "[\u200b-\u200f\u202a-\u202e\ufeff]"


def path(item: Item) -> str:
    return str(item.element["path"])


def size(item: Item) -> Any:
    return item.element["size"]


def time_of(item: Item) -> str:
    return str(item.element["modTime"])


def without(marks: str) -> dict[str, Callable[[Item], Any]]:
    """Return the changes that remove characters from names and paths."""
    return {"name": lambda at: re.sub(marks, "", at.name), "path": lambda at: re.sub(marks, "", path(at))}


def formatted(seconds: float, pattern: str = "%Y-%m-%dT%H:%M:%SZ") -> str:
    return time.strftime(pattern, time.gmtime(seconds))


class LocalAsZulu(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime(item.stat_result.st_mtime_ns // 10**9))


def nested(found: Items) -> list[dict[str, Any]]:
    """Return the first level, where each directory contains its children."""
    by_path = {path(item): {**item.element, "children": []} for item in found}
    for place, element in by_path.items():
        if above := place.rpartition("/")[0]:
            by_path[above]["children"].append(element)
    return [element for place, element in by_path.items() if "/" not in place]


def sum_of_files(item: Item, found: Items) -> dict[str, Any]:
    below = [one for one in found if path(one).startswith(path(item) + "/")]
    return {**item.element, "size": sum(map(size, below))} if item.is_dir else item.element


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-WD-182", "path is unescaped.", "WD-ENT-02", path=lambda at: html.unescape(unquote_plus(path(at)))),
    row("MUT-WD-001", "name holds the path.", NAMES, name=path),
    row("MUT-WD-002", "name lacks the extension.", NAMES, name=lambda at: at.name.partition(".")[0] or at.name),
    row("MUT-WD-003", "name is in lower case.", NAMES, name=lambda at: at.name.lower()),
    row(
        "MUT-WD-004", "name lacks control characters.", NAMES, name=lambda at: "".join(filter(str.isprintable, at.name))
    ),
    row("MUT-WD-143", "name lacks leading and trailing blanks.", NAMES, name=lambda at: at.name.strip() or at.name),
    row("MUT-WD-161", "name and path lack carriage returns.", NAMES, "WD-ENT-02 WD-WALK-01", **without("\r")),
    row("MUT-WD-176", "name and path lack invisible marks.", NAMES, "WD-ENT-02 WD-WALK-01", **without(INVISIBLE)),
    row("MUT-WD-162", "name ends at two hundred characters.", NAMES, name=lambda at: at.name[:200]),
    row(
        "MUT-WD-005", "path holds the base name only.", PATHS, "WD-ENT-05 WD-LOG-01 WD-SEC-02", path=lambda at: at.name
    ),
    row("MUT-WD-006", "path begins with ./.", PATHS, "WD-ERR-01", EVERYTHING, path=lambda at: f"./{path(at)}"),
    row("MUT-WD-007", "path begins with a slash.", PATHS, "WD-ERR-01", EVERYTHING, path=lambda at: f"/{path(at)}"),
    row(
        *("MUT-WD-008", "path of a directory ends in a slash.", PATHS, "WD-ENT-05 WD-ERR-06 WD-LOG-01 WD-SEC-02"),
        path=lambda at: path(at) + "/" * at.is_dir,
    ),
    row(
        *("MUT-WD-009", "path has backslashes between components.", PATHS, "WD-LOG-01 WD-SEC-02"),
        path=lambda at: "\\".join(at.parts),
    ),
    row(
        *("MUT-WD-010", "A backslash in a name becomes a slash of path.", "WD-ENT-02"),
        path=lambda at: path(at).replace("\\", "/"),
    ),
    row("MUT-WD-011", "isDir is a text.", KINDS, isDir=lambda at: str(at.is_dir).lower()),
    row("MUT-WD-012", "isDir is 1 or 0.", KINDS, isDir=lambda at: int(at.is_dir)),
    row(
        *("MUT-WD-013", "isDir is true without an extension.", KINDS, "WD-ENT-05"),
        isDir=lambda at: "." not in at.name.strip("."),
    ),
    row(
        *("MUT-WD-014", "isDir is true for empty files.", KINDS, "WD-ENT-05"),
        isDir=lambda at: at.is_dir or at.stat.st_size == 0,
    ),
    row(
        *("MUT-WD-015", "size is the allocated space.", SIZES, "WD-SEC-04"),
        size=lambda at: 0 if at.is_dir else at.stat.st_blocks * 512,
    ),
    row("MUT-WD-016", "size counts kibibytes.", SIZES, "WD-SEC-04", size=lambda at: size(at) / 1024),
    row("MUT-WD-017", "size is cut to 32 bits.", "WD-ENT-04", size=lambda at: size(at) & 0xFFFFFFFF),
    row("MUT-WD-160", "size is cut to 40 bits.", "WD-ENT-04", size=lambda at: size(at) % 2**40),
    row("MUT-WD-018", "size is a text.", SIZES, "WD-SEC-04", size=lambda at: str(size(at))),
    row("MUT-WD-019", "size of a directory is null.", SIZES, size=lambda at: None if at.is_dir else size(at)),
    row("MUT-WD-020", "size of a directory is -1.", SIZES, size=lambda at: -1 if at.is_dir else size(at)),
    row(
        *("MUT-WD-021", "size of a directory is the sum of its files.", "WD-ENT-06 WD-ENT-04"),
        found=lambda found, sent: [sum_of_files(item, found) for item in found],
    ),
    row(
        *("MUT-WD-022", "size is missing for directories.", SIZES, "WD-LAST-01"),
        each=lambda at: {key: value for key, value in at.element.items() if key != "size" or not at.is_dir},
    ),
    row("MUT-WD-023", "modTime is a number.", "WD-ENT-05 WD-RET-01", modTime=lambda at: int(at.stat.st_mtime)),
    row("MUT-WD-024", "modTime has no offset.", "WD-ENT-05", modTime=lambda at: time_of(at).removesuffix("Z")),
    # A process of its own has the time zone that the scenario gives it.
    build_mutant("MUT-WD-025", "modTime is local time with the suffix Z.", "WD-ENT-05", entry_formatter=LocalAsZulu),
    row(
        *("MUT-WD-027", "modTime is the time of the last metadata change.", "WD-ENT-05"),
        modTime=lambda at: formatted(at.stat.st_ctime),
    ),
    row(
        *("MUT-WD-028", "modTime has the format of mail.", "WD-ENT-05"),
        modTime=lambda at: formatted(at.stat.st_mtime, "%a, %d %b %Y %H:%M:%S +0000"),
    ),
    row(
        *("MUT-WD-029", "Months of modTime count from 0.", "WD-ENT-05"),
        modTime=lambda at: f"{time_of(at)[:5]}{int(time_of(at)[5:7]) - 1:02}{time_of(at)[7:]}",
    ),
    row(
        *("MUT-WD-030", "modTime is never before 1970.", "WD-ENT-05"),
        modTime=lambda at: time_of(at) if at.stat.st_mtime >= 0 else "1970-01-01T00:00:00Z",
    ),
    row(
        *("MUT-WD-031", "Keys are named is_dir and mod_time.", SHAPE, "WD-WALK-03 WD-SEC-04 WD-LAST-01"),
        each=lambda at: {
            {"isDir": "is_dir", "modTime": "mod_time"}.get(key, key): at.element[key] for key in at.element
        },
    ),
    row(
        *("MUT-WD-033", "The list is in a map, under entries.", "WD-RET-01", PATHS, EVERYTHING),
        found=lambda found, sent: {"entries": [item.element for item in found]},
    ),
    row(
        *("MUT-WD-034", "Elements are nested like the directories.", "WD-RET-01", PATHS, EVERYTHING),
        found=lambda found, sent: nested(found),
    ),
    row(
        *("MUT-WD-035", "The list contains paths instead of maps.", "WD-RET-01", PATHS, EVERYTHING),
        found=lambda found, sent: [path(item) for item in found],
    ),
)
