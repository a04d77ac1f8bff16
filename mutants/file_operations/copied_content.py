"""Mutants: errors in the copied content and metadata."""

import os
import stat

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.file_operations.transfer import Copy

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy
from .file_writers import source_path

MEBIBYTE = 1024 * 1024
PAGE = 4096
BLOCK = 65536


class WritesIntoPipes(Copy):
    """Writes the content into a pipe."""

    def run(self) -> None:
        if not self.replaces_existing or not stat.S_ISFIFO(
            os.lstat(self.final_name, dir_fd=self.target_dir_fd).st_mode
        ):
            super().run()
            return
        with open(source_path(self), "rb") as old:
            pipe = os.open(self.final_name, os.O_RDWR | os.O_NONBLOCK, dir_fd=self.target_dir_fd)
            os.write(pipe, old.read(PAGE))
            os.close(pipe)


class CopiesDanglingLinks(Resolution):
    def stat_source(self, spot: NamedPlace) -> os.stat_result:
        found = self.stat_place(spot, "source")
        return found if found is not None and self.is_dangling(spot) else super().stat_source(spot)

    def followed_source(self, spot: NamedPlace) -> NamedPlace:
        return spot if self.is_dangling(spot) else super().followed_source(spot)

    def is_dangling(self, spot: NamedPlace) -> bool:
        path = os.path.join(spot.directory.root, *spot.directory.components, spot.name)
        return os.path.islink(path) and not os.path.exists(path)


class SkipsLinks(Copy):
    """A missing source is no error."""

    def run(self) -> None:
        if not stat.S_ISLNK(self.stat_source().st_mode):
            super().run()


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-241",
        "A copy onto a pipe writes into it and succeeds.",
        "DFO-02",
        tools=tools_with_copy(transfer=WritesIntoPipes),
    ),
    build_mutant(
        "MUT-FO-242",
        "A copy of a dangling link succeeds without effect.",
        "DFO-02 DFO-03",
        tools=tools_with_copy(resolution=CopiesDanglingLinks, transfer=SkipsLinks),
    ),
)
