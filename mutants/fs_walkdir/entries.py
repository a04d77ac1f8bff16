"""Mutants: errors in the elements and in the form of the list."""

import html
import os
import re
import stat
import time
import unicodedata
from typing import Any
from urllib.parse import unquote_plus

from treeproof.rows.fs_walkdir.row import (
    START,
    Elements,
    Item,
    is_clean,
    names_in,
    path_of,
    real_start,
    replacing,
    start_of,
)
from treeproof.rows.shared.row import Sent, lstat
from treeproof.rows.shared.stored_names import stored_path

from ..shared.mutant import Mutant
from .implied import DEEP, EVERYTHING
from .rows import row

SHAPE = "WD-RET-01 WD-ENT-03 WD-ENT-04 WD-ENT-05"
PATHS = (
    "WD-ENT-02 WD-WALK-01 WD-WALK-02 WD-WALK-03 WD-SEC-03 WD-ENT-01 WD-ENT-03 WD-RET-01 WD-ARG-05 "
    "WD-SEC-04 WD-LAST-01 WD-SYN-01 WD-ENT-04"
)
NAMES, KINDS, SIZES = "WD-ENT-01", "WD-ENT-03 WD-RET-01", "WD-ENT-04 WD-RET-01"
BELOW = "WD-ENT-02 WD-WALK-04"
INVISIBLE = "[\u200b-\u200f\u202a-\u202e\ufeff]"
FIELDS = r"(: | -> |, | \| | = |; )"
"""Signs that stand between the fields of a line."""


