"""Variants: links in the requested path, denied patterns, and names that were converted."""

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan, execution_failed
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.denied_patterns import DEFAULT_DENIES, first_match
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour, decode_lossy
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place, Sandbox, sandbox_violation

from ..shared.variant import variant


class LinkSandbox(Sandbox):
    """A sandbox that looks at the components of the requested path one by one."""

    def steps(self, path: str) -> Iterator[bytes]:
        """Yield the path of each component."""
        place = b"" if path.startswith("/") else self._working_dir
        for part in path.encode().split(b"/"):
            if part not in (b"", b"."):
                place += b"/" + part
                yield place


class RefusesFinalLinks(LinkSandbox):
    def resolve(self, path: str) -> Place:
        place = super().resolve(path)
        if any(os.path.islink(step) for step in list(self.steps(path))[-1:]):
            raise sandbox_violation("the path is a link")
        return place


class LinksAreNoDirectories(LinkSandbox):
    def resolve(self, path: str) -> Place:
        self._check_text(path)
        if any(os.path.islink(step) for step in list(self.steps(path))[-1:]):
            raise execution_failed("path is not a directory")
        return super().resolve(path)


class RefusesEveryLink(LinkSandbox):
    def resolve(self, path: str) -> Place:
        self._check_text(path)
        if not path.startswith("/") and any(map(os.path.islink, self.steps(path))):
            raise execution_failed("the path leads through a link")
        return super().resolve(path)


class StaysBeneath(LinkSandbox):
    """A link with an absolute target is refused, and one that climbs out of the root on its way."""

    def resolve(self, path: str) -> Place:
        self._check_text(path)
        for step in self.steps(path):
            if not path.startswith("/") and os.path.islink(step):
                target = os.readlink(step)
                outside = os.path.relpath(
                    os.path.normpath(os.path.join(os.path.dirname(step), target)), self._working_dir
                )
                if target.startswith(b"/") or outside.startswith(b".."):
                    raise sandbox_violation("a link leads outside the sandbox")
        return super().resolve(path)


class DanglingIsMissing(LinkSandbox):
    def resolve(self, path: str) -> Place:
        try:
            return super().resolve(path)
        except ToolError as error:
            if error.kind is not ErrorKind.SANDBOX_VIOLATION or path.startswith("/") or ".." in path.split("/"):
                raise
            for step in self.steps(path):
                if os.path.islink(step) and not os.path.exists(step):
                    return Place(self._working_dir, (), errno.ENOENT)
            raise


class FindsConverted(Sandbox):
    """A component that is not there stands for a name that converts to it."""

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
    variant("AMB-LD-36=refuse", "A requested link is refused.")(sandbox=RefusesFinalLinks),
    variant("VAR-LD-36-1", "A requested link is no directory.", {"AMB-LD-36": "refuse"})(sandbox=LinksAreNoDirectories),
    variant("VAR-LD-36-2", "No link is followed.", {"AMB-LD-36": "refuse"})(sandbox=RefusesEveryLink),
    variant("VAR-LD-36-3", "Links stay beneath the root at every step.", excludes=("AMB-LD-37=a",))(
        sandbox=StaysBeneath
    ),
    variant("AMB-LD-37=a", "A link that dangles is missing.")(sandbox=DanglingIsMissing),
    variant("AMB-LD-54=b", "Converted names are found.")(sandbox=FindsConverted),
)
