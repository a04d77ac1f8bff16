"""Mutants: errors when source and destination are the same entry, or one contains the other."""

import os
import shutil
import stat

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import WritesInPlace, copy_correctly, final_path, open_nonblocking, source_path


class NeverSame(Resolution):
    """Two paths are always two files."""

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return False


class SameBySpelling(Resolution):
    """Two paths are the same file if their texts are equal."""

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return self.request.source.text == self.request.destination.text


def content(spot: NamedPlace) -> bytes:
    """Return the content of a file."""
    with open_nonblocking(os.path.join(spot.directory.root, *spot.directory.components, spot.name), "rb") as file:
        return file.read()


class RemovesAndRenames(Move):
    """Removes the entry with the final name before the rename."""

    def rename(self) -> None:
        if self.replaces_existing:
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
        os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)


class TruncatesItself(WritesInPlace):
    """Opens the destination for writing without a check."""

    def run(self) -> None:
        if not self.replaces_existing:
            copy_correctly(self)
            return
        with (
            open_nonblocking(final_path(self), "wb") as new,
            open_nonblocking(source_path(self), "rb") as old,
        ):
            new.write(old.read())


class WithoutLooking(Resolution):
    """Does not check whether a directory moves into itself."""

    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        pass


class CopiesTreesAndRemoves(Move):
    """Moves a directory by copying its entries and removing it."""

    def rename(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode) or self.replaces_existing:
            super().rename()
            return
        old, new = source_path(self), final_path(self)
        held = os.listdir(old)
        os.mkdir(new)
        for name in held:
            if not new.startswith(os.path.join(old, name)):
                os.rename(os.path.join(old, name), os.path.join(new, name))
        shutil.rmtree(old, ignore_errors=True)


class ByTheBeginning(Resolution):
    """A path with the source's name as a prefix counts as inside the source."""

    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        old = b"/".join(source.path[1])
        if stat.S_ISDIR(found.st_mode) and b"/".join(final.directory.components).startswith(old):
            raise execution_failed("the destination lies in the source itself")


class CopiesItsCopies(Copy):
    """Copies directories, and repeatedly what it has copied."""

    deepest = 30

    def run(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            self.descend(source_path(self), final_path(self), 0)
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
    """Removes the source if it is the destination."""

    def run(self) -> None:
        here = os.lstat(self.source_name, dir_fd=self.source_dir_fd)
        if self.replaces_existing and os.path.samestat(here, os.lstat(self.final_name, dir_fd=self.target_dir_fd)):
            os.unlink(self.source_name, dir_fd=self.source_dir_fd)
            return
        super().run()


class OntoItsTarget(Resolution):
    def is_own_target(self, source: NamedPlace, final: NamedPlace) -> bool:
        return False


class CopiesLinksOntoTargets(Resolution):
    def followed_source(self, source: NamedPlace) -> NamedPlace:
        is_own = self.sandbox.resolve_named(self.request.destination).path == (
            source.target.root,
            source.target.components,
        )
        return source if is_own else super().followed_source(source)

    def is_own_target(self, source: NamedPlace, final: NamedPlace) -> bool:
        return False


class ReplacesByLinks(Copy):
    def run(self) -> None:
        if not self.replaces_existing or not stat.S_ISLNK(self.stat_source().st_mode):
            super().run()
            return
        target = os.readlink(source_path(self))
        os.unlink(final_path(self))
        os.symlink(target, final_path(self))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-121",
        "A copy onto itself empties the file.",
        "DFO-06 DFO-05 DFO-07",
        tools=tools_with_copy(resolution=NeverSame, transfer=TruncatesItself),
    ),
    build_mutant(
        "MUT-FO-122",
        "A copy onto another name of the source empties both.",
        "DFO-06 DFO-05 DFO-07",
        tools=tools_with_copy(resolution=SameBySpelling, transfer=TruncatesItself),
    ),
    build_mutant(
        "MUT-FO-124",
        "A move onto itself removes the file.",
        "DFO-06 DFO-05 DFO-04 FR-FOPS-MV-04",
        tools=tools_with_move(resolution=NeverSame, transfer=RemovesAndRenames),
    ),
    build_mutant(
        "MUT-FO-125",
        "A move onto itself removes the file and succeeds.",
        "DFO-06 DFO-05",
        tools=tools_with_move(resolution=NeverSame, transfer=RemovesItself),
    ),
    build_mutant(
        "MUT-FO-126",
        "A directory that is moved into itself is lost.",
        "DFO-06 DFO-05 DFO-08 FR-FOPS-MV-04",
        tools=tools_with_move(resolution=WithoutLooking, transfer=CopiesTreesAndRemoves),
    ),
    build_mutant(
        "MUT-FO-128",
        "A copy of a directory into itself does not end.",
        "DFO-06 FR-FOPS-CP-01 DFO-02 FR-FOPS-CP-02",
        tools=tools_with_copy(resolution=WithoutLooking, transfer=CopiesItsCopies),
    ),
    build_mutant(
        "MUT-FO-285",
        "A link is moved onto the file that it leads to.",
        "DFO-06",
        tools=tools_with_move(resolution=OntoItsTarget),
    ),
    build_mutant(
        "MUT-FO-286",
        "A link is copied onto the file that it leads to.",
        "DFO-06",
        tools=tools_with_copy(resolution=CopiesLinksOntoTargets, transfer=ReplacesByLinks),
    ),
)
