"""The resolution of a request to an operation: the source, the final name, and whether an existing entry is replaced.

All checks run before approval is requested. Nothing is changed here.
"""

import errno
import os
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

from ..shared.errors import ErrorKind, ToolError
from ..shared.sandbox import Place
from .link_sandbox import LinkSandbox, NamedPlace
from .request import Request, RequestedPath

ERRNO_MESSAGES: Mapping[int, str] = {
    errno.ENOENT: "does not exist",
    errno.ENOTDIR: "does not exist: a part of the path is not a directory",
    errno.ELOOP: "cannot be reached: too many symbolic links",
    errno.ENAMETOOLONG: "cannot exist: a name is too long",
    errno.EACCES: "cannot be reached: permission denied",
}


@dataclass(frozen=True)
class ResolvedTransfer:
    """A checked operation: `source` becomes, or is copied to, `final`. Both are names in canonical directories."""

    source: NamedPlace
    final: NamedPlace
    replaces_existing: bool  # an entry with the final name exists and may be replaced


class Replacement(NamedTuple):
    """The source and its metadata, and the entry with the final name, which it is to replace."""

    source: NamedPlace
    found: os.stat_result
    final: NamedPlace
    existing: os.stat_result


class Resolution:
    """Resolves one request on the current file system. All methods raise ToolError."""

    follows_source = False  # False: a link itself is the source; True: its target

    def __init__(self, request: Request, sandbox: LinkSandbox) -> None:
        self.request = request
        self.sandbox = sandbox

    def resolve(self) -> ResolvedTransfer:
        """Return the operation. The sandbox checks both paths first."""
        source = self.sandbox.resolve_named(self.request.source)
        destination = self.sandbox.resolve_named(self.request.destination)
        found = self.stat_source(source)
        final = self.final_place(source, destination)
        existing = self.stat_existing(final)
        if existing is not None:
            self.check_replacement(Replacement(source, found, final, existing))
        self.check_not_into_itself(source, found, final)
        return ResolvedTransfer(self.followed_source(source), final, replaces_existing=existing is not None)

    def prepare(self, target: ResolvedTransfer) -> AbstractContextManager[object]:
        """Return the context of an approved operation. Makes nothing: missing directories are errors (AMB-FO-08)."""
        return nullcontext()

    def stat_source(self, place: NamedPlace) -> os.stat_result:
        """Return the metadata of the source (DFO-03)."""
        if not place.name:
            raise execution_failed("the source is a sandbox root")
        found = self.stat_place(self.followed_source(place), "source")
        if found is None:
            raise execution_failed("source does not exist")
        self.check_trailing_separator(self.request.source, found)
        return found

    def followed_source(self, place: NamedPlace) -> NamedPlace:
        """Return the place of the source."""
        if not self.follows_source or not place.target.components:
            return place
        *parent, name = place.target.components
        return NamedPlace(Place(place.target.root, tuple(parent), place.target.blocking_errno), name, place.target)

    def check_trailing_separator(self, path: RequestedPath, found: os.stat_result) -> None:
        # AMB-FO-30: a trailing separator marks a directory.
        if path.has_trailing_separator and not stat.S_ISDIR(found.st_mode):
            raise execution_failed("the source is not a directory")

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        """Return the final name: the destination, or a name in that directory (FR-FOPS-MV-02, FR-FOPS-CP-02)."""
        if self.is_directory(destination):
            return self.sandbox.resolve_in_directory(destination.target, self.file_name(source))
        if self.request.destination.has_trailing_separator:
            return self.place_in_missing_directory(source, destination)
        return destination

    def file_name(self, source: NamedPlace) -> bytes:
        """Return the name that the source gets in a directory: a link gives its own (AMB-FO-44)."""
        return source.name

    def place_in_missing_directory(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        """Return the final name if a separator marks a destination that is no directory (AMB-FO-29, AMB-FO-46)."""
        raise execution_failed("the destination is not a directory")

    def is_directory(self, destination: NamedPlace) -> bool:
        """Return whether it is a directory, or a link to one (AMB-FO-19)."""
        if destination.target.blocking_errno is not None:
            return False
        try:
            found = os.stat(os.path.join(destination.target.root, *destination.target.components))
        except OSError:
            return False
        return stat.S_ISDIR(found.st_mode)

    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        """Return the metadata of the entry with the final name; links are not followed."""
        obstacle = final.directory.blocking_errno
        if obstacle is not None:
            raise execution_failed(f"the destination's directory {ERRNO_MESSAGES.get(obstacle, 'cannot be reached')}")
        return self.stat_place(final, "destination")

    def stat_place(self, place: NamedPlace, role: str) -> os.stat_result | None:
        if place.directory.blocking_errno not in (None, errno.ENOENT):
            raise execution_failed(f"{role} {ERRNO_MESSAGES.get(place.directory.blocking_errno, 'cannot be reached')}")
        try:
            return os.lstat(os.path.join(place.directory.root, *place.directory.components, place.name))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise execution_failed(f"{role} {ERRNO_MESSAGES.get(error.errno or 0, 'cannot be reached')}") from error

    def check_replacement(self, at: Replacement) -> None:
        """Check that the entry with the final name may be replaced (FR-FOPS-MV-03, FR-FOPS-CP-03, DFO-05, DFO-06)."""
        self.check_overwrite_allowed()
        if self.is_same_file(at.found, at.existing):
            raise execution_failed("source and destination are the same file")
        if self.is_own_target(at.source, at.final):
            raise execution_failed("the source is a link to the destination")
        if stat.S_ISDIR(at.existing.st_mode):
            raise execution_failed("the destination is a directory of that name, which is never replaced")
        if stat.S_ISDIR(at.found.st_mode):
            raise execution_failed("the destination is a file, and the source is a directory")

    def check_overwrite_allowed(self) -> None:
        if not self.request.overwrite:
            raise execution_failed("destination exists, and overwrite is not set")
        if not self.request.overwrite_allowed:  # CFG-FOPS-01, AMB-FO-01
            raise execution_failed("destination exists, and the configuration does not allow to overwrite")

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return (found.st_dev, found.st_ino) == (existing.st_dev, existing.st_ino)

    def is_own_target(self, source: NamedPlace, final: NamedPlace) -> bool:
        """Return whether the source is a link to the final name: in its place it would lead to itself."""
        target = (source.target.root, source.target.components)
        return source.path != target and target == final.path

    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        """Check that a directory is not moved into itself (DFO-06)."""
        root, source_parts = source.path
        directory, parts = final.directory.root, final.directory.components
        if stat.S_ISDIR(found.st_mode) and directory == root and parts[: len(source_parts)] == source_parts:
            raise execution_failed("the destination lies in the source itself")


def execution_failed(message: str) -> ToolError:
    return ToolError(ErrorKind.EXECUTION_FAILED, message)
