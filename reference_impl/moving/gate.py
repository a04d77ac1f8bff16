"""The sandbox for paths whose last component is itself meant: a link is moved, replaced and judged as what it is.

Two things are judged: what the whole path leads to, so that no link opens a way out (AMB-FO-15), and the name in its
directory, which is what is then operated on.
"""

import os
from dataclasses import dataclass

from ..sandbox import Place, Sandbox
from .request import Written


@dataclass(frozen=True)
class Spot:
    """A name in a canonical directory. `target` is where it leads once all links are followed."""

    directory: Place
    name: bytes  # empty for a root, which is no name anywhere
    target: Place

    @property
    def path(self) -> tuple[bytes, tuple[bytes, ...]]:
        """The root and the components below it, the name included."""
        return self.directory.root, (*self.directory.below, *([self.name] if self.name else []))


class Gate(Sandbox):
    """The sandbox's verdict on both ends of an operation, and on the final path."""

    def spot(self, path: Written) -> Spot:
        """Where a path is. Raises ToolError (SandboxViolation)."""
        target = self.place(path.text)
        if not path.name:
            return Spot(target, b"", target)
        directory = self.place(path.parent)
        name = path.name.encode()
        self._refuse_denied((*directory.below, name))
        return Spot(directory, name, target)

    def within(self, directory: Place, name: bytes) -> Spot:
        """A name in a directory that was judged already. Raises ToolError (SandboxViolation)."""
        self._refuse_denied((*directory.below, name))
        path = os.path.join(directory.root, *directory.below, name)
        return Spot(directory, name, self.judged(path))
