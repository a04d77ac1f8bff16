"""Frozen dataclasses that are JSON objects: the members are the fields, read and written by their type hints."""

from __future__ import annotations

import datetime
import enum
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, Field, field, fields
from functools import cache
from typing import Any, Self, Union, cast, get_args, get_origin, get_type_hints

_ABSENT, _INTERNAL = "absent", "internal"


def absent(default: Any = None) -> Any:
    """Return a field that JSON lacks while it has this value."""
    return field(default=default, metadata={_ABSENT: True})


def internal(default: Any) -> Any:
    """Return a field that is no member of the JSON."""
    return field(default=default, metadata={_INTERNAL: True})


class JsonObject:
    """A base for frozen dataclasses. A member that JSON lacks has the default of its field; others are ignored."""

    def to_json(self) -> dict[str, Any]:
        """Return the object as JSON, in the order of its fields."""
        values = ((name, getattr(self, name), is_absent) for name, is_absent in _members(cast(Hashable, type(self))))
        return {name: _plain(value) for name, value, is_absent in values if not is_absent(value)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the object of :meth:`to_json`."""
        members, readers = dict(_defaults(cast(Hashable, cls))), _readers(cast(Hashable, cls))
        for name, value in data.items():
            if name in readers:
                reader = readers[name]
                members[name] = value if reader is None else reader(value)
        made = cls.__new__(cls)
        vars(made).update(members)  # a frozen class sets each field by a call, and a document has 100,000 of them
        return made


def _fields(kind: Any) -> list[Field[Any]]:
    return [one for one in fields(kind) if _INTERNAL not in one.metadata]


@cache
def _members(kind: Any) -> list[tuple[str, Callable[[Any], bool]]]:
    def is_absent(default: Any) -> Callable[[Any], bool]:
        return lambda value: bool(value == default)

    return [(one.name, is_absent(one.default) if _ABSENT in one.metadata else lambda _: False) for one in _fields(kind)]


def _plain(value: Any) -> Any:
    if isinstance(value, JsonObject):
        return value.to_json()
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value) if isinstance(value, enum.Enum) else value


@cache
def _defaults(kind: Any) -> Mapping[str, Any]:
    """Return the defaults of fields."""
    every = fields(kind)
    found = {one.name: one.default for one in every if one.default is not MISSING}
    return {**found, **{one.name: one.default_factory() for one in every if one.default_factory is not MISSING}}


@cache
def _readers(kind: Any) -> Mapping[str, Callable[[Any], Any] | None]:
    hints = get_type_hints(kind)
    return {one.name: _reader(hints[one.name]) for one in _fields(kind)}


def _reader(hint: Any) -> Callable[[Any], Any] | None:
    """Return the function from JSON to a value of a field; None: the value stays as it is."""
    if get_origin(hint) in (Union, types.UnionType):
        of_value = _reader(get_args(hint)[0])
        return None if of_value is None else lambda value: None if value is None else of_value(value)
    if get_origin(hint) is tuple:
        inner = _reader(get_args(hint)[0])
        return tuple if inner is None else lambda values: tuple(map(inner, values))
    if hint is datetime.date:
        return datetime.date.fromisoformat
    if isinstance(hint, type) and issubclass(hint, JsonObject):
        return hint.from_json
    return hint if isinstance(hint, type) and issubclass(hint, enum.Enum) else None
