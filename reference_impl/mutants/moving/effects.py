"""Wrong in what a success means: nothing was done, or half of it, or something else."""

import contextlib
import os
import stat
from typing import Any

from ...candidate import Candidate
from ...moving.aim import Aim, Target, failed
from ...moving.gate import Spot
from ...moving.transfer import Copy, Move
from ...moving.transfer import Unsupported as Refused
from ..mutant import Mutant
from .made import both, copying, made, moving
from .writing import (
    AsText,
    FirstPiece,
    Sparse,
    Touches,
    Utf8,
    WritesBeside,
    WritesBesideLonger,
    copies,
    path_of,
)


class LinksHard(Copy):
    """A copy is another name of the source."""

    def run(self) -> None:
        self.check(self.look())
        if self.replaces:
            super().run()
        else:
            os.link(self.source, self.final, src_dir_fd=self.at, dst_dir_fd=self.to)


class LinksSoft(Copy):
    """A copy is a link to the source."""

    def run(self) -> None:
        self.check(self.look())
        if self.replaces:
            super().run()
        else:
            os.symlink(path_of(self.at, self.source), self.final, dir_fd=self.to)


class Pretends(Copy):
    """What is no file is copied with a smile."""

    def run(self) -> None:
        try:
            super().run()
        except Refused:
            if stat.S_ISDIR(self.look().st_mode):
                raise


class SkipsEmpty(Copy):
    """An empty file has nothing that could be copied."""

    def run(self) -> None:
        if self.look().st_size:
            super().run()


class MakesAnEmptyOne(Copy):
    """A directory is copied without what it holds."""

    def check(self, found: os.stat_result) -> None:
        if not stat.S_ISDIR(found.st_mode):
            super().check(found)

    def run(self) -> None:
        if stat.S_ISDIR(self.look().st_mode):
            os.mkdir(self.final, dir_fd=self.to)
        else:
            super().run()


class MakesOneLevel(Copy):
    """A directory is copied with its files, and without what lies deeper."""

    def run(self) -> None:
        if not stat.S_ISDIR(self.look().st_mode):
            super().run()
            return
        os.mkdir(self.final, dir_fd=self.to)
        source, final = path_of(self.at, self.source), path_of(self.to, self.final)
        for entry in os.scandir(source):
            if entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as old, open(os.path.join(final, entry.name), "wb") as new:
                    new.write(old.read())


class KeepsTheSource(Move):
    """A move of a file is a copy."""

    def run(self) -> None:
        if stat.S_ISREG(self.look().st_mode):
            Copy(self.at, self.source, self.to, self.final, self.replaces).run()
        else:
            super().run()


class AlwaysCarries(Move):
    """A move is a copy and a deletion, wherever to."""

    def run(self) -> None:
        if stat.S_ISREG(self.look().st_mode):
            self.carry()
        else:
            super().run()


class OnlyFiles(Move):
    """What is neither file nor directory nor link is left where it is, without a word."""

    def run(self) -> None:
        if not stat.S_ISFIFO(self.look().st_mode):
            super().run()


class EmptiesDirectories(Move):
    """A directory is made anew, and its files are moved into it."""

    def rename(self) -> None:
        if not stat.S_ISDIR(self.look().st_mode) or self.replaces:
            super().rename()
            return
        os.mkdir(self.final, dir_fd=self.to)
        old, new = path_of(self.at, self.source), path_of(self.to, self.final)
        for name in os.listdir(old):
            with contextlib.suppress(OSError):
                if os.path.isfile(os.path.join(old, name)) or os.path.isdir(os.path.join(old, name)):
                    os.rename(os.path.join(old, name), os.path.join(new, name))
        with contextlib.suppress(OSError):
            for name in os.listdir(old):
                os.unlink(os.path.join(old, name))
            os.rmdir(old)


class Optimistic(Candidate):
    """A source that is not there has been moved already."""

    def call(self, params: Any) -> dict[str, Any]:
        result = super().call(params)
        error = result.get("error") or {}
        if "source does not exist" in str(error.get("message")):
            told = {key: value for key, value in result.items() if key != "error"}
            return {**told, "status": "ok", "content": "Done"}
        return result


