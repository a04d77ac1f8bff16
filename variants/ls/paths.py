"""Variants: what a path means, and which ones lie inside."""

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.context import CallContext
from treeproof.rows.ls.answer import INVALID, MISSING, OUTSIDE, Answer, Refusal
from treeproof.rows.ls.row import row, text
from treeproof.rows.shared.row import Row, Sent

from ..shared.variant import variant
from .stages import DEFAULTS, SPELLING

MAX_LINKS = 40
LOOP: Refusal = ("INTERNAL_ERROR", f"Failed to list directory - {os.strerror(errno.ELOOP)}")
"""What `openat2` gives with RESOLVE_NO_SYMLINKS."""


class NextTargetOnly(Project):
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


def visited(start: bytes, path: bytes, roots: tuple[bytes, bytes]) -> Iterator[tuple[bytes, bytes | None]]:
    """Yield the places on the way of a path, one name at a time, each with the target if it is a link.

    An absolute path starts at the project root, without a step outside, if it begins with it, as it is or as it was
    configured.
    """
    place, pending, links = start, path.split(b"/"), 0
    if path.startswith(b"/"):
        place, pending = _from_root(path, roots)
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
        place, first = os.path.dirname(place), target.split(b"/")
        if target.startswith(b"/"):
            place, first = _from_root(target, roots)
        pending = first + pending


def _from_root(path: bytes, roots: tuple[bytes, bytes]) -> tuple[bytes, list[bytes]]:
    for root in roots:
        if path == root or path.startswith(root + b"/"):
            return roots[0], path[len(root) :].split(b"/")
    return b"/", path.split(b"/")


@dataclass(frozen=True)
class Way:
    """The places on the way of the requested path, as they are before the call."""

    root: bytes
    places: tuple[tuple[bytes, bytes | None], ...]

    @property
    def targets(self) -> list[bytes]:
        return [target for _, target in self.places if target is not None]

    def is_inside(self, place: bytes) -> bool:
        return place == self.root or place.startswith(self.root.rstrip(b"/") + b"/")


def way(sent: Sent) -> Way:
    context: Any = sent.call.context
    root, start = (os.path.realpath(os.fsencode(str(place))) for place in (context["roots"][0], sent.root))
    path = sent.arguments.get("path", ".") if isinstance(sent.arguments, dict) else None
    text = path.encode("utf-8", "surrogatepass") if isinstance(path, str) else b""
    return Way(root, tuple(visited(start, text, (root, os.path.normpath(os.fsencode(context["roots"][0]))))))


def passes_a_link(sent: Sent) -> bool:
    """Return whether a path has a link below the root, wherever it leads."""
    found = way(sent)
    return any(target is not None and found.is_inside(place) for place, target in found.places)


def leaves_by_a_link(sent: Sent) -> bool:
    found = way(sent)
    return bool(found.targets) and not all(found.is_inside(place) for place, _ in found.places)


def leaves_root_of_go(sent: Sent) -> bool:
    """Return whether a path leaves the root by a link, or has one with an absolute target."""
    return leaves_by_a_link(sent) or any(target.startswith(b"/") for target in way(sent).targets)


class LinksStayInside(Project):
    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        self.roots = (self.root, os.path.normpath(os.fsencode(context.roots[0])))

    def links_to_inside_directory(self, components: tuple[bytes, ...], name: bytes) -> bool:
        places = visited(self.join_root(components), name, self.roots)
        stays = all(self.components_below_root(place) is not None for place, _ in places)
        return stays and super().links_to_inside_directory(components, name)


def refused(refusal: Refusal, where: Callable[[str], Any]) -> Row:
    """Return the row that refuses some paths inside, by their texts."""
    return row(refusal=lambda at: refusal if where(at.given_path) and at.kind != "outside" else None)


def has_odd_names(path: str) -> bool:
    return any(name.startswith("~") or (".." in name and name != "..") for name in path.split("/"))


def missing(where: Callable[[Answer], bool]) -> Row:
    """Return the row that reports some paths as missing."""
    return row(refusal=lambda at: ("NOT_FOUND", MISSING.format(path=at.given_path)) if where(at) else None)


