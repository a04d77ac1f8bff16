"""The table of inputs of a pack, `inputs.toml`: dimensions with values, the labels of a call, and the pairs that exist.

Contains no run and no candidate. A call gets its labels from its tree and its arguments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

from treeproof.errors import suggest
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import TomlFile
from treeproof.model.case import Case
from treeproof.model.case_facts import (
    EARLIER,
    ENTRY_KINDS,
    NAME_TWINS,
    ROOTS,
    TARGETS,
    WAYS,
    EntryFacts,
    Surroundings,
    describe_target,
    entries_below,
    levels_below,
    member_at,
    roots_of,
    target_of,
    ways_of,
)
from treeproof.spec import Pack

SCHEMA = JsonSchema(Path(__file__).with_name("inputs-toml.schema.json"))

Pair: TypeAlias = "tuple[int, int]"
"""The numbers of two values of different dimensions, the smaller one first."""

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "entry kind": ENTRY_KINDS,
    "entry twin": NAME_TWINS,
    "roots": ROOTS,
    "earlier": EARLIER,
    "target": TARGETS,
    "way": WAYS,
}
"""The values that treeproof recognises itself, by the kind of fact."""
_MAX_CACHED = 20_000


@dataclass(frozen=True)
class Value:
    """A value of a dimension. `number` is its place among the values of all dimensions."""

    number: int
    dimension: str
    name: str
    schema: JsonSchema | None
    is_absent: bool
    text: str | None
    has_write: bool
    write: Any
    tree: str
    outside: str
    far: str
    context: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.dimension}: {self.name}"

    @property
    def can_be_generated(self) -> bool:
        return self.text is not None or self.has_write or self.is_absent


@dataclass(frozen=True)
class Dimension:
    """Something that can differ between two calls; `of` names the fact that its values classify."""

    name: str
    of: str
    only_direct: bool
    values: tuple[Value, ...]
    _cache: dict[str, frozenset[int]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_of_entries(self) -> bool:
        """Whether each entry below the target has a value of its own."""
        return self.of.startswith("entry ") and self.of != "entry count"

    def matching(self, fact: Any) -> frozenset[int]:
        """Return the numbers of the values that a fact has."""
        key = json.dumps(fact, sort_keys=True, default=repr)
        found = self._cache.get(key)
        if found is None:
            found = frozenset(
                value.number for value in self.values if value.schema is not None and value.schema.accepts(fact)
            )
            if len(self._cache) < _MAX_CACHED:
                self._cache[key] = found
        return found

    def absent(self) -> frozenset[int]:
        """Return the numbers of the values for what is not there."""
        return frozenset(value.number for value in self.values if value.is_absent)


@dataclass(frozen=True)
class Labels:
    """The values of one call: those of the call itself, and those of each entry below its target."""

    call: frozenset[int]
    entries: frozenset[frozenset[int]]

    def values(self) -> frozenset[int]:
        """Return all values."""
        return self.call.union(*self.entries)

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs of values. Two values of entries are a pair if one entry has both."""
        for group in (self.call, *(self.call | entry for entry in self.entries)):
            yield from combinations(sorted(group), 2)


