"""The patterns of `ignore` (section 5.2), matched by simulating a nondeterministic automaton.

A pattern with a backslash is modelled only where it matches by no reading. A range whose ends are reversed matches
nothing; it is not modelled for names that have one of these characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits

from treeproof.api import Unmodelled

from ..shared.reading_choices import ReadingChoices

_RANGE_GROUPS = tuple(map(frozenset, (ascii_lowercase, ascii_uppercase, digits)))
"""The characters of a range, of which every language has the same order."""


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
        forms = (pattern.replace("\\", instead) for instead in ("/", ""))
        if "\\" in name or any(matches_glob(form, name, path, readings) for form in forms):
            raise Unmodelled("a pattern with a backslash")
        return False
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
    tokens = list(_tokenise(pattern, text))
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


def _members(inside: str, text: str) -> frozenset[str]:
    """Return the characters of a set.

    A range whose ends are reversed has none. Raises Unmodelled if the text that is matched has one of its characters,
    and for ranges that are not of letters of one case or digits.
    """
    members: set[str] = set()
    at = 0
    while at < len(inside):
        first, last = inside[at], inside[at + 2 : at + 3]
        if inside[at + 1 : at + 2] != "-" or not last:
            members.add(first)
            at += 1
            continue
        if not any({first, last} <= group for group in _RANGE_GROUPS):
            raise Unmodelled("a range of other characters")
        if last < first and {first, "-", last} & set(text):
            raise Unmodelled("a range whose ends are reversed")
        members |= {chr(code) for code in range(ord(first), ord(last) + 1)}
        at += 3
    return frozenset(members)


def _epsilon_closure(positions: set[int], tokens: list[PatternToken]) -> set[int]:
    """Return the positions that are reached without a character: a star may match no character."""
    reached = set()
    for at in positions:
        reached.add(at)
        while at < len(tokens) and tokens[at].is_star:
            at += 1
            reached.add(at)
    return reached


def _tokenise(pattern: str, text: str) -> Iterator[PatternToken]:
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
            if end < 0 and pattern != "[":
                raise Unmodelled("a bracket that is not closed")
            if end < 0:
                yield PatternToken(is_star=False, members=frozenset("["))
                continue
            inside = pattern[at:end]
            inverted = inside.startswith("!")
            if "/" in inside:
                raise Unmodelled("a bracket with a separator")
            if "^" in inside or "[" in inside:
                raise Unmodelled("a bracket with a special character")
            yield PatternToken(is_star=False, members=_members(inside.removeprefix("!"), text), inverted=inverted)
            at = end + 1
        else:
            yield PatternToken(is_star=False, members=frozenset(character))