def climbs_over_no_directory(at: Answer) -> bool:
    names = at.given_path.encode().split(b"/")
    above = (b"/".join(names[:place]) or b"/" for place, name in enumerate(names) if name == b"..")
    return not all(os.path.isdir(os.path.join(at.working_dir, path)) for path in above)


def is_missing_outside(at: Answer, *, by_a_link: bool) -> bool:
    """Return whether nothing is at a place outside to which a link leads, or the text alone."""
    text = os.path.normpath(os.path.join(at.working_dir, at.given_path.encode()))
    return at.kind == "outside" and not os.path.lexists(at.folder) and (at.folder != text) == by_a_link


def is_outside_the_configured_root(at: Answer) -> bool:
    root, path = os.path.normpath(at.root_text).rstrip("/"), at.given_path
    return path.startswith("/") and not f"{os.path.normpath(path)}/".startswith(f"{root}/")


def is_relative(sent: Sent) -> bool:
    path = sent.arguments.get("path", ".") if isinstance(sent.arguments, dict) else None
    return isinstance(path, str) and not path.startswith("/")


def from_the_root(sent: Sent) -> Any:
    context: Any = sent.call.context
    return {**sent.arguments, "path": f"{context['roots'][0]}/{sent.arguments.get('path', '.')}"}


VARIANTS = (
    variant("AMB-LS-23=b", "Every link to a directory is sorted as one.")(project=LinksWherever),
    variant("AMB-LS-61=b", "A path is cleaned as a text before links are followed.")(
        row(stage=SPELLING, path=text(lambda path: path and os.path.normpath(path)))
    ),
    variant("AMB-LS-61=c", "Only directories have something around them.")(missing(climbs_over_no_directory)),
    variant("AMB-LS-66=b", "A missing place outside is missing.")(
        missing(partial(is_missing_outside, by_a_link=False))
    ),
    variant("AMB-LS-76=root", "Relative paths start at the project root.")(
        row(stage=DEFAULTS, where=is_relative, arguments=from_the_root)
    ),
    variant("AMB-LS-79=b", "A path over a link is refused.")(row(where=passes_a_link, refusal=LOOP)),
    variant("AMB-LS-80=b", "A path with two dots is refused.")(refused(OUTSIDE, lambda path: ".." in path.split("/"))),
    variant("AMB-LS-83=b", "Names with dots or a tilde are refused in paths.")(refused(INVALID, has_odd_names)),
    variant("VAR-LS-38", "Percent-encoded signs are refused in paths.")(
        refused(OUTSIDE, re.compile("%(2e|2f|00|25)", re.IGNORECASE).search)
    ),
    variant("VAR-LS-39", "A link is sorted by its own target.", excludes=("AMB-LS-23=b", "VAR-LS-29"))(
        project=NextTargetOnly
    ),
    variant("VAR-LS-40", "A link to a place that cannot be seen is refused.")(project=ClosedTargetsFail),
    variant("VAR-LS-26", "A link to a missing place outside is missing.", excludes=("AMB-LS-66=b",))(
        missing(partial(is_missing_outside, by_a_link=True))
    ),
    variant("VAR-LS-36", "A link on the way is no directory.", {"AMB-LS-79": "b"})(
        row(where=passes_a_link, refusal=INVALID)
    ),
    variant("VAR-LS-27", "A path that leaves the root by a link is refused.")(
        row(where=leaves_by_a_link, refusal=OUTSIDE)
    ),
    variant("VAR-LS-28", "Links are followed as by `os.Root` of Go.")(row(where=leaves_root_of_go, refusal=OUTSIDE)),
    variant(
        "VAR-LS-29", "A link that leads through the outside is not sorted as a directory.", excludes=("AMB-LS-23=b",)
    )(project=LinksStayInside),
    variant("VAR-LS-30", "The real path of a root that a link leads to is outside.")(
        row(refusal=lambda at: OUTSIDE if is_outside_the_configured_root(at) else None)
    ),
)