class InputTable:
    """The table of a pack. Raises FileError for the first mistake in it."""

    file_name = "inputs.toml"

    def __init__(self, pack: Pack) -> None:
        self.path = pack.folder / self.file_name
        file = TomlFile(self.path, SCHEMA, "the table of inputs of a specification")
        file.check()
        self._file = file
        self.scenario: Mapping[str, Any] = file.tables.get("scenario", {})
        self.dimensions: tuple[Dimension, ...] = tuple(self._read_dimensions())
        self.values: tuple[Value, ...] = tuple(value for one in self.dimensions for value in one.values)
        self._needs_entries = [one for one in self.dimensions if one.is_of_entries]
        self._check_scenario()
        self._hidden: dict[int, set[int]] = {}
        """The values of a call that another one of its values hides, by that one."""
        self.impossible_pairs = self._read_impossible()
        """The pairs that no call can have, or that none shows."""

    def _read_dimensions(self) -> Iterator[Dimension]:
        number, seen = 0, set[str]()
        for at, table in enumerate(self._file.tables["dimension"]):
            if table["name"] in seen:
                raise self._file.error(("dimension", at, "name"), "another dimension has this name; choose a new one")
            seen.add(table["name"])
            values = []
            for one in self._values_of(at, table):
                values.append(_read_value(number, table["name"], one))
                number += 1
            yield Dimension(table["name"], table["of"], table.get("only_direct", False), tuple(values))

    def _values_of(self, at: int, table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the values of a dimension by their names, with those of the file that it names first."""
        kind = table["of"].partition(" of ")[0]
        found: dict[str, Mapping[str, Any]] = self._shared_values(at, table, kind) if "like" in table else {}
        known, own = _KNOWN.get(kind), set[str]()
        for place, one in enumerate(table.get("values", ())):
            where = ("dimension", at, "values", place, "name")
            if one["name"] in own:
                raise self._file.error(where, f"another value is named {one['name']!r}; choose a new name")
            if known is not None and "is" not in one and one["name"] not in known:
                raise self._file.error(where, f"{one['name']!r} is unknown here; {suggest(one['name'], known)}")
            own.add(one["name"])
            found[one["name"]] = {**found.get(one["name"], {}), **one}
        for name in table.get("without", ()):
            if name not in found:
                raise self._file.error(("dimension", at, "without"), f"{name!r} is no value; {suggest(name, found)}")
            del found[name]
        if not found:
            raise self._file.error(("dimension", at, "values"), "there are no values; write some")
        return list(found.values())

    def _shared_values(self, at: int, table: Mapping[str, Any], kind: str) -> dict[str, Mapping[str, Any]]:
        file = TomlFile(self.path.parent / table["like"], SCHEMA, "a table of inputs that several specifications share")
        file.check()
        for one in file.tables["dimension"]:
            if one["of"].partition(" of ")[0] == kind:
                return {value["name"]: value for value in one["values"]}
        raise self._file.error(
            ("dimension", at, "like"), f"{table['like']} has no dimension of {kind!r}; name another file"
        )

    def _check_scenario(self) -> None:
        names = {str(value) for value in self.values}
        steps = enumerate(self.scenario.get("steps", ()))
        given = [(("scenario", "steps", at, "for"), one["for"]) for at, one in steps if not isinstance(one, str)]
        for place, name in (*given, *((("scenario", "prefer"), one) for one in self.scenario.get("prefer", ()))):
            if name not in names:
                raise self._file.error(place, f"{name!r} is no value; {suggest(name, names)}")

    def _read_impossible(self) -> frozenset[Pair]:
        found = set[Pair]()
        for at, table in enumerate(self._file.tables.get("impossible", ())):
            ones, others = (list(self._named(("impossible", at, key), table[key])) for key in ("of", "with"))
            found |= {(min(one, other), max(one, other)) for one in ones for other in others}
            for one in ones:
                self._hidden.setdefault(one, set()).update(others)
        return frozenset(found)

    def _named(self, place: tuple[str | int, ...], names: Iterable[str]) -> Iterator[int]:
        known = {one.name: [value.number for value in one.values] for one in self.dimensions}
        known |= {str(value): [value.number] for value in self.values}
        for name in names:
            if name not in known:
                raise self._file.error(place, f"{name!r} is no value and no dimension; {suggest(name, known)}")
            yield from known[name]

    def possible_pairs(self) -> set[Pair]:
        """Return all pairs of values of different dimensions that can exist."""
        found: set[Pair] = set()
        for one, other in combinations(self.dimensions, 2):
            found |= {(a.number, b.number) for a in one.values for b in other.values}
        return found - self.impossible_pairs

    def is_possible(self, one: Value, other: Value) -> bool:
        """Return whether a call can have both values."""
        return (min(one.number, other.number), max(one.number, other.number)) not in self.impossible_pairs

    def labels(self, case: Case, earlier: str, model_labels: Iterable[str] = ()) -> Labels:
        """Return the labels of a call. `earlier` is one of EARLIER, `model_labels` are those of the pack's model."""
        surroundings = Surroundings(case)
        arguments = case.arguments if isinstance(case.arguments, Mapping) else {}
        call = set[int]()
        for dimension in self.dimensions:
            if not dimension.is_of_entries:
                for is_there, fact in self._facts(dimension, case, arguments, surroundings, earlier, model_labels):
                    call |= dimension.matching(fact) if is_there else dimension.absent()
        # Where a value of the call and one of an entry exclude each other, the answer shows nothing of that entry.
        entries = (
            entry
            for entry in self._entry_labels(case, arguments, surroundings)
            if not any((min(a, b), max(a, b)) in self.impossible_pairs for a in call for b in entry)
        )
        shown = call.difference(*(self._hidden.get(one, ()) for one in call))
        return Labels(frozenset(shown), frozenset(entries))

    def _facts(
        self,
        dimension: Dimension,
        case: Case,
        arguments: Mapping[str, Any],
        surroundings: Surroundings,
        earlier: str,
        model_labels: Iterable[str],
    ) -> Iterator[tuple[bool, Any]]:
        match dimension.of.split():
            case ["tool"]:
                yield True, case.tool
            case ["roots"]:
                yield from ((True, one) for one in roots_of(case, surroundings))
            case ["earlier"]:
                yield True, earlier
            case ["label"]:
                yield from ((True, one) for one in model_labels)
            case ["target", "of", name]:
                yield True, describe_target(target_of(case, arguments.get(name), surroundings))
            case ["way", "of", name]:
                found = target_of(case, arguments.get(name), surroundings)
                for way in ways_of(arguments.get(name), name in arguments, found):
                    yield way != "omitted", way
            case ["entry", "count"] | ["levels"]:
                found = target_of(case, self._path_of(arguments), surroundings)
                node = None if found is None else found.node
                if node is not None:
                    yield True, levels_below(found) if dimension.of == "levels" else len(node.children)
            case _:
                place, _, path = dimension.of.partition(".")
                yield member_at(arguments if place == "arguments" else case.context, path)

    def _path_of(self, arguments: Mapping[str, Any]) -> Any:
        """Return the path argument whose target has the entries: the first one with a dimension of targets."""
        of = next((one.of for one in self.dimensions if one.of.startswith("target of ")), "target of path")
        return arguments.get(of.removeprefix("target of "))

    def _entry_labels(
        self, case: Case, arguments: Mapping[str, Any], surroundings: Surroundings
    ) -> Iterator[frozenset[int]]:
        if not self._needs_entries:
            return
        deep = not all(one.only_direct for one in self._needs_entries)
        found = target_of(case, self._path_of(arguments), surroundings)
        for entry in entries_below(found, surroundings, deep=deep):
            yield frozenset(
                number
                for one in self._needs_entries
                if not one.only_direct or entry.level == 1
                for fact in _facts_of_entry(one.of, entry)
                for number in one.matching(fact)
            )


def _facts_of_entry(of: str, entry: EntryFacts) -> Iterator[Any]:
    match of.split()[1]:
        case "kind":
            yield from entry.kinds
        case "name":
            yield entry.name
        case "twin":
            yield from entry.twins
        case "size" if entry.size is not None:
            yield entry.size
        case "time":
            yield entry.time
        case "mode" if entry.mode is not None:
            yield entry.mode
        case "level":
            yield entry.level


def _read_value(number: int, dimension: str, table: Mapping[str, Any]) -> Value:
    is_null = table.get("is") == {"type": "null"}  # TOML has no null
    is_absent, has_write = table.get("absent", False), "write" in table or is_null
    schema = table.get("is", {"const": table.get("write", table["name"])})
    return Value(
        number,
        dimension,
        table["name"],
        None if is_absent else JsonSchema(schema),
        is_absent,
        table.get("text"),
        has_write,
        table.get("write"),
        table.get("tree", ""),
        table.get("outside", ""),
        table.get("far", ""),
        table.get("context", {}),
    )
