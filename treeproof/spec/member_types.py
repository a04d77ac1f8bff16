"""The types of the members of mutants and variants: an author's class can hold anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from treeproof.errors import UsageError, abbreviated_json

MemberKind = Literal["text", "texts", "readings", "reasons"]

_EXPECTED: Mapping[MemberKind, str] = {
    "text": "a text",
    "texts": 'a tuple such as ("PETS-OUT-01",)',
    "readings": 'a mapping such as {"AMB-PETS-01": "label"}',
    "reasons": 'a mapping of requirements to reasons, such as {"PETS-OUT-01": "why"}',
}


def wrong_members(registered: Mapping[str, object], members: Mapping[str, MemberKind]) -> Iterator[tuple[str, str]]:
    """Yield the key and a message for each member of another type: what it is, and what to write."""
    for key, one in registered.items():
        if not isinstance(key, str):
            yield str(key), "its key is no text; write its id"
        for name, kind in members.items():
            value = getattr(one, name)
            if kind == "texts" and isinstance(value, str):
                yield str(key), f'{name} is a text; write a tuple such as ("{value}",)'
            elif not _has_kind(value, kind):
                yield str(key), f"{name} is {_shown(value)}; write {_EXPECTED[kind]}"


def require_members(registered: Mapping[str, object], members: Mapping[str, MemberKind], place: str) -> None:
    """Raise UsageError for the first member of another type."""
    for key, message in wrong_members(registered, members):
        raise UsageError(f"{place}: {key}: {message}")


def _has_kind(value: object, kind: MemberKind) -> bool:
    if kind == "text":
        return isinstance(value, str)
    if kind == "texts":
        return isinstance(value, (tuple, list)) and all(isinstance(one, str) for one in value)
    return isinstance(value, Mapping) and all(isinstance(one, str) for item in value.items() for one in item)


def _shown(value: object) -> str:
    return "missing" if value is None else abbreviated_json(value)
