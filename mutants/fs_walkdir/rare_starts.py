"""Mutants: errors at starts and entries of rare kinds, and in arguments that programs take for nothing."""

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry
from treeproof.reference_impl.fs_walkdir.request import ArgumentParser, CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartMissing, StartResolver
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import Elements, build_mutant


class UndefinedIsAName(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        return super().parse_path({"path": "undefined"} if arguments == {} else arguments)


class FirstOfAnyNumber(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        return super().parse_path({"path": arguments[0]} if isinstance(arguments, list) and arguments else arguments)


class NothingIsDot(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        path = arguments.get("path", "") if isinstance(arguments, dict) else ""
        is_nothing = type(path) in (int, bool, list) and not path
        return super().parse_path({**arguments, "path": "."} if is_nothing else arguments)


class EmptyFileIsEmpty(StartResolver):
    """A start that is a file without content has no elements."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except CallRefused:
            here = os.path.join(self._context.working_dir, path)
            if path.isalnum() and os.path.isfile(here) and not os.path.getsize(here):
                return None
            raise


class SlashMakesADirectory(StartResolver):
    """A start that is missing and has a slash behind it has no elements."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except StartMissing:
            if path.endswith("/"):
                return None
            raise


class TopOfALink(WalkDir):
    """A start that is a link has the first level of what it leads to."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        resolver = self.start(context, flavour)
        cleaned = resolver.normalise_path(arguments["path"])
        if not resolver.is_link(cleaned):
            return found
        target = os.path.relpath(os.path.realpath(os.path.join(context.roots[0], cleaned)), context.roots[0])
        below = super().list_elements({"path": target}, context, flavour)
        return [element for element in below if "/" not in element["path"]]


class SeveralNamesAreADirectory(EntryFormatter):
    def is_dir(self, item: WalkedEntry) -> Any:
        return item.stat_result.st_nlink > 1 or super().is_dir(item)


class SizeWithoutLineEnds(DirectoryReaderWrapper):
    """The size of a small file is that of its text without the line ends behind it."""

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if not stat.S_ISREG(found.st_mode) or not 0 < found.st_size < 100 or not found.st_mode & stat.S_IRUSR:
            return found
        with open(self.join(*route, name), "rb") as file:
            size = len(file.read().rstrip(b"\n"))
        return os.stat_result((*found[:6], size, *found[7:10]), {"st_mtime_ns": found.st_mtime_ns})


class EightLinks(Walk):
    """The walk ends when it has met eight links."""

    def walk(self) -> Iterator[WalkedEntry]:
        met = 0
        for item in super().walk():
            met += stat.S_ISLNK(item.stat_result.st_mode)
            if met == 8:
                return
            yield item


class LosesFullParts(Walk):
    """Loses the last name of a directory that has a multiple of 64."""

    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        names = list(super().list_names(route))
        return names[:-1] if len(names) % 64 == 0 else names


class WaitsAtPipes(DirectoryReaderWrapper):
    """Opens a named pipe, and waits for a writer."""

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if stat.S_ISFIFO(found.st_mode):
            os.close(os.open(self.join(*route, name), os.O_RDONLY))
        return found


class JoinsAList(ArgumentParser):
    """Takes a list of texts for the components of a path."""

    def parse_path(self, arguments: Any) -> str:
        path = arguments.get("path") if isinstance(arguments, dict) else None
        if isinstance(path, list) and len(path) > 1:
            arguments = {**arguments, "path": "/".join(path)}
        return super().parse_path(arguments)


class LeavesOutTwoDots(StartResolver):
    """Two dots between two names lead nowhere."""

    def normalise_path(self, path: str) -> str:
        parts = path.split("/")
        if ".." in parts[1:-1] and parts.count("..") == 1:
            parts.remove("..")
        return super().normalise_path("/".join(parts))


class RealSandboxOnly(StartResolver):
    """Compares where a start leads with the text of the sandbox's path."""

    def resolve(self, path: str) -> Place | None:
        root = self._context.roots[0]
        if os.path.realpath(root) != root:
            raise CallRefused("the path leads out")
        return super().resolve(path)


class FirstHopOnly(StartResolver):
    """Checks where a start that is a link points to, and not where that leads."""

    def resolve(self, path: str) -> Place | None:
        link = os.path.join(self._context.roots[0], path)
        if os.path.islink(link):
            target = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)))
            if os.path.islink(target) and target.startswith(self._context.roots[0] + "/") and os.path.isdir(target):
                return Place(os.fsencode(os.path.realpath(target)), ())
        return super().resolve(path)


