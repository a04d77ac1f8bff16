"""The matching of globs by one dialect: alternatives are expanded, then levels are matched, then characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product

_REPEATED = re.compile(r"[+*?@]\([^()/]*\)")
_CROSSING = re.compile(r"[*?\[]")
_ENDING = re.compile(r"\*\*/\*[^*?\[/]*")

Level = tuple[str, bool]
"""A name of a path, and whether two stars have to leave it to another part of the glob: a link that is only entered
where the glob names it."""


@dataclass(frozen=True, eq=False)
class Dialect:
    """What the signs of a glob mean. One object stands for each dialect: it is compared by identity.

    `least_first` and `least_inside` are the levels for which `**/` stands at least, at the beginning and inside.
    `opposite` are the signs that make a set that of all other characters. `crosses_slashes`: `*` and `?` stand for a
    slash, too; `sets_cross_slashes`: so do sets. `has_question_mark`: `?` is one character, and not itself.
    """

    has_braces: bool = True
    has_sets: bool = True
    opposite: str = "!"
    has_repetition: bool = False
    counts_units: bool = False
    least_first: int = 0
    least_inside: int = 0
    crosses_slashes: bool = False
    sets_cross_slashes: bool = False
    has_question_mark: bool = True


def is_malformed(glob: str) -> bool:
    """Return whether a set or braces do not close."""
    return has_open_set(glob) or glob.count("{") > glob.count("}")


def has_open_set(glob: str) -> bool:
    """Return whether a set does not close, or has a range from its end to its start."""
    for members in _sets(glob):
        if members is None or any(first > last for first, last in re.findall(r"(?s)([^!-])-(.)", members)):
            return True
    return False


def has_hyphen_at_an_end(glob: str) -> bool:
    """Return whether a set begins or ends with a hyphen, which some libraries call malformed."""
    sets = (members[members.startswith(("!", "^")) :] for members in _sets(glob) if members is not None)
    return any(members.startswith("-") or members.endswith("-") for members in sets)


def _sets(glob: str) -> Iterator[str | None]:
    """Yield what is in the sets of a glob; None for one that does not close."""
    rest = glob
    while "[" in rest:
        start = rest.index("[")
        end = rest.find("]", start + 2)
        if end < 0:
            yield None
            return
        yield rest[start + 1 : end]
        rest = rest[end + 1 :]


def has_opposite(glob: str) -> bool:
    """Return whether a set begins with a sign that may stand for its opposite."""
    return "[!" in glob or "[^" in glob


def can_cross_slashes(glob: str) -> bool:
    """Return whether a sign other than two stars might stand for a slash and make a difference.

    Behind two stars at the beginning, a star before plain characters matches the same whether it does or not.
    """
    return any(_CROSSING.search(one.replace("**/", "")) and not _ENDING.fullmatch(one) for one in expand_braces(glob))


def has_repetition(glob: str) -> bool:
    """Return whether a glob has a pattern that some libraries repeat, such as `+(a)`."""
    return _REPEATED.search(glob) is not None


def expand_braces(glob: str) -> list[str]:
    """Return the alternatives of a glob with braces, as globs without braces."""
    opening = glob.find("{")
    if opening < 0:
        return [glob]
    depth, start, choices = 0, opening + 1, []
    for at in range(opening, len(glob)):
        depth += {"{": 1, "}": -1}.get(glob[at], 0)
        if (glob[at] == "," and depth == 1) or depth == 0:
            choices.append(glob[start:at])
            start = at + 1
        if depth == 0:
            rest = glob[at + 1 :]
            return [expanded for choice in choices for expanded in expand_braces(glob[:opening] + choice + rest)]
    return [glob]


@lru_cache(maxsize=65536)
def matches_glob(glob: str, levels: tuple[Level, ...], dialect: Dialect = Dialect()) -> bool:  # noqa: B008
    """Return whether one of the glob's alternatives matches all levels of a path."""
    if dialect.crosses_slashes:
        path = "/".join(name for name, _ in levels)
        return any(_match_name(pattern, path, dialect) for pattern in _crossing_patterns(glob, dialect))
    return any(_match_levels(pattern, levels, dialect, dialect.least_first) for pattern in _patterns(glob, dialect))


def ends_at_any_level(glob: str, dialect: Dialect) -> bool:
    """Return whether the glob is held against the last level only: each alternative is two stars and one level."""
    return not dialect.crosses_slashes and all(
        len(pattern) == 2 and pattern[0] == "**" != pattern[1] for pattern in _patterns(glob, dialect)
    )


@lru_cache(maxsize=1024)
def _crossing_patterns(glob: str, dialect: Dialect) -> tuple[str, ...]:
    return tuple(one for pattern in _patterns(glob, dialect) for one in _crossing(pattern, dialect))


