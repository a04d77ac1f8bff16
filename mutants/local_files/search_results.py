"""Mutants: errors in the results of a search."""

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from treeproof.reference_impl.local_files.candidate import FIND_FILES_DEFINITION, FindFiles
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryMetadata
from treeproof.reference_impl.local_files.globs import Glob, MalformedGlob
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import ToolDefinition

from ..shared.mutant import Mutant
from .builders import build_mutant, with_search_changed


def read_lines(path: str) -> set[str]:
    """Return the lines of a file; none of one that cannot be read."""
    try:
        with open(path, encoding="utf-8") as lines:
            return {line.rstrip("\n") for line in lines}
    except (OSError, ValueError):
        return set()


class NeverRecursive(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return super().scan(reading, {**arguments, "recursive": False})


class AlwaysRecursive(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return super().scan(reading, {**arguments, "recursive": True})


class AlwaysRecursiveByName(AlwaysRecursive):
    """Holds a glob against names, too, so that `*.java` shows it."""

    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        return super().matches(glob, item) or glob.matches(item.name)


class NothingMade(FindFiles):
    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        return not {"node_modules", "target", "build"} & set(item.parents) and super().matches(glob, item)


class NoHistory(FindFiles):
    """Omits only the hidden entries of version control systems."""

    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        return ".git" not in item.parents and super().matches(glob, item)


class ThreeLevels(FindFiles):
    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        return len(item.parents) < 3 and super().matches(glob, item)


class Absolute(FindFiles):
    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        return glob.matches("/".join((item.directory, *item.parents, item.name)))


class Hundred(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return super().scan(reading, arguments)[:100]


@dataclass(frozen=True)
class AnyArguments(FindFiles):
    definition: ToolDefinition = replace(FIND_FILES_DEFINITION, input_schema={"type": "object"})

    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> list[dict[str, Any]]:
        texts = {key: str(arguments.get(key)) for key in ("path", "glob")}
        return super().list_entries({**arguments, **texts}, context)


class Remembered(FindFiles):
    """Keeps what each search has found."""

    found: ClassVar[dict[str, list[EntryMetadata]]] = {}

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        key = "\0".join(map(str, (reading.directory, arguments["glob"], arguments["recursive"])))
        return self.found.setdefault(key, super().scan(reading, arguments))


class TextDirectories(FindFiles):
    """Loses what is below a directory whose name is not UTF-8: its decoded path leads to nothing."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return [item for item in super().scan(reading, arguments) if "\ufffd" not in "".join(item.parents)]


class KeepsOutIgnored(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return [item for item in super().scan(reading, arguments) if not self.is_ignored(reading.directory, item)]

    def is_ignored(self, directory: str, item: EntryMetadata) -> bool:
        places = [os.path.join(directory, *item.parents[:level], ".ignore") for level in range(len(item.parents) + 1)]
        return any(ignored & {*item.parents, item.name} for ignored in map(read_lines, places))


class Thousands(FindFiles):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return super().scan(reading, arguments)[:5000]


class EmptyOnMalformed(FindFiles):
    def compile_glob(self, glob: str) -> Glob:
        try:
            return self.glob(glob)
        except MalformedGlob:
            return self.glob("/nothing")


class AllOnMalformed(FindFiles):
    def compile_glob(self, glob: str) -> Glob:
        try:
            return self.glob(glob)
        except MalformedGlob:
            return self.glob("**")


class OneLevelExactly(Glob):
    def any_directories_expression(self) -> str:
        return "[^/]+/"


class LevelsAndBeginnings(Glob):
    def any_directories_expression(self) -> str:
        return ".*"


class TrimmedGlobs(FindFiles):
    def compile_glob(self, glob: str) -> Glob:
        return super().compile_glob(glob.strip())


class StarsNeedOne(Glob):
    def star_expression(self) -> str:
        return "[^/]+"


class Beginning(Glob):
    def matches(self, path: str) -> bool:
        return self._compiled.match(path) is not None


class LineByLine(Glob):
    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self._compiled = re.compile(self._compiled.pattern)

    def any_directories_expression(self) -> str:
        return "(?:.*/)?"


class BeforeTheLastLineBreak(Glob):
    def matches(self, path: str) -> bool:
        return self._compiled.fullmatch(path.removesuffix("\n")) is not None or super().matches(path)


class Anywhere(Glob):
    def matches(self, path: str) -> bool:
        return self._compiled.search(path) is not None


class PlainDots(Glob):
    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self._compiled = re.compile(self._compiled.pattern.replace(r"\.", "."), re.DOTALL)


class FirstOfBraces(Glob):
    def translate_braces(self) -> str:
        return super().translate_braces().partition("|")[0].rstrip(")") + ")"


class NoRanges(Glob):
    def translate_bracket(self) -> str:
        return super().translate_bracket().replace("-", r"\-")


class MayBeMissing(Glob):
    def translate_token(self) -> str:
        found = super().translate_token()
        return "[^/]?" if found == "[^/]" else found


class ToTheLastBracket(Glob):
    def translate_bracket(self) -> str:
        last = self._pattern.rfind("]")
        if last == self._pattern.find("]", self._position):
            return super().translate_bracket()
        inner, self._position = self._pattern[self._position : last], last + 1
        return f"(?!/)[{re.escape(inner)}]"


class SetsOfTwo(Glob):
    """Searches the end of a set one character too late."""

    def translate_bracket(self) -> str:
        if self._pattern[self._position + 1 : self._position + 2] == "]":
            raise MalformedGlob("a bracket is not closed")
        return super().translate_bracket()


class StaysInBraces(Glob):
    def translate_braces(self) -> str:
        found = super().translate_braces()
        self._brace_depth += 1
        return found


class TargetsOfTheTop(DirectoryScan):
    """Reads the link in the first directory on the way."""

    def read_link(self, below: tuple[bytes, ...], name: bytes) -> str:
        try:
            return super().read_link(below[:1], name)
        except OSError:
            return super().read_link(below, name)


class GivesUp(DirectoryScan):
    """Ends the search at an unreadable nested directory."""

    is_over = False

    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        if self.is_over:
            return ()
        try:
            return super().list_names(below)
        except PermissionError:
            self.is_over = True
            raise


class FollowsEveryLink(DirectoryScan):
    """Follows each link to see what it leads to; a circle ends the search with an error."""

    def is_entered(self, item: EntryMetadata) -> bool:
        if item.target is not None:
            try:
                os.stat("/".join((item.directory, *item.parents, item.name)))
            except OSError as error:
                if error.errno == errno.ELOOP:
                    raise
        return super().is_entered(item)


class EndsAtTheFirstLink(DirectoryScan):
    """Drops what follows a link in its directory during a search."""

    def descendants(self) -> Iterator[EntryMetadata]:
        ended: set[tuple[str, ...]] = set()
        for item in super().descendants():
            if item.parents not in ended:
                yield item
            if item.target is not None:
                ended.add(item.parents)

    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return sorted(super().list_names(below))


FIND = "LF-FIND-01 LF-FIND-02 LF-FIND-03 LF-FIND-05 LF-WHY-01"
GLOBS = "LF-FIND-02 LF-FIND-01 LF-FIND-03 LF-FIND-04 LF-FIND-05 LF-WHY-01"


class NoDots(FindFiles):
    """Finds nothing if the requested path contains a dot as a component."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        found = super().scan(reading, arguments)
        return [] if "." in arguments["path"].split("/") else found


class ThroughSingleDirectories(FindFiles):
    """Without recursion, continues by names as long as a directory holds one directory and nothing else."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        glob, found = self.compile_glob(arguments["glob"]), super().scan(reading, arguments)
        below: tuple[bytes, ...] = ()
        children = list(reading.children())
        while not arguments["recursive"] and len(children) == 1 and stat.S_ISDIR(children[0][1].mode):
            below = (*below, children[0][0])
            children = list(reading.children(below))
            found += [item for _, item in children if glob.matches(item.name)]
        return found


class RecursiveAtLinks(FindFiles):
    """Without recursion, searches all levels below a link by names."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        if arguments["recursive"] or not os.path.islink(reading.directory):
            return super().scan(reading, arguments)
        glob = self.compile_glob(arguments["glob"])
        return [item for item in reading.descendants() if glob.matches(item.name)]


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LF-232", "A search ends at 5,000 matches.", "LF-FIND-02", find_files=Thousands),
    build_mutant("MUT-LF-222", "A search gives what it has found before.", "LF-FIND-01", find_files=Remembered),
    build_mutant(
        "MUT-LF-223", "A search loses directories of names that are no text.", "LF-FIND-01", find_files=TextDirectories
    ),
    build_mutant(
        "MUT-LF-224", "A search leaves out what a file named .ignore names.", "LF-FIND-01", find_files=KeepsOutIgnored
    ),
    build_mutant(
        "MUT-LF-225", "Globs that are no texts are made texts.", "LF-ERR-02 LF-ERR-01", find_files=AnyArguments
    ),
    build_mutant("MUT-LF-100", "A search is never recursive.", FIND, find_files=NeverRecursive),
    build_mutant("MUT-LF-128", "A search omits generated files.", "LF-FIND-01", find_files=NothingMade),
    build_mutant("MUT-LF-152", "A search omits .git.", "LF-FIND-02 LF-FIND-01", find_files=NoHistory),
    build_mutant("MUT-LF-150", "No level of a search has a line break in its name.", "LF-FIND-02", glob=LineByLine),
    build_mutant(
        "MUT-LF-151",
        "A line break after a match is ignored.",
        "LF-FIND-02",
        glob=BeforeTheLastLineBreak,
    ),
    build_mutant(
        "MUT-LF-101", "A search by names is always recursive.", "LF-FIND-04", FIND, find_files=AlwaysRecursiveByName
    ),
    build_mutant("MUT-LF-371", "A search is always recursive.", "LF-FIND-04", find_files=AlwaysRecursive),
    build_mutant("MUT-LF-105", "A search ends at level 3.", "LF-FIND-01 LF-FIND-02", find_files=ThreeLevels),
    build_mutant("MUT-LF-106", "A glob is matched against the absolute path.", GLOBS, find_files=Absolute),
    build_mutant("MUT-LF-108", "A search ends at 100 matches.", "LF-FIND-02", find_files=Hundred),
    build_mutant(
        "MUT-LF-242",
        "Of more than five hundred matches only the paths are returned.",
        "LF-FIND-03",
        find_files=with_search_changed(lambda found: found if len(found) < 500 else [entry["path"] for entry in found]),
    ),
    build_mutant("MUT-LF-111", "A malformed glob finds nothing.", "LF-ERR-02", find_files=EmptyOnMalformed),
    build_mutant("MUT-LF-112", "A malformed glob finds everything.", "LF-ERR-02", find_files=AllOnMalformed),
    build_mutant("MUT-LF-114", "Two stars match exactly one level.", GLOBS, glob=OneLevelExactly),
    build_mutant(
        "MUT-LF-127",
        "Two stars and a slash match the beginning of a name too.",
        GLOBS,
        glob=LevelsAndBeginnings,
    ),
    build_mutant("MUT-LF-099", "Blanks around a glob are ignored.", GLOBS, find_files=TrimmedGlobs),
    build_mutant("MUT-LF-116", "A star matches at least one character.", GLOBS, glob=StarsNeedOne),
    build_mutant("MUT-LF-117", "A match of the beginning suffices.", GLOBS, glob=Beginning),
    build_mutant("MUT-LF-118", "A match of a part suffices.", GLOBS, glob=Anywhere),
    build_mutant("MUT-LF-119", "A dot matches any character.", GLOBS, glob=PlainDots),
    build_mutant("MUT-LF-121", "Only the first of several alternatives has an effect.", GLOBS, glob=FirstOfBraces),
    build_mutant("MUT-LF-122", "Ranges in brackets are literal characters.", GLOBS, glob=NoRanges),
    build_mutant("MUT-LF-124", "A question mark may match nothing.", GLOBS, glob=MayBeMissing),
    build_mutant("MUT-LF-136", "A set ends at the last bracket of the glob.", GLOBS, glob=ToTheLastBracket),
    build_mutant("MUT-LF-137", "A set of one character is malformed.", GLOBS, glob=SetsOfTwo),
    build_mutant("MUT-LF-138", "A comma after alternatives is malformed.", GLOBS, glob=StaysInBraces),
    build_mutant(
        "MUT-LF-139",
        "A nested link has the target of the link with its name in the first directory.",
        "LF-FIND-03",
        directory_scan=TargetsOfTheTop,
    ),
    build_mutant(
        "MUT-LF-140",
        "A search ends at the first unreadable directory and reports success.",
        "LF-FIND-01",
        directory_scan=GivesUp,
    ),
    build_mutant("MUT-LF-208", "A link in a circle fails a search.", "LF-FIND-05", directory_scan=FollowsEveryLink),
    build_mutant(
        "MUT-LF-209",
        "A search omits what follows a link in its directory.",
        "LF-FIND-05 LF-FIND-01 LF-FIND-02 LF-FIND-03",
        directory_scan=EndsAtTheFirstLink,
    ),
    build_mutant(
        "MUT-LF-340", "A search finds nothing if the path has a dot component.", "LF-FIND-01", find_files=NoDots
    ),
    build_mutant(
        "MUT-LF-341",
        "Without recursion, a search continues in a directory that is the only entry.",
        "LF-FIND-04",
        find_files=ThroughSingleDirectories,
    ),
    build_mutant(
        "MUT-LF-342",
        "Without recursion, a search that starts at a link searches all levels.",
        "LF-FIND-04",
        find_files=RecursiveAtLinks,
    ),
)
