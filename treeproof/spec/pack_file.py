"""Reads a pack from spec.toml. `spec-toml.schema.json` is the format; references between values are checked here.

Loading a pack imports and runs nothing. Feature files and step definitions are not read here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeproof import __version__
from treeproof.errors import Fault, FileError, UsageError, suggest
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import TomlFile, first_error
from treeproof.files.toml_lines import Place
from treeproof.spec.catalogue import (
    PACK_FILE,
    Interpretation,
    Pack,
    Reading,
    Requirement,
    RetiredId,
    SettledTopic,
    Tool,
    View,
)
from treeproof.spec.levels import level_of
from treeproof.spec.locks import read_lock
from treeproof.spec.pack_versions import (
    SINCE,
    UNTIL,
    Table,
    holds,
    ids_of_other_versions,
    numbered,
    spec_values,
    version_order,
    version_problems,
)
from treeproof.spec.source_document import read_sentences

SCHEMA_FILE = "spec-toml.schema.json"
SCHEMA = JsonSchema(Path(__file__).with_name(SCHEMA_FILE))

SHARED_STEPS = tuple(
    f"treeproof.steps.shared.{name}"
    for name in ("trees", "calls", "answers", "definition", "entries", "control_calls", "output")
)
"""The step modules of a pack that names none, before those in its own folder."""
OWN_STEPS = ("*_steps.py", "*_properties.py")

Problem = tuple[Place, str]


def load_pack(folder: Path, version: str | None = None) -> Pack:
    """Return the pack of `folder/spec.toml` in a version (None: the newest).

    Raises FileError with the line, the table or id, the key and a fix. Raises another UsageError for a version
    that the file does not contain, and for a file that cannot be read.
    """
    pack, errors = read_pack(folder, version)
    if errors or pack is None:
        raise first_error(errors, "'treeproof lint' prints them")
    return pack


def read_pack(folder: Path, version: str | None = None) -> tuple[Pack | None, Sequence[FileError]]:
    """Return the pack of `folder/spec.toml` in a version (None: the newest), and all errors of the file, by line.

    With errors the pack is only for the lint of the other files: what is wrong has placeholders, so that its ids are
    known. It is None if the name, the prefix or the steps of the pack are not known, or if it needs another treeproof.
    Raises UsageError for a file that cannot be read, and for a version that it does not contain.
    """
    path = folder / PACK_FILE
    try:
        file = TomlFile(path, SCHEMA, f"a folder with a file {PACK_FILE}", is_cached=True)
    except FileError as error:
        if not error.line:
            raise
        return None, [error]
    tables = file.tables
    spec = tables["spec"] if isinstance(tables.get("spec"), dict) else {}
    if (problem := _problem_of_requires(spec.get("requires"))) is not None:
        return None, [file.error(("spec", "requires"), problem)]
    order = version_order(tables)
    if version is not None and version not in order:
        raise UsageError(f'{path}: there is no version "{version}"; write one of: {", ".join(order)}')
    errors = file.errors()
    catalogue = _Catalogue(folder, SCHEMA.mended(tables) if errors else tables, version, order)
    known = {error.line for error in errors}
    others = [file.error(place, message) for place, message in catalogue.problems()]
    errors += [one for one in others if one.line not in known]
    pack = catalogue.pack() if isinstance(spec.get("steps", []), list) else None
    return pack, sorted(errors, key=lambda one: (one.line, one.problem))


def _problem_of_requires(required: object) -> str | None:
    """Return why this treeproof cannot read the file, or None: it may not know the keys of a later one."""
    if not isinstance(required, str):
        return None
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    name, _, versions = required.partition("treeproof")
    try:
        accepted = SpecifierSet(versions)
    except InvalidSpecifier:
        accepted = None
    if name.strip() or accepted is None or not versions.strip():
        return f'requires is "{required}"; write versions such as "treeproof>={__version__}"'
    if accepted.contains(__version__, prereleases=True):
        return None
    this = f"this is treeproof {__version__}"
    return f"this specification needs {required}, and {this}; install it: pip install '{required}'"


class _Schemas(dict[str, Path]):
    """The schemas of a pack by their names; one that it lacks is a mistake of the catalogue."""

    def __init__(self, file: Path, schemas: Mapping[str, Path]) -> None:
        super().__init__(schemas)
        self._file = file

    def __missing__(self, name: str) -> Path:
        problem = (
            f'{self._file}: [spec.schemas] has no "{name}", which a step reads; write {name} = "{name}.schema.json"'
        )
        raise Fault("specification", problem)


class _Catalogue:
    """The tables of a file in one version. Their types are right; a table whose id is wrong may have none."""

    def __init__(self, folder: Path, tables: Table, version: str | None, order: Sequence[str]) -> None:
        self._folder, self._tables, self._order = folder, tables, order
        self._version = version or (order[-1] if order else "")
        self._other_ids = ids_of_other_versions(tables, self._version, order)
        self._spec = spec_values(tables, self._version)

    def pack(self) -> Pack | None:
        """Return the pack; None if its name or its prefix is not known."""
        if not (self._spec["name"] and self._spec["prefix"]):
            return None
        return replace(self._bare_pack, requirements=tuple(self._requirements()))

    def _requirements(self) -> Iterator[Requirement]:
        """Yield the requirements; what is not written is as the documents have it in most cases."""
        for _, one in self._numbered("requirement"):
            is_judged = one.keys().isdisjoint(("restates", "excluded"))
            defaults: dict[str, Any] = {
                "verified_by": ("scenario",) if is_judged else (),
                "level": level_of(one["text"]) or "MUST",
            }
            if "section" not in one:  # it reads the lock
                defaults["section"] = self._section_of(one)
            yield Requirement(**{**defaults, **_members(one)})

    def _section_of(self, requirement: Table) -> str:
        """Return the heading above the first sentence of a requirement; the document if it is not known."""
        hashes = requirement.get("sentences", ())
        found = next((self._locked_headings[hash] for hash in hashes if hash in self._locked_headings), "")
        if not found:
            found = next((self._present_headings[hash] for hash in hashes if hash in self._present_headings), "")
        return found or str(self._spec["source"])

    @cached_property
    def _locked_headings(self) -> Mapping[str, str]:
        """The heading above each sentence, by its hash: those of the lock, none if it cannot be read."""
        try:
            return {one.hash: one.headings[-1] for one in read_lock(self._bare_pack) or () if one.headings}
        except UsageError:
            return {}  # the lint reports it

    @cached_property
    def _present_headings(self) -> Mapping[str, str]:
        """Those of the document beside the catalogue, for a sentence that is not confirmed yet."""
        document = self._bare_pack.folder / self._bare_pack.source
        try:
            return {one.hash: one.headings[-1] for one in read_sentences(document) if one.headings}
        except UsageError:
            return {}  # it can be elsewhere

    @cached_property
    def _bare_pack(self) -> Pack:
        """The pack without its requirements."""
        members: dict[str, Any] = {"reference": None, "oracle": None, "mutants": None, **_members(self._spec)}
        for key in ("simulated", "context"):
            members[key] = MappingProxyType(dict(members.get(key, {})))
        schemas = {name: self._folder / file for name, file in self._spec.get("schemas", {}).items()}
        found = {name: file for name, file in schemas.items() if os.path.isfile(file)}
        members["schemas"] = MappingProxyType(_Schemas(self._folder / PACK_FILE, found))
        members.pop("requires", None)
        if "steps" not in members:
            own = [file for pattern in OWN_STEPS for file in sorted(self._folder.glob(pattern)) if file.is_file()]
            members["steps"] = (*SHARED_STEPS, *(file.stem for file in own))
        view = self._tables.get("view")
        return Pack(
            **members,
            folder=self._folder,
            tools=tuple(
                Tool(**{"capabilities": (), "default_arguments": {}, "config_table": one["name"], **_members(one)})
                for _, one in self._numbered("tool")
            ),
            requirements=(),
            interpretations=tuple(self._interpretation(one) for _, one in self._numbered("interpretation")),
            settled=tuple(SettledTopic(**_members(one)) for _, one in self._numbered("settled")),
            retired=tuple(RetiredId(**_members(one)) for _, one in self._numbered("retired")),
            versions=tuple(self._order),
            ids_of_other_versions=self._other_ids,
            view=None if view is None else View(**view),
        )

    def _interpretation(self, table: Table) -> Interpretation:
        members = {"recommended": None, **_members(table), "affects": self._without_others(table.get("affects", ()))}
        readings = [Reading(**_members(one)) for _, one in self._holding(numbered(table, "reading"))]
        members.pop("reading", None)
        return Interpretation(**members, readings=tuple(readings))

    def _numbered(self, heading: str) -> list[tuple[int, Table]]:
        """Return the tables with a heading that hold in the version, and have an id or a name, with their numbers."""
        found = self._holding(numbered(self._tables, heading))
        return [(number, one) for number, one in found if "" not in (one.get("id"), one.get("name"))]

    def _holding(self, tables: Iterable[tuple[int, Table]]) -> list[tuple[int, Table]]:
        return [(number, one) for number, one in tables if holds(one, self._version, self._order)]

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong between values: ids that are twice or unknown, and files that do not exist."""
        yield from version_problems(self._tables, self._order)
        with_id = ("requirement", "interpretation", "retired")
        for headings, key in ((("tool",), "name"), (("settled",), "topic"), (with_id, "id")):
            yield from _repeated(
                ((heading, number, key), one[key]) for heading in headings for number, one in self._numbered(heading)
            )
        requirements = {one["id"]: one for _, one in self._numbered("requirement")}
        yield from self._problems_of_requirements(requirements)
        for number, one in self._numbered("interpretation"):
            yield from self._problems_of_interpretation(("interpretation", number), one, requirements)
        for key in ("determinism", "unchanged", "naming", "output_form"):
            yield from _unknown(("spec", key), f"{key} is", [self._spec.get(key)], requirements)
        listed = self._without_others(self._spec.get("by_lines", ()))
        yield from _unknown(("spec", "by_lines"), "by_lines names", listed, requirements)
        yield from self._problems_of_schemas()
        for key, groups in (("line", {"path"}), ("other_lines", set())):
            pattern = self._tables.get("view", {}).get(key, "(?P<path>)")
            try:
                missing = groups - re.compile(pattern).groupindex.keys()
            except re.error as error:
                yield ("view", key), f'{key} is "{pattern}", which is no regular expression: {error}'
            else:
                if missing:
                    yield ("view", key), f'{key} is "{pattern}", which does not name a path; write (?P<path>.+) in it'

    def _without_others(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(id for id in ids if id not in self._other_ids)

    def _problems_of_requirements(self, known: Mapping[str, Table]) -> Iterator[Problem]:
        capabilities = sorted({one for _, tool in self._numbered("tool") for one in tool.get("capabilities", ())})
        for number, one in self._numbered("requirement"):
            place, other, capability = ("requirement", number), one.get("restates"), one.get("capability")
            if capability is not None and capability not in capabilities:
                message = f'capability is "{capability}", which no [[tool]] has; {suggest(capability, capabilities)}'
                yield (*place, "capability"), message
            if "level" not in one and level_of(one["text"]) is None:
                message = 'the key "level" is missing, and text does not have one of the words must, should and may'
                yield (*place, "level"), f'{message}; write level = "MUST", "SHOULD" or "MAY"'
            if other is None:
                continue
            if other not in known or other == one["id"]:
                fix = suggest(other, known.keys() - {one["id"]})
                yield (*place, "restates"), f'restates is "{other}", which is no other requirement; {fix}'
            elif (source := known[other].get("restates")) is not None:
                message = f'restates is "{other}", which itself restates another; write "{source}"'
                yield (*place, "restates"), message

    def _problems_of_interpretation(self, place: Place, one: Table, known: Collection[str]) -> Iterator[Problem]:
        affects = self._without_others(one.get("affects", ()))
        yield from _unknown((*place, "affects"), "affects names", affects, known)
        readings, recommended = self._holding(numbered(one, "reading")), one.get("recommended")
        yield from _repeated(((*place, "reading", number, "label"), reading["label"]) for number, reading in readings)
        accepted = {reading["label"]: reading.get("accepted", True) for _, reading in readings}
        place = (*place, "recommended")
        if recommended is not None and recommended not in accepted:
            fix = suggest(recommended, accepted)
            yield place, f'recommended is "{recommended}", which is no label of its readings; {fix}'
        elif recommended is not None and not accepted[recommended]:
            yield place, f'the recommended reading "{recommended}" has accepted = false; recommend another reading'

    def _problems_of_schemas(self) -> Iterator[Problem]:
        schemas = self._spec.get("schemas", {})
        has_form = "output" in schemas or "view" in self._tables or {"oracle", "state_machine"} & {*self._spec}
        if "output_form" in self._spec and not has_form:
            message = 'output_form needs [view], or output = "output.schema.json" in [spec.schemas]; write one'
            yield ("spec", "output_form"), message
        for name, path in schemas.items():
            if not os.path.isfile(self._folder / path):  # also for a name that is too long
                found = sorted(file.name for file in self._folder.glob("*.json") if file.name != SCHEMA_FILE)
                fix = suggest(path, found) if found else "write the file"
                message = f'the key "{name}" names {path}, which is no file beside {PACK_FILE}; {fix}'
                yield ("spec", "schemas", name), message


def _members(table: Table) -> dict[str, Any]:
    """Return the values of a table for a class with members of the same names; lists become tuples."""
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in table.items()
        if key not in (SINCE, UNTIL)
    }


def _unknown(place: Place, what: str, ids: Iterable[str | None], known: Collection[str]) -> Iterator[Problem]:
    for id in ids:
        if id is not None and id not in known:
            yield place, f'{what} "{id}", which is no requirement; {suggest(id, known)}'


def _repeated(values: Iterable[tuple[Place, str]]) -> Iterator[Problem]:
    """Yield a problem for each value that another place before it has too."""
    seen: set[str] = set()
    for place, value in values:
        if value in seen:
            yield place, f'the {place[-1]} "{value}" occurs twice; write each {place[-1]} once'
        seen.add(value)
