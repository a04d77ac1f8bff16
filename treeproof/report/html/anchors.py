"""Unique HTML ids on a page, even if two specifications share an id."""

from __future__ import annotations


class Anchors:
    """Assigns HTML ids: the id itself at first, with a numeric suffix for duplicates."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._by_place: dict[tuple[str, str], str] = {}

    def assign(self, spec: str, id: str) -> str:
        """Return the HTML id of ``id`` in ``spec``, the same one for each call."""
        if (spec, id) not in self._by_place:
            name, number = id, 1
            while name in self._used:
                number += 1
                name = f"{id}.{number}"
            self._used.add(name)
            self._by_place[spec, id] = name
        return self._by_place[spec, id]

    def find(self, spec: str, id: str) -> str | None:
        """Return the HTML id, or None if nothing on the page has it."""
        return self._by_place.get((spec, id))