def begins_with_two_stars(glob: str, dialect: Dialect) -> bool:
    """Return whether each of the glob's alternatives begins with two stars."""
    return all(pattern[0] == "**" for pattern in _patterns(glob, dialect))


@lru_cache(maxsize=1024)
def _patterns(glob: str, dialect: Dialect) -> tuple[tuple[str, ...], ...]:
    alternatives = expand_braces(glob) if dialect.has_braces else [glob]
    return tuple(tuple(one.split("/")) for one in alternatives)


def _crossing(pattern: Sequence[str], dialect: Dialect) -> Iterator[str]:
    """Yield the globs for whole paths that stand for one: two stars are one, or no level at all."""
    leasts = (dialect.least_inside if at else dialect.least_first for at in range(len(pattern)))
    choices = (
        [[part]] if part != "**" else [["*"]] if least else [["*"], []]
        for part, least in zip(pattern, leasts, strict=True)
    )
    for parts in product(*choices):
        yield "/".join(chain.from_iterable(parts))


def _match_levels(pattern: Sequence[str], levels: Sequence[Level], dialect: Dialect, least: int) -> bool:
    if not pattern:
        return not levels
    inside = dialect.least_inside
    if pattern[0] == "**":
        rest = pattern[1:]
        if "**" not in rest:  # each other part stands for one level
            skipped = len(levels) - len(rest)
            is_reached = skipped >= max(least, not rest) and _can_skip(levels[:skipped])
            return is_reached and _match_each(rest, levels[skipped:], dialect)
        reached = (most for most in range(least, len(levels)) if _can_skip(levels[:most]))
        return any(_match_levels(rest, levels[skipped:], dialect, inside) for skipped in reached)
    if "**" not in pattern:
        return len(pattern) == len(levels) and _match_each(pattern, levels, dialect)
    return (
        bool(levels)
        and _match_name(pattern[0], levels[0][0], dialect)
        and _match_levels(pattern[1:], levels[1:], dialect, inside)
    )


def _can_skip(levels: Sequence[Level]) -> bool:
    return not any(is_named for _, is_named in levels)


def _match_each(pattern: Sequence[str], levels: Sequence[Level], dialect: Dialect) -> bool:
    return all(_match_name(part, name, dialect) for part, (name, _) in zip(pattern, levels, strict=True))


@lru_cache(maxsize=65536)
def _match_name(pattern: str, name: str, dialect: Dialect) -> bool:
    if dialect.counts_units:
        pattern, name = _units(pattern), _units(name)
    return _match_characters(pattern, name, dialect)


def _units(text: str) -> str:
    """Return a text with a character for each of its units of UTF-16."""
    encoded = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(encoded[at : at + 2], "big")) for at in range(0, len(encoded), 2))


def _match_characters(pattern: str, name: str, dialect: Dialect) -> bool:
    while pattern:
        if dialect.has_repetition and (found := _REPEATED.match(pattern)):
            return _match_repeated(found.group(), pattern[found.end() :], name, dialect)
        if pattern[0] == "*":
            rest = pattern.lstrip("*") if not dialect.has_repetition else pattern[1:]
            return any(_match_characters(rest, name[at:], dialect) for at in range(len(name) + 1))
        if not name:
            return False
        if dialect.has_sets and pattern[0] == "[" and "]" in pattern[2:]:
            end = pattern.index("]", 2)
            if name[0] == "/" and not dialect.sets_cross_slashes:
                return False
            if not _in_set(pattern[1:end], name[0], dialect.opposite):
                return False
            pattern = pattern[end + 1 :]
        elif pattern[0] == name[0] or (pattern[0] == "?" and dialect.has_question_mark):
            pattern = pattern[1:]
        else:
            return False
        name = name[1:]
    return not name


def _match_repeated(group: str, rest: str, name: str, dialect: Dialect) -> bool:
    """Match a group such as `+(a|b)` and what follows it."""
    least, most = {"+": (1, len(name)), "*": (0, len(name)), "?": (0, 1), "@": (1, 1)}[group[0]]
    ends, reached = {0}, set[int]()
    for count in range(most + 1):
        reached |= ends if count >= least else set()
        ends = {end + len(one) for end in ends for one in group[2:-1].split("|") if one and name.startswith(one, end)}
    return any(_match_characters(rest, name[end:], dialect) for end in reached)


def _in_set(members: str, character: str, opposite: str = "") -> bool:
    if len(members) > 1 and members[0] in opposite:
        return not _in_set(members[1:], character)
    if len(members) > 2 and members[1] == "-":
        return members[0] <= character <= members[2] or _in_set(members[3:], character)
    return bool(members) and (members[0] == character or _in_set(members[1:], character))
