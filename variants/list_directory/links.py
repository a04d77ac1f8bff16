"""Variants: links in the requested path, denied patterns, and names that were converted."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.denied_patterns import DEFAULT_DENIES, first_match
from treeproof.reference_impl.shared.paths import Flavour, decode_lossy
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Sandbox
from treeproof.rows.list_directory.listing import ListCall

from ..shared.variant import variant
from .refusals import CHECKED, refusing


def steps(sent: ListCall) -> list[bytes]:
    """Return the path of each component."""
    places = [b"" if sent.path.startswith("/") else os.fsencode(sent.root)]
    for part in sent.path.encode("utf-8", "surrogatepass").split(b"/"):
        if part not in (b"", b".", b"\0"):
            places.append(places[-1] + b"/" + part)
    return places[1:]


def is_link(sent: ListCall) -> bool:
    return any(map(os.path.islink, steps(sent)[-1:]))


def has_link(sent: ListCall) -> bool:
    return not sent.path.startswith("/") and any(map(os.path.islink, steps(sent)))


def climbs(sent: ListCall) -> bool:
    """Return whether a link has an absolute target, or climbs out of the root on its way."""
    root = os.fsencode(sent.root)
    for step in filter(os.path.islink, steps(sent) if not sent.path.startswith("/") else ()):
        target = os.readlink(step)
        place = os.path.normpath(os.path.join(os.path.dirname(step), target))
        if target.startswith(b"/") or os.path.relpath(place, root).startswith(b".."):
            return True
    return False


def dangles(sent: ListCall) -> bool:
    is_relative = not sent.path.startswith("/") and ".." not in sent.path.split("/")
    return is_relative and any(os.path.islink(step) and not os.path.exists(step) for step in steps(sent))


class FindsConverted(Sandbox):
    def _canonical_target(self, path: str) -> CanonicalPath:
        if "\ufffd" not in path or path.startswith("/"):
            return super()._canonical_target(path)
        place = self._working_dir
        for part in path.split("/"):
            name = part.encode()
            if not os.path.lexists(place + b"/" + name) and os.path.isdir(place):
                found = sorted(known for known in os.listdir(place) if decode_lossy(known, self._flavour) == part)
                name = found[0] if found else name
            place += b"/" + name
        return self._canonicalise(place)


class JudgesEntries(ListDirectory):
    """Gives the denied patterns to the walk."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
        plan = super().plan(arguments, context, flavour)
        denied = (*context.denied_patterns, *(DEFAULT_DENIES if context.include_default_denies else ()))
        walk: Any = self.walk
        judging_walk: Any = partial(walk, denied=denied)
        return replace(plan, tool=replace(plan.tool, walk=judging_walk))


class StaysOutOfDenied(Walk):
    def __init__(self, *arguments: Any, denied: Sequence[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._denied = denied

    def _is_denied(self, steps: tuple[bytes, ...]) -> bool:
        return first_match(self._denied, steps, False) is not None

    def _is_entered(self, entry: Entry) -> bool:
        steps = self._steps(entry)
        return super()._is_entered(entry) and not (self._is_denied(steps) or self._is_denied((*steps, b"x")))

    def _steps(self, entry: Entry) -> tuple[bytes, ...]:
        requested = (part for part in self._request.path.encode().split(b"/") if part not in (b"", b"."))
        return (*requested, *entry.raw_path.split(b"/"))


class OmitsDenied(StaysOutOfDenied):
    def _is_included(self, entry: Entry) -> bool:
        return super()._is_included(entry) and not self._is_denied(self._steps(entry))


VARIANTS = (
    variant("AMB-LD-35=omit", "Entries of denied patterns are omitted.")(tool=JudgesEntries, walk=OmitsDenied),
    variant("AMB-LD-35=listed", "Directories of denied patterns are not entered.")(
        tool=JudgesEntries, walk=StaysOutOfDenied
    ),
    variant("AMB-LD-36=refuse", "A requested link is refused.")(
        refusing("SandboxViolation", "the path is a link", is_link)
    ),
    variant("VAR-LD-36-1", "A requested link is no directory.", {"AMB-LD-36": "refuse"})(
        refusing("ExecutionFailed", "path is not a directory", is_link, behind=CHECKED)
    ),
    variant("VAR-LD-36-2", "No link is followed.", {"AMB-LD-36": "refuse"})(
        refusing("ExecutionFailed", "the path leads through a link", has_link, behind=CHECKED)
    ),
    variant("VAR-LD-36-3", "Links stay beneath the root at every step.", excludes=("AMB-LD-37=a",))(
        refusing("SandboxViolation", "a link leads outside the sandbox", climbs)
    ),
    variant("AMB-LD-37=a", "A link that dangles is missing.")(
        refusing("ExecutionFailed", "path does not exist", dangles, behind=("SandboxViolation",))
    ),
    variant("AMB-LD-54=b", "Converted names are found.")(sandbox=FindsConverted),
)