class ParentBeginsAlike(StartResolver):
    """A path is inside if the text of its parent begins with the sandbox's."""

    def resolve(self, path: str) -> Place | None:
        place = os.path.normpath(os.path.join(self._context.roots[0], path))
        if (
            path.startswith("../")
            and os.path.dirname(place).startswith(self._context.roots[0])
            and os.path.isdir(place)
        ):
            return Place(os.fsencode(place), ())
        return super().resolve(path)


class MissingWithoutLineBreak(StartResolver):
    """Looks for a start that is missing without line breaks behind it."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except StartMissing:
            if path.endswith("\n"):
                return super().resolve(path.rstrip("\n"))
            raise


class MissingIsAGlob(StartResolver):
    """Takes a start that is missing for a glob."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except StartMissing:
            found = sorted(glob.glob(path, root_dir=self._context.roots[0])) if glob.has_magic(path) else []
            if not found:
                raise
            return super().resolve(found[0])


class NearestAbove(StartResolver):
    """A start that permissions keep out of reach is replaced by the nearest directory above it."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except CallRefused as refusal:
            above = os.path.dirname(path)
            if not above or "ermission denied" not in str(refusal):
                raise
            return super().resolve(above)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-222",
        "Without an argument a directory with the name undefined is walked.",
        "WD-ARG-01",
        argument_parser=UndefinedIsAName,
    ),
    build_mutant(
        "MUT-WD-223",
        "Of a list of arguments the first one is taken.",
        "WD-ARG-01",
        argument_parser=FirstOfAnyNumber,
    ),
    build_mutant(
        "MUT-WD-224",
        "0, false and the empty list name the sandbox.",
        "WD-ARG-02",
        argument_parser=NothingIsDot,
    ),
    build_mutant("MUT-WD-225", "A file without content is an empty directory.", "WD-ERR-05", start=EmptyFileIsEmpty),
    build_mutant(
        "MUT-WD-231",
        "A missing start with a slash behind it is an empty directory.",
        "WD-ERR-03",
        start=SlashMakesADirectory,
    ),
    build_mutant(
        "MUT-WD-232",
        "Line ends at the end of a file are not counted.",
        "WD-ENT-04 WD-SEC-04",
        open_reader=SizeWithoutLineEnds,
    ),
    build_mutant("MUT-WD-226", "A start that is a link gives one level.", "WD-WALK-04", tool=TopOfALink()),
    build_mutant(
        "MUT-WD-227",
        "A file with several names is a directory.",
        "WD-ENT-03",
        entry_formatter=SeveralNamesAreADirectory,
    ),
    build_mutant(
        "MUT-WD-228",
        "The last entry of a directory with a multiple of 64 is lost.",
        "WD-WALK-01",
        walk=LosesFullParts,
    ),
    build_mutant("MUT-WD-243", "A walk ends when it has met eight links.", "WD-WALK-01 WD-SEC-03", walk=EightLinks),
    build_mutant(
        "MUT-WD-229",
        "A call waits at a named pipe for a writer.",
        "WD-WALK-03 WD-ENT-04 WD-RET-02 WD-SEC-04",
        open_reader=WaitsAtPipes,
    ),
    build_mutant("MUT-WD-246", "A list of texts is joined to a path.", "WD-ARG-02", argument_parser=JoinsAList),
    build_mutant("MUT-WD-247", "Two dots between two names are left out.", "WD-ARG-04", start=LeavesOutTwoDots),
    build_mutant(
        "MUT-WD-248",
        "A sandbox that is reached through a link contains nothing.",
        "WD-ARG-04",
        start=RealSandboxOnly,
    ),
    build_mutant("MUT-WD-249", "Of a start that is a link the first hop is checked.", "WD-SEC-02", start=FirstHopOnly),
    build_mutant(
        "MUT-WD-250",
        "What lies below a neighbour whose name begins alike is inside.",
        "WD-SEC-02",
        start=ParentBeginsAlike,
    ),
    build_mutant(
        "MUT-WD-259",
        "A missing start is looked up without line breaks behind it.",
        "WD-ERR-03",
        start=MissingWithoutLineBreak,
    ),
    build_mutant("MUT-WD-260", "A missing start is a glob.", "WD-ERR-03", start=MissingIsAGlob),
    build_mutant(
        "MUT-WD-261",
        "A start that permissions keep out of reach is replaced by the directory above it.",
        "WD-ERR-04",
        start=NearestAbove,
    ),
)
