"""The patterns of `ignore` (section 5.2), matched by simulating a nondeterministic automaton.

Patterns with a backslash, or with a bracket that is not closed, are not modelled; scenarios cover them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treeproof.api import Unmodelled

from ..shared.reading_choices import ReadingChoices


@dataclass(frozen=True)
class PatternToken:
    """One character of a set (`members` None: any), or any number of characters."""

    is_star: bool
    members: frozenset[str] | None = None
    inverted: bool = False

    def accepts(self, character: str) -> bool:
        return self.members is None or (character in self.members) != self.inverted


def matches_glob(pattern: str, name: str, path: str, readings: ReadingChoices) -> bool:
    """Return whether a pattern matches an entry; `path` begins at the project root. Raises Unmodelled."""
    if "\\" in pattern:
        raise Unmodelled("a pattern with a backslash")
    if "/" not in pattern:
        return _matches(pattern, name)
    by_path = _matches_path(pattern, path, readings)
    by_name = path != name and _matches_path(pattern, name, readings)
    if by_name and not by_path and readings["AMB-LS-44"] == "b":
        return False
    return by_path or by_name


def _matches_path(pattern: str, text: str, readings: ReadingChoices) -> bool:
    return any(
        _matches_unambiguously(form, text, readings) for form in (pattern, *_without_leading_stars(pattern, readings))
    )


def _without_leading_stars(pattern: str, readings: ReadingChoices) -> Iterator[str]:
    """Yield the pattern without its leading `**/`, and by another reading without further ones."""
    if pattern.startswith("**/"):
        rest = pattern[3:]
        yield rest
        if rest.startswith("**/") and readings["AMB-LS-54"] == "b":
            yield from _without_leading_stars(rest, readings)


def _matches_unambiguously(pattern: str, text: str, readings: ReadingChoices) -> bool:
    """Match one form of a pattern. Raises Unmodelled where stars may or may not match slashes."""
    found = _matches(pattern, text)
    if pattern.endswith("/"):
        raise Unmodelled("a pattern that ends in a slash")
    if pattern.endswith("/**") and _matches(pattern[:-3], text):
        raise Unmodelled("a pattern that ends in `/**`, compared with the directory itself")
    inner = pattern.find("/**/")
    if inner >= 0 and not found and _matches(pattern.replace("/**/", "/"), text):
        raise Unmodelled("two stars between slashes, with nothing between")
    if found and "/" in text and _needs_star_for_slash(pattern, text):
        raise Unmodelled("a star that may or may not match a slash")
    return found


def _needs_star_for_slash(pattern: str, text: str) -> bool:
    """Return whether the match needs a star or a set that matches a slash."""
    return not _matches(pattern, text, crossing=False)


def _matches(pattern: str, text: str, *, crossing: bool = True) -> bool:
    tokens = list(_tokenise(pattern))
    active = _epsilon_closure({0}, tokens)
    for character in text:
        following: set[int] = set()
        for at in active:
            if at == len(tokens):
                continue
            token = tokens[at]
            can_match = crossing or character != "/" or (not token.is_star and token.members == frozenset("/"))
            if can_match and token.accepts(character):
                following.add(at if token.is_star else at + 1)
        active = _epsilon_closure(following, tokens)
    return len(tokens) in active


def _epsilon_closure(positions: set[int], tokens: list[PatternToken]) -> set[int]:
    """Return the positions that are reached without a character: a star may match no character."""
    reached = set()
    for at in positions:
        reached.add(at)
        while at < len(tokens) and tokens[at].is_star:
            at += 1
            reached.add(at)
    return reached


def _tokenise(pattern: str) -> Iterator[PatternToken]:
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "*":
            yield PatternToken(is_star=True)
        elif character == "?":
            yield PatternToken(is_star=False)
        elif character == "[":
            end = pattern.find("]", at + 2 if pattern[at : at + 1] == "!" else at + 1)
            if end < 0:
                raise Unmodelled("a bracket that is not closed")
            inside = pattern[at:end]
            inverted = inside.startswith("!")
            if "/" in inside:
                raise Unmodelled("a bracket with a separator")
            if "-" in inside or "^" in inside or "[" in inside:
                raise Unmodelled("a bracket with a range or a special character")
            yield PatternToken(is_star=False, members=frozenset(inside.removeprefix("!")), inverted=inverted)
            at = end + 1
        else:
            yield PatternToken(is_star=False, members=frozenset(character))
