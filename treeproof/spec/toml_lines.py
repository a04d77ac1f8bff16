"""The lines of tables and keys in a TOML file. Python's parser does not return them, and only an error needs them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_HEADING = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"""\s*(["']?)([\w.-]+)\1\s*=""")
_QUOTES = ('"""', "'''")
ROOT = ""


@dataclass
class _Table:
    name: str
    line: int
    keys: dict[str, int] = field(default_factory=dict)


class TomlLines:
    """The places of a TOML text. Lines count from 1."""

    def __init__(self, text: str) -> None:
        self._tables = [_Table(ROOT, 1)]
        self._lines = text.splitlines()
        open_quotes = ""
        for number, line in enumerate(self._lines, 1):
            if open_quotes:
                open_quotes = "" if line.count(open_quotes) % 2 else open_quotes
                continue
            if heading := _HEADING.fullmatch(line):
                name = ".".join(part.strip(" \"'") for part in heading[1].split("."))
                self._tables.append(_Table(name, number))
            elif key := _KEY.match(line):
                self._tables[-1].keys.setdefault(key[2], number)
            open_quotes = next((quotes for quotes in _QUOTES if line.count(quotes) % 2), "")

    def line_of(self, name: str, numbers: Sequence[int] = (), key: str | None = None) -> int:
        """Return the line of a key, or else of its table.

        ``numbers`` count the tables of a list from 1: ``("interpretation.reading", (2, 1))`` is the first reading of
        the second interpretation. A table that is written inline has the line of the table around it.
        """
        found = self._find(name, numbers)
        while found is None and "." in name:
            name, _, key = name.rpartition(".")
            numbers = numbers[: name.count(".") + 1]
            found = self._find(name, numbers)
        if found is None:
            found, key = self._tables[0], key or name
        if key is not None and key in found.keys:
            return found.keys[key]
        path = key if name == ROOT else f"{name}.{key}"
        return next((table.line for table in self._tables if key is not None and table.name == path), found.line)

    def line_containing(self, text: str) -> int:
        """Return the first line that contains a text, or 0."""
        return next((number for number, line in enumerate(self._lines, 1) if text in line), 0)

    def _find(self, name: str, numbers: Sequence[int]) -> _Table | None:
        parts = name.split(".") if name else []
        start = 0
        for depth in range(1, len(parts) + 1):
            wanted = ".".join(parts[:depth])
            places = [at for at, table in enumerate(self._tables) if at >= start and table.name == wanted]
            number = numbers[depth - 1] if depth <= len(numbers) else 1
            if len(places) < number:
                if depth == len(parts):
                    return None
                continue  # a table such as [spec.schemas] needs no [spec] before it
            start = places[number - 1]
        return self._tables[start]
