"""Reads a pack from spec.toml. `pack_keys` contains the format; every deviation from it is a FileError.

Loading a pack imports and runs nothing. Feature files and step definitions are not read here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from treeproof import __version__
from treeproof.errors import FileError, UsageError, load_toml, why_unreadable
from treeproof.spec import parse_cache
from treeproof.spec.catalogue import PACK_FILE, Interpretation, Pack, Requirement, RetiredId, Tool
from treeproof.spec.pack_items import (
    broken_interpretation,
    broken_pack,
    broken_requirement,
    broken_tool,
    interpretation_item,
    reading_item,
    requirement_item,
    schema_files,
    settled_item,
    simulated_entry_points,
    tool_item,
)
from treeproof.spec.pack_keys import (
    FILE_KEYS,
    INTERPRETATION_KEYS,
    REQUIREMENT_KEYS,
    RETIRED_KEYS,
    SETTLED_KEYS,
    SPEC_KEYS,
    TOOL_KEYS,
)
from treeproof.spec.pack_versions import holds, ids_of_other_versions, spec_values, version_order, version_problems
from treeproof.spec.toml_lines import ROOT, TomlLines
from treeproof.spec.toml_table import KeySpec, TableError, TablePlace, TableProblem, TomlTable, suggest

_MAX_CACHED_BYTES = 4 << 20
_SYNTAX_ERROR_LINE = re.compile(r"\(at line (\d+), column \d+\)")

_NOTHING: Mapping[str, Any] = MappingProxyType({})

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class CatalogueProblem:
    """One problem of a spec.toml. `line` counts from 1."""

    line: int
    message: str


def load_pack(folder: Path, version: str | None = None) -> Pack:
    """Return the pack of `folder/spec.toml` in a version (None: the newest).

    Raises FileError with the lines, the table or id, the key and a fix. Raises another UsageError for a version
    that the file does not contain, and for a file that cannot be read.
    """
    pack, problems = read_pack(folder, version)
    if problems or pack is None:
        first, more = problems[0], len(problems) - 1
        rest = f" (and {more} more; 'treeproof lint' prints them)" if more else ""
        raise FileError(folder / PACK_FILE, first.line, f"{first.message}{rest}")
    return pack


def read_pack(folder: Path, version: str | None = None) -> tuple[Pack | None, Sequence[CatalogueProblem]]:
    """Return the pack of `folder/spec.toml` in a version (None: the newest), and all problems of the file, by line.

    With problems the pack is only for the lint of the other files: what is wrong has placeholders, so that its ids are
    known. It is None if the name, the prefix or the steps of the pack are not known, or if it needs another treeproof.
    Raises UsageError for a file that cannot be read, and for a version that it does not contain.
    """
    file = folder / PACK_FILE
    try:
        tables = _read_toml(file)
    except UsageError as error:
        place = _SYNTAX_ERROR_LINE.search(str(error))
        if place is None:
            raise
        return None, [CatalogueProblem(int(place[1]), str(error).removeprefix(f"{file}: "))]
    problem = _problem_of_requires(tables)
    if problem is not None:
        line = TomlLines(file.read_text("utf-8")).line_of("spec", (1,), "requires")
        return None, [CatalogueProblem(line, problem)]
    reader = _Reader(folder, tables, version)
    pack = reader.read()
    if not reader.problems:
        return pack, ()
    lines = TomlLines(file.read_text("utf-8"))
    problems = {
        CatalogueProblem(lines.line_of(one.place.name, one.place.numbers, one.key), one.message)
        for one in reader.problems
    }
    return pack, sorted(problems, key=lambda one: (one.line, one.message))


def _problem_of_requires(tables: Mapping[str, Any]) -> str | None:
    """Return why this treeproof cannot read the file, or None: it may not know the keys of a later one."""
    spec = tables.get("spec")
    required = spec.get("requires") if isinstance(spec, dict) else None
    if not isinstance(required, str):
        return None
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    name, _, versions = required.partition("treeproof")
    try:
        accepted = SpecifierSet(versions)
    except InvalidSpecifier:
        accepted = None
    if name.strip() or accepted is None or not versions.strip():
        return f'[spec]: requires is "{required}"; write versions such as "treeproof>={__version__}"'
    if accepted.contains(__version__, prereleases=True):
        return None
    return (
        f"[spec]: this specification needs {required}, and this is treeproof {__version__}; "
        f"install it: pip install '{required}'"
    )


def _read_toml(file: Path) -> Mapping[str, Any]:
    try:
        is_readable = why_unreadable(file, _MAX_CACHED_BYTES) is None
        digest = parse_cache.digest_of(b"TOML", file.read_bytes()) if is_readable else None
    except FileNotFoundError:
        raise UsageError(f"{file}: not found; a pack is a folder with a file {PACK_FILE}") from None
    except OSError:
        digest = None
    if digest is None:
        return load_toml(file)  # reports the problem
    cached = parse_cache.load(file, digest, ())
    if isinstance(cached, dict):
        return cached
    tables = load_toml(file)
    parse_cache.store(file, digest, tables)
    return tables


class _Reader:
    """Reads all tables of a file and collects their problems."""

    def __init__(self, folder: Path, tables: Mapping[str, Any], version: str | None) -> None:
        self.problems: list[TableProblem] = []
        self._folder = folder
        self._tables = tables
        self._order = version_order(tables)
        if version is not None and version not in self._order:
            known = ", ".join(self._order)
            raise UsageError(f'{folder / PACK_FILE}: there is no version "{version}"; write one of: {known}')
        self._version = version or (self._order[-1] if self._order else "")
        self._other_ids = ids_of_other_versions(tables, self._version, self._order)

    def read(self) -> Pack | None:
        self._attempt(lambda: TomlTable("the file", self._tables, FILE_KEYS, TablePlace(ROOT)))
        self.problems.extend(version_problems(self._tables, self._order))
        tools = self._items("tool", TOOL_KEYS, tool_item, broken_tool, name_key="name")
        requirements = self._items("requirement", REQUIREMENT_KEYS, requirement_item, broken_requirement)
        interpretations = self._items(
            "interpretation", INTERPRETATION_KEYS, self._interpretation, broken_interpretation
        )
        settled = self._items("settled", SETTLED_KEYS, settled_item, name_key="topic")
        retired = self._items("retired", RETIRED_KEYS, lambda table: RetiredId(table.text("id"), table.text("reason")))
        self._check_unique("tool", [tool.name for tool in tools])
        self._check_unique("settled", [one.topic for one in settled])
        self._check_unique_ids()
        self._check_references(requirements, interpretations)
        self._check_capabilities(requirements, tools)
        values = self._tables.get("spec")
        if isinstance(values, dict):
            values = spec_values(self._tables, self._version)
        spec = self._attempt(lambda: TomlTable("[spec]", values or {}, SPEC_KEYS, TablePlace("spec")))
        if spec is None:
            return broken_pack(self._folder, values, tools, requirements, interpretations, retired, self._order)
        self._check_requirements_of_settings(spec, requirements)
        return Pack(
            folder=self._folder,
            name=spec.text("name"),
            version=spec.text("version"),
            title=spec.text("title"),
            source=spec.text("source"),
            sha256=spec.text("sha256"),
            prefix=spec.text("prefix"),
            steps=spec.texts("steps"),
            reference=spec.optional_text("reference"),
            oracle=spec.optional_text("oracle"),
            mutants=spec.optional_text("mutants"),
            schemas=self._attempt(lambda: schema_files(self._folder, spec.table("schemas"))) or _NOTHING,
            tools=tools,
            requirements=requirements,
            interpretations=interpretations,
            retired=retired,
            settled=settled,
            simulated=self._attempt(lambda: simulated_entry_points(spec.table("simulated"))) or _NOTHING,
            context=MappingProxyType(dict(spec.table("context"))),
            state_machine=spec.optional_text("state_machine"),
            volatile_members=spec.texts("volatile_members"),
            determinism=spec.optional_text("determinism"),
            variants=spec.optional_text("variants"),
            operators=spec.optional_text("operators"),
            error_kinds=spec.texts("error_kinds"),
            unchanged=spec.optional_text("unchanged"),
            naming=spec.optional_text("naming"),
            output_form=spec.optional_text("output_form"),
            by_lines=spec.texts("by_lines"),
            versions=self._order,
            ids_of_other_versions=self._other_ids,
        )

    def _attempt(self, create: Callable[[], Item]) -> Item | None:
        """Return the result, or None after the problems that were raised are kept."""
        try:
            return create()
        except TableError as error:
            self.problems.extend(error.problems)
            return None

    def _tables_of(self, heading: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
        tables = self._tables.get(heading)
        for number, values in enumerate(tables if isinstance(tables, list) else (), 1):
            if isinstance(values, dict) and holds(values, self._version, self._order):
                yield number, values

    def _items(
        self,
        heading: str,
        keys: Mapping[str, KeySpec],
        create: Callable[[TomlTable], Item],
        create_broken: Callable[[Mapping[str, Any]], Item | None] = lambda values: None,
        name_key: str = "id",
    ) -> tuple[Item, ...]:
        """Return the items of all tables with this heading. Messages name a table by its id, or else by its number."""
        items: list[Item] = []
        for number, values in self._tables_of(heading):
            name = values.get(name_key)
            title = f"[[{heading}]] {name if isinstance(name, str) and name else f'number {number}'}"
            place = TablePlace(heading, (number,))
            item = self._attempt(partial(_create, create, title, values, keys, place))
            if item is None:
                item = create_broken(values)
            if item is not None:
                items.append(item)
        return tuple(items)

    def _problem(self, place: TablePlace, key: str | None, message: str) -> None:
        self.problems.append(TableProblem(place, key, message))

    def _interpretation(self, table: TomlTable) -> Interpretation:
        where = f"[[interpretation.reading]] of {table.text('id')}"
        found = {
            number: self._attempt(partial(reading_item, where, values, number, table.place))
            for number, values in enumerate(table.tables("reading"), 1)
            if holds(values, self._version, self._order)
        }
        readings = tuple(reading for reading in found.values() if reading is not None)
        seen: set[str] = set()
        for number, reading in found.items():
            if reading is not None and reading.label in seen:
                place = TablePlace("interpretation.reading", (*table.place.numbers, number))
                self._problem(place, "label", f'{where}: "{reading.label}" occurs twice; write each label once')
            seen.update([reading.label] if reading is not None else ())
        if len(readings) < len(found):
            raise TableError(())  # their problems are kept already
        entry = interpretation_item(table, readings)
        return replace(entry, affects=tuple(id for id in entry.affects if id not in self._other_ids))

    def _check_unique(self, heading: str, names: Sequence[str]) -> None:
        for number, name in enumerate(names, 1):
            if name in names[: number - 1]:
                message = f'[[{heading}]]: "{name}" occurs twice; write each id once'
                self._problem(TablePlace(heading, (number,)), "name", message)

    def _check_unique_ids(self) -> None:
        seen: set[str] = set()
        for heading in ("requirement", "interpretation", "retired"):
            for number, values in self._tables_of(heading):
                id = values.get("id")
                if id in seen:
                    where = "the ids of [[requirement]], [[interpretation]] and [[retired]]"
                    message = f'{where}: "{id}" occurs twice; write each id once'
                    self._problem(TablePlace(heading, (number,)), "id", message)
                if isinstance(id, str):
                    seen.add(id)

    def _check_references(self, requirements: Sequence[Requirement], interpretations: Sequence[Interpretation]) -> None:
        known = {requirement.id: requirement for requirement in requirements}
        for id, other in ((one.id, one.restates) for one in requirements if one.restates is not None):
            where = f'[[requirement]] {id}: restates is "{other}"'
            if other not in known or other == id:
                message = f"{where}, which is no other requirement; {suggest(other, set(known) - {id})}"
                self._problem(self._place_of("requirement", id), "restates", message)
            elif (source := known[other].restates) is not None:
                message = f'{where}, which itself restates another; write "{source}"'
                self._problem(self._place_of("requirement", id), "restates", message)
        for interpretation in interpretations:
            for id in interpretation.affects:
                if id not in known:
                    message = (
                        f'[[interpretation]] {interpretation.id}: affects names "{id}", '
                        f"which is no requirement; {suggest(id, known)}"
                    )
                    self._problem(self._place_of("interpretation", interpretation.id), "affects", message)

    def _check_requirements_of_settings(self, spec: TomlTable, requirements: Sequence[Requirement]) -> None:
        known = [requirement.id for requirement in requirements]
        for key in ("determinism", "unchanged", "naming", "output_form"):
            id = spec.optional_text(key)
            if id is not None and id not in known:
                message = f'[spec]: {key} is "{id}", which is no requirement; {suggest(id, known)}'
                self._problem(spec.place, key, message)
        for id in spec.texts("by_lines"):
            if id not in known and id not in self._other_ids:
                message = f'[spec]: by_lines names "{id}", which is no requirement; {suggest(id, known)}'
                self._problem(spec.place, "by_lines", message)

    def _check_capabilities(self, requirements: Sequence[Requirement], tools: Sequence[Tool]) -> None:
        capabilities = sorted({capability for tool in tools for capability in tool.capabilities})
        for requirement in requirements:
            if requirement.capability is not None and requirement.capability not in capabilities:
                message = (
                    f'[[requirement]] {requirement.id}: capability is "{requirement.capability}", '
                    f"which no [[tool]] has; {suggest(requirement.capability, capabilities)}"
                )
                self._problem(self._place_of("requirement", requirement.id), "capability", message)

    def _place_of(self, heading: str, id: str) -> TablePlace:
        number = next((number for number, values in self._tables_of(heading) if values.get("id") == id), 1)
        return TablePlace(heading, (number,))


def _create(
    create: Callable[[TomlTable], Item],
    title: str,
    values: Mapping[str, Any],
    keys: Mapping[str, KeySpec],
    place: TablePlace,
) -> Item:
    return create(TomlTable(title, values, keys, place))
