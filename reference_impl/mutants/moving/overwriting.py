"""Wrong about names that are taken: taken all the same, or emptied before anything has their place."""

import contextlib
import os
import shutil
import stat
from typing import Any

from ...config import Table
from ...moving.aim import Aim, failed
from ...moving.copying import FileCopy
from ...moving.gate import Spot
from ...moving.request import Reading
from ...moving.settings import Settings, read_settings
from ...moving.transfer import Copy, Move
from ..mutant import Mutant
from .made import both, copying, made, moving
from .writing import (
    LeavesTheEnd,
    WritesInPlace,
    WritesInPlaceAndCleansUp,
    WritesThroughLinks,
    path_of,
)


class Unchecked(Aim):
    """What has the final name is not looked for."""

    def check_leave(self) -> None:
        pass


class FollowsToLook(Aim):
    """A link that leads nowhere is nothing."""

    def existing(self, final: Spot) -> os.stat_result | None:
        found = super().existing(final)
        if found is not None and stat.S_ISLNK(found.st_mode):
            path = os.path.join(final.directory.root, *final.directory.below, final.name)
            return found if os.path.exists(path) else None
        return found


class Renames(Move):
    """Renames without asking the kernel to be careful."""

    def rename(self) -> None:
        os.rename(self.source, self.final, src_dir_fd=self.at, dst_dir_fd=self.to)


class ConfigurationDecides(Aim):
    """The configuration decides alone."""

    def check_leave(self) -> None:
        if not self.request.may_overwrite:
            super().check_leave()


def never(config: Any) -> Settings:
    """The configuration is read, and not heeded."""
    Table(config, "tools", "fileops").flag("allow_overwrite", False)
    return Settings(allow_overwrite=False)


class ClearsTheWay(Aim):
    """A directory that is in the way may go."""

    def check_replacing(
        self, source: Spot, found: os.stat_result, final: Spot, existing: os.stat_result
    ) -> None:
        if not stat.S_ISDIR(existing.st_mode):
            super().check_replacing(source, found, final, existing)
        self.check_leave()


class RemovesTrees(Move):
    """Removes a directory that has the final name, with all that it holds."""

    def rename(self) -> None:
        if self.replaces:
            shutil.rmtree(path_of(self.to, self.final), ignore_errors=True)
        os.rename(self.source, self.final, src_dir_fd=self.at, dst_dir_fd=self.to)


class RemovesTreesToCopy(Copy):
    """The same before a copy."""

    def run(self) -> None:
        if self.replaces:
            shutil.rmtree(path_of(self.to, self.final), ignore_errors=True)
        super().run()


class RemovesEmptyOnes(Move):
    """Removes an empty directory that has the final name."""

    def rename(self) -> None:
        with contextlib.suppress(OSError):
            os.rmdir(self.final, dir_fd=self.to)
        super().rename()


class RemovesFirst(Move):
    """Removes what has the final name, and renames then."""

    def rename(self) -> None:
        if self.replaces:
            os.unlink(self.final, dir_fd=self.to)
        os.rename(self.source, self.final, src_dir_fd=self.at, dst_dir_fd=self.to)


class RemovesFirstAnyway(Aim):
    """What may be overwritten goes before the source is looked for."""

    def target(self) -> Any:
        final = self.gate.spot(self.request.destination)
        if self.request.overwrite and self.request.may_overwrite and not self.is_directory(final):
            source = self.gate.spot(self.request.source)
            with contextlib.suppress(OSError):
                path = os.path.join(final.directory.root, *final.directory.below, final.name)
                if not os.path.lexists(
                    os.path.join(source.directory.root, *source.directory.below, source.name)
                ):
                    os.unlink(path)
        return super().target()


class ReplacesAtHome(Move):
    """What is to be replaced is looked for in the directory of the source."""

    def rename(self) -> None:
        if self.replaces:
            os.rename(self.source, self.final, src_dir_fd=self.at, dst_dir_fd=self.at)
        else:
            super().rename()


class CopiesOverAtHome(Copy):
    """The same of a copy."""

    def place(self, copy: FileCopy) -> None:
        if self.replaces:
            os.rename(copy.named(), self.final, src_dir_fd=self.to, dst_dir_fd=self.at)
            copy.hidden = None
        else:
            super().place(copy)


class OverwriteByDefault(Reading):
    """`overwrite` is true where it is left out, whatever is configured."""

    def request(self) -> Any:
        request = super().request()
        if "overwrite" in self.arguments:
            return request
        return type(request)(request.source, request.destination, True, True)


def truthy(config: Any) -> Settings:
    """Whatever is not empty allows it."""
    table = ((config or {}).get("tools") or {}).get("fileops") or {}
    return Settings(allow_overwrite=bool(table.get("allow_overwrite", False)))


def anywhere(config: Any) -> Settings:
    """The flag counts at the top of the file as well."""
    return Settings(
        allow_overwrite=read_settings(config).allow_overwrite or (config or {}).get("allow_overwrite") is True
    )


class KeepsTheYounger(Aim):
    """What is younger is not overwritten."""

    def check_replacing(
        self, source: Spot, found: os.stat_result, final: Spot, existing: os.stat_result
    ) -> None:
        super().check_replacing(source, found, final, existing)
        if existing.st_mtime_ns > found.st_mtime_ns:
            raise failed("what has the name is younger")


