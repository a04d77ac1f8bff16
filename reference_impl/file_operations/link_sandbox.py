"""The sandbox for paths whose last component is itself meant: a link is moved, replaced and judged as what it is.

Two things are judged: what the whole path leads to, so that no link opens a way out (AMB-FO-15), and the name in its
directory, which is what is then operated on.
"""

import os
from dataclasses import dataclass

from ..shared.sandbox import Place, Sandbox
from .request import RequestedPath


@dataclass(frozen=True)
class NamedPlace:
    """A name in a canonical directory. `target` is where it leads once all links are followed."""

    directory: Place
    name: bytes  # empty for a root, which is no name anywhere
    target: Place

    @property
    def path(self) -> tuple[bytes, tuple[bytes, ...]]:
        """The root and the components below it, the name included."""
        return self.directory.root, (*self.directory.components, *([self.name] if self.name else []))


class LinkSandbox(Sandbox):
    """The sandbox's verdict on both ends of an operation, and on the final path."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        """Where a path is. Raises ToolError (SandboxViolation)."""
        target = self.resolve(path.text)
        if not path.name:
            return NamedPlace(target, b"", target)
        directory = self.resolve(path.parent)
        name = path.name.encode()
        self._check_denied_patterns((*directory.components, name))
        return NamedPlace(directory, name, target)

    def resolve_in_directory(self, directory: Place, name: bytes) -> NamedPlace:
        """A name in a directory that was judged already. Raises ToolError (SandboxViolation)."""
        self._check_denied_patterns((*directory.components, name))
        path = os.path.join(directory.root, *directory.components, name)
        return NamedPlace(directory, name, self.resolve_absolute(path))
