"""Variants: what a path means, and which ones lie inside."""

import os
from collections.abc import Iterator

from treeproof.reference_impl.ls.errors import OUTSIDE_ROOT, PATH_NOT_FOUND, CallRefused, ErrorCode
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.context import CallContext

from ..shared.variant import reading_variant

MAX_LINKS = 40


class ClimbsFromDirectories(Project):
    """Refuses `..` after something that is no directory."""

    def refuses(self, prefix: bytes) -> bool:
        """Return whether this kind of entry before `..` is refused."""
        return False

    def real_path(self, path: str) -> bytes:
        names = path.encode().split(b"/")
        for at, name in enumerate(names):
            if name == b".." and self.refuses(os.path.join(self.working_dir, b"/".join(names[:at]) or b"/")):
                raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return super().real_path(path)


class MissingHasNoParent(ClimbsFromDirectories):
    def refuses(self, prefix: bytes) -> bool:
        return _is_missing(prefix) or super().refuses(prefix)


class FileHasNoParent(ClimbsFromDirectories):
    def refuses(self, prefix: bytes) -> bool:
        return os.path.isfile(prefix) or super().refuses(prefix)


def _is_missing(place: bytes) -> bool:
    try:
        os.stat(place)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


class Spelled(Project):
    def spelling(self, path: str) -> str:
        """Return the path that is followed."""
        return path

    def real_path(self, path: str) -> bytes:
        return super().real_path(self.spelling(path))


class CleanedAsText(Spelled):
    def spelling(self, path: str) -> str:
        return os.path.normpath(path) if path else path


class MissingOutside(Project):
    """Reports places outside where nothing is as missing: those that a link leads to, or the others."""

    by_link: tuple[bool, ...] = ()

    def resolve(self, path: str) -> tuple[bytes, ...]:
        real = self.real_path(path)
        if self.components_below_root(real) is None and not os.path.lexists(real):
            text = os.path.normpath(os.path.join(self.working_dir, path.encode()))
            if (real != text) in self.by_link:
                raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return super().resolve(path)


class MissingBehindLinks(MissingOutside):
    by_link = (True,)


class MissingByText(MissingOutside):
    by_link = (False,)


class ConfiguredRoot(Spelled):
    """Keeps the root as it was configured, with its links."""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        self.configured_root = os.path.normpath(os.fsencode(context.roots[0]))


class StepByStep(ConfiguredRoot):
    """Follows a path one name at a time."""

    def visited(self, start: bytes, path: bytes) -> Iterator[tuple[bytes, bool]]:
        """Yield the places on the way, each with whether a link was followed so far."""
        place, pending, links = start, self._names(path), 0
        if path.startswith(b"/"):
            place, pending = self._from_root(path)
        while pending and links < MAX_LINKS:
            name = pending.pop(0)
            if name in (b"", b"."):
                continue
            place = os.path.dirname(place) if name == b".." else os.path.join(place, name)
            if os.path.islink(place):
                links += 1
                target = os.readlink(place)
                place = os.path.dirname(place)
                if target.startswith(b"/"):
                    place, first = self._from_root(target)
                    pending = first + pending
                else:
                    pending = self._names(target) + pending
                continue
            yield place, links > 0

    def leaves_by_a_link(self, start: bytes, path: bytes) -> bool:
        visits = list(self.visited(start, path))
        has_left = any(self.components_below_root(place) is None for place, _ in visits)
        return has_left and any(linked for _, linked in visits)

    def _names(self, path: bytes) -> list[bytes]:
        return path.split(b"/")

    def _from_root(self, path: bytes) -> tuple[bytes, list[bytes]]:
        """Return where an absolute path starts: at the project root if it begins with it, without a step outside."""
        for root in (self.root, self.configured_root):
            if path == root or path.startswith(root + b"/"):
                return self.root, self._names(path[len(root) :])
        return b"/", self._names(path)


class StaysInside(StepByStep):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        if self.leaves_by_a_link(self.working_dir, self.spelling(path).encode()):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return found


class LinksStayInside(StepByStep):
    def links_to_inside_directory(self, components: tuple[bytes, ...], name: bytes) -> bool:
        leaves = self.leaves_by_a_link(self.join_root(components), name)
        return not leaves and super().links_to_inside_directory(components, name)


class RootAsConfigured(ConfiguredRoot):
    """An absolute path is inside if it begins with the root as it was configured."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        text = os.path.normpath(path.encode())
        if path.startswith("/") and not (text + b"/").startswith(self.configured_root + b"/"):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return super().resolve(path)


VARIANTS = (
    reading_variant(
        "AMB-LS-55", "b", "`missing/..` leads nowhere.", project=MissingHasNoParent, excludes=("AMB-LS-61=b",)
    ),
    reading_variant("AMB-LS-60", "b", "`file/..` leads nowhere.", project=FileHasNoParent, excludes=("AMB-LS-61=b",)),
    reading_variant("AMB-LS-61", "b", "A path is cleaned as a text before links are followed.", project=CleanedAsText),
    # Together they are one class, in which the second decides before the first is reached.
    reading_variant(
        "AMB-LS-58",
        "b",
        "A link to a missing place outside is missing.",
        project=MissingBehindLinks,
        excludes=("AMB-LS-66=b",),
    ),
    reading_variant("AMB-LS-66", "b", "A missing place outside is missing.", project=MissingByText),
    reading_variant("AMB-LS-65", "b", "A path that leaves the root by a link is refused.", project=StaysInside),
    reading_variant(
        "AMB-LS-68", "b", "A link that leads through the outside is not sorted as a directory.", project=LinksStayInside
    ),
    reading_variant(
        "AMB-LS-69", "b", "The real path of a root that a link leads to is outside.", project=RootAsConfigured
    ),
)
