"""Mutants: entries omitted for their depth, number, name or mode."""

import os
import stat
from collections.abc import Iterable, Iterator

from treeproof.reference_impl.fs_walkdir.entries import WalkedEntry
from treeproof.reference_impl.fs_walkdir.walk import Walk

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant

PROGRAMS = frozenset({".svn", ".hg", ".idea", ".venv", "venv", "vendor", "dist", "site-packages"})
SYSTEMS = frozenset({".DS_Store", "Thumbs.db", "lost+found"})


class NoLinksIntoTheClosed(Walk):
    def is_listed(self, item: WalkedEntry) -> bool:
        directories = self._reader
        if stat.S_ISLNK(item.stat_result.st_mode) and isinstance(directories, DirectoryReaderWrapper):
            try:
                os.stat(directories.join(*item.route))
            except PermissionError:
                return False
            except OSError:
                pass  # a dangling link
        return True


class HundredLevels(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and len(item.parts) < 100


class FiveThousandElements(Walk):
    def walk(self) -> Iterator[WalkedEntry]:
        for number, item in enumerate(super().walk()):
            if number == 5000:
                return
            yield item


class MoreProgramsStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and item.parts[-1] not in PROGRAMS


class BundlesStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and not item.parts[-1].endswith((".app", ".zip"))


class NothingOfSystems(Walk):
    def is_listed(self, item: WalkedEntry) -> bool:
        return item.parts[-1] not in SYSTEMS and not item.parts[-1].startswith(".nfs")


class HeedsIgnore(Walk):
    """Leaves out, on every level, what a file named .ignore names."""

    names: frozenset[bytes] = frozenset()

    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        names = list(super().list_names(route))
        if b".ignore" in names:
            self.names |= {b"y"}
        return [name for name in names if name not in self.names]


class SpecialModesStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and not item.stat_result.st_mode & (stat.S_ISVTX | stat.S_ISGID)


class OpenToAllStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and stat.S_IMODE(item.stat_result.st_mode) != 0o777


class LongestStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and len(item.route[-1]) < 255


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-154",
        "Links to inaccessible targets are omitted.",
        "WD-WALK-03",
        walk=NoLinksIntoTheClosed,
        open_reader=DirectoryReaderWrapper,
    ),
    build_mutant("MUT-WD-155", "The walk ends at level 100.", "WD-WALK-01", walk=HundredLevels),
    build_mutant("MUT-WD-156", "The list ends at 5,000 elements.", "WD-WALK-01", walk=FiveThousandElements),
    build_mutant(
        "MUT-WD-157",
        "Directories that build tools create are not entered.",
        "WD-WALK-03",
        walk=MoreProgramsStayClosed,
    ),
    build_mutant(
        "MUT-WD-175",
        "Directories that a desktop shows as one item are not entered.",
        "WD-WALK-03",
        walk=BundlesStayClosed,
    ),
    build_mutant("MUT-WD-158", "Files that systems leave behind are omitted.", "WD-WALK-03", walk=NothingOfSystems),
    build_mutant("MUT-WD-181", "Names in .ignore are omitted.", "WD-WALK-03", walk=HeedsIgnore),
    build_mutant(
        "MUT-WD-159",
        "Directories with special modes are not entered.",
        "WD-WALK-03 WD-WALK-01",
        walk=SpecialModesStayClosed,
    ),
    build_mutant(
        "MUT-WD-264",
        "Directories that everybody may write to are not entered.",
        "WD-WALK-01",
        walk=OpenToAllStayClosed,
    ),
    build_mutant(
        "MUT-WD-265",
        "Directories with the longest names are not entered.",
        "WD-WALK-01",
        walk=LongestStayClosed,
    ),
)
