"""The items of a catalogue, each created from its table, which has the types of `spec-toml.schema.json`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeproof.spec.catalogue import Interpretation, Pack, Reading, Requirement, RetiredId, SettledTopic, Tool
from treeproof.spec.version_span import SINCE, UNTIL

Table = Mapping[str, Any]


def _members(table: Table) -> dict[str, Any]:
    """Return the values of a table for a class with members of the same names; lists become tuples."""
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in table.items()
        if key not in (SINCE, UNTIL)
    }


def tool_item(table: Table) -> Tool:
    return Tool(**{"default_arguments": {}, "config_table": table["name"], **_members(table)})


def requirement_item(table: Table) -> Requirement:
    return Requirement(**{"verified_by": (), **_members(table)})


def interpretation_item(table: Table, readings: tuple[Reading, ...], affects: tuple[str, ...]) -> Interpretation:
    members = {key: value for key, value in _members(table).items() if key != "reading"}
    return Interpretation(**{"recommended": None, **members, "readings": readings, "affects": affects})


def reading_item(table: Table) -> Reading:
    return Reading(**_members(table))


def settled_item(table: Table) -> SettledTopic:
    return SettledTopic(**_members(table))


def retired_item(table: Table) -> RetiredId:
    return RetiredId(**_members(table))


def pack_item(folder: Path, spec: Table, **parts: Any) -> Pack:
    """Return the pack of the table [spec]; `parts` are the members that the other tables make."""
    members = {key: value for key, value in _members(spec).items() if key != "requires"}
    for key in ("schemas", "simulated", "context"):
        members[key] = MappingProxyType(dict(spec.get(key, {})))
    schemas = {name: folder / file for name, file in members["schemas"].items() if os.path.isfile(folder / file)}
    members["schemas"] = MappingProxyType(schemas)
    return Pack(**{"reference": None, "oracle": None, "mutants": None, **members, "folder": folder, **parts})