def small_extension(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    return stem + dot + (extension.lower() if stem else extension)


def with_composed_directories(path: str) -> str:
    above, slash, last = path.rpartition("/")
    return unicodedata.normalize("NFC", above) + slash + last


def from_the_link(sent: Sent) -> str:
    return os.path.relpath(real_start(sent), start_of(sent)) + "/"


def from_the_stored_name(sent: Sent) -> str:
    """Return the way from the start as it was asked for to the start as it is stored; nothing if they are equal."""
    path = path_of(sent)
    way = os.path.relpath(stored_path(sent.root, path), path)
    return "" if way == "." else way + "/"


def remains(sent: Sent) -> bool:
    """Return whether the start stays in front of paths from which it is removed as a regular expression."""
    start = path_of(sent)
    try:
        return not start.startswith(".") and re.match(f"{start}/", f"{start}/x") is None
    except re.error:
        return True


def formatted(seconds: float, pattern: str = "-%m-%dT%H:%M:%SZ") -> str:
    """Return a time in UTC; the pattern continues behind the year."""
    moment = time.gmtime(seconds // 1)
    return f"{moment.tm_year:04}" + time.strftime(pattern, moment)


def seconds_of(item: Item) -> int:
    return item.stat.st_mtime_ns // 10**9


def quotient(ns: int) -> int:
    """Return the seconds of 64 bits of nanoseconds, rounded towards zero."""
    held = (ns + 2**63) % 2**64 - 2**63
    return held // 10**9 if held >= 0 else -(-held // 10**9)


def unpadded(item: Item) -> str:
    milliseconds = item.stat.st_mtime_ns // 10**6 % 1000
    return item.time.removesuffix("Z") + (f".{milliseconds}Z" if milliseconds else "Z")


def without_line_ends(item: Item) -> Any:
    """Return the size of a small file without the line ends behind its text."""
    is_read = stat.S_ISREG(item.mode) and 0 < item.size < 100 and item.mode & stat.S_IRUSR
    return len(item.place.read_bytes().rstrip(b"\n")) if is_read else item.size


def is_special(item: Item) -> bool:
    return stat.S_ISFIFO(item.mode) or stat.S_ISSOCK(item.mode)


def newest(item: Item) -> int:
    """Return the time of an entry, or that of the newest one in it."""
    below = [lstat(item.place / name) for name in names_in(item.place)] if item.is_dir else []
    return max(found.st_mtime_ns for found in (item.stat, *below) if found is not None) // 10**9


def paths(found: Elements) -> list[str]:
    return [element["path"] for element in found]


def nested(found: Elements) -> Elements:
    """Return the first level, where each directory contains its children."""
    by_path = {element["path"]: {**element, "children": []} for element in found}
    for place, element in by_path.items():
        if above := place.rpartition("/")[0]:
            by_path[above]["children"].append(element)
    return [element for place, element in by_path.items() if "/" not in place]


def sum_of_files(element: dict[str, Any], found: Elements) -> dict[str, Any]:
    below = [one["size"] for one in found if one["path"].startswith(element["path"] + "/")]
    return {**element, "size": sum(below)} if element["isDir"] else element


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-WD-182", "path is unescaped.", "WD-ENT-02")(path=lambda path: html.unescape(unquote_plus(path))),
    row("MUT-WD-001", "name holds the path.", NAMES)(each=lambda at: {**at.element, "name": at.path}),
    row("MUT-WD-002", "name lacks the extension.", NAMES)(name=lambda name: name.partition(".")[0] or name),
    row("MUT-WD-003", "name is in lower case.", NAMES)(name=str.lower),
    row("MUT-WD-004", "name lacks control characters.", NAMES)(
        name=lambda name: "".join(filter(str.isprintable, name))
    ),
    row("MUT-WD-143", "name lacks leading and trailing blanks.", NAMES)(name=lambda name: name.strip() or name),
    row("MUT-WD-161", "name and path lack carriage returns.", NAMES, "WD-ENT-02 WD-WALK-01")(
        name=replacing("\r"), path=replacing("\r")
    ),
    row("MUT-WD-176", "name and path lack invisible marks.", NAMES, "WD-ENT-02 WD-WALK-01")(
        name=replacing(INVISIBLE), path=replacing(INVISIBLE)
    ),
    row("MUT-WD-162", "name ends at two hundred characters.", NAMES)(name=lambda name: name[:200]),
    row("MUT-WD-005", "path holds the base name only.", PATHS, "WD-ENT-05 WD-LOG-01 WD-SEC-02")(path=os.path.basename),
    row("MUT-WD-006", "path begins with ./.", PATHS, "WD-ERR-01", EVERYTHING)(above=lambda sent: "./"),
    row("MUT-WD-007", "path begins with a slash.", PATHS, "WD-ERR-01", EVERYTHING)(above=lambda sent: "/"),
    row("MUT-WD-008", "path of a directory ends in a slash.", PATHS, "WD-ENT-05 WD-ERR-06 WD-LOG-01 WD-SEC-02")(
        each=lambda at: {**at.element, "path": at.path + "/" * at.is_dir}
    ),
    row("MUT-WD-009", "path has backslashes between components.", PATHS, "WD-LOG-01 WD-SEC-02")(
        path=lambda path: path.replace("/", "\\")
    ),
    row("MUT-WD-010", "A backslash in a name becomes a slash of path.", "WD-ENT-02")(
        path=lambda path: path.replace("\\", "/")
    ),
    row("MUT-WD-011", "isDir is a text.", KINDS)(isDir=lambda at: str(at.is_dir).lower()),
    row("MUT-WD-012", "isDir is 1 or 0.", KINDS)(isDir=lambda at: int(at.is_dir)),
    row("MUT-WD-013", "isDir is true without an extension.", KINDS, "WD-ENT-05")(
        isDir=lambda at: "." not in at.name.strip(".")
    ),
    row("MUT-WD-014", "isDir is true for empty files.", KINDS, "WD-ENT-05")(
        isDir=lambda at: at.is_dir or at.stat.st_size == 0
    ),
    row("MUT-WD-015", "size is the allocated space.", SIZES, "WD-SEC-04")(
        size=lambda at: 0 if at.is_dir else at.stat.st_blocks * 512
    ),
    row("MUT-WD-016", "size counts kibibytes.", SIZES, "WD-SEC-04")(size=lambda at: at.size / 1024),
    row("MUT-WD-017", "size is cut to 32 bits.", "WD-ENT-04")(size=lambda at: at.size & 0xFFFFFFFF),
    row("MUT-WD-160", "size is cut to 40 bits.", "WD-ENT-04")(size=lambda at: at.size % 2**40),
    row("MUT-WD-018", "size is a text.", SIZES, "WD-SEC-04")(size=lambda at: str(at.size)),
    row("MUT-WD-019", "size of a directory is null.", SIZES)(size=lambda at: None if at.is_dir else at.size),
    row("MUT-WD-020", "size of a directory is -1.", SIZES)(size=lambda at: -1 if at.is_dir else at.size),
    row("MUT-WD-021", "size of a directory is the sum of its files.", "WD-ENT-06 WD-ENT-04")(
        value=lambda found: [sum_of_files(element, found) for element in found]
    ),
    row("MUT-WD-022", "size is missing for directories.", SIZES, "WD-LAST-01")(
        each=lambda at: {key: value for key, value in at.element.items() if key != "size" or not at.is_dir}
    ),
    row("MUT-WD-023", "modTime is a number.", "WD-ENT-05 WD-RET-01")(modTime=lambda at: int(at.stat.st_mtime)),
    row("MUT-WD-024", "modTime has no offset.", "WD-ENT-05")(modTime=lambda at: at.time.removesuffix("Z")),
    row("MUT-WD-027", "modTime is the time of the last metadata change.", "WD-ENT-05")(
        modTime=lambda at: formatted(at.stat.st_ctime)
    ),
    row("MUT-WD-028", "modTime has the format of mail.", "WD-ENT-05")(
        modTime=lambda at: time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(at.stat.st_mtime))
    ),
    row("MUT-WD-029", "Months of modTime count from 0.", "WD-ENT-05")(
        modTime=lambda at: f"{at.time[:5]}{int(at.time[5:7]) - 1:02}{at.time[7:]}"
    ),
    row("MUT-WD-030", "modTime is never before 1970.", "WD-ENT-05")(
        modTime=lambda at: at.time if at.stat.st_mtime >= 0 else "1970-01-01T00:00:00Z"
    ),
    row("MUT-WD-031", "Keys are named is_dir and mod_time.", SHAPE, "WD-WALK-03 WD-SEC-04 WD-LAST-01")(
        each=lambda at: {
            {"isDir": "is_dir", "modTime": "mod_time"}.get(key, key): at.element[key] for key in at.element
        }
    ),
    row("MUT-WD-033", "The list is in a map, under entries.", "WD-RET-01", PATHS, EVERYTHING)(
        value=lambda found: {"entries": found}
    ),
    row("MUT-WD-034", "Elements are nested like the directories.", "WD-RET-01", PATHS, EVERYTHING)(value=nested),
    row("MUT-WD-035", "The list contains paths instead of maps.", "WD-RET-01", PATHS, EVERYTHING)(value=paths),
    row("MUT-WD-163", "modTime is reduced to 32 unsigned bits.", "WD-ENT-05")(
        modTime=lambda at: formatted(seconds_of(at) % 2**32 if seconds_of(at) > 0 else seconds_of(at))
    ),
    row("MUT-WD-164", "modTime comes from 64 bits of nanoseconds, rounded towards 1970.", "WD-ENT-05")(
        modTime=lambda at: formatted(quotient(at.stat.st_mtime_ns))
    ),
    row("MUT-WD-168", "Milliseconds are written without leading zeros.", "WD-ENT-05")(modTime=unpadded),
    row("MUT-WD-295", "modTime of a directory is that of the newest entry in it, if that is later.", "WD-ENT-05")(
        modTime=lambda at: formatted(newest(at))
    ),
    row("MUT-WD-258", "A special file has the time of its directory.", "WD-ENT-05")(
        modTime=lambda at: formatted(at.place.parent.stat().st_mtime) if is_special(at) else at.time
    ),
    row("MUT-WD-187", "size of a directory below the first level is that of the file system.", "WD-ENT-06")(
        size=lambda at: at.stat.st_size if len(at.parts) > 1 else at.size
    ),
    row("MUT-WD-192", "size is a text from 2^32 on.", "WD-RET-01 WD-ENT-04")(
        size=lambda at: str(at.size) if at.size >= 2**32 else at.size
    ),
    row("MUT-WD-232", "Line ends at the end of a file are not counted.", "WD-ENT-04 WD-SEC-04")(size=without_line_ends),
    row("MUT-WD-255", "size is a text beyond 2^53.", "WD-ENT-04")(
        size=lambda at: str(at.size) if at.size > 2**53 else at.size
    ),
    row("MUT-WD-300", "size of a link that leads nowhere is -1.", "WD-ENT-04 WD-RET-01")(
        size=lambda at: -1 if at.is_dangling else at.size
    ),
    row("MUT-WD-227", "A file with several names is a directory.", "WD-ENT-03")(
        isDir=lambda at: at.is_dir or at.stat.st_nlink > 1
    ),
    row("MUT-WD-193", "A percent sign in a name is a format.", NAMES)(name=replacing("%.?", "%!")),
    row("MUT-WD-209", "A name ends at a colon that is not its first character.", NAMES)(name=replacing("(?<=.):.*")),
    row("MUT-WD-210", "Blanks in a row become one in a name.", NAMES)(name=replacing(" +(?= )")),
    row("MUT-WD-211", "Quotes around a name are removed.", NAMES)(name=replacing("^([\"'`])(.*)\\1$", r"\2")),
    row("MUT-WD-212", "A tilde before the name of an entry is removed.", NAMES)(name=replacing("^~(?=.)")),
    row("MUT-WD-213", "What is behind the last dot is in small letters.", NAMES)(name=small_extension),
    row("MUT-WD-214", "A name of digits is a number.", "WD-RET-01 WD-ENT-01")(
        name=lambda name: int(name) if name.isascii() and name.isdigit() else name
    ),
    row("MUT-WD-251", "A name ends at a sign with a blank behind it.", NAMES)(
        name=lambda name: re.split(FIELDS, name)[0]
    ),
    row("MUT-WD-288", "name is what stands behind the last backslash.", NAMES)(
        name=lambda name: name.rpartition("\\")[2]
    ),
    row("MUT-WD-194", "Blanks at the end of path are removed.", "WD-ENT-02")(path=lambda path: path.rstrip(" ")),
    row("MUT-WD-252", "path ends at a sign with a blank behind it.", "WD-ENT-02")(
        path=lambda path: re.split(FIELDS, path)[0]
    ),
    row("MUT-WD-253", "Letters and marks of the directories in path are composed.", "WD-ENT-02")(
        path=with_composed_directories
    ),
    row("MUT-WD-290", "path lacks the dots in front of it.", "WD-ENT-02 WD-WALK-03 WD-SEC-03")(
        path=lambda path: path.lstrip("./")
    ),
    row("MUT-WD-058", "path is relative to the sandbox.", "WD-ENT-02", DEEP, EVERYTHING)(
        where=lambda sent: start_of(sent) != sent.root, above=lambda sent: os.path.normpath(path_of(sent)) + "/"
    ),
    row("MUT-WD-059", "path is absolute.", "WD-ENT-02", DEEP, EVERYTHING)(
        above=lambda sent: f"{sent.root}/{path_of(sent)}/"
    ),
    row("MUT-WD-291", "Below a start that passes through a link, path leads from the link to where that leads.", BELOW)(
        where=lambda sent: real_start(sent) != str(start_of(sent)), above=from_the_link
    ),
    row("MUT-WD-962", "path leads from the start as it was asked for to the entry as it is stored.", "WD-ENT-02")(
        where=is_clean, above=from_the_stored_name
    ),
    row("MUT-WD-298", "A start with signs of regular expressions stays in front of path.", "WD-ENT-02 WD-ARG-04")(
        where=remains, above=lambda sent: path_of(sent) + "/"
    ),
    row("MUT-WD-299", "A start that is ./ stays in front of path.", "WD-ENT-02 WD-ARG-04")(
        where=lambda sent: path_of(sent) == "./", above=path_of
    ),
    row("MUT-WD-190", "A list of more than a thousand elements has paths instead of maps.", "WD-RET-01")(
        value=lambda found: found if len(found) < 1000 else paths(found)
    ),
    row("MUT-WD-292", "A single element is no list.", "WD-RET-01 WD-ENT-01 WD-WALK-01 WD-WALK-03")(
        value=lambda found: found[0] if len(found) == 1 else found
    ),
    row("MUT-WD-305", "An empty directory gives an empty map.", "WD-RET-02 WD-WALK-04 WD-ERR-06")(
        value=lambda found: found or {}
    ),
    row("MUT-WD-057", "The start is an element.", "WD-WALK-02", DEEP, EVERYTHING)(value=lambda found: [START, *found]),
    row("MUT-WD-196", "An empty directory has itself as an element.", "WD-WALK-02 WD-RET-02 WD-WALK-04 WD-ERR-06")(
        value=lambda found: found or [START]
    ),
    row("MUT-WD-293", "A start that is a link is an element.", "WD-WALK-02 WD-WALK-04 WD-SEC-02")(
        where=lambda sent: os.path.islink(start_of(sent)), value=lambda found: [START, *found]
    ),
    row("MUT-WD-294", "A start with a hidden name is an element.", "WD-WALK-02 WD-WALK-03")(
        where=lambda sent: re.fullmatch(r"(?:.*/)?\.[^/.][^/]*/*", path_of(sent)), value=lambda found: [START, *found]
    ),
)
