"""Globs: alternatives are expanded first, then components are matched, then characters."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def matches_glob(glob: str, path: str) -> bool:
    """Return whether one of the glob's alternatives matches the whole path."""
    return any(_match_levels(one.split("/"), path.split("/")) for one in _expand_braces(glob))


def _expand_braces(glob: str) -> list[str]:
    """Return the globs without braces that a glob with braces stands for."""
    opening = glob.find("{")
    if opening < 0:
        return [glob]
    depth, starts, choices = 0, opening + 1, []
    for at in range(opening, len(glob)):
        depth += {"{": 1, "}": -1}.get(glob[at], 0)
        if (glob[at] == "," and depth == 1) or depth == 0:
            choices.append(glob[starts:at])
            starts = at + 1
        if depth == 0:
            rest = glob[at + 1 :]
            return [each for one in choices for each in _expand_braces(glob[:opening] + one + rest)]
    return [glob]


def _match_levels(wanted: list[str], levels: list[str]) -> bool:
    if not wanted:
        return not levels
    if wanted[0] == "**":
        if len(wanted) == 1:
            return bool(levels)
        return any(_match_levels(wanted[1:], levels[skipped:]) for skipped in range(len(levels)))
    return bool(levels) and _match_characters(wanted[0], levels[0]) and _match_levels(wanted[1:], levels[1:])


def _match_characters(wanted: str, name: str) -> bool:
    if not wanted:
        return not name
    if wanted[0] == "*":
        return any(_match_characters(wanted[1:], name[skipped:]) for skipped in range(len(name) + 1))
    if not name:
        return False
    if wanted[0] == "[" and "]" in wanted[2:]:
        end = wanted.index("]", 2)
        return _in_set(wanted[1:end], name[0]) and _match_characters(wanted[end + 1 :], name[1:])
    return wanted[0] in ("?", name[0]) and _match_characters(wanted[1:], name[1:])


def _in_set(letters: str, letter: str) -> bool:
    if letters.startswith("!"):
        return not _in_set(letters[1:], letter)
    if len(letters) > 2 and letters[1] == "-":
        return letters[0] <= letter <= letters[2] or _in_set(letters[3:], letter)
    return bool(letters) and (letters[0] == letter or _in_set(letters[1:], letter))
