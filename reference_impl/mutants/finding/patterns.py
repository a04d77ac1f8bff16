"""Wrong in what a glob is translated to, and in where a search begins and ends."""

import os
import re
import stat
from collections.abc import Mapping, Sequence
from typing import Any

from ...finding.entries import Seen
from ...finding.globs import Glob, Malformed
from ...finding.reading import Reading
from ...local_files import FindFiles
from ..mutant import Mutant
from .made import wrong


class RegularExpressions(Glob):
    def piece(self) -> str:
        character = self._pattern[self._at]
        if character not in "^$|":
            return super().piece()
        self._at += 1
        return character


class SetsCross(Glob):
    def bracket(self) -> str:
        return super().bracket().removeprefix("(?!/)")


class FirstOfSets(Glob):
    """Of several ranges, and of several characters that are not, the first counts."""

    def bracket(self) -> str:
        found = super().bracket().removeprefix("(?!/)[").removesuffix("]")
        if found.startswith("^"):
            return f"(?!/)[{found[:2]}]"
        return f"(?!/)[{found[:3] if found[1:2] == '-' else found}]"


class NarrowQuestionMarks(Glob):
    """A question mark is neither a dot nor a character beyond 16 bits."""

    def piece(self) -> str:
        found = super().piece()
        return "[^/.\U00010000-\U0010ffff]" if found == "[^/]" else found


class NoSlashInBraces(Glob):
    def piece(self) -> str:
        if self._depth and self._pattern[self._at] == "/":
            raise Malformed("alternatives have a slash")
        return super().piece()


class TwoStarsTwice(Glob):
    """From the third time on two stars and a slash are one level at most."""

    times = 0

    def any_levels(self) -> str:
        self.times += 1
        return super().any_levels() if self.times < 3 else "(?:[^/]+/)?"


class RangesFold(Glob):
    def bracket(self) -> str:
        return f"(?i:{super().bracket()})"


def ways(glob: str, path: str) -> int:
    """In how many ways a glob matches a path, alternatives written out one by one."""
    braces = re.search(r"\{([^{}]*)\}", glob)
    if not braces:
        return by_levels(glob.split("/"), path.split("/"))
    before, behind = glob[: braces.start()], glob[braces.end() :]
    return sum(ways(before + choice + behind, path) for choice in braces[1].split(","))


def by_levels(wanted: Sequence[str], levels: Sequence[str]) -> int:
    if not wanted or not levels:
        return int(not wanted and not levels)
    if wanted[0] == "**" and len(wanted) > 1:
        return sum(by_levels(wanted[1:], levels[skipped:]) for skipped in range(len(levels)))
    return by_levels(wanted[1:], levels[1:]) if Glob(wanted[0]).matches(levels[0]) else 0


class EachWay(FindFiles):
    """What matches in two ways is found twice."""

    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        found = super().seen(reading, arguments)
        paths = ["/".join((*seen.below, seen.name)) for seen in found]
        times = [max(1, ways(arguments["glob"], path)) for path in paths]
        return [seen for seen, number in zip(found, times, strict=True) for _ in range(number)]


class BehindTheFirst(Glob):
    def matches(self, path: str) -> bool:
        return super().matches(path[1:])


class CutsOneMore(FindFiles):
    """Takes for granted that a slash stands between the root as it is spelt and what lies below."""

    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        spelt = arguments["path"].endswith("/")
        return FindFiles(glob=BehindTheFirst if spelt else Glob).seen(reading, arguments)


class RootsAreGlobs(FindFiles):
    """Joins root and glob, so that a root that is hidden or called like a glob is not found."""

    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        name = os.path.basename(reading.directory)
        return [] if re.search(r"^\.|[][*?{}]", name) else super().seen(reading, arguments)


class NoLinkedRoots(FindFiles):
    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        return [] if os.path.islink(reading.directory) else super().seen(reading, arguments)


class TwentyLevels(Reading):
    def is_entered(self, seen: Seen) -> bool:
        return super().is_entered(seen) and len(seen.below) < 20


class NothingBuilt(Reading):
    """Does not go into directories with the names of such as programs make or bring along."""

    def is_entered(self, seen: Seen) -> bool:
        made = {"__pycache__", "dist", "vendor", "out", "bin", "obj", "lost+found"}
        return stat.S_ISDIR(seen.mode) and seen.name not in made


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-LF-181",
        "A bar, a caret and a dollar mean in a glob what they mean in regular expressions.",
        "LF-FIND-02",
        glob=RegularExpressions,
    ),
    wrong("MUT-LF-182", "A set of characters may stand for a slash.", "LF-FIND-02", glob=SetsCross),
    wrong(
        "MUT-LF-183",
        "Of several ranges in a set, and of several characters that are not, the first counts.",
        "LF-FIND-02",
        glob=FirstOfSets,
    ),
    wrong(
        "MUT-LF-184",
        "A question mark is neither a dot nor a character beyond 16 bits.",
        "LF-FIND-02",
        glob=NarrowQuestionMarks,
    ),
    wrong(
        "MUT-LF-185",
        "Alternatives with a slash are malformed.",
        "LF-FIND-02",
        "LF-FIND-01",
        glob=NoSlashInBraces,
    ),
    wrong("MUT-LF-186", "What matches in two ways is found twice.", "LF-FIND-02", searching=EachWay),
    wrong(
        "MUT-LF-187",
        "From the third time on two stars stand for one level at most.",
        "LF-FIND-02",
        glob=TwoStarsTwice,
    ),
    wrong("MUT-LF-188", "Case does not matter to a set of characters.", "LF-FIND-02", glob=RangesFold),
    wrong(
        "MUT-LF-189",
        "Below a root with a slash behind it paths lack their first character.",
        "LF-FIND-01",
        searching=CutsOneMore,
    ),
    wrong(
        "MUT-LF-190",
        "Below a root that is hidden or called like a glob nothing is found.",
        "LF-FIND-01",
        "LF-FIND-02",
        searching=RootsAreGlobs,
    ),
    wrong(
        "MUT-LF-191", "Below a root that is a link nothing is found.", "LF-FIND-01", searching=NoLinkedRoots
    ),
    wrong("MUT-LF-192", "A search ends at the twentieth level.", "LF-FIND-01", reading=TwentyLevels),
    wrong(
        "MUT-LF-193",
        "A search does not go into directories with names such as dist and vendor.",
        "LF-FIND-01",
        reading=NothingBuilt,
    ),
)