class Silent(Candidate):
    """A success has nothing to say."""

    def call(self, params: Any) -> dict[str, Any]:
        result = super().call(params)
        quiet = params["tool"] in ("move", "mv", "rename", "copy", "cp") and result["status"] == "ok"
        return {**result, "content": ""} if quiet else result


class MakesTheSource(Aim):
    """A source that is not there is made."""

    def source(self, spot: Spot) -> os.stat_result:
        path = os.path.join(spot.directory.root, *spot.directory.below, spot.name)
        if spot.directory.obstacle is None and not os.path.lexists(path):
            with contextlib.suppress(OSError):
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
        return super().source(spot)


class MakesDirectories(Aim):
    """The directories of the destination are made before anything is looked at."""

    def target(self) -> Target:
        destination = self.gate.spot(self.request.destination)
        place = destination.directory
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(place.root, *place.below))
        return super().target()


class LeavesDirectories(Aim):
    """The directories of the destination are made for a source that is there, and stay whatever comes of it."""

    def target(self) -> Target:
        self.source(self.gate.spot(self.request.source))
        place = self.gate.spot(self.request.destination).directory
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(place.root, *place.below))
        return super().target()


class ReplacesParents(Aim):
    """A file that stands where a directory is needed makes room for it."""

    def target(self) -> Target:
        place = self.gate.spot(self.request.destination).directory
        path = os.path.join(place.root, *place.below)
        if os.path.isfile(path):
            os.unlink(path)
            os.mkdir(path)
        return super().target()


class MakesOneDirectory(Aim):
    """One directory of two that are missing is made, and then it is an error."""

    def existing(self, final: Spot) -> os.stat_result | None:
        place = final.directory
        for length in range(1, len(place.below)):
            path = os.path.join(place.root, *place.below[:length])
            if not os.path.lexists(path):
                with contextlib.suppress(OSError):
                    os.mkdir(path)
                raise failed("the destination's directory does not exist")
        return super().existing(final)


