"""Mutants: errors in which entries a walk visits."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import WalkedEntry
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import Elements, build_mutant, with_list_changed
from .implied import EVERYTHING


class FollowingReader(DirectoryReaderWrapper):
    """Follows links, except to the system's directories."""

    def list_names(self, route: Route) -> list[bytes]:
        return os.listdir(self.join(*route))

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        try:
            if os.path.realpath(self.join(*route, name)).startswith(b"/etc"):
                return os.lstat(self.join(*route, name))
            return os.stat(self.join(*route, name))
        except OSError:
            return os.lstat(self.join(*route, name))


class FirstLevel(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return False


class OnlyFiles(Walk):
    def is_listed(self, item: WalkedEntry) -> bool:
        return not item.is_directory


class TenLevels(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and len(item.parts) < 10


class ThousandElements(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        for number, item in enumerate(super().walk()):
            if number == 1000:
                return
            yield item


class NothingHidden(Walk):
    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(route) if not name.startswith(b".")]


class HiddenStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and not item.parts[-1].startswith(".")


class NoSecrets(Walk):
    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(route) if not name.endswith((b".pem", b".key", b".ssh"))]


class ProgramsStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and item.parts[-1] not in (".git", "node_modules", "build", "target")


class NoBackups(Walk):
    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(route) if not name.endswith((b"~", b".swp", b".tmp"))]


class HeedsGitignore(Walk):
    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        names = list(super().list_names(route))
        return [name for name in names if name != b"x"] if b".gitignore" in names else names


class NoEmptyFiles(Walk):
    def is_listed(self, item: WalkedEntry) -> bool:
        return item.stat_result.st_size > 0 or not stat.S_ISREG(item.stat_result.st_mode)


def listing_only(is_listed: Callable[[int], bool]) -> type[Walk]:
    class SelectingByMode(Walk):
        def is_listed(self, item: WalkedEntry) -> bool:
            return is_listed(item.stat_result.st_mode)

    return SelectingByMode


class OmitsDanglingLinks(Walk):
    def is_listed(self, item: WalkedEntry) -> bool:
        directories = self._reader
        is_link = stat.S_ISLNK(item.stat_result.st_mode)
        return not (is_link and isinstance(directories, DirectoryReaderWrapper)) or os.path.exists(
            directories.join(*item.route)
        )


