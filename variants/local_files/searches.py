"""Variants: dialects of globs, what a search finds, and where it looks."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryMetadata
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.rows.local_files import row as rows
from treeproof.rows.local_files.row import SEARCH, FileCall, Item, listed
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .entries import is_link, refusing, shown, towards_1970, without_single_dots
from .stages import REQUESTS


def _path(item: EntryMetadata) -> str:
    return "/".join((item.directory.rstrip("/"), *item.parents, item.name))


class ByName(Glob):
    def matches(self, path: str) -> bool:
        return super().matches(path) or super().matches(path.rpartition("/")[2])


class Anywhere(Glob):
    """Is held against what follows each directory, as a recursive glob of pathlib is."""

    def matches(self, path: str) -> bool:
        names = path.split("/")
        starts = range(1 if self._pattern.startswith("**/") else len(names))
        return any(super(Anywhere, self).matches("/".join(names[at:])) for at in starts)


class AbsolutePaths(FindFiles):
    def matched_path(self, item: EntryMetadata) -> str:
        return _path(item)


class AbsoluteLevels(Glob):
    """Levels that may be empty: the text before the first slash of an absolute path is."""

    def any_directories_expression(self) -> str:
        return super().any_directories_expression().replace("[^/]+/", "[^/]*/")


class OneLevelAtTheBeginning(Glob):
    def any_directories_expression(self) -> str:
        found = super().any_directories_expression()
        is_first = self._pattern[: self._position].strip("*") == "/"
        return found.removesuffix("*") + "+" if is_first else found


class OneLevelInside(Glob):
    def any_directories_expression(self) -> str:
        found = super().any_directories_expression()
        is_first = self._pattern[: self._position].strip("*") == "/"
        return found if is_first else found.removesuffix("*") + "+"


class NoBraces(Glob):
    def translate_braces(self) -> str:
        return re.escape("{")


class PlainBrackets(Glob):
    def translate_bracket(self) -> str:
        return re.escape("[")


class PlainQuestionMarks(Glob):
    def translate_token(self) -> str:
        if self._pattern[self._position] != "?":
            return super().translate_token()
        self._position += 1
        return re.escape("?")


class OtherSets(Glob):
    """Sets with other signs for the opposite than `!`, or several."""

    opposite = ""

    def translate_bracket(self) -> str:
        end = self._pattern.find("]", self._position + 1)
        if end < 0:
            return super().translate_bracket()
        members = self._pattern[self._position : end]
        self._position = end + 1
        is_opposite = members[0] in self.opposite
        content = re.sub(r"([\\\[\]^&~|])", r"\\\1", members[1:] if is_opposite else members)
        return f"(?!/)[{'^' if is_opposite else ''}{content}]"


class CaretSets(OtherSets):
    opposite = "^"


class SetsOfBothSigns(OtherSets):
    opposite = "!^"


class NoCase(FindFiles):
    def compile_glob(self, glob: str) -> Glob:
        return super().compile_glob(glob.lower())

    def matched_path(self, item: EntryMetadata) -> str:
        return super().matched_path(item).lower()


class ExtendedPatterns(Glob):
    """Has `+(…)` and its kin, with plain texts as alternatives."""

    def translate_token(self) -> str:
        found = re.compile(r"([+*?@])\(([^()/]*)\)").match(self._pattern, self._position)
        if not found:
            return super().translate_token()
        self._position = found.end()
        choices = "|".join(map(re.escape, found[2].split("|")))
        return f"(?:{choices}){'' if found[1] == '@' else found[1]}"


class UnitsOfUtf16(Glob):
    """Compares units of UTF-16, of which characters beyond 16 bits have two."""

    def __init__(self, pattern: str) -> None:
        super().__init__(_units(pattern))

    def matches(self, path: str) -> bool:
        return super().matches(_units(path))


def _units(text: str) -> str:
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(units[at : at + 2], "big")) for at in range(0, len(units), 2))


class CrossesSlashes(Glob):
    """Lets `*` and `?` stand for a slash, as Rust's globset does."""

    def translate_token(self) -> str:
        return super().translate_token() if self._pattern[self._position] != "?" else self._any_character()

    def star_expression(self) -> str:
        return ".*"

    def _any_character(self) -> str:
        self._position += 1
        return "."


class Fnmatch(CrossesSlashes, NoBraces):
    """Python's fnmatch: two stars are one, sets may have a slash, and a bracket that is not closed is a character."""

    def any_directories_expression(self) -> str:
        return ".*/"

    def translate_bracket(self) -> str:
        if "]" not in self._pattern[self._position + 1 :]:
            return re.escape("[")
        return super().translate_bracket().removeprefix("(?!/)")


