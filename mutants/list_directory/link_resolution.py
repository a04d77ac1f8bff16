"""Mutants: errors in the resolution of links on the way to the requested directory."""

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.shared.sandbox import MAX_LINKS, CanonicalPath, Place, Sandbox

from ..shared.mutant import Mutant
from .builders import build_mutant
from .sandbox import with_sandbox

Link = tuple[bytes, bytes]
"""The path of a link, and its target."""


def path_components(path: bytes) -> list[bytes]:
    return [part for part in path.split(b"/") if part not in (b"", b".")]


def links_on(path: bytes) -> Iterator[Link]:
    """Return the links on an absolute path, one after the other."""
    pending, done, count = path_components(path)[::-1], list[bytes](), 0
    while pending and count < MAX_LINKS:
        part = pending.pop()
        if part == b"..":
            done[-1:] = []
            continue
        done.append(part)
        here = b"/" + b"/".join(done)
        if os.path.islink(here):
            count += 1
            target = os.readlink(here)
            yield here, target
            done = [] if target.startswith(b"/") else done[:-1]
            pending += path_components(target)[::-1]


def with_links_blocked(errno_code: int, is_blocked: Callable[[list[Link]], bool]) -> ListDirectory:
    """Return a sandbox that refuses paths with such links."""

    class Stopped(Sandbox):
        def resolve(self, path: str) -> Place:
            place = super().resolve(path)
            links = list(links_on(os.path.join(self._working_dir, path.encode())))
            return replace(place, blocking_errno=errno_code) if is_blocked(links) else place

    return with_sandbox(Stopped)


def resolve_links_textually(path: bytes) -> bytes:
    """Return an absolute path with each link replaced by its target as text, the longest part first."""
    for _ in range(MAX_LINKS):
        parts = path_components(path)
        for length in range(len(parts), 0, -1):
            here = b"/" + b"/".join(parts[:length])
            if os.path.islink(here):
                path = os.path.normpath(os.path.join(os.path.dirname(here), os.readlink(here), *parts[length:]))
                break
        else:
            return path
    return path


class FollowsInTheText(Sandbox):
    def _canonical_target(self, path: str) -> CanonicalPath:
        return self._canonicalise(resolve_links_textually(os.path.join(self._working_dir, path.encode())))


class ChecksTextOpensTarget(FollowsInTheText):
    """Checks the path as text, but opens the resolved path."""

    def resolve(self, path: str) -> Place:
        super().resolve(path)
        target = self._canonicalise(os.path.join(self._working_dir, path.encode()))
        return Place(b"/", target.parts, target.blocking_errno)


class ChecksTruncatedTarget(Sandbox):
    def resolve(self, path: str) -> Place:
        link = os.path.join(self._working_dir, path.encode())
        if not os.path.islink(link) or len(target := os.readlink(link)) < 256:
            return super().resolve(path)
        self._check_text(path)
        self._locate(self._canonicalise(os.path.join(os.path.dirname(link), target[:255])))
        real = self._canonicalise(link)
        return Place(b"/", real.parts, real.blocking_errno)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-711",
        "A link's target is inserted into the text of the path.",
        "FR-LD-VAL-07",
        tool=with_sandbox(FollowsInTheText),
    ),
    build_mutant(
        "MUT-712",
        "The target of a link is checked by text and followed on the disk.",
        "FR-LD-VAL-07",
        tool=with_sandbox(ChecksTextOpensTarget),
    ),
    build_mutant(
        "MUT-713",
        "The target of a link is truncated to 256 bytes before it is checked.",
        "FR-LD-VAL-07",
        tool=with_sandbox(ChecksTruncatedTarget),
    ),
    build_mutant(
        "MUT-714",
        "A link that occurs twice is reported as a loop.",
        "FR-LD-VAL-08",
        tool=with_links_blocked(errno.ELOOP, lambda links: len(dict(links)) < len(links)),
    ),
    build_mutant(
        "MUT-715",
        "More than eight links on the way are reported as a loop.",
        "FR-LD-VAL-08",
        tool=with_links_blocked(errno.ELOOP, lambda links: len(links) > 8),
    ),
    build_mutant(
        "MUT-716",
        "A link with a target longer than 255 bytes has no target.",
        "FR-LD-VAL-08",
        tool=with_links_blocked(errno.ENOENT, lambda links: any(len(target) > 255 for _, target in links)),
    ),
    build_mutant(
        "MUT-717",
        "A link whose target has doubled or trailing slashes has no target.",
        "FR-LD-VAL-08",
        tool=with_links_blocked(errno.ENOENT, lambda links: any(b"//" in target + b"/" for _, target in links)),
    ),
)
