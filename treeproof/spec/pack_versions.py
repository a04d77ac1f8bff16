"""The versions of a specification in one spec.toml: their order, and what holds in one of them.

`[spec]` is the newest version. Each `[[version]]` is an earlier one, the oldest first. `since` and `until` limit tables
of the catalogue, and as tags parts of features, to the versions between them, both included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.files.toml_lines import Place

SINCE, UNTIL = "since", "until"
"""The keys of a catalogue, and with a colon and a version the tags of features."""

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class VersionSpan:
    """From the version `since` to the version `until`, both included. None: from the first, or to the last."""

    since: str | None = None
    until: str | None = None

    def contains(self, version: str, order: Sequence[str]) -> bool:
        """Return whether the version is in the span. Unknown versions do not limit it."""
        starts = order.index(self.since) if self.since in order else 0
        ends = order.index(self.until) if self.until in order else len(order) - 1
        return starts <= order.index(version) <= ends

    def problem(self, order: Sequence[str]) -> tuple[str, str] | None:
        """Return the key with a problem, and what to write instead; None if there is none."""
        for key, version in ((SINCE, self.since), (UNTIL, self.until)):
            if version is not None and version not in order:
                return key, f'no version is called "{version}"; write one of: {", ".join(order)}'
        if self.since is not None and self.until is not None and order.index(self.since) > order.index(self.until):
            return UNTIL, f'"{self.until}" is before "{self.since}", so it holds in no version; write a later one'
        return None


def tag_spans(tags: Iterable[str]) -> list[VersionSpan]:
    """Return a span for each tag `since:…` and `until:…`. A scenario holds in the versions that all contain."""
    parts = (tag.partition(":") for tag in tags)
    return [VersionSpan(**{key: version}) for key, colon, version in parts if colon and key in (SINCE, UNTIL)]


def numbered(tables: Table, heading: str) -> Iterator[tuple[int, Table]]:
    """Yield the number, from 0, and the values of each table with this heading, also in a file with wrong types."""
    found = tables.get(heading)
    for number, values in enumerate(found if isinstance(found, list) else ()):
        if isinstance(values, dict):
            yield number, values


def version_order(tables: Table) -> tuple[str, ...]:
    """Return all versions of a file, oldest first. A version that is no text is left out."""
    spec = tables.get("spec")
    newest = spec.get("version") if isinstance(spec, dict) else None
    found = (*(values.get("version") for _, values in numbered(tables, "version")), newest)
    return tuple(one for one in found if isinstance(one, str))


def spec_values(tables: Table, version: str) -> Table:
    """Return the table [spec] with what a version replaces.

    A version with a reference of its own has not the mutants and variants of another one, which change that reference.
    """
    spec: Table = tables["spec"]
    own = next((one for one in tables.get("version", ()) if one["version"] == version), None)
    if own is None or spec["version"] == version:
        return spec
    changed = ("mutants", "variants") if "reference" in own else ()
    inherited = {key: value for key, value in spec.items() if key not in changed}
    return {**inherited, **own, "schemas": {**spec.get("schemas", {}), **own.get("schemas", {})}}


def holds(values: Table, version: str, order: Sequence[str]) -> bool:
    """Return whether a table holds in a version."""
    return version not in order or _span_of(values).contains(version, order)


def ids_of_other_versions(tables: Table, version: str, order: Sequence[str]) -> frozenset[str]:
    """Return the ids of requirements and interpretations that hold in other versions only."""
    items = [*tables["requirement"], *tables.get("interpretation", ())]
    return frozenset(one["id"] for one in items) - {one["id"] for one in items if holds(one, version, order)}


def version_problems(tables: Table, order: Sequence[str]) -> Iterator[tuple[Place, str]]:
    """Yield the problems of versions that occur twice, and of `since` and `until` in all tables."""
    for number, values in numbered(tables, "version"):
        if values.get("version") in order[number + 1 :]:
            fix = "write each once, the newest in [spec] and not here"
            yield ("version", number, "version"), f"this version occurs twice; {fix}"
    for heading in ("tool", "requirement", "interpretation"):
        for number, values in numbered(tables, heading):
            place: Place = (heading, number)
            readings = [((*place, "reading", at), reading) for at, reading in numbered(values, "reading")]
            for where, table in ((place, values), *readings):
                if (problem := _span_of(table).problem(order)) is not None:
                    yield (*where, problem[0]), f"{problem[0]}: {problem[1]}"


def _span_of(values: Table) -> VersionSpan:
    """Return the span of a table. Values that are no texts do not limit it."""
    return VersionSpan(**{key: values[key] for key in (SINCE, UNTIL) if isinstance(values.get(key), str)})