MUTANTS: tuple[Mutant, ...] = (
    made(
        81,
        "A copy is a hard link.",
        "DFO-02",
        "FR-FOPS-CP-01",
        "DFO-04",
        "DFO-07",
        "FR-EXE-01",
        "NFR-FOPS-SEC-01",
        "DFO-08",
        "FR-APR-04b",
        "FR-APR-04c",
        "FR-APR-04d",
        "FR-FOPS-01",
        "FR-FOPS-CP-02",
        "NFR-FOPS-SEC-02",
        "T-FOPS-CP-01",
        tools=copying(transfer=LinksHard),
    ),
    made(
        82,
        "A copy is a symbolic link.",
        "DFO-02",
        "FR-FOPS-01",
        "FR-FOPS-CP-02",
        "T-FOPS-CP-01",
        "DFO-04",
        "FR-EXE-01",
        "NFR-FOPS-SEC-01",
        "NFR-FOPS-SEC-02",
        "FR-APR-04b",
        "FR-APR-04c",
        "FR-APR-04d",
        "FR-FOPS-CP-01",
        "FR-FOPS-CP-03",
        "DFO-05",
        "DFO-07",
        "DFO-08",
        tools=copying(transfer=LinksSoft),
    ),
    made(83, "A copy of a pipe is a success, and nothing more.", "DFO-02", tools=copying(transfer=Pretends)),
    made(
        84,
        "A copy changes line ends.",
        "DFO-02",
        tools=copying(transfer=copies(AsText)),
    ),
    made(
        85,
        "A copy is no longer than 64 KiB.",
        "DFO-02",
        "DFO-04",
        "DFO-05",
        tools=copying(transfer=copies(FirstPiece)),
    ),
    made(86, "A copy ends before the zeros at its end.", "DFO-02", tools=copying(transfer=copies(Sparse))),
    made(87, "A copy is UTF-8.", "DFO-02", tools=copying(transfer=copies(Utf8))),
    made(
        88,
        "The copy of an empty file is a success, and nothing more.",
        "DFO-02",
        "T-FOPS-CP-01",
        tools=copying(transfer=SkipsEmpty),
    ),
    made(
        89,
        "The copy of a directory is empty.",
        "FR-FOPS-CP-01",
        "DFO-02",
        "DFO-06",
        "FR-FOPS-CP-02",
        tools=copying(transfer=MakesAnEmptyOne),
    ),
    made(
        90,
        "The copy of a directory has its files, and nothing deeper.",
        "FR-FOPS-CP-01",
        "DFO-02",
        "DFO-06",
        "FR-FOPS-CP-02",
        tools=copying(transfer=MakesOneLevel),
    ),
    made(
        91,
        "A move keeps the source.",
        "DFO-01",
        "FR-FOPS-01",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-04",
        "T-FOPS-MV-01",
        "CFG-FOPS-01",
        "FR-EXE-01",
        "NFR-FOPS-SEC-02",
        "FR-VAL-04",
        "FR-VAL-05",
        "DFO-07",
        "DFO-04",
        "DFO-06",
        "DFO-08",
        "FR-APR-04c",
        "FR-APR-04d",
        "FR-FOPS-MV-01",
        tools=moving(transfer=KeepsTheSource),
    ),
    made(
        92,
        "A move copies, so that a file of two names has one.",
        "DFO-01",
        tools=moving(transfer=AlwaysCarries),
    ),
    made(
        93,
        "A move leaves a pipe where it is and is a success.",
        "DFO-01",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-04",
        tools=moving(transfer=OnlyFiles),
    ),
    made(
        94,
        "A move of a directory brings files and directories only.",
        "DFO-01",
        "DFO-07",
        "DFO-08",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-04",
        tools=moving(transfer=EmptiesDirectories),
    ),
    made(
        95,
        "A source that is not there is a success.",
        "DFO-03",
        "DFO-05",
        "DFO-09",
        "FR-EXE-01",
        face=Optimistic,
        tools=both(),
    ),
    made(
        96,
        "A source that is not there is made.",
        "DFO-03",
        "DFO-09",
        "FR-EXE-01",
        "DFO-04",
        "DFO-05",
        tools=both(aim=MakesTheSource),
    ),
    made(
        97,
        "A success says nothing.",
        "DFO-01",
        "FR-FOPS-CP-01",
        "DFO-02",
        "DFO-04",
        "FR-FOPS-01",
        "CFG-FOPS-01",
        "DFO-06",
        "DFO-07",
        "DFO-08",
        "FR-APR-04b",
        "FR-APR-04c",
        "FR-APR-04d",
        "FR-EXE-01",
        "FR-FOPS-CP-02",
        "FR-FOPS-MV-01",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-04",
        "FR-VAL-04",
        "FR-VAL-05",
        "NFR-FOPS-SEC-01",
        "NFR-FOPS-SEC-02",
        "T-FOPS-CP-01",
        "T-FOPS-MV-01",
        face=Silent,
        tools=both(),
    ),
    made(
        98,
        "Directories are made for a call that fails.",
        "DFO-09",
        "DFO-04",
        "DFO-06",
        "NFR-FOPS-SEC-01",
        tools=both(aim=MakesDirectories),
    ),
    made(
        99,
        "A file makes room for a directory of its name.",
        "DFO-09",
        "NFR-FOPS-SEC-01",
        "DFO-04",
        "DFO-05",
        tools=both(aim=ReplacesParents),
    ),
    made(
        100,
        "One of two missing directories is made, and then the call fails.",
        "DFO-09",
        "DFO-04",
        tools=both(aim=MakesOneDirectory),
    ),
    made(
        102,
        "A copy takes a file of the user's for an unfinished one.",
        "DFO-02",
        tools=copying(transfer=WritesBeside),
    ),
    made(
        103,
        "What is not finished has a longer name than what is.",
        "DFO-02",
        tools=copying(transfer=WritesBesideLonger),
    ),
    made(104, "A copy changes the time of its source.", "DFO-02", tools=copying(transfer=copies(Touches))),
    made(
        105,
        "Directories that were made stay when the copy fails.",
        "DFO-09",
        "DFO-04",
        "NFR-FOPS-SEC-01",
        tools=copying(aim=LeavesDirectories),
    ),
)
