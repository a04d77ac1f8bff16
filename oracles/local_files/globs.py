"""The matching of globs: first alternatives are expanded, then components are matched, then their characters."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def matches_glob(glob: str, path: str, least: int = 0, has_braces: bool = True) -> bool:
    """Return whether one of the glob's alternatives matches the whole path; `**/` is at least this number of levels.

    Without `has_braces` these are plain characters.
    """
    alternatives = _expand_braces(glob) if has_braces else [glob]
    return any(_match_levels(alternative.split("/"), path.split("/"), least) for alternative in alternatives)


def is_malformed(glob: str) -> bool:
    """Return whether a set or braces do not close."""
    rest = glob
    while "[" in rest:
        end = rest.find("]", rest.index("[") + 2)
        if end < 0:
            return True
        rest = rest[end + 1 :]
    return glob.count("{") > glob.count("}")


def _expand_braces(glob: str) -> list[str]:
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
            return [expanded for choice in choices for expanded in _expand_braces(glob[:opening] + choice + rest)]
    return [glob]


def _match_levels(pattern: list[str], levels: list[str], least: int) -> bool:
    if not pattern:
        return not levels
    if pattern[0] == "**":
        if len(pattern) == 1:
            return bool(levels)
        return any(_match_levels(pattern[1:], levels[skipped:], least) for skipped in range(least, len(levels)))
    return bool(levels) and _match_characters(pattern[0], levels[0]) and _match_levels(pattern[1:], levels[1:], least)


def _match_characters(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(_match_characters(pattern[1:], name[skipped:]) for skipped in range(len(name) + 1))
    if not name:
        return False
    if pattern[0] == "[" and "]" in pattern[2:]:
        end = pattern.index("]", 2)
        return _in_set(pattern[1:end], name[0]) and _match_characters(pattern[end + 1 :], name[1:])
    return pattern[0] in ("?", name[0]) and _match_characters(pattern[1:], name[1:])


def _in_set(members: str, character: str) -> bool:
    if members.startswith("!"):
        return not _in_set(members[1:], character)
    if len(members) > 2 and members[1] == "-":
        return members[0] <= character <= members[2] or _in_set(members[3:], character)
    return bool(members) and (members[0] == character or _in_set(members[1:], character))
