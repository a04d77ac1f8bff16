"""The sandbox, which resolves a normalised path to a canonical place, or refuses it.

Nothing is opened here. Textual violations are refused without file access; after that, only lstat and readlink read
the components of the path. The result is canonical, so its users must not follow links.
"""

import errno
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass

from .context import CallContext
from .denied_patterns import DEFAULT_DENIES, first_match
from .errors import ContextInvalid, ErrorKind, ToolError
from .paths import Flavour, is_absolute

MAX_LINKS = 40  # like the Linux kernel

# Win32 would silently change these names, like trailing dots and streams (AMB-LD-62).
_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{digit}" for port in ("COM", "LPT") for digit in "123456789")}
)


@dataclass(frozen=True)
class Place:
    """A canonical place inside the sandbox: a permitted root and the components below it, without links.

    `blocking_errno` is the errno that shows that nothing can exist there, or None.
    """

    root: bytes
    components: tuple[bytes, ...]
    blocking_errno: int | None = None


@dataclass(frozen=True)
class CanonicalPath:
    """A place in the file system with links resolved."""

    anchor: bytes  # b"/", or a drive or share with its separator
    parts: tuple[bytes, ...]
    blocking_errno: int | None = None


class Sandbox:
    """The boundary of one call context. Roots are canonicalised once."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        self._flavour = flavour
        self._allow_absolute = context.allow_absolute
        self._denied_patterns = (
            *context.denied_patterns,
            *(DEFAULT_DENIES if context.include_default_denies else ()),
        )
        self._roots = [
            self._canonicalise(_native_absolute_path(root, "roots")) for root in dict.fromkeys(context.roots)
        ]
        self._working_dir = _native_absolute_path(context.working_dir, "working_dir")

    def resolve(self, path: str) -> Place:
        """Return the place of the normalised `path` (FR-LD-VAL-07). Raises ToolError (SandboxViolation)."""
        self._check_text(path)
        return self._locate(self._canonical_target(path))

    def resolve_absolute(self, path: bytes) -> Place:
        """Return the place of an absolute path that the tool built. Raises ToolError (SandboxViolation)."""
        return self._locate(self._canonicalise(path))

    def _locate(self, target: CanonicalPath) -> Place:
        roots = self._roots_containing(target)
        if not roots:
            raise sandbox_violation("the path leads outside the sandbox")
        for root in roots:
            self._check_denied_patterns(target.parts[len(root.parts) :])
        root = max(roots, key=lambda root: len(root.parts))
        separator = b"\\" if self._flavour.drives else b"/"
        return Place(root.anchor + separator.join(root.parts), target.parts[len(root.parts) :], target.blocking_errno)

    def _canonical_target(self, path: str) -> CanonicalPath:
        # A relative path starts in the working directory of the context, not of the process (AMB-LD-59).
        return self._canonicalise(os.path.join(self._working_dir, path.encode()))

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        """Return the roots that contain the target, by components."""
        return [
            root
            for root in self._roots
            if target.anchor.lower() == root.anchor.lower()  # drives and shares are case-insensitive
            and target.parts[: len(root.parts)] == root.parts
        ]

    def _check_text(self, path: str) -> None:
        if is_absolute(path, self._flavour) and not self._allow_absolute:
            raise sandbox_violation("absolute paths are not allowed")
        if ".." in path.split("/"):  # also if it stays inside (AMB-LD-21)
            raise sandbox_violation("parent components ('..') are not allowed")
        if self._flavour.drives:
            self._check_windows_names(path)

    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        denied = first_match(self._denied_patterns, components, self._flavour.folds_case)
        if denied is not None:
            raise sandbox_violation(f"the path is covered by the denied pattern {denied!r}")

    def _canonicalise(self, path: bytes) -> CanonicalPath:
        if not self._flavour.drives:
            parts, obstacle = _resolve_links(path.split(b"/"))
            return CanonicalPath(b"/", parts, obstacle)
        # Drives, shares, junctions and short names are resolved by the platform.
        drive, rest = os.path.splitdrive(os.path.realpath(path.replace(b"/", b"\\")))
        return CanonicalPath(drive + b"\\", tuple(part for part in rest.split(b"\\") if part))

    def _check_windows_names(self, path: str) -> None:
        drive, rest = os.path.splitdrive(path)
        if drive and not rest.startswith("/"):
            raise sandbox_violation("drive-relative paths are not allowed")
        if drive.startswith("//"):
            # Even a check of another share would be network access (C-05).
            known = {root.anchor.lower().rstrip(b"\\") for root in self._roots}
            if drive.replace("/", "\\").lower().encode() not in known:
                raise sandbox_violation("the path leads outside the sandbox")
        for part in rest.split("/"):
            if part not in ("", ".") and (
                part[-1] in ". " or ":" in part or part.split(".")[0].rstrip().upper() in _DEVICES
            ):
                raise sandbox_violation("a component would be rewritten by the platform")


def _resolve_links(components: Iterable[bytes]) -> tuple[tuple[bytes, ...], int | None]:
    """Return the components of an absolute POSIX path with links resolved, and the errno of a missing one.

    After the first missing component, the rest is appended as text, unresolved. A
    dangling link is followed too, so that its target is checked (AMB-LD-37).
    """
    pending = [part for part in components if part not in (b"", b".")][::-1]
    resolved: list[bytes] = []
    obstacle: int | None = None
    lexical = False
    links = 0
    while pending:
        part = pending.pop()
        if part == b"..":
            if resolved:
                resolved.pop()
            continue
        resolved.append(part)
        if lexical:
            continue
        path = b"/" + b"/".join(resolved)
        try:
            found = os.lstat(path)
            target = os.fsencode(os.readlink(path)) if stat.S_ISLNK(found.st_mode) else None
        except OSError as error:
            lexical = True
            if error.errno != errno.ENAMETOOLONG:  # reachable step by step (AMB-LD-53)
                obstacle = error.errno
            continue
        if target is not None:
            links += 1
            if links > MAX_LINKS:
                lexical, obstacle = True, errno.ELOOP
                continue
            resolved.pop()
            if target.startswith(b"/"):
                resolved.clear()
            pending.extend(step for step in reversed(target.split(b"/")) if step not in (b"", b"."))
        elif pending and not stat.S_ISDIR(found.st_mode):
            lexical, obstacle = True, errno.ENOTDIR
    return tuple(resolved), obstacle


def _native_absolute_path(path: str, key: str) -> bytes:
    native = os.fsencode(path)
    is_share = os.path.splitdrive(native)[0][:2] in (b"\\\\", b"//")
    if not (is_share or os.path.isabs(native)):
        raise ContextInvalid(f"context.{key}: an absolute path is needed, not {path!r}")
    return native


def sandbox_violation(message: str) -> ToolError:
    return ToolError(ErrorKind.SANDBOX_VIOLATION, message)
