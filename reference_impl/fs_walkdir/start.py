"""The resolution of the start path to the place where a walk begins. Reads only metadata and opens nothing.

The path is normalised as text first, so `a/../b` is `b` (AMB-WD-14). Then it is followed, including links, and the
result must be inside the sandbox (AMB-WD-07).
"""

import errno
import os
import stat

from ..shared.context import CallContext
from ..shared.errors import ToolError
from ..shared.paths import Flavour, is_absolute
from ..shared.sandbox import Place, Sandbox
from .request import CallRefused


class StartMissing(Exception):
    """The start path does not exist: nil, and no error in the log (WD-ERR-03, WD-LOG-02)."""


class PatternlessSandbox(Sandbox):
    """The sandbox of a walk: a boundary without patterns."""

    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        pass


class StartResolver:
    """Resolves the start of one walk. Raises CallRefused and StartMissing."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        self._context = context
        self._flavour = flavour

    def resolve(self, path: str) -> Place | None:
        """Return the directory to walk; None if the start is a link, which is not walked (AMB-WD-06)."""
        normalised = self.normalise_path(path)
        if is_absolute(normalised, self._flavour):
            raise CallRefused("path must be relative to the sandbox")
        place = self.resolve_in_sandbox(normalised)
        if place.blocking_errno is not None:
            raise self.error_of_errno(place.blocking_errno)
        self.check_directory(place)
        return None if self.is_link(normalised) else place

    def normalise_path(self, path: str) -> str:
        """Return the path as text without empty components, `.` and `..`."""
        if self._flavour.drives:
            path = path.replace("\\", "/")
        kept: list[str] = []
        for part in path.split("/"):
            if part == ".." and kept and kept[-1] != "..":
                kept.pop()
            elif part not in ("", "."):
                kept.append(part)
        return ("/" if path.startswith("/") else "") + "/".join(kept) or "."

    def resolve_in_sandbox(self, normalised: str) -> Place:
        """Return the place of the path inside the sandbox (WD-SEC-01, WD-SEC-02)."""
        try:
            return PatternlessSandbox(self._context, self._flavour).resolve(normalised)
        except ToolError as error:
            raise CallRefused(error.message) from error

    def error_of_errno(self, code: int) -> Exception:
        if code == errno.ENOENT:
            return StartMissing("there is no such directory")
        return CallRefused(f"the start path cannot be looked at: {os.strerror(code)}")

    def check_directory(self, place: Place) -> None:
        try:
            found = os.lstat(b"/".join((place.root.rstrip(b"/"), *place.components)) or b"/")
        except OSError as error:
            raise self.error_of_errno(error.errno or errno.EIO) from error
        if not stat.S_ISDIR(found.st_mode):
            raise CallRefused("the start path is not a directory")

    def is_link(self, normalised: str) -> bool:
        """Return whether the last component of the path is a link."""
        if normalised == ".":
            return False
        try:
            return stat.S_ISLNK(os.lstat(os.path.join(self._context.working_dir, normalised)).st_mode)
        except OSError:
            return False
