"""Variants: directories that are missing, and the name in a directory."""

import errno
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution, ResolvedTransfer
from treeproof.reference_impl.shared.sandbox import Place
from treeproof.rows.file_operations.row import At, row

from ..shared.variant import variant
from .definitions import without_slash
from .places import path_of_name, path_of_place
from .stages import PATHS


class MakesDirectories(Resolution):
    """Makes directories before the transfer; removes them after a failure. Subclasses say which ones."""

    def is_made(self, directory: Place) -> bool:
        """Return whether a missing directory is to be made."""
        return False

    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        return None if self.is_made(final.directory) else super().stat_existing(final)

    def prepare(self, target: ResolvedTransfer) -> AbstractContextManager[object]:
        if self.is_made(target.final.directory):
            return self.made(path_of_place(target.final.directory))
        return super().prepare(target)

    @contextmanager
    def made(self, directory: bytes) -> Iterator[None]:
        """Make a directory and those above it for the time of the transfer, and keep them if it succeeds."""
        missing = []
        while not os.path.lexists(directory):
            missing.append(directory)
            directory = os.path.dirname(directory)
        made: list[bytes] = []
        try:
            for path in reversed(missing):
                os.mkdir(path)
                made.append(path)
            yield
        except OSError:
            self.clean_up(made)
            raise

    def clean_up(self, made: list[bytes]) -> None:
        for path in reversed(made):
            with suppress(OSError):
                os.rmdir(path)


class MakesParents(MakesDirectories):
    def is_made(self, directory: Place) -> bool:
        return directory.blocking_errno == errno.ENOENT or super().is_made(directory)


class LeavesParents(MakesParents):
    def clean_up(self, made: list[bytes]) -> None:
        pass


class MakesMarkedDirectory(MakesDirectories):
    marked: Place | None = None

    def is_made(self, directory: Place) -> bool:
        return directory is self.marked or super().is_made(directory)

    def place_in_missing_directory(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        above = destination.directory
        is_free = destination.target.blocking_errno == errno.ENOENT and not os.path.lexists(path_of_name(destination))
        if not is_free or not (above.blocking_errno is None or self.is_made(above)):
            return super().place_in_missing_directory(source, destination)
        self.marked = destination.target
        return self.sandbox.resolve_in_directory(destination.target, self.file_name(source))


class IdleSlashOfDestination(Resolution):
    """A slash at the end of the destination says nothing."""

    def place_in_missing_directory(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        if os.path.lexists(path_of_name(destination)):
            return super().place_in_missing_directory(source, destination)
        return destination


class NameOfTheTarget(Resolution):
    def file_name(self, source: NamedPlace) -> bytes:
        return self.followed_source(source).name


def is_free(at: At) -> bool:
    return not os.path.lexists(at.destination)


VARIANTS = (
    variant("AMB-FO-08=make", "A move makes the directory of the final name.")(move_resolution=MakesParents),
    variant("AMB-FO-47=make", "A copy makes the directory of the final name.")(copy_resolution=MakesParents),
    variant("AMB-FO-29=make", "A move makes the directory that a slash marks.")(move_resolution=MakesMarkedDirectory),
    variant("AMB-FO-29=strip", "A slash at the end of a move's destination is idle.")(
        row(stage=PATHS, on="move", where=is_free, destination=without_slash)
    ),
    variant("AMB-FO-46=make", "A copy makes the directory that a slash marks.")(copy_resolution=MakesMarkedDirectory),
    variant("AMB-FO-46=strip", "A slash at the end of a copy's destination is idle.")(
        row(stage=PATHS, on="copy", where=is_free, destination=without_slash)
    ),
    variant("AMB-FO-44=target", "A link that is followed gives the name of what it leads to.")(
        resolution=NameOfTheTarget
    ),
    variant(
        "VAR-FO-21",
        "Directories that were made for a move or a copy stay after a failure.",
        {"AMB-FO-08": "make", "AMB-FO-47": "make"},
    )(resolution=LeavesParents),
)
