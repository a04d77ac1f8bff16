"""Wrong in what is said of an entry, and in how the list is made of it."""

import re
import time
from typing import Any

from ...walking.entries import Describing, Item
from ..mutant import Mutant
from .implied import EVERYTHING
from .made import Elements, changing, each, wrong


class ShowsPath(Describing):
    def name(self, item: Item) -> str:
        return self.path(item)


class CutsExtensions(Describing):
    def name(self, item: Item) -> str:
        return item.parts[-1].partition(".")[0] or item.parts[-1]


class SmallLetters(Describing):
    def name(self, item: Item) -> str:
        return item.parts[-1].lower()


class StripsNames(Describing):
    def name(self, item: Item) -> str:
        return "".join(character for character in item.parts[-1] if character.isprintable())


class TrimsNames(Describing):
    def name(self, item: Item) -> str:
        return item.parts[-1].strip() or item.parts[-1]


def left_out(marks: str) -> type[Describing]:
    """Characters that names and paths lose."""

    class LeavesOut(Describing):
        def name(self, item: Item) -> str:
            return re.sub(marks, "", super().name(item))

        def path(self, item: Item) -> str:
            return re.sub(marks, "", super().path(item))

    return LeavesOut


class TwoHundredCharacters(Describing):
    def name(self, item: Item) -> str:
        return item.parts[-1][:200]


class BaseNames(Describing):
    def path(self, item: Item) -> str:
        return item.parts[-1]


class DotSlash(Describing):
    def path(self, item: Item) -> str:
        return "./" + super().path(item)


class SlashInFront(Describing):
    def path(self, item: Item) -> str:
        return "/" + super().path(item)


class SlashBehind(Describing):
    def path(self, item: Item) -> str:
        return super().path(item) + ("/" if item.is_directory else "")


class Backslashes(Describing):
    def path(self, item: Item) -> str:
        return "\\".join(item.parts)


class TidiesBackslashes(Describing):
    def path(self, item: Item) -> str:
        return super().path(item).replace("\\", "/")


class TextForDirectories(Describing):
    def is_dir(self, item: Item) -> Any:
        return "true" if item.is_directory else "false"


class OneForDirectories(Describing):
    def is_dir(self, item: Item) -> Any:
        return int(item.is_directory)


class GuessesByName(Describing):
    def is_dir(self, item: Item) -> Any:
        return "." not in item.parts[-1].strip(".")


class GuessesBySize(Describing):
    def is_dir(self, item: Item) -> Any:
        return item.is_directory or item.found.st_size == 0


class Blocks(Describing):
    def size(self, item: Item) -> Any:
        return 0 if item.is_directory else item.found.st_blocks * 512


class Kibibytes(Describing):
    def size(self, item: Item) -> Any:
        return super().size(item) / 1024


class ThirtyTwoBits(Describing):
    def size(self, item: Item) -> Any:
        return super().size(item) & 0xFFFFFFFF


class FortyBits(Describing):
    def size(self, item: Item) -> Any:
        return super().size(item) % 2**40


class Floats(Describing):
    def size(self, item: Item) -> Any:
        return f"{super().size(item)}"


class NoneForDirectories(Describing):
    def size(self, item: Item) -> Any:
        return None if item.is_directory else super().size(item)


class BelowZero(Describing):
    def size(self, item: Item) -> Any:
        return -1 if item.is_directory else super().size(item)


class Seconds(Describing):
    def mod_time(self, item: Item) -> Any:
        return int(item.found.st_mtime)


class WithoutOffset(Describing):
    def mod_time(self, item: Item) -> Any:
        return super().mod_time(item).removesuffix("Z")


class LocalAsZulu(Describing):
    def mod_time(self, item: Item) -> Any:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime(item.found.st_mtime_ns // 10**9))


class Nearest(Describing):
    def mod_time(self, item: Item) -> Any:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(round(item.found.st_mtime_ns / 10**9)))


class ChangeTime(Describing):
    def mod_time(self, item: Item) -> Any:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(item.found.st_ctime))


class MailDate(Describing):
    def mod_time(self, item: Item) -> Any:
        return time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(item.found.st_mtime))


