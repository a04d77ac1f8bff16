"""Variants: what a path means, and which ones lie inside."""

import contextlib
import errno
import os
import re
from collections.abc import Iterator

from treeproof.reference_impl.ls.errors import (
    INVALID_ARGUMENTS,
    LISTING_FAILED,
    OUTSIDE_ROOT,
    PATH_NOT_FOUND,
    CallRefused,
    ErrorCode,
)
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.context import CallContext

from ..shared.variant import Variant, reading_variant

MAX_LINKS = 40


class ClimbsOnDisk(Project):
    """Refuses `..` behind something that is no directory."""

    def real_path(self, path: str) -> bytes:
        names = path.encode().split(b"/")
        for at, name in enumerate(names):
            if name == b".." and not os.path.isdir(os.path.join(self.working_dir, b"/".join(names[:at]) or b"/")):
                raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return super().real_path(path)


class NoDots(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        if ".." in path.split("/"):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return found


class FromTheRoot(Project):
    """A relative path starts at the project root; `cwd` is the working directory all the same."""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        self._cwd = super().cwd
        self.working_dir = self.root

    @property
    def cwd(self) -> str:
        return self._cwd


class OddNamesRefused(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        if any(name.startswith("~") or (".." in name and name != "..") for name in path.split("/")):
            raise CallRefused(ErrorCode.INVALID_PARAM, INVALID_ARGUMENTS)
        return found


class EscapesRefused(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        if re.search("%(2e|2f|00|25)", path, re.IGNORECASE):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return found


class NextTargetOnly(Project):
    """Judges a link by its own target as a text."""

    def links_to_inside_directory(self, components: tuple[bytes, ...], name: bytes) -> bool:
        directory = self.join_root(components)
        target = os.path.normpath(os.path.join(directory, os.readlink(os.path.join(directory, name))))
        return self.components_below_root(target) is not None and os.path.isdir(os.path.join(directory, name))


class ClosedTargetsFail(Project):
    """A link to a place that cannot be seen fails, as by `DirEntry.is_dir` of Python."""

    def links_to_inside_directory(self, components: tuple[bytes, ...], name: bytes) -> bool:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            try:
                os.stat(self.join_root((*components, name)))
            except OSError as error:
                if error.errno != errno.ELOOP:
                    raise
        return super().links_to_inside_directory(components, name)


class LinksWherever(Project):
    def links_to_inside_directory(self, components: tuple[bytes, ...], name: bytes) -> bool:
        return os.path.isdir(self.join_root((*components, name)))


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

    def visited(self, start: bytes, path: bytes) -> Iterator[tuple[bytes, bytes | None]]:
        """Yield the places on the way, each with the target if it is a link."""
        place, pending, links = start, self._names(path), 0
        if path.startswith(b"/"):
            place, pending = self._from_root(path)
        while pending and links < MAX_LINKS:
            name = pending.pop(0)
            if name in (b"", b"."):
                continue
            place = os.path.dirname(place) if name == b".." else os.path.join(place, name)
            if not os.path.islink(place):
                yield place, None
                continue
            links += 1
            target = os.readlink(place)
            yield place, target
            place, first = os.path.dirname(place), self._names(target)
            if target.startswith(b"/"):
                place, first = self._from_root(target)
            pending = first + pending

    def targets(self, start: bytes, path: bytes) -> Iterator[bytes]:
        return (target for _, target in self.visited(start, path) if target is not None)

    def leaves_by_a_link(self, start: bytes, path: bytes) -> bool:
        has_left = any(self.components_below_root(place) is None for place, _ in self.visited(start, path))
        return has_left and any(True for _ in self.targets(start, path))

    def _names(self, path: bytes) -> list[bytes]:
        return path.split(b"/")

    def _from_root(self, path: bytes) -> tuple[bytes, list[bytes]]:
        """Return where an absolute path starts: at the project root if it begins with it, without a step outside."""
        for root in (self.root, self.configured_root):
            if path == root or path.startswith(root + b"/"):
                return self.root, self._names(path[len(root) :])
        return b"/", self._names(path)


class NoLinks(StepByStep):
    """Refuses a path with a link below the root, wherever it leads, as `openat2` with RESOLVE_NO_SYMLINKS."""

    refusal = CallRefused(ErrorCode.INTERNAL_ERROR, LISTING_FAILED.format(error=os.strerror(errno.ELOOP)))

    def resolve(self, path: str) -> tuple[bytes, ...]:
        links = (place for place, target in self.visited(self.working_dir, path.encode()) if target is not None)
        if any(self.components_below_root(place) is not None for place in links):
            raise self.refusal
        return super().resolve(path)


class LinksAreNoDirectories(NoLinks):
    """Looks at each name without following it, as with NOFOLLOW_LINKS of Java."""

    refusal = CallRefused(ErrorCode.INVALID_PARAM, INVALID_ARGUMENTS)


class StaysInside(StepByStep):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        if self.leaves_by_a_link(self.working_dir, self.spelling(path).encode()):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return found


class RootOfGo(StaysInside):
    """Refuses a link with an absolute target too, as `os.Root`."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        if any(target.startswith(b"/") for target in self.targets(self.working_dir, path.encode())):
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
    reading_variant("AMB-LS-23", "b", "Every link to a directory is sorted as one.", project=LinksWherever),
    reading_variant("AMB-LS-61", "b", "A path is cleaned as a text before links are followed.", project=CleanedAsText),
    reading_variant("AMB-LS-61", "c", "Only directories have something around them.", project=ClimbsOnDisk),
    reading_variant("AMB-LS-66", "b", "A missing place outside is missing.", project=MissingByText),
    reading_variant("AMB-LS-76", "root", "Relative paths start at the project root.", project=FromTheRoot),
    reading_variant("AMB-LS-79", "b", "A path over a link is refused.", project=NoLinks),
    reading_variant("AMB-LS-80", "b", "A path with two dots is refused.", project=NoDots),
    reading_variant("AMB-LS-83", "b", "Names with dots or a tilde are refused in paths.", project=OddNamesRefused),
    Variant("VAR-LS-38", "Percent-encoded signs are refused in paths.", {"project": EscapesRefused}),
    Variant(
        "VAR-LS-39",
        "A link is sorted by its own target.",
        {"project": NextTargetOnly},
        excludes=("AMB-LS-23=b", "VAR-LS-29"),
    ),
    Variant("VAR-LS-40", "A link to a place that cannot be seen is refused.", {"project": ClosedTargetsFail}),
    # Together they are one class, in which the second decides before the first is reached.
    Variant(
        "VAR-LS-26",
        "A link to a missing place outside is missing.",
        {"project": MissingBehindLinks},
        excludes=("AMB-LS-66=b",),
    ),
    Variant(
        "VAR-LS-36",
        "A link on the way is no directory.",
        {"project": LinksAreNoDirectories},
        {"AMB-LS-79": "b"},
    ),
    Variant("VAR-LS-27", "A path that leaves the root by a link is refused.", {"project": StaysInside}),
    Variant("VAR-LS-28", "Links are followed as by `os.Root` of Go.", {"project": RootOfGo}),
    Variant(
        "VAR-LS-29",
        "A link that leads through the outside is not sorted as a directory.",
        {"project": LinksStayInside},
        excludes=("AMB-LS-23=b",),
    ),
    Variant("VAR-LS-30", "The real path of a root that a link leads to is outside.", {"project": RootAsConfigured}),
)
