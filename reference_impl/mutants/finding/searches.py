"""Wrong in what a search finds."""

import os
import re
import stat
from collections.abc import Iterable, Mapping
from typing import Any

from ...finding.entries import Seen
from ...finding.globs import Glob, Malformed
from ...finding.reading import Reading
from ...local_files import FindFiles
from ..mutant import Mutant
from .made import wrong


class NeverRecursive(FindFiles):
    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        return super().seen(reading, {**arguments, "recursive": False})


class AlwaysRecursive(FindFiles):
    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        return super().seen(reading, {**arguments, "recursive": True})


class FilesOnly(FindFiles):
    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return stat.S_ISREG(seen.mode) and super().is_found(glob, seen)


class NothingHidden(FindFiles):
    def is_found(self, glob: Glob, seen: Seen) -> bool:
        hidden = any(part.startswith(".") for part in (*seen.below, seen.name))
        return not hidden and super().is_found(glob, seen)


class NothingMade(FindFiles):
    """Passes over what programs make, as a search of sources does."""

    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return not {"node_modules", "target", "build"} & set(seen.below) and super().is_found(glob, seen)


class NoHistory(FindFiles):
    """Passes over what a version control keeps for itself, and over nothing else that is hidden."""

    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return ".git" not in seen.below and super().is_found(glob, seen)


class ByName(FindFiles):
    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return super().is_found(glob, seen) or glob.matches(seen.name)


class ThreeLevels(FindFiles):
    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return len(seen.below) < 3 and super().is_found(glob, seen)


class Absolute(FindFiles):
    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return glob.matches("/".join((seen.directory, *seen.below, seen.name)))


class NoCase(FindFiles):
    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return glob.matches("/".join((*seen.below, seen.name)).lower()) or super().is_found(glob, seen)


class Hundred(FindFiles):
    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        return super().seen(reading, arguments)[:100]


class LooksDeeper(FindFiles):
    """Goes through everything, and throws away what lies too deep."""

    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        found = super().seen(reading, {**arguments, "recursive": True})
        return [seen for seen in found if arguments["recursive"] or not seen.below]


class EmptyOnError(FindFiles):
    def failed(self, path: str, error: OSError) -> Any:
        return []


class EmptyOnMalformed(FindFiles):
    def compiled(self, glob: str) -> Glob:
        try:
            return self.glob(glob)
        except Malformed:
            return self.glob("/nothing")


class AllOnMalformed(FindFiles):
    def compiled(self, glob: str) -> Glob:
        try:
            return self.glob(glob)
        except Malformed:
            return self.glob("**")


class OneLevelAtLeast(Glob):
    def any_levels(self) -> str:
        return "(?:[^/]+/)+"


class OneLevelExactly(Glob):
    def any_levels(self) -> str:
        return "[^/]+/"


class LevelsAndBeginnings(Glob):
    def any_levels(self) -> str:
        return ".*"


class QuestionMarksCross(Glob):
    def piece(self) -> str:
        return super().piece().replace("[^/]", ".") if self._pattern[self._at] == "?" else super().piece()


class TrimmedGlobs(FindFiles):
    def compiled(self, glob: str) -> Glob:
        return super().compiled(glob.strip())


class StarsCross(Glob):
    def star(self) -> str:
        return ".*"


class StarsNeedOne(Glob):
    def star(self) -> str:
        return "[^/]+"


class Beginning(Glob):
    def matches(self, path: str) -> bool:
        return self._compiled.match(path) is not None


class LineByLine(Glob):
    """Its levels are any characters, of which a line break is none."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self._compiled = re.compile(self._compiled.pattern)

    def any_levels(self) -> str:
        return "(?:.*/)?"


class BeforeTheLastLineBreak(Glob):
    def matches(self, path: str) -> bool:
        return self._compiled.fullmatch(path.removesuffix("\n")) is not None or super().matches(path)


class Anywhere(Glob):
    def matches(self, path: str) -> bool:
        return self._compiled.search(path) is not None


class PlainDots(Glob):
    """A dot of the pattern stands for any character."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self._compiled = re.compile(self._compiled.pattern.replace(r"\.", "."), re.DOTALL)