MUTANTS: tuple[Mutant, ...] = (
    made(
        61,
        "move takes names that are taken.",
        "FR-FOPS-MV-03",
        "T-FOPS-MV-02",
        "CFG-FOPS-01",
        "FR-FOPS-MV-01",
        "FR-FOPS-MV-04",
        "DFO-05",
        tools=moving(aim=Unchecked),
    ),
    made(
        62,
        "copy takes names that are taken.",
        "FR-FOPS-CP-03",
        "CFG-FOPS-01",
        "FR-EXE-01",
        "NFR-FOPS-SEC-01",
        "DFO-05",
        tools=copying(aim=Unchecked),
    ),
    made(
        63,
        "overwrite is true where it is left out.",
        "T-FOPS-MV-02",
        "FR-FOPS-MV-03",
        "FR-FOPS-CP-03",
        "CFG-FOPS-01",
        "FR-FOPS-MV-01",
        "FR-FOPS-MV-04",
        "FR-EXE-01",
        "DFO-05",
        "NFR-FOPS-SEC-01",
        tools=both(reading=OverwriteByDefault),
    ),
    made(
        64,
        "move takes a name that a dangling link has.",
        "FR-FOPS-MV-03",
        tools=moving(aim=FollowsToLook, transfer=Renames),
    ),
    made(
        65,
        "copy writes through a dangling link that is taken for nothing.",
        "FR-FOPS-CP-03",
        "DFO-06",
        "DFO-07",
        tools=copying(aim=FollowsToLook, transfer=WritesThroughLinks),
    ),
    made(
        66,
        "The configuration overrules an argument that is false.",
        "CFG-FOPS-01",
        "FR-FOPS-CP-03",
        "FR-FOPS-MV-03",
        "FR-FOPS-MV-01",
        tools=both(aim=ConfigurationDecides),
    ),
    made(
        67,
        "Nothing is ever overwritten, whatever is configured.",
        "CFG-FOPS-01",
        "FR-FOPS-MV-02",
        "FR-FOPS-CP-02",
        "FR-FOPS-MV-04",
        "DFO-01",
        "DFO-02",
        "DFO-07",
        tools=both(settings=never),
    ),
    made(
        68,
        "A copy onto a longer file keeps the longer file's end.",
        "CFG-FOPS-01",
        "FR-FOPS-CP-02",
        "DFO-02",
        "DFO-04",
        "DFO-05",
        "DFO-07",
        tools=copying(transfer=LeavesTheEnd),
    ),
    made(
        69,
        "A move with overwrite removes a directory with all that it holds.",
        "DFO-05",
        "DFO-06",
        tools=moving(aim=ClearsTheWay, transfer=RemovesTrees),
    ),
    made(
        70,
        "A copy with overwrite removes a directory with all that it holds.",
        "DFO-05",
        "DFO-04",
        "DFO-06",
        tools=copying(aim=ClearsTheWay, transfer=RemovesTreesToCopy),
    ),
    made(
        71,
        "A file moved onto an empty directory has its place.",
        "DFO-05",
        tools=moving(aim=ClearsTheWay, transfer=RemovesEmptyOnes),
    ),
    made(
        72,
        "What is overwritten goes before the source is renamed.",
        "DFO-05",
        "FR-FOPS-MV-04",
        tools=moving(transfer=RemovesFirst),
    ),
    made(
        73,
        "What is overwritten goes although there is no source.",
        "DFO-05",
        "DFO-04",
        "DFO-03",
        tools=both(aim=RemovesFirstAnyway),
    ),
    made(
        74,
        "A copy is written into the file that it replaces.",
        "DFO-05",
        "DFO-04",
        "DFO-06",
        "DFO-07",
        tools=copying(transfer=WritesInPlace),
    ),
    made(
        75,
        "A copy is written into the file that it replaces, which goes where that fails.",
        "DFO-05",
        "DFO-02",
        "DFO-04",
        "DFO-06",
        "DFO-07",
        tools=copying(transfer=WritesInPlaceAndCleansUp),
    ),
    made(
        233,
        "move replaces the file of that name beside the source.",
        "CFG-FOPS-01",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-04",
        "DFO-01",
        "DFO-05",
        "DFO-07",
        tools=moving(transfer=ReplacesAtHome),
    ),
    made(
        234,
        "copy replaces the file of that name beside the source.",
        "CFG-FOPS-01",
        "FR-FOPS-CP-02",
        tools=copying(transfer=CopiesOverAtHome),
    ),
    made(
        263,
        "A text in the configuration allows to overwrite, whatever it says.",
        "CFG-FOPS-01",
        tools=both(settings=truthy),
    ),
    made(
        264,
        "The flag allows to overwrite outside of its table, too.",
        "CFG-FOPS-01",
        tools=both(settings=anywhere),
    ),
    made(
        265,
        "A younger file is not overwritten.",
        "CFG-FOPS-01",
        "DFO-01",
        "DFO-02",
        tools=both(aim=KeepsTheYounger),
    ),
)
