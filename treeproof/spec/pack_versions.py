"""The versions of a specification in one spec.toml: their order, and what of the file holds in one of them.

`[spec]` is the newest version. Each `[[version]]` is an earlier one, the oldest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.files.toml_lines import Place
from treeproof.spec.version_span import VersionSpan

_SPANNED = ("tool", "requirement", "interpretation")
"""The headings of tables that can hold in some versions only."""


def version_order(tables: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all versions of a file, oldest first. A version that is no text is left out."""
    earlier = (values.get("version") for _, values in numbered(tables, "version"))
    spec = tables.get("spec")
    newest = spec.get("version") if isinstance(spec, dict) else None
    return tuple(one for one in (*earlier, newest) if isinstance(one, str))


def spec_values(tables: Mapping[str, Any], version: str) -> Mapping[str, Any]:
    """Return the table [spec] with what a version replaces.

    A version with a reference of its own has not the mutants and variants of another one, which change that reference.
    """
    spec: Mapping[str, Any] = tables["spec"]
    own = next((one for one in tables.get("version", ()) if one["version"] == version), None)
    if own is None or spec["version"] == version:
        return spec
    inherited = dict(spec)
    if "reference" in own:
        for key in ("mutants", "variants"):
            inherited.pop(key, None)
    return {**inherited, **own, "schemas": {**inherited.get("schemas", {}), **own.get("schemas", {})}}


def holds(values: Mapping[str, Any], version: str, order: Sequence[str]) -> bool:
    """Return whether a table holds in a version."""
    return version not in order or VersionSpan.of_table(values).contains(version, order)


def ids_of_other_versions(tables: Mapping[str, Any], version: str, order: Sequence[str]) -> frozenset[str]:
    """Return the ids of requirements and interpretations that hold in other versions only."""
    here: set[str] = set()
    elsewhere: set[str] = set()
    for values in (*tables["requirement"], *tables.get("interpretation", ())):
        (here if holds(values, version, order) else elsewhere).add(values["id"])
    return frozenset(elsewhere - here)


def version_problems(tables: Mapping[str, Any], order: Sequence[str]) -> Iterator[tuple[Place, str]]:
    """Yield the problems of versions that occur twice, and of `since` and `until` in all tables."""
    for number, values in numbered(tables, "version"):
        if values.get("version") in order[number + 1 :]:
            yield (
                ("version", number, "version"),
                "this version occurs twice; write each once, the newest in [spec] and not here",
            )
    for heading in _SPANNED:
        for number, values in numbered(tables, heading):
            yield from _span_problem(values, (heading, number), order)
            for reading_number, reading in numbered(values, "reading"):
                yield from _span_problem(reading, (heading, number, "reading", reading_number), order)


def _span_problem(values: Mapping[str, Any], place: Place, order: Sequence[str]) -> Iterator[tuple[Place, str]]:
    problem = VersionSpan.of_table(values).problem(order)
    if problem is not None:
        yield (*place, problem[0]), f"{problem[0]}: {problem[1]}"


def numbered(tables: Mapping[str, Any], heading: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the number, from 0, and the values of each table with this heading, also in a file with wrong types."""
    found = tables.get(heading)
    for number, values in enumerate(found if isinstance(found, list) else ()):
        if isinstance(values, dict):
            yield number, values
