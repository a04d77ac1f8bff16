"""A pack's face: reads spec.toml into frozen values and refuses what is not exactly in the format.

Only the format lives here: which keys exist, of which type, and what they may point to. Feature files, step
definitions and verdicts are unknown here, and nothing is imported or run by loading a catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar, cast, get_args

from treeproof.errors import UsageError, load_toml
from treeproof.spec.toml_table import KeySpec, TomlTable, suggest

PACK_FILE = "spec.toml"

Level = Literal["MUST", "SHOULD", "MAY"]
VerificationMethod = Literal["scenario", "property", "trace", "framework", "inspection"]
Treatment = Literal["strict", "any", "declared", "advisory", "editorial"]

PLATFORMS: Mapping[str, str] = MappingProxyType({"windows": "Windows", "macos": "macOS"})
"""Platforms that can be simulated: the word after `@simulated:`, and what people call them."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the specification describes, and the candidate capabilities that its scenarios may need.

    ``assumed``: arguments that a scenario need not spell. ``table``: where its settings stand below ``[tools]`` of a
    configuration file. ``changes``: its calls change the tree, so what stands there before and after them is evidence.
    ``optional``: the specification lets a candidate do without it, and what is asked of it does not apply then.
    """

    name: str
    capabilities: tuple[str, ...]
    default_arguments: Mapping[str, Any]
    config_table: str
    has_side_effects: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Requirement:
    """One sentence of the specification that can hold or not hold, restated."""

    id: str
    level: Level
    section: str
    text: str
    verified_by: tuple[VerificationMethod, ...]
    restates: str | None = None
    condition: str | None = None
    excluded: str | None = None

    @property
    def needs_scenarios(self) -> bool:
        """Whether scenarios are to verify it, so that having none is a gap in the suite."""
        own_verdict = self.restates is None and self.excluded is None and self.condition is None
        return own_verdict and "scenario" in self.verified_by


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an unclear passage. `accepted`: right under the default profile if treated *any*."""

    label: str
    text: str
    implies: str | None = None
    accepted: bool = True


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A silent, ambiguous or contradictory passage. `recommended` is None only where editorial."""

    id: str
    question: str
    treatment: Treatment
    recommended: str | None
    why: str
    affects: tuple[str, ...]
    readings: tuple[Reading, ...]
    invariant: str | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(reading.label for reading in self.readings)


@dataclass(frozen=True, slots=True)
class RetiredId:
    """The tombstone of an id that may never be used again."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A specification as the suite knows it. Entry points and step modules are names, not yet imported.

    `simulated` maps words of PLATFORMS to the entry points that make the reference for them. `context` are members of
    every call's context that a scenario need not spell. `state_machine` is a model of the tree that the tools change.
    `durations` are members of answers that say how long something took: no two runs agree in them.
    """

    folder: Path
    name: str
    version: str
    title: str
    source: str
    sha256: str
    prefix: str
    steps: tuple[str, ...]
    reference: str | None
    oracle: str | None
    mutants: str | None
    schemas: Mapping[str, Path]
    tools: tuple[Tool, ...]
    requirements: tuple[Requirement, ...]
    interpretations: tuple[Interpretation, ...]
    retired: tuple[RetiredId, ...]
    simulated: Mapping[str, str] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    state_machine: str | None = None
    volatile_members: tuple[str, ...] = ()

    @property
    def pack_file(self) -> Path:
        return self.folder / PACK_FILE

    def tool(self, name: str) -> Tool:
        """The tool of this name; for any other name, an alias or a wrong one, the pack's first tool."""
        return next((tool for tool in self.tools if tool.name == name), self.tools[0])

    def feature_files(self) -> tuple[Path, ...]:
        """The pack's feature files, in path order; a folder with a face of its own is another pack."""
        others = [face.parent for face in self.folder.rglob(PACK_FILE) if face.parent != self.folder]
        found = self.folder.rglob("*.feature")
        return tuple(sorted(file for file in found if not any(other in file.parents for other in others)))

    def requirement(self, id: str) -> Requirement:
        """Raises UsageError for an id that the catalogue lacks."""
        return _find_by_id(self, "requirement", id, self.requirements)

    def interpretation(self, id: str) -> Interpretation:
        """Raises UsageError for an id that the catalogue lacks."""
        return _find_by_id(self, "interpretation", id, self.interpretations)


