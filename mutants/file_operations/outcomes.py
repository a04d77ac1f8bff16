"""Mutants: success without effect, or with a partial or different effect."""

import contextlib
import os
import stat
from typing import Any

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution, ResolvedTransfer, execution_failed
from treeproof.reference_impl.file_operations.transfer import Copy, Move
from treeproof.reference_impl.file_operations.transfer import UnsupportedTransfer as Refused
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both, tools_with_copy, tools_with_move
from .file_writers import (
    AsText,
    FirstPiece,
    Sparse,
    Touches,
    Utf8,
    WritesBeside,
    WritesBesideLonger,
    copy_correctly,
    copy_using,
    final_path,
    source_path,
)


class LinksHard(Copy):
    def run(self) -> None:
        self.check_copyable(self.stat_source())
        if self.replaces_existing:
            super().run()
        else:
            os.link(
                self.source_name,
                self.final_name,
                src_dir_fd=self.source_dir_fd,
                dst_dir_fd=self.target_dir_fd,
            )


class LinksSoft(Copy):
    def run(self) -> None:
        self.check_copyable(self.stat_source())
        if self.replaces_existing:
            super().run()
        else:
            os.symlink(source_path(self), self.final_name, dir_fd=self.target_dir_fd)


class Pretends(Copy):
    """A source that is no file or directory succeeds without effect."""

    def run(self) -> None:
        try:
            super().run()
        except Refused:
            if stat.S_ISDIR(self.stat_source().st_mode):
                raise


class SkipsEmpty(Copy):
    def run(self) -> None:
        if self.stat_source().st_size:
            super().run()


class KeepsTheSource(Move):
    def run(self) -> None:
        if stat.S_ISREG(self.stat_source().st_mode):
            copy_correctly(self)
        else:
            super().run()


class AlwaysCarries(Move):
    def run(self) -> None:
        if stat.S_ISREG(self.stat_source().st_mode):
            self.move_across_devices()
        else:
            super().run()


class OnlyFiles(Move):
    def run(self) -> None:
        if not stat.S_ISFIFO(self.stat_source().st_mode):
            super().run()


class EmptiesDirectories(Move):
    """Creates the directory again and moves its files into it."""

    def rename(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode) or self.replaces_existing:
            super().rename()
            return
        os.mkdir(self.final_name, dir_fd=self.target_dir_fd)
        old, new = source_path(self), final_path(self)
        for name in os.listdir(old):
            with contextlib.suppress(OSError):
                if os.path.isfile(os.path.join(old, name)) or os.path.isdir(os.path.join(old, name)):
                    os.rename(os.path.join(old, name), os.path.join(new, name))
        with contextlib.suppress(OSError):
            for name in os.listdir(old):
                os.unlink(os.path.join(old, name))
            os.rmdir(old)


class Optimistic(Candidate):
    def call(self, params: Any) -> dict[str, Any]:
        result = super().call(params)
        error = result.get("error") or {}
        if "source does not exist" in str(error.get("message")):
            other_members = {key: value for key, value in result.items() if key != "error"}
            return {**other_members, "status": "ok", "content": "Done"}
        return result


class MakesTheSource(Resolution):
    def stat_source(self, spot: NamedPlace) -> os.stat_result:
        path = os.path.join(spot.directory.root, *spot.directory.components, spot.name)
        if spot.directory.blocking_errno is None and not os.path.lexists(path):
            with contextlib.suppress(OSError):
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
        return super().stat_source(spot)


class MakesDirectories(Resolution):
    """Creates the directories of the destination before any check."""

    def resolve(self) -> ResolvedTransfer:
        destination = self.sandbox.resolve_named(self.request.destination)
        place = destination.directory
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(place.root, *place.components))
        return super().resolve()


class LeavesDirectories(Resolution):
    """Creates the directories of the destination for an existing source, and keeps them after a failure."""

    def resolve(self) -> ResolvedTransfer:
        self.stat_source(self.sandbox.resolve_named(self.request.source))
        place = self.sandbox.resolve_named(self.request.destination).directory
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(place.root, *place.components))
        return super().resolve()


class ReplacesParents(Resolution):
    def resolve(self) -> ResolvedTransfer:
        place = self.sandbox.resolve_named(self.request.destination).directory
        path = os.path.join(place.root, *place.components)
        if os.path.isfile(path):
            os.unlink(path)
            os.mkdir(path)
        return super().resolve()


class MakesOneDirectory(Resolution):
    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        place = final.directory
        for length in range(1, len(place.components)):
            path = os.path.join(place.root, *place.components[:length])
            if not os.path.lexists(path):
                with contextlib.suppress(OSError):
                    os.mkdir(path)
                raise execution_failed("the destination's directory does not exist")
        return super().stat_existing(final)