class EntersLinks(DirectoryScan):
    """Enters links to directories, but none that leads to a directory above it."""

    def is_entered(self, item: EntryMetadata) -> bool:
        return super().is_entered(item) or (item.target is not None and self.is_link_entered(item))

    def is_link_entered(self, item: EntryMetadata) -> bool:
        return os.path.isdir(_path(item)) and not self.is_circle(item)

    def is_circle(self, item: EntryMetadata) -> bool:
        above = [
            item.directory,
            *("/".join((item.directory, *item.parents[: n + 1])) for n in range(len(item.parents))),
        ]
        target = os.path.realpath(_path(item))
        return any(f"{os.path.realpath(one)}/".startswith(f"{target}/") for one in above)


class FailsAtCircles(EntersLinks):
    """Fails where a link leads to a directory above it, as a walk of java.nio.file with FOLLOW_LINKS."""

    def is_circle(self, item: EntryMetadata) -> bool:
        if super().is_circle(item):
            raise ToolError(ErrorKind.EXECUTION_FAILED, f"{_path(item)} leads to a directory above it")
        return False


class EntersOnce(EntersLinks):
    """Enters each directory once, links included, by the path on which it is met first."""

    def descendants(self) -> Iterator[EntryMetadata]:
        self._seen = {_identity(self.directory)}
        return super().descendants()

    def is_entered(self, item: EntryMetadata) -> bool:
        if not super().is_entered(item) or (target := _identity(_path(item))) in self._seen:
            return False
        self._seen.add(target)
        return True


def _identity(path: str) -> object:
    try:
        found = os.stat(path)
    except OSError:  # a name that is not UTF-8
        return path
    return found.st_dev, found.st_ino


class EntersNamedLinks(EntersLinks):
    """Enters links that a part of the glob other than two stars matches."""

    glob = ""

    def is_link_entered(self, item: EntryMetadata) -> bool:
        return _names(self.glob.split("/")[:-1], [*item.parents, item.name]) and super().is_link_entered(item)


def _names(wanted: list[str], levels: list[str]) -> bool:
    """Return whether some first parts of a glob match a path, the last of them by a part other than two stars."""
    if not wanted:
        return False
    if wanted[0] == "**":
        return any(_names(wanted[1:], levels[skipped:]) for skipped in range(len(levels)))
    return fnmatchcase(levels[0], wanted[0]) and (len(levels) == 1 or _names(wanted[1:], levels[1:]))


