"""The versions of a specification in one spec.toml: their order, and what of the file holds in one of them.

`[spec]` is the newest version. Each `[[version]]` is an earlier one, the oldest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.spec.pack_keys import VERSION_KEYS
from treeproof.spec.toml_table import TableError, TablePlace, TableProblem, TomlTable
from treeproof.spec.version_span import VersionSpan

SPANNED = ("tool", "requirement", "interpretation")
"""The headings of tables that can hold in some versions only."""
_READING = "interpretation.reading"


def version_order(tables: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all versions of a file, oldest first. A version that is no text is left out."""
    earlier = (values.get("version") for _, values in _numbered(tables, "version"))
    spec = tables.get("spec")
    newest = spec.get("version") if isinstance(spec, dict) else None
    return tuple(one for one in (*earlier, newest) if isinstance(one, str))


def spec_values(tables: Mapping[str, Any], version: str) -> Mapping[str, Any]:
    """Return the table [spec] with what a version replaces.

    A version with a reference of its own has not the mutants and variants of another one, which change that reference.
    """
    spec: Mapping[str, Any] = tables["spec"]
    own = next((one for _, one in _numbered(tables, "version") if one.get("version") == version), None)
    if own is None or spec.get("version") == version:
        return spec
    inherited = dict(spec)
    if "reference" in own:
        for key in ("mutants", "variants"):
            inherited.pop(key, None)
    if isinstance(own.get("schemas"), dict) and isinstance(inherited.get("schemas"), dict):
        own = {**own, "schemas": {**inherited["schemas"], **own["schemas"]}}
    return {**inherited, **{key: value for key, value in own.items() if key in VERSION_KEYS}}


def holds(values: Mapping[str, Any], version: str, order: Sequence[str]) -> bool:
    """Return whether a table holds in a version."""
    return version not in order or VersionSpan.of_table(values).contains(version, order)


def ids_of_other_versions(tables: Mapping[str, Any], version: str, order: Sequence[str]) -> frozenset[str]:
    """Return the ids of requirements and interpretations that hold in other versions only."""
    here: set[str] = set()
    elsewhere: set[str] = set()
    for heading in ("requirement", "interpretation"):
        for _, values in _numbered(tables, heading):
            id = values.get("id")
            if isinstance(id, str):
                (here if holds(values, version, order) else elsewhere).add(id)
    return frozenset(elsewhere - here)


def version_problems(tables: Mapping[str, Any], order: Sequence[str]) -> Iterator[TableProblem]:
    """Yield the problems of [[version]], and of `since` and `until` in all tables."""
    for number, values in _numbered(tables, "version"):
        place = TablePlace("version", (number,))
        name = values.get("version")
        where = f"[[version]] {name if isinstance(name, str) and name else f'number {number}'}"
        try:
            TomlTable(where, values, VERSION_KEYS, place)
        except TableError as error:
            yield from error.problems
        if isinstance(name, str) and order.count(name) > 1 and name in order[number:]:
            message = f"{where}: this version occurs twice; write each once, the newest in [spec] and not here"
            yield TableProblem(place, "version", message)
    for heading in SPANNED:
        for number, values in _numbered(tables, heading):
            name = values.get("name" if heading == "tool" else "id", f"number {number}")
            yield from _span_problems(f"[[{heading}]] {name}", values, TablePlace(heading, (number,)), order)
            for reading_number, reading in _numbered(values, "reading"):
                where = f"[[interpretation.reading]] of {name}, {reading.get('label')}"
                yield from _span_problems(where, reading, TablePlace(_READING, (number, reading_number)), order)


def _span_problems(
    where: str, values: Mapping[str, Any], place: TablePlace, order: Sequence[str]
) -> Iterator[TableProblem]:
    problem = VersionSpan.of_table(values).problem(order)
    if problem is not None:
        yield TableProblem(place, problem[0], f"{where}: {problem[0]}: {problem[1]}")


def _numbered(tables: Mapping[str, Any], heading: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    found = tables.get(heading)
    for number, values in enumerate(found if isinstance(found, list) else (), 1):
        if isinstance(values, dict):
            yield number, values
