"""The patterns of `ignore` (section 5.2), matched by simulating a nondeterministic automaton.

A range whose ends are reversed matches nothing; it is not modelled for names that have one of these characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits

from treeproof.api import Unmodelled

from ..shared.reading_choices import ReadingChoices

_RANGE_GROUPS = tuple(map(frozenset, (ascii_lowercase, ascii_uppercase, digits)))
"""The characters of a range, of which every language has the same order."""

_SET_WITH_SLASH = re.compile(r"\[[^]]*/")


@dataclass(frozen=True)
class PatternTexts:
    """The name of an entry, and its path from the project root on."""

    name: str
    path: str


@dataclass(frozen=True)
class PatternToken:
    """One character of a set (`members` None: any), or any number of characters."""

    is_star: bool
    members: frozenset[str] | None = None
    inverted: bool = False

    def accepts(self, character: str) -> bool:
        return self.members is None or (character in self.members) != self.inverted


def matches_any(patterns: Sequence[str], entry: PatternTexts, readings: ReadingChoices) -> str | None:
    """Return the first pattern that matches an entry. Raises Unmodelled if that depends on one that is not modelled."""
    problem: Unmodelled | None = None
    for pattern in patterns:
        try:
            if matches_glob(pattern, entry, readings):
                return pattern
        except Unmodelled as why:
            problem = why
    if problem is not None:
        raise problem
    return None


def matches_glob(pattern: str, entry: PatternTexts, readings: ReadingChoices) -> bool:
    """Return whether a pattern matches an entry. Raises Unmodelled.

    A sign beyond ASCII may count as its bytes, and one beyond 16 bits as its two units of UTF-16.
    """
    found = _matches_glob(pattern, entry, readings)
    if (pattern + entry.path).isascii():
        return found
    results = {"signs": found}
    for name, split in (("bytes", _utf8_bytes), ("16 bits", _utf16_units)):
        results[name] = _matches_glob(split(pattern), PatternTexts(split(entry.name), split(entry.path)), readings)
    if len(set(results.values())) == 1:
        return found
    return results[readings.choose("what a question mark stands for", tuple(results))]


def _utf8_bytes(text: str) -> str:
    """Return a text with one sign for each byte of UTF-8."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _utf16_units(text: str) -> str:
    """Return a text with one sign for each unit of UTF-16."""
    encoded = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(encoded[at : at + 2])) for at in range(0, len(encoded), 2))


def _matches_glob(pattern: str, entry: PatternTexts, readings: ReadingChoices) -> bool:
    if "\\" not in pattern:
        return _matches_entry(pattern, entry, readings)
    raw = _matches_entry(pattern, entry, readings)
    without = pattern.replace("\\", "")
    if _matches_entry(without, entry, readings) != raw and without:
        raise Unmodelled("a pattern with a backslash that may escape a sign")
    with_slashes = pattern.replace("\\", "/")
    return raw or (_matches_entry(with_slashes, entry, readings) and readings["AMB-LS-10"] == "a")


def _matches_entry(pattern: str, entry: PatternTexts, readings: ReadingChoices) -> bool:
    if "/" not in pattern and "\\" not in pattern:
        return _matches(pattern, entry.name)
    if _matches_path(pattern, entry.path, readings):
        return True
    return entry.path != entry.name and _matches_path(pattern, entry.name, readings)


def _matches_path(pattern: str, text: str, readings: ReadingChoices) -> bool:
    if any(_matches_as_written(form, text, readings) for form in (pattern, pattern.removeprefix("**/"))):
        return True
    # The document leaves open whether a later `**/` stands for no directory, or for one at least.
    short = re.sub(r"(?:(?<=/)|^)(?:\*\*/)+", "", pattern)
    shorter = {short, f"**/{short}"} if pattern.startswith("**/") else {short}
    is_open = any(_matches_as_written(form, text, readings) for form in shorter - {pattern})
    return is_open and bool(readings.choose("further stars", (False, True)))


def _matches_as_written(pattern: str, text: str, readings: ReadingChoices) -> bool:
    """Match with stars and sets that may stand for slashes, or that do not."""
    crossing = _matches(pattern, text)
    if crossing == _matches(pattern, text, crossing=False):
        return crossing
    # A set of characters may hold a slash for a tool whose stars do not stand for one.
    if _SET_WITH_SLASH.search(pattern) and readings.choose("a set with a slash", ("holds", "ends")) == "holds":
        return crossing
    return crossing == (readings["AMB-LS-09"] == "a")


@lru_cache(maxsize=4096)  # each combination of readings requires the same
def _matches(pattern: str, text: str, *, crossing: bool = True) -> bool:
    tokens = list(_tokenise(pattern, text, crossing))
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


def _tokenise(pattern: str, text: str, crossing: bool) -> Iterator[PatternToken]:
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
            if "/" in inside and not crossing:  # the separator ends what began
                yield PatternToken(is_star=False, members=frozenset("["))
                continue
            if "^" in inside or "[" in inside:
                raise Unmodelled("a bracket with a special character")
            yield PatternToken(is_star=False, members=_members(inside.removeprefix("!"), text), inverted=inverted)
            at = end + 1
        else:
            yield PatternToken(is_star=False, members=frozenset(character))
