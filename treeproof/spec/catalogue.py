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

from treeproof.errors import UsageError, toml_of
from treeproof.spec.tables import Key, Table, nearest

FACE = "spec.toml"

Level = Literal["MUST", "SHOULD", "MAY"]
Means = Literal["scenario", "law", "trace", "framework", "inspection"]
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
    assumed: Mapping[str, Any]
    table: str
    changes: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Requirement:
    """One sentence of the specification that can hold or not hold, restated."""

    id: str
    level: Level
    section: str
    text: str
    verified_by: tuple[Means, ...]
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
    touches: tuple[str, ...]
    readings: tuple[Reading, ...]
    core: str | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(reading.label for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Retired:
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
    retired: tuple[Retired, ...]
    simulated: Mapping[str, str] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    state_machine: str | None = None
    durations: tuple[str, ...] = ()

    @property
    def face(self) -> Path:
        return self.folder / FACE

    def tool(self, name: str) -> Tool:
        """The tool of this name; for any other name, an alias or a wrong one, the pack's first tool."""
        return next((tool for tool in self.tools if tool.name == name), self.tools[0])

    def features(self) -> tuple[Path, ...]:
        """The pack's feature files, in path order; a folder with a face of its own is another pack."""
        others = [face.parent for face in self.folder.rglob(FACE) if face.parent != self.folder]
        found = self.folder.rglob("*.feature")
        return tuple(sorted(file for file in found if not any(other in file.parents for other in others)))

    def requirement(self, id: str) -> Requirement:
        """Raises UsageError for an id that the catalogue lacks."""
        return _pick(self, "requirement", id, self.requirements)

    def interpretation(self, id: str) -> Interpretation:
        """Raises UsageError for an id that the catalogue lacks."""
        return _pick(self, "interpretation", id, self.interpretations)


_Row = TypeVar("_Row", Requirement, Interpretation)


def _pick(pack: Pack, what: str, id: str, rows: Iterable[_Row]) -> _Row:
    known = {row.id: row for row in rows}
    if id not in known:
        raise UsageError(f'{pack.face}: no {what} has the id "{id}"; {nearest(id, known)}')
    return known[id]


# The format, as tables: what may stand where.
_ID_FORM = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
_ID = Key(form=_ID_FORM, form_words="capitals, digits and hyphens such as FR-LD-LST-05")
_POINTER = Key("texts", required=False)
_ENTRY = Key(
    required=False,
    form=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
    form_words="an entry point such as package.module:attribute",
)
_OPTIONAL = Key(required=False)

_FILE: Mapping[str, Key] = {
    "spec": Key("table"),
    "tool": Key("tables"),
    "requirement": Key("tables"),
    "interpretation": Key("tables", required=False),
    "retired": Key("tables", required=False),
}
_SPEC: Mapping[str, Key] = {
    "name": Key(
        form=re.compile(r"[a-z][a-z0-9_]*"), form_words="small letters, digits and _ such as my_tool"
    ),
    "version": Key(form=re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]*"), form_words='a version such as "1.1"'),
    "title": Key(),
    "source": Key(),
    "sha256": Key(
        form=re.compile(r"[0-9a-f]{64}"), form_words="64 small hexadecimal digits (sha256sum SOURCE)"
    ),
    "prefix": Key(form=re.compile(r"[A-Z][A-Z0-9]*"), form_words="capitals such as LD, without a hyphen"),
    "steps": Key(
        "texts",
        form=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
        form_words="modules such as treeproof.steps.trees",
    ),
    "reference": _ENTRY,
    "oracle": _ENTRY,
    "state_machine": _ENTRY,
    "mutants": _ENTRY,
    "simulated": Key("table", required=False),
    "context": Key("table", required=False),
    "durations": Key("texts", required=False),
    "schemas": Key("table", required=False),
}
_TOOL: Mapping[str, Key] = {
    "name": Key(),
    "capabilities": Key("texts"),
    "assumed": Key("table", required=False),
    "table": _OPTIONAL,
    "changes": Key("flag", required=False),
    "optional": Key("flag", required=False),
}
_REQUIREMENT: Mapping[str, Key] = {
    "id": _ID,
    "level": Key(one_of=get_args(Level)),
    "section": Key(),
    "text": Key(),
    "verified_by": Key("texts", required=False, one_of=get_args(Means)),
    "restates": _OPTIONAL,
    "condition": _OPTIONAL,
    "excluded": _OPTIONAL,
}
_INTERPRETATION: Mapping[str, Key] = {
    "id": _ID,
    "question": Key(),
    "treatment": Key(one_of=get_args(Treatment)),
    "recommended": _OPTIONAL,
    "why": Key(),
    "touches": _POINTER,
    "core": _OPTIONAL,
    "reading": Key("tables", required=False),
}
_READING: Mapping[str, Key] = {
    "label": Key(
        form=re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*"), form_words="one word such as exceeded, or a letter"
    ),
    "text": Key(),
    "implies": _OPTIONAL,
    "accepted": Key("flag", required=False),
}
_RETIRED: Mapping[str, Key] = {"id": _ID, "reason": Key()}


def load(folder: Path) -> Pack:
    """The pack whose face is `folder/spec.toml`.

    Raises UsageError, naming the file, the table or id, the key, what is wrong and what to write instead.
    """
    face = folder / FACE
    whole = Table(face, "the file", _read(face), _FILE)
    spec = Table(face, "[spec]", whole.table("spec"), _SPEC)
    tools = tuple(_tool(face, at, row) for at, row in enumerate(whole.tables("tool"), 1))
    requirements = tuple(_requirement(face, at, row) for at, row in enumerate(whole.tables("requirement"), 1))
    interpretations = tuple(
        _interpretation(face, at, row) for at, row in enumerate(whole.tables("interpretation"), 1)
    )
    retired = tuple(_retired(face, at, row) for at, row in enumerate(whole.tables("retired"), 1))
    _refuse_twice(face, "[[tool]]", (tool.name for tool in tools))
    _refuse_twice(
        face,
        "the ids of [[requirement]], [[interpretation]] and [[retired]]",
        [
            *(row.id for row in requirements),
            *(row.id for row in interpretations),
            *(row.id for row in retired),
        ],
    )
    _check_pointers(face, requirements, interpretations)
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
        durations=spec.texts("durations"),
    )


