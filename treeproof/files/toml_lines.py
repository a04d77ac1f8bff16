"""The lines of tables and keys in a TOML text. Python's parser does not return them, and only an error needs them."""

from __future__ import annotations

import re
from itertools import accumulate

_HEADING = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([^\s."']+)""")
_QUOTES = ('"""', "'''")

Place = tuple[str | int, ...]
"""The keys and numbers (from 0) that lead to a value: ``("requirement", 3, "level")``."""


class TomlLines:
    """The places of a TOML text. Lines count from 1."""

    def __init__(self, text: str) -> None:
        self._texts = text.splitlines()
        self._found: dict[Place, int] = {(): 1}
        self._lengths: dict[Place, int] = {}
        table: Place = ()
        open_quotes = ""
        for number, line in enumerate(self._texts, 1):
            if open_quotes:
                open_quotes = "" if line.count(open_quotes) % 2 else open_quotes
                continue
            if heading := _HEADING.fullmatch(line):
                table = self._place_of_heading(_parts(heading[2]), is_item=heading[1] == "[[")
                for end in range(len(table), 0, -1):
                    self._found.setdefault(table[:end], number)
            elif key := _KEY.match(line):
                for place in accumulate(((part,) for part in _parts(key[1])), initial=table):
                    self._found.setdefault(place, number)
            open_quotes = next((quotes for quotes in _QUOTES if line.count(quotes) % 2), "")

    def line_of(self, *place: str | int) -> int:
        """Return the line of a value, or else of the nearest table around it that has one."""
        return next(self._found[place[:end]] for end in range(len(place), -1, -1) if place[:end] in self._found)

    def line_containing(self, text: str) -> int:
        """Return the first line that contains a text, or 0."""
        return next((number for number, line in enumerate(self._texts, 1) if text in line), 0)

    def _place_of_heading(self, parts: list[str], *, is_item: bool) -> Place:
        place: Place = ()
        for part in parts:
            place = (*place, part)
            if is_item and len(parts) == sum(isinstance(one, str) for one in place):
                self._lengths[place] = self._lengths.get(place, 0) + 1
            if place in self._lengths:
                place = (*place, self._lengths[place] - 1)
        return place


def _parts(text: str) -> list[str]:
    return [next(filter(None, part), "") for part in _PART.findall(text)]
