"""The sandbox for paths whose last component may be a link that is moved or replaced itself.

Both are checked: the target of the whole path, so that no link leads outside (AMB-FO-15), and the name in its
directory, which the operation uses.
"""

import os
from dataclasses import dataclass

from ..shared.sandbox import Place, Sandbox
from .request import RequestedPath


@dataclass(frozen=True)
class NamedPlace:
    """A name in a canonical directory. `target` is its place after all links are followed."""

    directory: Place
    name: bytes  # empty for a root
    target: Place

    @property
    def path(self) -> tuple[bytes, tuple[bytes, ...]]:
        """Return the root and the components below it, including the name."""
        return self.directory.root, (*self.directory.components, *([self.name] if self.name else []))


class LinkSandbox(Sandbox):
    """The sandbox check of source, destination and final path."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        """Return the place of a path. Raises ToolError (SandboxViolation)."""
        target = self.resolve(path.text)
        if not path.name:
            return NamedPlace(target, b"", target)
        directory = self.resolve(path.parent)
        name = path.name.encode()
        self._check_denied_patterns((*directory.components, name))
        return NamedPlace(directory, name, target)

    def resolve_in_directory(self, directory: Place, name: bytes) -> NamedPlace:
        """Return a name in a checked directory. Raises ToolError (SandboxViolation)."""
        self._check_denied_patterns((*directory.components, name))
        path = os.path.join(directory.root, *directory.components, name)
        return NamedPlace(directory, name, self.resolve_absolute(path))
