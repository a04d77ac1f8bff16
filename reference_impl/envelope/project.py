"""The project root and the working directory of a call: where a path leads, and whether that lies inside.

What counts is the place behind all links. Nothing is opened here but to be asked whether it is a directory.
"""

import os

from ..context import CallContext
from ..paths import POSIX, lossy
from .refusals import OUTSIDE, Code, Refused


class Project:
    """One call's view of the project: the first sandbox root, its links followed once."""

    def __init__(self, context: CallContext) -> None:
        self.root = os.path.realpath(os.fsencode(context.roots[0]))
        self.working_dir = os.path.realpath(os.fsencode(context.working_dir))

    @property
    def cwd(self) -> str:
        """The working directory relative to the root."""
        inside = self.below(self.working_dir)
        return self.shown(inside) if inside is not None else os.fsdecode(self.working_dir)

    def place(self, path: str) -> tuple[bytes, ...]:
        """The names that lead from the root to the place of `path`, none of them a link.

        Raises Refused (ACCESS_DENIED), without a look at whether anything is there.
        """
        inside = self.below(self.target(path))
        if inside is None:
            raise Refused(Code.ACCESS_DENIED, OUTSIDE)
        return inside

    def target(self, path: str) -> bytes:
        """The absolute path behind all links; from where nothing is on, `..` is a matter of text (AMB-LS-55)."""
        return os.path.realpath(os.path.join(self.working_dir, path.encode()))

    def below(self, real: bytes) -> tuple[bytes, ...] | None:
        """The names between the root and a canonical path; None for one outside."""
        parts, root = _parts(real), _parts(self.root)
        return parts[len(root) :] if parts[: len(root)] == root else None

    def is_directory_inside(self, below: tuple[bytes, ...], name: bytes) -> bool:
        """Whether the link `name` in a directory leads to a directory inside the sandbox."""
        target = os.path.realpath(self.joined((*below, name)))
        return self.below(target) is not None and os.path.isdir(target)

    def joined(self, below: tuple[bytes, ...]) -> bytes:
        return b"/".join((self.root.rstrip(b"/"), *below)) or b"/"

    def shown(self, below: tuple[bytes, ...]) -> str:
        """Names from the root on as a path of the envelope."""
        return "/".join(lossy(name, POSIX) for name in below) or "."


def _parts(path: bytes) -> tuple[bytes, ...]:
    return tuple(part for part in path.split(b"/") if part)