_Item = TypeVar("_Item", Requirement, Interpretation)


def _find_by_id(pack: Pack, what: str, id: str, rows: Iterable[_Item]) -> _Item:
    known = {row.id: row for row in rows}
    if id not in known:
        raise UsageError(f'{pack.pack_file}: no {what} has the id "{id}"; {suggest(id, known)}')
    return known[id]


# The format, as tables: what may stand where.
_ID_PATTERN = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
_ID = KeySpec(pattern=_ID_PATTERN, pattern_hint="capitals, digits and hyphens such as FR-LD-LST-05")
_ID_LIST = KeySpec("texts", required=False)
_ENTRY_POINT = KeySpec(
    required=False,
    pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
    pattern_hint="an entry point such as package.module:attribute",
)
_OPTIONAL = KeySpec(required=False)

_FILE_KEYS: Mapping[str, KeySpec] = {
    "spec": KeySpec("table"),
    "tool": KeySpec("tables"),
    "requirement": KeySpec("tables"),
    "interpretation": KeySpec("tables", required=False),
    "retired": KeySpec("tables", required=False),
}
_SPEC_KEYS: Mapping[str, KeySpec] = {
    "name": KeySpec(
        pattern=re.compile(r"[a-z][a-z0-9_]*"), pattern_hint="small letters, digits and _ such as my_tool"
    ),
    "version": KeySpec(
        pattern=re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]*"), pattern_hint='a version such as "1.1"'
    ),
    "title": KeySpec(),
    "source": KeySpec(),
    "sha256": KeySpec(
        pattern=re.compile(r"[0-9a-f]{64}"), pattern_hint="64 small hexadecimal digits (sha256sum SOURCE)"
    ),
    "prefix": KeySpec(
        pattern=re.compile(r"[A-Z][A-Z0-9]*"), pattern_hint="capitals such as LD, without a hyphen"
    ),
    "steps": KeySpec(
        "texts",
        pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
        pattern_hint="modules such as treeproof.steps.shared.trees",
    ),
    "reference": _ENTRY_POINT,
    "oracle": _ENTRY_POINT,
    "state_machine": _ENTRY_POINT,
    "mutants": _ENTRY_POINT,
    "simulated": KeySpec("table", required=False),
    "context": KeySpec("table", required=False),
    "volatile_members": KeySpec("texts", required=False),
    "schemas": KeySpec("table", required=False),
}
_TOOL_KEYS: Mapping[str, KeySpec] = {
    "name": KeySpec(),
    "capabilities": KeySpec("texts"),
    "default_arguments": KeySpec("table", required=False),
    "config_table": _OPTIONAL,
    "has_side_effects": KeySpec("flag", required=False),
    "optional": KeySpec("flag", required=False),
}
_REQUIREMENT_KEYS: Mapping[str, KeySpec] = {
    "id": _ID,
    "level": KeySpec(choices=get_args(Level)),
    "section": KeySpec(),
    "text": KeySpec(),
    "verified_by": KeySpec("texts", required=False, choices=get_args(VerificationMethod)),
    "restates": _OPTIONAL,
    "condition": _OPTIONAL,
    "excluded": _OPTIONAL,
}
_INTERPRETATION_KEYS: Mapping[str, KeySpec] = {
    "id": _ID,
    "question": KeySpec(),
    "treatment": KeySpec(choices=get_args(Treatment)),
    "recommended": _OPTIONAL,
    "why": KeySpec(),
    "affects": _ID_LIST,
    "invariant": _OPTIONAL,
    "reading": KeySpec("tables", required=False),
}
_READING_KEYS: Mapping[str, KeySpec] = {
    "label": KeySpec(
        pattern=re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*"),
        pattern_hint="one word such as exceeded, or a letter",
    ),
    "text": KeySpec(),
    "implies": _OPTIONAL,
    "accepted": KeySpec("flag", required=False),
}
_RETIRED_KEYS: Mapping[str, KeySpec] = {"id": _ID, "reason": KeySpec()}


