"""From a request to what is to be done: which entry, under which final name, and whether one has to go for it.

Everything is judged before anybody is asked for approval, and nothing is changed here.
"""

import errno
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import Kind, ToolError
from ..sandbox import Place
from .gate import Gate, Spot
from .request import Request, Written

REFUSALS: Mapping[int, str] = {
    errno.ENOENT: "does not exist",
    errno.ENOTDIR: "does not exist: a part of the path is not a directory",
    errno.ELOOP: "cannot be reached: too many symbolic links",
    errno.ENAMETOOLONG: "cannot exist: a name is too long",
    errno.EACCES: "cannot be reached: permission denied",
}


@dataclass(frozen=True)
class Target:
    """A checked operation: `source` becomes, or is copied to, `final`. Both are names in canonical directories."""

    source: Spot
    final: Spot
    replaces: bool  # something has the final name and may be replaced


class Aim:
    """How one request is understood on the file system as it is now. All methods raise ToolError."""

    follows_source = False  # a link is itself the source; True: what it leads to

    def __init__(self, request: Request, gate: Gate) -> None:
        self.request = request
        self.gate = gate

    def target(self) -> Target:
        """What is to be done. The sandbox speaks first, for both ends."""
        source = self.gate.spot(self.request.source)
        destination = self.gate.spot(self.request.destination)
        found = self.source(source)
        final = self.final(source, destination)
        existing = self.existing(final)
        if existing is not None:
            self.check_replacing(source, found, final, existing)
        self.check_subtree(source, found, final)
        return Target(self.origin(source), final, replaces=existing is not None)

    def source(self, spot: Spot) -> os.stat_result:
        """What is there to be moved or copied (DFO-03)."""
        if not spot.name:
            raise failed("the source is a sandbox root")
        found = self.look(self.origin(spot), "source")
        if found is None:
            raise failed("source does not exist")
        self.check_claim(self.request.source, found)
        return found

    def origin(self, spot: Spot) -> Spot:
        """Where what is meant by the source lies."""
        if not self.follows_source or not spot.target.below:
            return spot
        *above, name = spot.target.below
        return Spot(Place(spot.target.root, tuple(above), spot.target.obstacle), name, spot.target)

    def check_claim(self, written: Written, found: os.stat_result) -> None:
        # AMB-FO-08: a separator at the end says that it is a directory.
        if written.names_directory and not stat.S_ISDIR(found.st_mode):
            raise failed("the source is not a directory")

    def final(self, source: Spot, destination: Spot) -> Spot:
        """The final name: the destination, or in it where it is a directory (FR-FOPS-MV-02, FR-FOPS-CP-02)."""
        if self.is_directory(destination):
            return self.gate.within(destination.target, source.name)
        if self.request.destination.names_directory:
            raise failed("the destination is not a directory")
        return destination

    def is_directory(self, destination: Spot) -> bool:
        """Whether it is one, or a link to one (AMB-FO-19)."""
        if destination.target.obstacle is not None:
            return False
        try:
            found = os.stat(os.path.join(destination.target.root, *destination.target.below))
        except OSError:
            return False
        return stat.S_ISDIR(found.st_mode)

    def existing(self, final: Spot) -> os.stat_result | None:
        """What has the final name now; a link counts as itself, wherever it leads."""
        obstacle = final.directory.obstacle
        if obstacle is not None:
            raise failed(f"the destination's directory {REFUSALS.get(obstacle, 'cannot be reached')}")
        return self.look(final, "destination")

    def look(self, spot: Spot, what: str) -> os.stat_result | None:
        if spot.directory.obstacle not in (None, errno.ENOENT):
            raise failed(f"{what} {REFUSALS.get(spot.directory.obstacle, 'cannot be reached')}")
        try:
            return os.lstat(os.path.join(spot.directory.root, *spot.directory.below, spot.name))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise failed(f"{what} {REFUSALS.get(error.errno or 0, 'cannot be reached')}") from error

    def check_replacing(
        self, source: Spot, found: os.stat_result, final: Spot, existing: os.stat_result
    ) -> None:
        """Whether what has the final name may go (FR-FOPS-MV-03, FR-FOPS-CP-03, DFO-05, DFO-06)."""
        self.check_leave()
        if self.is_same(found, existing):
            raise failed("source and destination are the same file")
        if stat.S_ISDIR(existing.st_mode):
            raise failed("the destination is a directory of that name, which is never replaced")
        if stat.S_ISDIR(found.st_mode):
            raise failed("the destination is a file, and the source is a directory")

    def check_leave(self) -> None:
        if not self.request.overwrite:
            raise failed("destination exists, and overwrite is not set")
        if not self.request.may_overwrite:  # CFG-FOPS-01, AMB-FO-01
            raise failed("destination exists, and the configuration does not allow to overwrite")

    def is_same(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return (found.st_dev, found.st_ino) == (existing.st_dev, existing.st_ino)

    def check_subtree(self, source: Spot, found: os.stat_result, final: Spot) -> None:
        """A directory does not go into itself (DFO-06)."""
        root, below = source.path
        directory, above = final.directory.root, final.directory.below
        if stat.S_ISDIR(found.st_mode) and directory == root and above[: len(below)] == below:
            raise failed("the destination lies in the source itself")


def failed(message: str) -> ToolError:
    return ToolError(Kind.EXECUTION_FAILED, message)