class DropsWhatIsEmpty(Move):
    def rename(self) -> None:
        found = self.stat_source()
        path = source_path(self)
        if self.replaces_existing or (os.listdir(path) if stat.S_ISDIR(found.st_mode) else found.st_size):
            super().rename()
        elif stat.S_ISDIR(found.st_mode):
            os.rmdir(path)
        elif stat.S_ISREG(found.st_mode):
            os.unlink(path)
        else:
            super().rename()


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-081",
        "A copy is a hard link.",
        "DFO-02 FR-FOPS-CP-01 DFO-04 DFO-07 FR-EXE-01 NFR-FOPS-SEC-01 DFO-08 FR-APR-04b FR-APR-04c "
        "FR-APR-04d FR-FOPS-01 FR-FOPS-CP-02 NFR-FOPS-SEC-02 T-FOPS-CP-01",
        tools=tools_with_copy(transfer=LinksHard),
    ),
    build_mutant(
        "MUT-FO-082",
        "A copy is a symbolic link.",
        "DFO-02 FR-FOPS-01 FR-FOPS-CP-02 T-FOPS-CP-01 DFO-04 FR-EXE-01 NFR-FOPS-SEC-01 NFR-FOPS-SEC-02 "
        "FR-APR-04b FR-APR-04c FR-APR-04d FR-FOPS-CP-01 FR-FOPS-CP-03 DFO-05 DFO-07 DFO-08",
        tools=tools_with_copy(transfer=LinksSoft),
    ),
    build_mutant(
        "MUT-FO-083",
        "A copy of a pipe succeeds without effect.",
        "DFO-02",
        tools=tools_with_copy(transfer=Pretends),
    ),
    build_mutant(
        "MUT-FO-084",
        "A copy changes line endings.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(AsText)),
    ),
    build_mutant(
        "MUT-FO-085",
        "A copy has at most 64 KiB.",
        "DFO-02 DFO-04 DFO-10 DFO-11",
        tools=tools_with_copy(transfer=copy_using(FirstPiece)),
    ),
    build_mutant(
        "MUT-FO-086",
        "A copy ends before its trailing zeros.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(Sparse)),
    ),
    build_mutant(
        "MUT-FO-087",
        "A copy is converted to UTF-8.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(Utf8)),
    ),
    build_mutant(
        "MUT-FO-088",
        "The copy of an empty file succeeds without effect.",
        "DFO-02 T-FOPS-CP-01",
        tools=tools_with_copy(transfer=SkipsEmpty),
    ),
    build_mutant(
        "MUT-FO-091",
        "A move keeps the source.",
        "DFO-01 FR-FOPS-01 FR-FOPS-MV-02 FR-FOPS-MV-04 T-FOPS-MV-01 CFG-FOPS-01 FR-EXE-01 NFR-FOPS-SEC-02 "
        "FR-VAL-04 FR-VAL-05 DFO-07 DFO-04 DFO-06 DFO-08 FR-APR-04c FR-APR-04d FR-FOPS-MV-01",
        tools=tools_with_move(transfer=KeepsTheSource),
    ),
    build_mutant(
        "MUT-FO-092",
        "A move copies, so that a hard link is lost.",
        "DFO-01",
        tools=tools_with_move(transfer=AlwaysCarries),
    ),
    build_mutant(
        "MUT-FO-093",
        "A move of a pipe succeeds without effect.",
        "DFO-01 FR-FOPS-MV-02 FR-FOPS-MV-04",
        tools=tools_with_move(transfer=OnlyFiles),
    ),
    build_mutant(
        "MUT-FO-094",
        "A move of a directory transfers files and directories only.",
        "DFO-01 DFO-07 DFO-08 FR-FOPS-MV-02 FR-FOPS-MV-04",
        tools=tools_with_move(transfer=EmptiesDirectories),
    ),
    build_mutant(
        "MUT-FO-095",
        "A missing source is a success.",
        "DFO-03 DFO-05 DFO-09 FR-EXE-01",
        candidate_class=Optimistic,
        tools=tools_with_both(),
    ),
    build_mutant(
        "MUT-FO-096",
        "A missing source is created.",
        "DFO-03 DFO-09 FR-EXE-01 DFO-04 DFO-05",
        tools=tools_with_both(resolution=MakesTheSource),
    ),
    build_mutant(
        "MUT-FO-098",
        "A failing call creates directories.",
        "DFO-10 DFO-09 DFO-03 DFO-04 DFO-06 NFR-FOPS-SEC-01",
        tools=tools_with_both(resolution=MakesDirectories),
    ),
    build_mutant(
        "MUT-FO-099",
        "A directory replaces a file of its name.",
        "DFO-09 NFR-FOPS-SEC-01 DFO-04 DFO-05",
        tools=tools_with_both(resolution=ReplacesParents),
    ),
    build_mutant(
        "MUT-FO-100",
        "A failing call creates one of two missing directories.",
        "DFO-10 DFO-09 DFO-03",
        tools=tools_with_both(resolution=MakesOneDirectory),
    ),
    build_mutant(
        "MUT-FO-102",
        "A copy overwrites a user's file as if it were unfinished.",
        "DFO-05",
        tools=tools_with_copy(transfer=WritesBeside),
    ),
    build_mutant(
        "MUT-FO-103",
        "The unfinished file has a longer name than the final one.",
        "DFO-02",
        tools=tools_with_copy(transfer=WritesBesideLonger),
    ),
    build_mutant(
        "MUT-FO-104",
        "A copy changes the time of its source.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(Touches)),
    ),
    build_mutant(
        "MUT-FO-105",
        "A failed copy leaves the directories that it created.",
        "DFO-10 DFO-09 DFO-03 NFR-FOPS-SEC-01",
        tools=tools_with_copy(resolution=LeavesDirectories),
    ),
    build_mutant(
        "MUT-FO-296",
        "An empty file or directory is deleted when it is moved.",
        "DFO-01 FR-FOPS-MV-02 T-FOPS-MV-01 FR-FOPS-MV-04",
        tools=tools_with_move(transfer=DropsWhatIsEmpty),
    ),
)
