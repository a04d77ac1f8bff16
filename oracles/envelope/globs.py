"""Whether a pattern of `ignore` meets an entry (section 5.2), by simulating all ways through the pattern at once.

Patterns with a backslash, or with a bracket that is not closed, are left to the scenarios.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treeproof.search.model import Unmodelled

from .readings import Run


@dataclass(frozen=True)
class Piece:
    """One character of a set, or any number of any characters. `members` None: every character."""

    many: bool
    members: frozenset[str] | None = None
    inverted: bool = False

    def takes(self, letter: str) -> bool:
        return self.members is None or (letter in self.members) != self.inverted


def meets(pattern: str, name: str, path: str, run: Run) -> bool:
    """Whether a pattern meets the entry `name`, whose path from the project root is `path`. Raises Unmodelled."""
    if "\\" in pattern:
        raise Unmodelled("a pattern with a backslash")
    if "/" not in pattern:
        return _matches(pattern, name)
    return any(_meets_path(pattern, text, run) for text in (path, name))


def _meets_path(pattern: str, text: str, run: Run) -> bool:
    return any(_read(one, text, run) for one in (pattern, *_shortened(pattern, run)))


def _shortened(pattern: str, run: Run) -> Iterator[str]:
    """The pattern without a leading `**/`, and by other readings without further ones."""
    if pattern.startswith("**/"):
        rest = pattern[3:]
        yield rest
        if rest.startswith("**/") and run.reads("54") == "b":
            yield from _shortened(rest, run)


def _read(pattern: str, text: str, run: Run) -> bool:
    """One spelling against one text, by what the star and `**` stand for."""
    found = _matches(pattern, text)
    if pattern.endswith("/"):
        raise Unmodelled("a pattern that ends in a slash")
    if pattern.endswith("/**") and _matches(pattern[:-3], text):
        raise Unmodelled("a pattern of all that is in a directory, held against that directory")
    inner = pattern.find("/**/")
    if inner >= 0 and not found and _matches(pattern.replace("/**/", "/"), text):
        raise Unmodelled("two stars between slashes, with nothing between")
    if found and "/" in text and _stars_cross(pattern, text):
        raise Unmodelled("a star that may or may not stand for a slash")
    return found


def _stars_cross(pattern: str, text: str) -> bool:
    """Whether the match needs a star, or a set, that stands for a slash."""
    return not _matches(pattern, text, crossing=False)


def _matches(pattern: str, text: str, *, crossing: bool = True) -> bool:
    pieces = list(_pieces(pattern))
    alive = _closure({0}, pieces)
    for letter in text:
        step: set[int] = set()
        for at in alive:
            if at == len(pieces):
                continue
            piece = pieces[at]
            free = crossing or letter != "/" or (not piece.many and piece.members == frozenset("/"))
            if free and piece.takes(letter):
                step.add(at if piece.many else at + 1)
        alive = _closure(step, pieces)
    return len(pieces) in alive


def _closure(places: set[int], pieces: list[Piece]) -> set[int]:
    """The places that can be reached without a character: a star may stand for nothing."""
    reached = set()
    for at in places:
        reached.add(at)
        while at < len(pieces) and pieces[at].many:
            at += 1
            reached.add(at)
    return reached


def _pieces(pattern: str) -> Iterator[Piece]:
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        at += 1
        if letter == "*":
            yield Piece(many=True)
        elif letter == "?":
            yield Piece(many=False)
        elif letter == "[":
            end = pattern.find("]", at + 2 if pattern[at : at + 1] == "!" else at + 1)
            if end < 0:
                raise Unmodelled("a bracket that is not closed")
            inside = pattern[at:end]
            inverted = inside.startswith("!")
            if "-" in inside or "^" in inside or "[" in inside:
                raise Unmodelled("a bracket with a range or an odd character")
            yield Piece(many=False, members=frozenset(inside.removeprefix("!")), inverted=inverted)
            at = end + 1
        else:
            yield Piece(many=False, members=frozenset(letter))