def load_pack(folder: Path) -> Pack:
    """The pack whose face is `folder/spec.toml`.

    Raises UsageError, naming the file, the table or id, the key, what is wrong and what to write instead.
    """
    face = folder / PACK_FILE
    whole = TomlTable(face, "the file", _read_toml(face), _FILE_KEYS)
    spec = TomlTable(face, "[spec]", whole.table("spec"), _SPEC_KEYS)
    tools = tuple(_tool(face, at, row) for at, row in enumerate(whole.tables("tool"), 1))
    requirements = tuple(_requirement(face, at, row) for at, row in enumerate(whole.tables("requirement"), 1))
    interpretations = tuple(
        _interpretation(face, at, row) for at, row in enumerate(whole.tables("interpretation"), 1)
    )
    retired = tuple(_retired(face, at, row) for at, row in enumerate(whole.tables("retired"), 1))
    _check_unique(face, "[[tool]]", (tool.name for tool in tools))
    _check_unique(
        face,
        "the ids of [[requirement]], [[interpretation]] and [[retired]]",
        [
            *(row.id for row in requirements),
            *(row.id for row in interpretations),
            *(row.id for row in retired),
        ],
    )
    _check_references(face, requirements, interpretations)
    return Pack(
        folder=folder,
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
        schemas=_schemas(face, spec.table("schemas")),
        tools=tools,
        requirements=requirements,
        interpretations=interpretations,
        retired=retired,
        simulated=_simulated(face, spec.table("simulated")),
        context=MappingProxyType(dict(spec.table("context"))),
        state_machine=spec.optional_text("state_machine"),
        volatile_members=spec.texts("volatile_members"),
    )


def _read_toml(face: Path) -> Mapping[str, Any]:
    try:
        return load_toml(face)
    except UsageError as wrong:
        if isinstance(wrong.__cause__, FileNotFoundError):
            raise UsageError(f"{face}: not found; a pack is a folder with a file {PACK_FILE}") from None
        raise


def _describe_table(heading: str, row: Mapping[str, Any], at: int, key: str = "id") -> str:
    """How messages call one of many tables: by its id where it has one, else by its place."""
    name = row.get(key)
    return f"[[{heading}]] {name}" if isinstance(name, str) and name else f"[[{heading}]] number {at}"


def _tool(face: Path, at: int, row: Mapping[str, Any]) -> Tool:
    table = TomlTable(face, _describe_table("tool", row, at, "name"), row, _TOOL_KEYS)
    name = table.text("name")
    return Tool(
        name,
        table.texts("capabilities"),
        table.table("default_arguments"),
        table.optional_text("config_table") or name,
        table.flag("has_side_effects", default=False),
        table.flag("optional", default=False),
    )


def _requirement(face: Path, at: int, row: Mapping[str, Any]) -> Requirement:
    table = TomlTable(face, _describe_table("requirement", row, at), row, _REQUIREMENT_KEYS)
    restates, excluded = table.optional_text("restates"), table.optional_text("excluded")
    verified_by = cast("tuple[VerificationMethod, ...]", table.texts("verified_by"))
    if restates is not None and excluded is not None:
        table.fail('both "restates" and "excluded" are given; a verdict has one source: leave one out')
    if not verified_by and restates is None and excluded is None:
        table.fail(
            f'the key "verified_by" is missing; write a list of: {", ".join(get_args(VerificationMethod))}'
        )
    return Requirement(
        id=table.text("id"),
        level=cast(Level, table.text("level")),
        section=table.text("section"),
        text=table.text("text"),
        verified_by=verified_by,
        restates=restates,
        condition=table.optional_text("condition"),
        excluded=excluded,
    )


