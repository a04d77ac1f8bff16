"""The project root and the working directory of a call; the resolution of paths, and the check that they are inside.

The location after all links decides. Nothing is opened here, except to check whether it is a directory.
"""

import os

from ..shared.context import CallContext
from ..shared.paths import POSIX, decode_lossy
from .errors import OUTSIDE_ROOT, CallRefused, ErrorCode


class Project:
    """The project of one call: the first sandbox root with its links resolved once."""

    def __init__(self, context: CallContext) -> None:
        self.root = os.path.realpath(os.fsencode(context.roots[0]))
        self.working_dir = os.path.realpath(os.fsencode(context.working_dir))

    @property
    def cwd(self) -> str:
        """Return the working directory relative to the root."""
        inside = self.components_below_root(self.working_dir)
        return self.display_path(inside) if inside is not None else os.fsdecode(self.working_dir)

    def resolve(self, path: str) -> tuple[bytes, ...]:
        """Return the names from the root to the location of `path`, without links.

        Raises CallRefused (ACCESS_DENIED) for a path outside; the path need not exist.
        """
        inside = self.components_below_root(self.real_path(path))
        if inside is None:
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return inside

    def real_path(self, path: str) -> bytes:
        """Return the absolute path after all links; after the first missing component, `..` is textual (AMB-LS-55)."""
        return os.path.realpath(os.path.join(self.working_dir, path.encode()))

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        """Return the names between the root and a canonical path; None for a path outside."""
        parts, root = _parts(real), _parts(self.root)
        return parts[len(root) :] if parts[: len(root)] == root else None

    def links_to_inside_directory(self, components: tuple[bytes, ...], name: bytes) -> bool:
        """Return whether the link `name` in a directory leads to a directory inside the sandbox."""
        target = os.path.realpath(self.join_root((*components, name)))
        return self.components_below_root(target) is not None and os.path.isdir(target)

    def join_root(self, components: tuple[bytes, ...]) -> bytes:
        return b"/".join((self.root.rstrip(b"/"), *components)) or b"/"

    def display_path(self, components: tuple[bytes, ...]) -> str:
        """Return names from the root as a path of the envelope."""
        return "/".join([decode_lossy(name, POSIX) for name in components]) or "."


def _parts(path: bytes) -> tuple[bytes, ...]:
    return tuple(part for part in path.split(b"/") if part)
