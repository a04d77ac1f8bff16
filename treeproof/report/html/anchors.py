"""Ids of a page: two specifications of a user's own may share some, and an id may be on a page once only."""

from __future__ import annotations


class Anchors:
    """Whoever comes first has his id as it is; a later one gets a number behind it."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._by_place: dict[tuple[str, str], str] = {}

    def assign(self, spec: str, id: str) -> str:
        """Return the id on the page of what has ``id`` in ``spec``; the same one each time."""
        if (spec, id) not in self._by_place:
            name, number = id, 1
            while name in self._used:
                number += 1
                name = f"{id}.{number}"
            self._used.add(name)
            self._by_place[spec, id] = name
        return self._by_place[spec, id]

    def find(self, spec: str, id: str) -> str | None:
        """Return it where something on the page has it."""
        return self._by_place.get((spec, id))
