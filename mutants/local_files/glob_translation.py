"""Mutants: errors in the translation of globs, and in where a search begins and ends."""

import os
import re
import stat
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryMetadata
from treeproof.reference_impl.local_files.globs import Glob, MalformedGlob

from ..shared.mutant import Mutant
from .builders import build_mutant


class RegularExpressions(Glob):
    def translate_token(self) -> str:
        character = self._pattern[self._position]
        if character not in "^$|":
            return super().translate_token()
        self._position += 1
        return character


class FirstOfSets(Glob):
    def translate_bracket(self) -> str:
        found = super().translate_bracket().removeprefix("(?!/)[").removesuffix("]")
        if found.startswith("^"):
            return f"(?!/)[{found[:2]}]"
        return f"(?!/)[{found[:3] if found[1:2] == '-' else found}]"


class NarrowQuestionMarks(Glob):
    def translate_token(self) -> str:
        found = super().translate_token()
        return "[^/.\U00010000-\U0010ffff]" if found == "[^/]" else found


class NoSlashInBraces(Glob):
    def translate_token(self) -> str:
        if self._brace_depth and self._pattern[self._position] == "/":
            raise MalformedGlob("alternatives have a slash")
        return super().translate_token()


class TwoStarsTwice(Glob):
    times = 0

    def any_directories_expression(self) -> str:
        self.times += 1
        return super().any_directories_expression() if self.times < 3 else "(?:[^/]+/)?"


class RangesFold(Glob):
    def translate_bracket(self) -> str:
        return f"(?i:{super().translate_bracket()})"


class WindowsPatterns(FindFiles):
    """As on Windows, `*.*` matches every name, and an extension of three letters the beginning of one."""

    def compile_glob(self, glob: str) -> Glob:
        if glob.endswith("*.*"):
            return super().compile_glob(glob.removesuffix(".*"))
        return super().compile_glob(glob + "*" if re.search(r"\*\.\w{3}$", glob) else glob)


class LastExtension(FindFiles):
    """Compares extensions as most libraries split them: from the last dot on."""

    def compile_glob(self, glob: str) -> Glob:
        return super().compile_glob(re.sub(r"\*\.\w+(\.\w+)$", r"*\1", glob))


class PlusRepeats(Glob):
    def translate_token(self) -> str:
        found = super().translate_token()
        return "+" if found == r"\+" else found


class FoldsBeyondAscii(Glob):
    def matches(self, path: str) -> bool:
        return Glob(_fold_beyond_ascii(self._pattern)).matches(_fold_beyond_ascii(path))


def _fold_beyond_ascii(text: str) -> str:
    return "".join(character if character.isascii() else character.lower() for character in text)


def count_matches(glob: str, path: str) -> int:
    """Return the number of ways in which a glob matches a path, with expanded alternatives."""
    braces = re.search(r"\{([^{}]*)\}", glob)
    if not braces:
        return by_levels(glob.split("/"), path.split("/"))
    before, behind = glob[: braces.start()], glob[braces.end() :]
    return sum(count_matches(before + choice + behind, path) for choice in braces[1].split(","))


def by_levels(wanted: Sequence[str], levels: Sequence[str]) -> int:
    if not wanted or not levels:
        return int(not wanted and not levels)
    if wanted[0] == "**" and len(wanted) > 1:
        return sum(by_levels(wanted[1:], levels[skipped:]) for skipped in range(len(levels)))
    return by_levels(wanted[1:], levels[1:]) if Glob(wanted[0]).matches(levels[0]) else 0


