"""Wrong where source and destination are one, or one lies in the other: the classic losers of data."""

import os
import shutil
import stat

from ...moving.aim import Aim, failed
from ...moving.gate import Spot
from ...moving.transfer import Copy, Move
from ..mutant import Mutant
from .made import both, copying, made, moving
from .writing import WritesInPlace, opened, path_of


class NeverSame(Aim):
    """Two paths are two files."""

    def is_same(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return False


class SameBySpelling(Aim):
    """Two paths are one file if they are spelt alike."""

    def is_same(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return self.request.source.text == self.request.destination.text


class SameByContent(Aim):
    """Two files of one content are one file."""

    def check_replacing(
        self, source: Spot, found: os.stat_result, final: Spot, existing: os.stat_result
    ) -> None:
        super().check_replacing(source, found, final, existing)
        files = stat.S_ISREG(found.st_mode) and stat.S_ISREG(existing.st_mode)
        if files and content(self.origin(source)) == content(final):
            raise failed("source and destination are the same file")


def content(spot: Spot) -> bytes:
    """What the file at a spot holds."""
    with opened(os.path.join(spot.directory.root, *spot.directory.below, spot.name), "rb") as file:
        return file.read()


class RemovesAndRenames(Move):
    """Removes what has the final name, and renames then."""

    def rename(self) -> None:
        if self.replaces:
            os.unlink(self.final, dir_fd=self.to)
        os.rename(self.source, self.final, src_dir_fd=self.at, dst_dir_fd=self.to)


class TruncatesItself(WritesInPlace):
    """Opens the destination for writing, whatever it is."""

    def run(self) -> None:
        if not self.replaces:
            Copy(self.at, self.source, self.to, self.final, self.replaces).run()
            return
        with (
            opened(path_of(self.to, self.final), "wb") as new,
            opened(path_of(self.at, self.source), "rb") as old,
        ):
            new.write(old.read())


class WithoutLooking(Aim):
    """Whether a directory goes into itself is not looked at."""

    def check_subtree(self, source: Spot, found: os.stat_result, final: Spot) -> None:
        pass


class CopiesTreesAndRemoves(Move):
    """Moves a directory by copying what it holds and removing it."""

    def rename(self) -> None:
        if not stat.S_ISDIR(self.look().st_mode) or self.replaces:
            super().rename()
            return
        old, new = path_of(self.at, self.source), path_of(self.to, self.final)
        held = os.listdir(old)
        os.mkdir(new)
        for name in held:
            if not new.startswith(os.path.join(old, name)):
                os.rename(os.path.join(old, name), os.path.join(new, name))
        shutil.rmtree(old, ignore_errors=True)


class ByTheBeginning(Aim):
    """What begins like the source's name lies in the source."""

    def check_subtree(self, source: Spot, found: os.stat_result, final: Spot) -> None:
        old = b"/".join(source.path[1])
        if stat.S_ISDIR(found.st_mode) and b"/".join(final.directory.below).startswith(old):
            raise failed("the destination lies in the source itself")


class RunsAway(Copy):
    """Copies directories, and what it has copied of them again."""

    deepest = 30

    def run(self) -> None:
        if stat.S_ISDIR(self.look().st_mode):
            self.descend(path_of(self.at, self.source), path_of(self.to, self.final), 0)
        else:
            super().run()

    def descend(self, old: bytes, new: bytes, depth: int) -> None:
        os.mkdir(new)
        for name in os.listdir(old):
            path = os.path.join(old, name)
            if os.path.isdir(path) and not os.path.islink(path):
                if depth < self.deepest:
                    self.descend(path, os.path.join(new, name), depth + 1)
            elif os.path.isfile(path):
                shutil.copyfile(path, os.path.join(new, name))


class RemovesItself(Move):
    """Nothing to do, and the source goes."""

    def run(self) -> None:
        here = os.lstat(self.source, dir_fd=self.at)
        if self.replaces and os.path.samestat(here, os.lstat(self.final, dir_fd=self.to)):
            os.unlink(self.source, dir_fd=self.at)
            return
        super().run()


MUTANTS: tuple[Mutant, ...] = (
    made(
        121,
        "A copy onto itself empties the file.",
        "DFO-06",
        "DFO-05",
        "DFO-07",
        tools=copying(aim=NeverSame, transfer=TruncatesItself),
    ),
    made(
        122,
        "A copy onto another name of the source empties both.",
        "DFO-06",
        "DFO-05",
        "DFO-07",
        tools=copying(aim=SameBySpelling, transfer=TruncatesItself),
    ),
    made(
        123,
        "A move onto another name of the source is a success that does nothing.",
        "DFO-06",
        tools=moving(aim=NeverSame),
    ),
    made(
        124,
        "A move onto itself removes the file.",
        "DFO-06",
        "DFO-05",
        "DFO-04",
        "FR-FOPS-MV-04",
        tools=moving(aim=NeverSame, transfer=RemovesAndRenames),
    ),
    made(
        125,
        "A move onto itself removes the file and is a success.",
        "DFO-06",
        "DFO-05",
        tools=moving(aim=NeverSame, transfer=RemovesItself),
    ),
    made(
        126,
        "A directory that is moved into itself is gone.",
        "DFO-06",
        "DFO-05",
        "DFO-08",
        "FR-FOPS-MV-04",
        tools=moving(aim=WithoutLooking, transfer=CopiesTreesAndRemoves),
    ),
    made(
        127,
        "A directory does not go into one whose name begins like its own.",
        "DFO-06",
        tools=both(aim=ByTheBeginning),
    ),
    made(
        128,
        "A copy of a directory into itself runs away.",
        "DFO-06",
        "FR-FOPS-CP-01",
        "DFO-02",
        "FR-FOPS-CP-02",
        tools=copying(aim=WithoutLooking, transfer=RunsAway),
    ),
    made(129, "Files of one content are taken for one.", "DFO-01", tools=moving(aim=SameByContent)),
)