class NoBraces(Glob):
    def braces(self) -> str:
        return re.escape("{")


class FirstOfBraces(Glob):
    def braces(self) -> str:
        return super().braces().partition("|")[0].rstrip(")") + ")"


class NoRanges(Glob):
    def bracket(self) -> str:
        return super().bracket().replace("-", r"\-")


class NoNegation(Glob):
    def bracket(self) -> str:
        return super().bracket().replace("[^", "[", 1)


class MayBeMissing(Glob):
    """A question mark stands for one character or none."""

    def piece(self) -> str:
        found = super().piece()
        return "[^/]?" if found == "[^/]" else found


class ToTheLastBracket(Glob):
    def bracket(self) -> str:
        last = self._pattern.rfind("]")
        if last == self._pattern.find("]", self._at):
            return super().bracket()
        inner, self._at = self._pattern[self._at : last], last + 1
        return f"(?!/)[{re.escape(inner)}]"


class SetsOfTwo(Glob):
    """Looks for the end of a set one character too late."""

    def bracket(self) -> str:
        if self._pattern[self._at + 1 : self._at + 2] == "]":
            raise Malformed("a bracket is not closed")
        return super().bracket()


class StaysInBraces(Glob):
    def braces(self) -> str:
        found = super().braces()
        self._depth += 1
        return found


class TargetsOfTheTop(Reading):
    """Takes the target of a link from the one of the same name in the directory that was asked for."""

    def target(self, below: tuple[bytes, ...], name: bytes) -> str:
        try:
            return super().target((), name)
        except OSError:
            return super().target(below, name)


class GivesUp(Reading):
    """Looks nowhere else once a directory further down cannot be read."""

    is_over = False

    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        if self.is_over:
            return ()
        try:
            return super().names(below)
        except PermissionError:
            self.is_over = True
            raise


class Through(Reading):
    """Goes into links to directories, up to four levels."""

    def is_entered(self, seen: Seen) -> bool:
        path = "/".join((seen.directory, *seen.below, seen.name))
        return len(seen.below) < 4 and not path.startswith("/etc") and os.path.isdir(path)


class ThroughOwn(Reading):
    """Goes into links whose target has no way up."""

    def is_entered(self, seen: Seen) -> bool:
        path = "/".join((seen.directory, *seen.below, seen.name))
        inside = seen.target is not None and not seen.target.startswith((".", "/"))
        return super().is_entered(seen) or (inside and len(seen.below) < 3 and os.path.isdir(path))


FIND = ("LF-FIND-01", "LF-FIND-02", "LF-FIND-03", "LF-FIND-05", "LF-WHY-01")
GLOBS = ("LF-FIND-02", "LF-FIND-01", "LF-FIND-03", "LF-FIND-04", "LF-FIND-05", "LF-WHY-01")

MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-LF-100", "A search is never recursive.", *FIND, searching=NeverRecursive),
    wrong("MUT-LF-128", "A search passes over what programs make.", "LF-FIND-01", searching=NothingMade),
    wrong("MUT-LF-152", "A search passes over .git.", "LF-FIND-02", "LF-FIND-01", searching=NoHistory),
    wrong("MUT-LF-150", "No level of a search has a line break in its name.", "LF-FIND-02", glob=LineByLine),
    wrong(
        "MUT-LF-151",
        "A line break behind what a glob matches is left out.",
        "LF-FIND-02",
        glob=BeforeTheLastLineBreak,
    ),
    wrong("MUT-LF-101", "A search is always recursive.", "LF-FIND-04", *FIND, searching=AlwaysRecursive),
    wrong(
        "MUT-LF-102",
        "A search finds regular files only.",
        "LF-FIND-03",
        *FIND,
        searching=FilesOnly,
        declares="AMB-LF-11 files",
    ),
    wrong(
        "MUT-LF-103",
        "A search leaves hidden names out.",
        "LF-FIND-02",
        *FIND,
        searching=NothingHidden,
        declares="AMB-LF-12 shell",
    ),
    wrong(
        "MUT-LF-104",
        "A glob is held against the name as well.",
        *GLOBS,
        searching=ByName,
        declares="AMB-LF-12 by_name",
    ),
    wrong(
        "MUT-LF-105", "A search ends at the third level.", "LF-FIND-01", "LF-FIND-02", searching=ThreeLevels
    ),
    wrong("MUT-LF-106", "A glob is held against the absolute path.", *GLOBS, searching=Absolute),
    wrong("MUT-LF-107", "Case does not matter to a glob.", *GLOBS, searching=NoCase),
    wrong("MUT-LF-108", "A search ends at a hundred matches.", "LF-FIND-01", searching=Hundred),
    wrong("MUT-LF-109", "Without recursion all levels are opened.", "LF-FIND-04", searching=LooksDeeper),
    wrong(
        "MUT-LF-110",
        "A search below what is no directory finds nothing.",
        "LF-ERR-01",
        searching=EmptyOnError,
    ),
    wrong("MUT-LF-111", "A malformed glob finds nothing.", "LF-ERR-02", searching=EmptyOnMalformed),
    wrong("MUT-LF-112", "A malformed glob finds everything.", "LF-ERR-02", searching=AllOnMalformed),
    wrong("MUT-LF-113", "Two stars stand for one level at least.", *GLOBS, glob=OneLevelAtLeast),
    wrong("MUT-LF-114", "Two stars stand for exactly one level.", *GLOBS, glob=OneLevelExactly),
    wrong(
        "MUT-LF-127",
        "Two stars and a slash stand for a name's beginning as well.",
        *GLOBS,
        glob=LevelsAndBeginnings,
    ),
    wrong("MUT-LF-129", "A question mark stands for a slash as well.", *GLOBS, glob=QuestionMarksCross),
    wrong("MUT-LF-099", "Blanks around a glob are left out.", *GLOBS, searching=TrimmedGlobs),
    wrong("MUT-LF-115", "A star crosses slashes.", *GLOBS, glob=StarsCross),
    wrong("MUT-LF-116", "A star stands for one character at least.", *GLOBS, glob=StarsNeedOne),
    wrong("MUT-LF-117", "It is enough that the beginning matches.", *GLOBS, glob=Beginning),
    wrong("MUT-LF-118", "It is enough that a part matches.", *GLOBS, glob=Anywhere),
    wrong("MUT-LF-119", "A dot stands for any character.", *GLOBS, glob=PlainDots),
    wrong("MUT-LF-120", "Braces are plain characters.", *GLOBS, "LF-ERR-02", glob=NoBraces),
    wrong("MUT-LF-121", "Of alternatives the first one counts.", *GLOBS, glob=FirstOfBraces),
    wrong("MUT-LF-122", "Ranges in brackets are plain characters.", *GLOBS, glob=NoRanges),
    wrong("MUT-LF-123", "An exclamation mark does not negate.", *GLOBS, glob=NoNegation),
    wrong("MUT-LF-124", "A question mark may stand for nothing.", *GLOBS, glob=MayBeMissing),
    wrong("MUT-LF-136", "A set ends at the last bracket of the glob.", *GLOBS, glob=ToTheLastBracket),
    wrong("MUT-LF-137", "A set of one character is malformed.", *GLOBS, glob=SetsOfTwo),
    wrong("MUT-LF-138", "A comma behind alternatives is malformed.", *GLOBS, glob=StaysInBraces),
    wrong(
        "MUT-LF-139",
        "A link further down has the target of the one of its name at the top.",
        "LF-FIND-03",
        reading=TargetsOfTheTop,
    ),
    wrong(
        "MUT-LF-140",
        "A search ends at the first closed directory, as if it had found everything.",
        "LF-FIND-01",
        reading=GivesUp,
    ),
    wrong("MUT-LF-125", "A search goes through links.", "LF-FIND-05", *FIND, reading=Through),
    wrong("MUT-LF-126", "A search goes through links to siblings.", "LF-FIND-05", *FIND, reading=ThroughOwn),
)