class MonthsFromZero(Describing):
    def mod_time(self, item: Item) -> Any:
        date = super().mod_time(item)
        return f"{date[:5]}{int(date[5:7]) - 1:02}{date[7:]}"


class NothingBefore1970(Describing):
    def mod_time(self, item: Item) -> Any:
        return super().mod_time(item) if item.found.st_mtime >= 0 else "1970-01-01T00:00:00Z"


def renamed(element: dict[str, Any]) -> dict[str, Any]:
    names = {"isDir": "is_dir", "modTime": "mod_time"}
    return {names.get(key, key): value for key, value in element.items()}


def without_size(element: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in element.items() if key != "size" or not element["isDir"]}


def nested(found: Elements) -> Elements:
    """Each directory holds its children; the list has the first level only."""
    by_path = {element["path"]: {**element, "children": []} for element in found}
    for path, element in by_path.items():
        above = path.rpartition("/")[0]
        if above:
            by_path[above]["children"].append(element)
    return [element for path, element in by_path.items() if "/" not in path]


def sums(found: Elements) -> Elements:
    """The size of a directory is that of the files in it."""
    return [
        {**one, "size": sum(f["size"] for f in found if f["path"].startswith(one["path"] + "/"))}
        if one["isDir"]
        else one
        for one in found
    ]


SHAPE = ("WD-RET-01", "WD-ENT-03", "WD-ENT-04", "WD-ENT-05")
PATHS = (
    *("WD-ENT-02", "WD-WALK-01", "WD-WALK-02", "WD-WALK-03", "WD-SEC-03", "WD-ENT-01", "WD-ENT-03"),
    *("WD-RET-01", "WD-ARG-05", "WD-SEC-04", "WD-LAST-01", "WD-SYN-01", "WD-ENT-04"),
)
TIMES = ("WD-ENT-05",)

MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-WD-001", "name holds the path.", "WD-ENT-01", describing=ShowsPath),
    wrong("MUT-WD-002", "name has lost its extension.", "WD-ENT-01", describing=CutsExtensions),
    wrong("MUT-WD-003", "name is in small letters.", "WD-ENT-01", describing=SmallLetters),
    wrong("MUT-WD-004", "Control characters are left out of name.", "WD-ENT-01", describing=StripsNames),
    wrong("MUT-WD-143", "Blanks at the ends of name are left out.", "WD-ENT-01", describing=TrimsNames),
    wrong(
        "MUT-WD-161",
        "Carriage returns are left out of name and path.",
        "WD-ENT-01",
        "WD-ENT-02",
        "WD-WALK-01",
        describing=left_out("\r"),
    ),
    wrong(
        "MUT-WD-176",
        "Marks that show nothing are left out of name and path.",
        "WD-ENT-01",
        "WD-ENT-02",
        "WD-WALK-01",
        describing=left_out("[\u200b-\u200f\u202a-\u202e\ufeff]"),
    ),
    wrong("MUT-WD-162", "name ends at two hundred characters.", "WD-ENT-01", describing=TwoHundredCharacters),
    wrong(
        "MUT-WD-005",
        "path holds the base name only.",
        *PATHS,
        "WD-ENT-05",
        "WD-LOG-01",
        "WD-SEC-02",
        describing=BaseNames,
    ),
    wrong("MUT-WD-006", "path begins with ./.", *PATHS, "WD-ERR-01", *EVERYTHING, describing=DotSlash),
    wrong(
        "MUT-WD-007", "path begins with a slash.", *PATHS, "WD-ERR-01", *EVERYTHING, describing=SlashInFront
    ),
    wrong(
        "MUT-WD-008",
        "path of a directory ends in a slash.",
        *PATHS,
        "WD-ENT-05",
        "WD-ERR-06",
        "WD-LOG-01",
        "WD-SEC-02",
        describing=SlashBehind,
    ),
    wrong(
        "MUT-WD-009",
        "path has backslashes between components.",
        *PATHS,
        "WD-LOG-01",
        "WD-SEC-02",
        describing=Backslashes,
    ),
    wrong(
        "MUT-WD-010",
        "A backslash in a name becomes a slash of path.",
        "WD-ENT-02",
        describing=TidiesBackslashes,
    ),
    wrong("MUT-WD-011", "isDir is a text.", "WD-ENT-03", "WD-RET-01", describing=TextForDirectories),
    wrong("MUT-WD-012", "isDir is 1 or 0.", "WD-ENT-03", "WD-RET-01", describing=OneForDirectories),
    wrong(
        "MUT-WD-013",
        "Whatever has no extension is a directory.",
        "WD-ENT-03",
        "WD-RET-01",
        "WD-ENT-05",
        describing=GuessesByName,
    ),
    wrong(
        "MUT-WD-014",
        "Empty files are directories.",
        "WD-ENT-03",
        "WD-RET-01",
        "WD-ENT-05",
        describing=GuessesBySize,
    ),
    wrong(
        "MUT-WD-015",
        "size is what is allocated on the disk.",
        "WD-ENT-04",
        "WD-RET-01",
        "WD-SEC-04",
        describing=Blocks,
    ),
    wrong(
        "MUT-WD-016", "size counts kibibytes.", "WD-ENT-04", "WD-RET-01", "WD-SEC-04", describing=Kibibytes
    ),
    wrong("MUT-WD-017", "size is cut to 32 bits.", "WD-ENT-04", describing=ThirtyTwoBits),
    wrong("MUT-WD-160", "size is cut to 40 bits.", "WD-ENT-04", describing=FortyBits),
    wrong("MUT-WD-018", "size is a text.", "WD-ENT-04", "WD-RET-01", "WD-SEC-04", describing=Floats),
    wrong(
        "MUT-WD-019", "size of a directory is null.", "WD-ENT-04", "WD-RET-01", describing=NoneForDirectories
    ),
    wrong("MUT-WD-020", "size of a directory is -1.", "WD-ENT-04", "WD-RET-01", describing=BelowZero),
    wrong("MUT-WD-021", "size of a directory is the sum of its files.", "WD-ENT-04", tool=changing(sums)),
    wrong(
        "MUT-WD-022",
        "The key size is missing for directories.",
        "WD-RET-01",
        "WD-ENT-04",
        "WD-LAST-01",
        tool=each(without_size),
    ),
    wrong("MUT-WD-023", "modTime is a number.", *TIMES, "WD-RET-01", describing=Seconds),
    wrong("MUT-WD-024", "modTime has no offset.", *TIMES, describing=WithoutOffset),
    wrong("MUT-WD-025", "modTime is local time that is called Z.", *TIMES, describing=LocalAsZulu),
    wrong("MUT-WD-026", "modTime is rounded to the nearest second.", *TIMES, describing=Nearest),
    wrong("MUT-WD-027", "modTime is the time of the last change of metadata.", *TIMES, describing=ChangeTime),
    wrong("MUT-WD-028", "modTime is written as mail does it.", *TIMES, describing=MailDate),
    wrong("MUT-WD-029", "Months of modTime count from 0.", *TIMES, describing=MonthsFromZero),
    wrong("MUT-WD-030", "modTime is never before 1970.", *TIMES, describing=NothingBefore1970),
    wrong(
        "MUT-WD-031",
        "Keys are spelt is_dir and mod_time.",
        *SHAPE,
        "WD-WALK-03",
        "WD-SEC-04",
        "WD-LAST-01",
        tool=each(renamed),
    ),
    wrong(
        "MUT-WD-032",
        "Maps have a further key, mode.",
        "WD-RET-01",
        tool=each(lambda element: {**element, "mode": 420}),
        reading="AMB-WD-16 tolerated",
    ),
    wrong(
        "MUT-WD-033",
        "The list stands in a map, under entries.",
        *("WD-RET-01", *PATHS),
        *EVERYTHING,
        tool=changing(lambda found: {"entries": found}),
    ),
    wrong(
        "MUT-WD-034",
        "Maps are nested as the directories are.",
        "WD-RET-01",
        *PATHS,
        *EVERYTHING,
        tool=changing(nested),
    ),
    wrong(
        "MUT-WD-035",
        "The list has paths and no maps.",
        *("WD-RET-01", *PATHS),
        *EVERYTHING,
        tool=changing(lambda found: [element["path"] for element in found]),
    ),
)