def _interpretation(face: Path, at: int, row: Mapping[str, Any]) -> Interpretation:
    table = TomlTable(face, _describe_table("interpretation", row, at), row, _INTERPRETATION_KEYS)
    where = f"[[interpretation.reading]] of {table.text('id')}"
    readings = tuple(_reading(face, where, reading) for reading in table.tables("reading"))
    labels = [reading.label for reading in readings]
    _check_unique(face, where, labels)
    recommended, treatment = table.optional_text("recommended"), cast(Treatment, table.text("treatment"))
    if treatment != "editorial":
        if not readings:
            table.fail("no readings; write at least one [[interpretation.reading]] below it")
        if recommended is None:
            table.fail(f'the key "recommended" is missing; {suggest("", labels)}')
    if recommended is not None and recommended not in labels:
        table.fail(
            f'recommended is "{recommended}", no label of its readings; {suggest(recommended, labels)}'
        )
    if any(reading.label == recommended and not reading.accepted for reading in readings):
        table.fail(
            f'the recommended reading "{recommended}" has accepted = false; what is recommended is accepted'
        )
    return Interpretation(
        id=table.text("id"),
        question=table.text("question"),
        treatment=treatment,
        recommended=recommended,
        why=table.text("why"),
        affects=table.texts("affects"),
        readings=readings,
        invariant=table.optional_text("invariant"),
    )


def _reading(face: Path, where: str, row: Mapping[str, Any]) -> Reading:
    label = row.get("label")
    table = TomlTable(face, f"{where}, {label}" if isinstance(label, str) else where, row, _READING_KEYS)
    return Reading(
        table.text("label"),
        table.text("text"),
        table.optional_text("implies"),
        table.flag("accepted", default=True),
    )


def _retired(face: Path, at: int, row: Mapping[str, Any]) -> RetiredId:
    table = TomlTable(face, _describe_table("retired", row, at), row, _RETIRED_KEYS)
    return RetiredId(table.text("id"), table.text("reason"))


def _simulated(face: Path, row: Mapping[str, Any]) -> Mapping[str, str]:
    table = TomlTable(face, "[spec.simulated]", row, dict.fromkeys(PLATFORMS, _ENTRY_POINT))
    return MappingProxyType({platform: table.text(platform) for platform in row})


def _schemas(face: Path, row: Mapping[str, Any]) -> Mapping[str, Path]:
    table = TomlTable(face, "[spec.schemas]", row, {name: KeySpec() for name in row})
    schemas: dict[str, Path] = {}
    for name in row:
        path = face.parent / table.text(name)
        if not path.is_file():
            table.fail(f'the key "{name}" names {table.text(name)}, which is no file beside {PACK_FILE}')
        schemas[name] = path
    return MappingProxyType(schemas)


def _check_unique(face: Path, where: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise UsageError(f'{face}: {where}: "{id}" is there twice; an id is given once')
        seen.add(id)


def _check_references(
    face: Path, requirements: tuple[Requirement, ...], interpretations: tuple[Interpretation, ...]
) -> None:
    known = {requirement.id: requirement for requirement in requirements}
    for requirement in requirements:
        other = requirement.restates
        if other is None:
            continue
        where = f'{face}: [[requirement]] {requirement.id}: restates is "{other}"'
        if other not in known or other == requirement.id:
            raise UsageError(
                f"{where}, which is no other requirement; {suggest(other, set(known) - {requirement.id})}"
            )
        further = known[other].restates
        if further is not None:
            raise UsageError(f'{where}, which itself restates another; write "{further}"')
    for interpretation in interpretations:
        for touched in interpretation.affects:
            if touched not in known:
                raise UsageError(
                    f'{face}: [[interpretation]] {interpretation.id}: affects names "{touched}", '
                    f"which is no requirement; {suggest(touched, known)}"
                )