class Twice(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        for item in super().walk():
            yield item
            if item.is_directory:
                yield item


class OneNameOnce(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        seen: set[str] = set()
        for item in super().walk():
            if item.parts[-1] not in seen:
                seen.add(item.parts[-1])
                yield item


class OneFileOnce(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        seen: set[tuple[int, int]] = set()
        for item in super().walk():
            key = item.stat_result.st_dev, item.stat_result.st_ino
            if key not in seen:
                seen.add(key)
                yield item


class NoCase(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        seen: set[str] = set()
        for item in super().walk():
            key = "/".join(item.parts).lower()
            if key not in seen:
                seen.add(key)
                yield item


class EndsAtBytes(Walk):
    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        found = list(super().list_names(route))
        return [] if any("\ufffd" in name.decode("utf-8", "replace") for name in found) else found


class ClosedOnTheWayBack(Walk):
    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        kept = []
        for name in sorted(super().list_names(route)):
            kept.append(name)
            if stat.S_ISDIR(self._reader.lstat(route, name).st_mode):
                break
        return kept


class FollowedButNotEntered(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        directories = self._reader
        if isinstance(directories, DirectoryReaderWrapper) and os.path.islink(directories.join(*item.route)):
            return False
        return super().is_entered(item)


class FourLevelsBehindLinks(Walk):
    """Follows links, at most four levels deep, so that cycles end."""

    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and len(item.parts) < 4


class EntersLinksInside(Walk):
    """Enters links whose target contains no `..`."""

    def is_entered(self, item: WalkedEntry) -> bool:
        directories = self._reader
        if not stat.S_ISLNK(item.stat_result.st_mode) or not isinstance(directories, DirectoryReaderWrapper):
            return super().is_entered(item)
        path = directories.join(*item.route)
        return len(item.parts) < 3 and b".." not in os.readlink(path) and os.path.isdir(path)


class Listing(DirectoryReaderWrapper):
    def list_names(self, route: tuple[bytes, ...]) -> list[bytes]:
        return os.listdir(self.join(*route))

    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        return os.lstat(self.join(*route, name))


class WithStart(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        start = {"name": ".", "path": ".", "isDir": True, "size": 0, "modTime": "2023-11-14T22:13:20Z"}
        return [start, *found]


class FromTheSandbox(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        start = self.start(context, flavour).normalise_path(arguments["path"])
        above = "" if start == "." else f"{start}/"
        return [{**element, "path": above + element["path"]} for element in found]


class FromTheTop(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        start = f"{context.working_dir}/{arguments['path']}"
        return [{**element, "path": f"{start}/{element['path']}"} for element in found]


def without_empty_directories(found: Elements) -> Elements:
    full = {element["path"].rpartition("/")[0] for element in found}
    return [element for element in found if not element["isDir"] or element["path"] in full]


WALK = "WD-WALK-01 WD-WALK-03 WD-SEC-03 WD-ENT-01 WD-ENT-02 WD-ENT-03"
DEEP = f"{WALK} WD-RET-01 WD-ARG-05 WD-WALK-02 WD-SYN-01 WD-LAST-01 WD-ENT-04 WD-SEC-04 WD-LOG-01"
FILTER = "WD-WALK-03 WD-SEC-04 WD-ENT-01 WD-SEC-03 WD-ARG-05"
LINKS = "WD-SEC-03 WD-ENT-03 WD-RET-01 WD-ENT-01 WD-WALK-01 WD-SEC-04 WD-LOG-01 WD-ENT-04"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-036",
        "The walk ends at the first level.",
        DEEP,
        "WD-ERR-06 WD-ARG-01 WD-ERR-01 WD-RET-02 WD-SEC-02 WD-WALK-04",
        walk=FirstLevel,
    ),
    build_mutant(
        "MUT-WD-037",
        "Directories are omitted.",
        DEEP,
        "WD-ERR-06 WD-ARG-01 WD-ENT-05 WD-RET-02 WD-SEC-02 WD-WALK-04",
        walk=OnlyFiles,
    ),
    build_mutant(
        "MUT-WD-038",
        "Empty directories are omitted.",
        WALK,
        "WD-RET-01 WD-ENT-05 WD-ERR-06",
        tool=with_list_changed(without_empty_directories),
    ),
    build_mutant("MUT-WD-039", "The walk ends at level 10.", "WD-WALK-01", walk=TenLevels),
    build_mutant("MUT-WD-040", "The list ends at 1,000 elements.", "WD-WALK-01", walk=ThousandElements),
    build_mutant("MUT-WD-041", "Hidden entries are omitted.", FILTER, walk=NothingHidden),
    build_mutant("MUT-WD-042", "Hidden directories are listed and not entered.", "WD-WALK-03", walk=HiddenStayClosed),
    build_mutant("MUT-WD-043", "Files that may contain secrets are omitted.", "WD-WALK-03", walk=NoSecrets),
    build_mutant(
        "MUT-WD-044",
        "Directories such as node_modules are not entered.",
        "WD-WALK-03",
        walk=ProgramsStayClosed,
    ),
    build_mutant(
        "MUT-WD-045",
        "Backups and temporary files are omitted.",
        "WD-WALK-03 WD-WALK-01 WD-ERR-06 WD-SEC-03",
        walk=NoBackups,
    ),
    build_mutant("MUT-WD-046", "Names in .gitignore are omitted.", "WD-WALK-03", walk=HeedsGitignore),
    build_mutant(
        "MUT-WD-047",
        "Empty files are omitted.",
        FILTER,
        WALK,
        "WD-ERR-06 WD-LOG-01",
        EVERYTHING,
        walk=NoEmptyFiles,
    ),
    build_mutant(
        "MUT-WD-049",
        "Links are omitted.",
        LINKS,
        "WD-SEC-02",
        walk=listing_only(lambda mode: not stat.S_ISLNK(mode)),
    ),
    build_mutant(
        "MUT-WD-050",
        "Dangling links are omitted.",
        LINKS,
        walk=OmitsDanglingLinks,
        open_reader=DirectoryReaderWrapper,
    ),
    build_mutant("MUT-WD-051", "Directories are listed twice.", DEEP, "WD-ERR-06 WD-SEC-02", walk=Twice),
    build_mutant("MUT-WD-052", "Each base name is listed once only.", DEEP, walk=OneNameOnce),
    build_mutant("MUT-WD-053", "A file with two names is listed once.", "WD-WALK-01 WD-ENT-04", walk=OneFileOnce),
    build_mutant(
        "MUT-WD-054", "Of names that differ in case only, one is listed.", "WD-WALK-01 WD-ENT-01", walk=NoCase
    ),
    build_mutant("MUT-WD-055", "A directory with bytes in a name is empty.", "WD-WALK-01 WD-ENT-01", walk=EndsAtBytes),
    build_mutant(
        "MUT-WD-056",
        "Entries after a subdirectory are lost.",
        DEEP,
        "WD-ENT-05 WD-ERR-06",
        walk=ClosedOnTheWayBack,
    ),
    build_mutant("MUT-WD-057", "The start is an element.", "WD-WALK-02", DEEP, EVERYTHING, tool=WithStart()),
    build_mutant(
        "MUT-WD-058", "path is relative to the sandbox.", "WD-ENT-02", DEEP, EVERYTHING, tool=FromTheSandbox()
    ),
    build_mutant("MUT-WD-059", "path is absolute.", "WD-ENT-02", DEEP, EVERYTHING, tool=FromTheTop()),
    build_mutant(
        "MUT-WD-060",
        "Links are followed.",
        LINKS,
        "WD-ERR-06 WD-SEC-02",
        walk=FourLevelsBehindLinks,
        open_reader=FollowingReader,
    ),
    build_mutant(
        "MUT-WD-061",
        "A link has the metadata of its target and is not entered.",
        "WD-ENT-03 WD-SEC-03",
        walk=FollowedButNotEntered,
        open_reader=FollowingReader,
    ),
    build_mutant("MUT-WD-062", "Links to siblings are entered.", LINKS, walk=EntersLinksInside, open_reader=Listing),
)
