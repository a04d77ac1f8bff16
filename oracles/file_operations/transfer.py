"""The transfer of an entry to a name: what a move, a copy and a move to another file system leave."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace

from treeproof.api import Kind, Node

from ..shared.reading_choices import ReadingChoices
from .outcome import ANY_ERROR, MOVE, ExpectedOutcome, Request
from .tree_state import OUTSIDE, LeadsOutside, Path, State

MAX_FOLLOWED_LINKS = 8
"""Nested links in a copied directory that are followed; trees of tests have fewer, unless one leads to itself."""


class Transfer:
    """A call under one combination of readings. An outcome depends on the readings that were looked up before it."""

    def __init__(self, request: Request, readings: ReadingChoices) -> None:
        self.request = request
        self.readings = readings
        self.state = request.state
        self.is_move = request.verb == MOVE
        self.source = request.source
        self.destination = request.destination

    def failure(
        self, requirement: str, kind: str = ANY_ERROR, labels: Mapping[str, str] | None = None
    ) -> ExpectedOutcome:
        """Return an error. `labels`: the readings that it depends on (default: all that were looked up)."""
        labels = self.readings.labels if labels is None else labels
        return ExpectedOutcome(kind, self.state, requirement, labels)

    def success(self, state: State, requirement: str) -> ExpectedOutcome:
        return ExpectedOutcome(None, state, requirement, self.readings.labels)

    def node_at(self, path: Path) -> Node:
        """Return an existing node."""
        found = self.state.node_at(path)
        assert found is not None
        return found

    def transferred(
        self, start: Path, final: Path, requirement: str, state: State | None = None
    ) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes in which the entry has its final name; `state`: the one before the transfer."""
        state = self.state if state is None else state
        node = self.node_at(start)
        if self.is_move and state.is_far(start) != state.is_far(final):
            yield from self.moved_across(start, final, requirement, state)
        elif self.is_move:
            if node.kind is Kind.DIR and self.readings["AMB-FO-34"] == "never":
                yield self.failure(requirement)
                return
            if node.kind not in (Kind.FILE, Kind.DIR, Kind.SYMLINK):
                yield self.failure("DFO-01")
            yield self.success(state.with_move(start, final), requirement)
        elif node.kind is Kind.DIR:
            if self.readings["AMB-FO-33"] == "error":
                yield self.failure(requirement)
            else:
                yield from self.copied_directory(start, final, requirement, state)
        else:
            if node.kind not in (Kind.FILE, Kind.SYMLINK) or not is_readable(node):
                yield self.failure("DFO-02")
            copied = state.without([final]).with_entry(final, without_mode(node))
            yield self.success(copied, requirement)

    def moved_across(self, start: Path, final: Path, requirement: str, state: State) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes of a move to another file system: a file is copied and deleted, the rest is open.

        The files of a directory may go one by one, so that an error can come midway.
        """
        node = self.node_at(start)
        if node.kind is Kind.DIR:
            if self.readings["AMB-FO-34"] != "complete":
                yield self.failure("DFO-01")
                return
            for outcome in self.copied_directory(start, final, "DFO-01", state):
                if outcome.error_kind is None:
                    gone = outcome.state.without([start, *outcome.state.below(start)])
                    outcome = replace(outcome, state=gone)
                yield replace(outcome, is_midway=outcome.error_kind is not None)
            return
        if node.kind is Kind.SYMLINK and self.readings["AMB-FO-22"] == "error":
            yield self.failure("DFO-07")
            return
        if node.kind not in (Kind.FILE, Kind.SYMLINK) or not is_readable(node):
            yield self.failure("DFO-01")
        yield self.success(state.with_move(start, final), "FR-FOPS-MV-04" if node.kind is Kind.FILE else requirement)

    def copied_directory(self, start: Path, final: Path, requirement: str, state: State) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes of a complete copy of a directory (AMB-FO-33); links in it by AMB-FO-45 or 53."""
        below = sorted(state.below(start))
        kinds = {self.node_at(path).kind for path in below}
        label = self.readings["AMB-FO-53" if self.is_move else "AMB-FO-45"] if Kind.SYMLINK in kinds else "kept"
        if label == "error":
            yield self.failure(requirement)
            return
        if kinds - {Kind.FILE, Kind.DIR, Kind.SYMLINK} or not all(is_readable(self.node_at(path)) for path in below):
            yield self.failure(requirement)
        copied = self.with_copy(state.without([final]), start, final, label, depth=0)
        if copied is None:
            yield self.failure(requirement)
        else:
            yield self.success(copied, requirement)

    def with_copy(self, state: State, path: Path, final: Path, links: str, *, depth: int) -> State | None:
        """Return the state with a copy of an entry, its links by AMB-FO-45; None if one of them cannot be followed."""
        node = self.node_at(path)
        if links == "absolute" and node.target is not None:
            node = replace(node, target=_absolute(path, node.target))
        if links == "followed" and node.kind is Kind.SYMLINK:
            try:
                target = self.state.follow(path)
            except LeadsOutside:
                return None
            if not target.reachable or self.state.node_at(target.path) is None or depth > MAX_FOLLOWED_LINKS:
                return None
            return self.with_copy(state, target.path, final, links, depth=depth + 1)
        copied: State | None = state.with_entry(final, without_mode(node))
        if node.kind is Kind.DIR:
            for name in sorted(name for name in self.state.below(path) if len(name) == len(path) + 1):
                if copied is not None:
                    copied = self.with_copy(copied, name, (*final, name[-1]), links, depth=depth)
        return copied


def _absolute(link: Path, target: bytes) -> bytes:
    """Return the target of a link as an absolute path, as far as the place that holds the sandbox is known."""
    place = posixpath.normpath(b"/".join((*link[:-1], target)))
    if target.startswith((b"/", b"$")) or place.startswith((b"../..", b"$")):
        return target
    if place == b".." or place.startswith(b"../"):
        return OUTSIDE + place.removeprefix(b"..")
    return b"$ROOT" if place == b"." else b"$ROOT/" + place


def is_readable(node: Node) -> bool:
    """Return whether the owner of a file may read it."""
    return has_mode(node, 0o500 if node.kind is Kind.DIR else 0o400)


def is_writable(node: Node) -> bool:
    """Return whether the owner of a file may write to it."""
    return has_mode(node, 0o200)


def has_mode(node: Node, bits: int) -> bool:
    """Return whether the permissions of an entry have all these bits."""
    return node.mode is None or node.mode & bits == bits


def without_mode(node: Node) -> Node:
    """Return a node without permissions: the specification does not determine them."""
    return replace(node, mode=None)