class EachWay(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        found = super().scan(reading, arguments)
        paths = ["/".join((*item.parents, item.name)) for item in found]
        times = [max(1, count_matches(arguments["glob"], path)) for path in paths]
        return [item for item, number in zip(found, times, strict=True) for _ in range(number)]


class BehindTheFirst(Glob):
    def matches(self, path: str) -> bool:
        return super().matches(path[1:])


class CutsOneMore(FindFiles):
    """Assumes a slash between the root's text and the paths below."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        spelt = arguments["path"].endswith("/")
        return FindFiles(glob=BehindTheFirst if spelt else Glob).scan(reading, arguments)


class RootsAreGlobs(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        name = os.path.basename(reading.directory)
        return [] if re.search(r"^\.|[][*?{}]", name) else super().scan(reading, arguments)


class TwentyLevels(DirectoryScan):
    def is_entered(self, item: EntryMetadata) -> bool:
        return super().is_entered(item) and len(item.parents) < 20


class NothingBuilt(DirectoryScan):
    def is_entered(self, item: EntryMetadata) -> bool:
        made = {"__pycache__", "dist", "vendor", "out", "bin", "obj", "lost+found"}
        return stat.S_ISDIR(item.mode) and item.name not in made


class FirstFit(Glob):
    """Two stars and a slash end at the first directory that has the next name of the glob."""

    def matches(self, path: str) -> bool:
        before, stars, after = self._pattern.partition("**/")
        name, slash, _ = after.partition("/")
        parts = path.split("/")
        if before or not stars or not slash or set(name) & set("*?[{") or name not in parts[:-1]:
            return super().matches(path)
        return Glob(after).matches("/".join(parts[parts.index(name) :]))


class TwoAlternatives(Glob):
    def translate_braces(self) -> str:
        choices = super().translate_braces().removeprefix("(?:").removesuffix(")").split("|")
        return f"(?:{'|'.join(choices[:2])})"


class NumbersRepeat(Glob):
    def translate_braces(self) -> str:
        number = re.match(r"\d+\}", self._pattern[self._position :])
        if not number:
            return super().translate_braces()
        self._position += number.end()
        return "{" + number[0]


class NamesEndAnywhereInside(Glob):
    """Two stars and a slash inside a glob match the beginning of a name too."""

    def any_directories_expression(self) -> str:
        return super().any_directories_expression() if self._position <= 3 else ".*"


class NoHyphensInSets(Glob):
    """A hyphen at the beginning or end of a set has no effect."""

    def translate_bracket(self) -> str:
        inner = super().translate_bracket().removeprefix("(?!/)[").removesuffix("]")
        return f"(?!/)[{inner.strip('-') or '-'}]"


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-181",
        "A bar, a caret and a dollar have their meaning in regular expressions.",
        "LF-FIND-02",
        glob=RegularExpressions,
    ),
    build_mutant(
        "MUT-LF-183",
        "Only the first range or negated character of a set has an effect.",
        "LF-FIND-02",
        glob=FirstOfSets,
    ),
    build_mutant(
        "MUT-LF-184",
        "A question mark matches neither a dot nor a character beyond 16 bits.",
        "LF-FIND-02",
        glob=NarrowQuestionMarks,
    ),
    build_mutant(
        "MUT-LF-185",
        "Alternatives with a slash are malformed.",
        "LF-FIND-02 LF-FIND-01",
        glob=NoSlashInBraces,
    ),
    build_mutant("MUT-LF-186", "A path that matches in two ways is found twice.", "LF-FIND-02", find_files=EachWay),
    build_mutant(
        "MUT-LF-187",
        "Two stars match at most one level from their third occurrence on.",
        "LF-FIND-02",
        glob=TwoStarsTwice,
    ),
    build_mutant("MUT-LF-218", "Extensions match as on Windows.", "LF-FIND-02", find_files=WindowsPatterns),
    build_mutant(
        "MUT-LF-219", "Of an extension only the last part is compared.", "LF-FIND-02", find_files=LastExtension
    ),
    build_mutant("MUT-LF-220", "A plus repeats what is before it.", "LF-FIND-02", glob=PlusRepeats),
    build_mutant(
        "MUT-LF-221",
        "Only letters beyond ASCII match in either case.",
        "LF-FIND-02",
        glob=FoldsBeyondAscii,
    ),
    build_mutant("MUT-LF-188", "Sets of characters are case-insensitive.", "LF-FIND-02", glob=RangesFold),
    build_mutant(
        "MUT-LF-189",
        "Below a root with a trailing slash, paths lack their first character.",
        "LF-FIND-01",
        find_files=CutsOneMore,
    ),
    build_mutant(
        "MUT-LF-190",
        "Below a hidden root, or one named like a glob, nothing is found.",
        "LF-FIND-01 LF-FIND-02",
        find_files=RootsAreGlobs,
    ),
    build_mutant("MUT-LF-192", "A search ends at level 20.", "LF-FIND-01", directory_scan=TwentyLevels),
    build_mutant(
        "MUT-LF-193",
        "A search does not enter directories such as dist and vendor.",
        "LF-FIND-01",
        directory_scan=NothingBuilt,
    ),
    build_mutant(
        "MUT-LF-343",
        "Two stars and a slash end at the first directory that fits.",
        "LF-FIND-02",
        glob=FirstFit,
    ),
    build_mutant("MUT-LF-317", "The third and later alternatives have no effect.", "LF-FIND-02", glob=TwoAlternatives),
    build_mutant("MUT-LF-318", "A number in braces repeats what is before it.", "LF-FIND-02", glob=NumbersRepeat),
    build_mutant(
        "MUT-LF-319",
        "Two stars and a slash inside a glob match the beginning of a name too.",
        "LF-FIND-02",
        glob=NamesEndAnywhereInside,
    ),
    build_mutant("MUT-LF-323", "A hyphen at an end of a set is passed over.", "LF-FIND-02", glob=NoHyphensInSets),
)