class TellsTheGlob(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        vars(reading)["glob"] = arguments["glob"]
        return super().scan(reading, arguments)


class OpensEverything(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        list(reading.descendants())
        return super().scan(reading, arguments)


class OpensChildren(ListDirectory):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        found = super().scan(reading, arguments)
        for item in found:
            try:
                os.listdir(os.path.join(os.fsencode(reading.directory), item.name.encode("utf-8", "surrogatepass")))
            except OSError:
                continue
        return found


def finding(is_found: Callable[[Item], Any]) -> Row:
    """Return the row that finds some entries only."""
    return rows.search(found=lambda items, sent: [item.entry for item in items if is_found(item)])


def searching_down(where: Callable[[FileCall], Any], is_found: Callable[[Item], Any]) -> Row:
    """Return the row that searches all levels without recursion, and finds some entries only."""
    return rows.search(
        where=lambda sent: sent.given.get("recursive") is False and where(sent),
        arguments=lambda given: {**given, "recursive": True},
        found=lambda items, sent: [item.entry for item in items if is_found(item)],
    )


def ends_with_two_stars(glob: str) -> bool:
    """Return whether the last part of a glob is two stars."""
    return glob.rpartition("/")[2] == "**"


def is_below_first_stars(item: Item) -> bool:
    """Return whether an entry is where a glob is with one level for the two stars at its beginning."""
    return len(item.parents) == item.sent.glob.removeprefix("**/").count("/") + 1


def emptied(sent: FileCall, answer: Any) -> Any:
    return listed(sent, []) if answer.error_kind == "ExecutionFailed" else answer


linked_roots_are_empty = rows.search(stage=REQUESTS, where=is_link, found=lambda items, sent: [], failed=emptied)
nothing_on_the_first_level = rows.search(
    where=lambda sent: not sent.is_recursive and sent.glob.startswith("**/"), found=lambda items, sent: []
)


class JavaGlob(OneLevelAtTheBeginning, OneLevelInside, UnitsOfUtf16):
    """The matcher of java.nio.file, held against the path below the root."""


WITHOUT_SETS = ("AMB-LF-45=plain", "VAR-LF-20")
"""Variants in which a set has no opposite."""

VARIANTS = (
    variant("AMB-LF-11=files", "No directories are found.")(finding(lambda at: not at.is_dir)),
    variant("AMB-LF-41=left_out", "No links are found.")(finding(lambda at: not at.is_link)),
    variant("AMB-LF-41=to_files", "Links to files are found.")(
        finding(lambda at: not at.is_link or os.path.isfile(at.place))
    ),
    variant("AMB-LF-42=left_out", "No special files are found.")(finding(lambda at: at.kind != "OtherEntry")),
    variant("AMB-LF-43=left_out", "Hidden names take no part.")(
        finding(lambda at: not any(name.startswith(".") for name in at.names))
    ),
    variant("AMB-LF-44=name", "A glob without a slash is held against names.")(glob=ByName),
    variant("AMB-LF-45=plain", "Brackets are characters.")(glob=PlainBrackets),
    variant("AMB-LF-46=caret", "A caret makes a set its opposite.", excludes=WITHOUT_SETS)(glob=CaretSets),
    variant("AMB-LF-46=both", "Either sign makes a set its opposite.", excludes=WITHOUT_SETS)(glob=SetsOfBothSigns),
    variant("AMB-LF-46=none", "No sign makes a set its opposite.", excludes=WITHOUT_SETS)(glob=OtherSets),
    variant("AMB-LF-47=insensitive", "Case does not matter in a glob.")(find_files=NoCase),
    variant("AMB-LF-13=nothing", "Two stars do not match children.")(nothing_on_the_first_level),
    variant("AMB-LF-13=one_level", "Two stars are one without recursion.")(
        searching_down(lambda sent: "**/" in sent.glob, is_below_first_stars)
    ),
    variant(
        "AMB-LF-13=all",
        "Two stars stand for all levels without recursion.",
        excludes=("AMB-LF-33=entered", "AMB-LF-37=absolute"),
    )(searching_down(lambda sent: "**" in sent.glob, lambda at: True)),
    variant("AMB-LF-50=yes", "A star may stand for a slash.")(glob=CrossesSlashes),
    variant("AMB-LF-51=plain", "A question mark is a character.", excludes=("VAR-LF-28",))(glob=PlainQuestionMarks),
    variant(
        "VAR-LF-28",
        "A glob is one of Python's fnmatch.",
        {
            "AMB-LF-35": "plain",
            "AMB-LF-38": "one_at_least",
            "AMB-LF-39": "one_at_least",
            "AMB-LF-50": "yes",
        },
    )(glob=Fnmatch),
    variant("AMB-LF-52=directories", "Two stars at the end of a glob are directories.")(
        finding(lambda at: at.is_dir or not ends_with_two_stars(at.sent.glob))
    ),
    variant("AMB-LF-52=one_level", "Two stars at the end of a glob are one.")(
        rows.search(
            arguments=lambda given: {
                **given,
                "glob": given["glob"][: -1 if ends_with_two_stars(given["glob"]) else None],
            }
        )
    ),
    variant("AMB-LF-26=refused", "A root that is a link is refused.")(refusing(is_link, tool=SEARCH)),
    variant("AMB-LF-26=nothing", "A root that is a link is empty.")(linked_roots_are_empty),
    variant(
        "AMB-LF-33=entered",
        "Directories of the glob are searched without recursion.",
        excludes=("AMB-LF-37=absolute", "AMB-LF-50=yes"),
    )(
        searching_down(
            lambda sent: "/" in sent.glob and "**" not in sent.glob,
            lambda at: len(at.parents) <= at.sent.glob.count("/"),
        )
    ),
    variant("AMB-LF-34=named", "Links are entered that the glob names.")(
        directory_scan=EntersNamedLinks, find_files=TellsTheGlob
    ),
    variant("AMB-LF-34=entered", "Links are entered.")(directory_scan=EntersLinks),
    variant("VAR-LF-29", "Links are entered, and a search fails at a circle.", {"AMB-LF-34": "entered"})(
        directory_scan=FailsAtCircles
    ),
    variant("AMB-LF-34=once", "Each directory is entered once.")(directory_scan=EntersOnce),
    variant("AMB-LF-35=plain", "Braces are characters.")(glob=NoBraces),
    variant("VAR-LF-18", "Patterns may be repeated.")(glob=ExtendedPatterns),
    variant("AMB-LF-37=absolute", "A glob is held against the whole path.")(
        find_files=AbsolutePaths, glob=AbsoluteLevels
    ),
    variant(
        "AMB-LF-37=anywhere", "A glob is held against what follows any directory.", excludes=("AMB-LF-33=entered",)
    )(glob=Anywhere),
    variant("AMB-LF-38=one_at_least", "Two stars are a level at the beginning.")(glob=OneLevelAtTheBeginning),
    variant("AMB-LF-39=one_at_least", "Two stars are a level in the middle.")(glob=OneLevelInside),
    variant("VAR-LF-19", "A character beyond 16 bits is two.")(glob=UnitsOfUtf16),
    variant(
        "VAR-LF-12",
        "Lists and searches are those of java.nio.file.",
        {
            "AMB-LF-05": "verbatim",
            "AMB-LF-08": "towards_1970",
            "AMB-LF-13": "nothing",
            "AMB-LF-26": "nothing",
            "AMB-LF-38": "one_at_least",
            "AMB-LF-39": "one_at_least",
        },
    )(linked_roots_are_empty, nothing_on_the_first_level, towards_1970, shown(without_single_dots), glob=JavaGlob),
    variant("VAR-LF-13", "Directories are opened that are neither listed nor searched.")(
        find_files=OpensEverything, list_directory=OpensChildren
    ),
)