def _read(face: Path) -> Mapping[str, Any]:
    try:
        return toml_of(face)
    except UsageError as wrong:
        if isinstance(wrong.__cause__, FileNotFoundError):
            raise UsageError(f"{face}: not found; a pack is a folder with a file {FACE}") from None
        raise


def _named(heading: str, row: Mapping[str, Any], at: int, key: str = "id") -> str:
    """How messages call one of many tables: by its id where it has one, else by its place."""
    name = row.get(key)
    return f"[[{heading}]] {name}" if isinstance(name, str) and name else f"[[{heading}]] number {at}"


def _tool(face: Path, at: int, row: Mapping[str, Any]) -> Tool:
    table = Table(face, _named("tool", row, at, "name"), row, _TOOL)
    name = table.text("name")
    return Tool(
        name,
        table.texts("capabilities"),
        table.table("assumed"),
        table.optional_text("table") or name,
        table.flag("changes", default=False),
        table.flag("optional", default=False),
    )


def _requirement(face: Path, at: int, row: Mapping[str, Any]) -> Requirement:
    table = Table(face, _named("requirement", row, at), row, _REQUIREMENT)
    restates, excluded = table.optional_text("restates"), table.optional_text("excluded")
    verified_by = cast("tuple[Means, ...]", table.texts("verified_by"))
    if restates is not None and excluded is not None:
        table.refuse('both "restates" and "excluded" are given; a verdict has one source: leave one out')
    if not verified_by and restates is None and excluded is None:
        table.refuse(f'the key "verified_by" is missing; write a list of: {", ".join(get_args(Means))}')
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
    table = Table(face, _named("interpretation", row, at), row, _INTERPRETATION)
    where = f"[[interpretation.reading]] of {table.text('id')}"
    readings = tuple(_reading(face, where, reading) for reading in table.tables("reading"))
    labels = [reading.label for reading in readings]
    _refuse_twice(face, where, labels)
    recommended, treatment = table.optional_text("recommended"), cast(Treatment, table.text("treatment"))
    if treatment != "editorial":
        if not readings:
            table.refuse("no readings; write at least one [[interpretation.reading]] below it")
        if recommended is None:
            table.refuse(f'the key "recommended" is missing; {nearest("", labels)}')
    if recommended is not None and recommended not in labels:
        table.refuse(
            f'recommended is "{recommended}", no label of its readings; {nearest(recommended, labels)}'
        )
    if any(reading.label == recommended and not reading.accepted for reading in readings):
        table.refuse(
            f'the recommended reading "{recommended}" has accepted = false; what is recommended is accepted'
        )
    return Interpretation(
        id=table.text("id"),
        question=table.text("question"),
        treatment=treatment,
        recommended=recommended,
        why=table.text("why"),
        touches=table.texts("touches"),
        readings=readings,
        core=table.optional_text("core"),
    )


def _reading(face: Path, where: str, row: Mapping[str, Any]) -> Reading:
    label = row.get("label")
    table = Table(face, f"{where}, {label}" if isinstance(label, str) else where, row, _READING)
    return Reading(
        table.text("label"),
        table.text("text"),
        table.optional_text("implies"),
        table.flag("accepted", default=True),
    )


def _retired(face: Path, at: int, row: Mapping[str, Any]) -> Retired:
    table = Table(face, _named("retired", row, at), row, _RETIRED)
    return Retired(table.text("id"), table.text("reason"))


def _simulated(face: Path, row: Mapping[str, Any]) -> Mapping[str, str]:
    table = Table(face, "[spec.simulated]", row, dict.fromkeys(PLATFORMS, _ENTRY))
    return MappingProxyType({platform: table.text(platform) for platform in row})


def _schemas(face: Path, row: Mapping[str, Any]) -> Mapping[str, Path]:
    table = Table(face, "[spec.schemas]", row, {name: Key() for name in row})
    schemas: dict[str, Path] = {}
    for name in row:
        path = face.parent / table.text(name)
        if not path.is_file():
            table.refuse(f'the key "{name}" names {table.text(name)}, which is no file beside {FACE}')
        schemas[name] = path
    return MappingProxyType(schemas)


def _refuse_twice(face: Path, where: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise UsageError(f'{face}: {where}: "{id}" is there twice; an id is given once')
        seen.add(id)


def _check_pointers(
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
                f"{where}, which is no other requirement; {nearest(other, set(known) - {requirement.id})}"
            )
        further = known[other].restates
        if further is not None:
            raise UsageError(f'{where}, which itself restates another; write "{further}"')
    for interpretation in interpretations:
        for touched in interpretation.touches:
            if touched not in known:
                raise UsageError(
                    f'{face}: [[interpretation]] {interpretation.id}: touches names "{touched}", '
                    f"which is no requirement; {nearest(touched, known)}"
                )
