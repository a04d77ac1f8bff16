"""The top-level sections of a document: the rows of the map of a page. Contains no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from treeproof.report.digest import section_sort_key

T = TypeVar("T")

_NUMBER = re.compile(r"(\d+)(?:\.\d+)*")
_TRAILING_NUMBERS = re.compile(r"(?: \d+(?:\.\d+)*,?)+$")
_SEPARATOR = re.compile(r"; |;")


@dataclass(frozen=True)
class TopSection:
    """A top-level section: its key, its title, and the sections of the document below it."""

    title: str
    below: Sequence[str]


def top_level(section: str) -> str:
    """Return the key of the top-level section of the first section that ``section`` names.

    It is the first number of ``3.2 context; 4 States``, and ``Behaviour`` of ``Behaviour 4, 5``.
    """
    first = _SEPARATOR.split(section, maxsplit=1)[0].strip()
    number = _NUMBER.match(first)
    return number[1] if number else _TRAILING_NUMBERS.sub("", first)


def top_sections(sections: Iterable[str]) -> Mapping[str, TopSection]:
    """Return the top-level sections of ``sections`` by their keys, in the order of the document."""
    named: dict[str, list[str]] = {}
    for section in sections:
        below = named.setdefault(top_level(section), [])
        for part in (part.strip() for part in _SEPARATOR.split(section)):
            if top_level(part) == top_level(section) and part not in below:
                below.append(part)
    ordered = sorted(named.items(), key=lambda item: section_sort_key(item[0]))
    return {key: _top_section(key, sorted(below, key=section_sort_key)) for key, below in ordered}


def _top_section(key: str, below: Sequence[str]) -> TopSection:
    if not key.isdigit():
        return TopSection(key, [part for part in below if part != key])
    title = next((part for part in below if part.partition(" ")[0] == key and part != key), f"Section {key}")
    return TopSection(title, [part for part in below if part != title])
