"""The format of spec.toml: reads a pack from it. Every deviation from the format is a UsageError.

Loading a pack imports and runs nothing. Feature files and step definitions are not read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast, get_args

from treeproof.errors import UsageError, load_toml, why_unreadable
from treeproof.spec import parse_cache
from treeproof.spec.catalogue import (
    DIFFERENCE_STAGES,
    KIND_SEPARATOR,
    PACK_FILE,
    PLATFORMS,
    Basis,
    ComparedStage,
    Harm,
    Interpretation,
    Level,
    OwnedStage,
    Pack,
    Reading,
    Requirement,
    RetiredId,
    Tool,
    Treatment,
    VerificationMethod,
)
from treeproof.spec.source_document import HASH_LENGTH
from treeproof.spec.toml_table import KeySpec, TomlTable, suggest

# The keys of each table.
_ID_PATTERN = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
_ID = KeySpec(pattern=_ID_PATTERN, pattern_hint="capitals, digits and hyphens such as FR-LD-LST-05")
_ID_LIST = KeySpec("texts", required=False)
_ENTRY_POINT = KeySpec(
    required=False,
    pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
    pattern_hint="an entry point such as package.module:attribute",
)
_OPTIONAL = KeySpec(required=False)
_NAME_OR_NUMBER = re.compile(r"\"|(?<!\w)/|(?<![-\w])\d")

_FILE_KEYS: Mapping[str, KeySpec] = {
    "spec": KeySpec("table"),
    "tool": KeySpec("tables"),
    "requirement": KeySpec("tables"),
    "interpretation": KeySpec("tables", required=False),
    "retired": KeySpec("tables", required=False),
}
_SPEC_KEYS: Mapping[str, KeySpec] = {
    "name": KeySpec(
        pattern=re.compile(r"[a-z][a-z0-9_]*"),
        pattern_hint="lower-case letters, digits and _ such as my_tool",
    ),
    "version": KeySpec(pattern=re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]*"), pattern_hint='a version such as "1.1"'),
    "title": KeySpec(),
    "source": KeySpec(),
    "sha256": KeySpec(
        pattern=re.compile(r"[0-9a-f]{64}"),
        pattern_hint="64 lower-case hexadecimal digits (sha256sum SOURCE)",
    ),
    "prefix": KeySpec(pattern=re.compile(r"[A-Z][A-Z0-9]*"), pattern_hint="capitals such as LD, without a hyphen"),
    "steps": KeySpec(
        "texts",
        pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
        pattern_hint="modules such as treeproof.steps.shared.trees",
    ),
    "reference": _ENTRY_POINT,
    "oracle": _ENTRY_POINT,
    "state_machine": _ENTRY_POINT,
    "mutants": _ENTRY_POINT,
    "variants": _ENTRY_POINT,
    "simulated": KeySpec("table", required=False),
    "context": KeySpec("table", required=False),
    "volatile_members": KeySpec("texts", required=False),
    "determinism": KeySpec(required=False, pattern=_ID_PATTERN, pattern_hint="the id of a requirement"),
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
    "basis": KeySpec(choices=get_args(Basis)),
    "sentences": KeySpec(
        "texts",
        required=False,
        pattern=re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}"),
        pattern_hint=f"{HASH_LENGTH} lower-case hexadecimal digits (treeproof list sentences --document FILE)",
    ),
    "reason": _OPTIONAL,
    "capability": _OPTIONAL,
    "owns": KeySpec("texts", required=False),
    "compares": KeySpec(required=False, choices=get_args(ComparedStage)),
    "harm": KeySpec(required=False, choices=get_args(Harm)),
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


_MAX_CACHED_BYTES = 4 << 20


def load_pack(folder: Path) -> Pack:
    """Return the pack of `folder/spec.toml`. Raises UsageError with the file, the table or id, the key and a fix."""
    file = folder / PACK_FILE
    root = TomlTable(file, "the file", _read_toml(file), _FILE_KEYS)
    spec = TomlTable(file, "[spec]", root.table("spec"), _SPEC_KEYS)
    tools = tuple(map(_tool, _tables(root, "tool", _TOOL_KEYS, name_key="name")))
    requirements = tuple(map(_requirement, _tables(root, "requirement", _REQUIREMENT_KEYS)))
    interpretations = tuple(map(_interpretation, _tables(root, "interpretation", _INTERPRETATION_KEYS)))
    retired = tuple(
        RetiredId(table.text("id"), table.text("reason")) for table in _tables(root, "retired", _RETIRED_KEYS)
    )
    _check_unique(file, "[[tool]]", [tool.name for tool in tools])
    _check_unique(
        file,
        "the ids of [[requirement]], [[interpretation]] and [[retired]]",
        [
            *(item.id for item in requirements),
            *(item.id for item in interpretations),
            *(item.id for item in retired),
        ],
    )
    _check_references(file, requirements, interpretations)
    _check_basis(file, spec.optional_text("determinism"), requirements, tools)
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
        schemas=_schemas(file, spec.table("schemas")),
        tools=tools,
        requirements=requirements,
        interpretations=interpretations,
        retired=retired,
        simulated=_simulated(file, spec.table("simulated")),
        context=MappingProxyType(dict(spec.table("context"))),
        state_machine=spec.optional_text("state_machine"),
        volatile_members=spec.texts("volatile_members"),
        determinism=spec.optional_text("determinism"),
        variants=spec.optional_text("variants"),
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


def _tables(root: TomlTable, heading: str, keys: Mapping[str, KeySpec], name_key: str = "id") -> Iterator[TomlTable]:
    """Yield the tables with this heading. Messages name a table by its id, or else by its number."""
    for number, values in enumerate(root.tables(heading), 1):
        name = values.get(name_key)
        known = isinstance(name, str) and name
        yield TomlTable(root.file, f"[[{heading}]] {name if known else f'number {number}'}", values, keys)


def _tool(table: TomlTable) -> Tool:
    name = table.text("name")
    return Tool(
        name,
        table.texts("capabilities"),
        table.table("default_arguments"),
        table.optional_text("config_table") or name,
        table.flag("has_side_effects", default=False),
        table.flag("optional", default=False),
    )


def _requirement(table: TomlTable) -> Requirement:
    restates, excluded = table.optional_text("restates"), table.optional_text("excluded")
    verified_by = cast("tuple[VerificationMethod, ...]", table.texts("verified_by"))
    if restates is not None and excluded is not None:
        table.fail('both "restates" and "excluded" are given; remove one, because a verdict has one source')
    if not verified_by and restates is None and excluded is None:
        table.fail(f'the key "verified_by" is missing; write a list of: {", ".join(get_args(VerificationMethod))}')
    basis, sentences = cast(Basis, table.text("basis")), table.texts("sentences")
    reason, capability = table.optional_text("reason"), table.optional_text("capability")
    if basis == "stated" and not sentences:
        table.fail('the key "sentences" is missing; list the hashes of the sentences that state it')
    if basis in ("implied", "prudent") and reason is None:
        table.fail(f'the key "reason" is missing; write why the basis is "{basis}" and not "stated"')
    if basis == "framework" and capability is None:
        table.fail('the key "capability" is missing; write the capability of candidates to which it applies')
    if basis != "framework" and capability is not None:
        table.fail(f'the key "capability" is for basis = "framework", and the basis is "{basis}"; remove it')
    owns = table.texts("owns")
    for text in owns:
        _check_owned(table, text)
    if owns and (table.text("level") != "MUST" or basis == "prudent"):
        table.fail('the key "owns" is for MUST requirements of the document, which decide the exit code; remove it')
    return Requirement(
        id=table.text("id"),
        level=cast(Level, table.text("level")),
        section=table.text("section"),
        text=table.text("text"),
        verified_by=verified_by,
        basis=basis,
        sentences=sentences,
        reason=reason,
        capability=capability,
        restates=restates,
        condition=table.optional_text("condition"),
        excluded=excluded,
        owns=owns,
        compares=cast("ComparedStage | None", table.optional_text("compares")),
        harm=cast("Harm | None", table.optional_text("harm")),
    )


def _check_owned(table: TomlTable, text: str) -> None:
    """Check a text of ``owns``: a stage, or a stage and a kind of difference."""
    stage, separator, kind = text.partition(KIND_SEPARATOR)
    known = DIFFERENCE_STAGES if separator else get_args(OwnedStage)
    if stage not in known:
        table.fail(f'the key "owns" holds "{stage}"; {suggest(stage, known)}')
    if separator and (not kind or _NAME_OR_NUMBER.search(kind)):
        table.fail(f'the key "owns" holds "{text}"; write … for each path, number and name, as reports of runs do')


def _interpretation(table: TomlTable) -> Interpretation:
    where = f"[[interpretation.reading]] of {table.text('id')}"
    readings = tuple(_reading(table.file, where, values) for values in table.tables("reading"))
    labels = [reading.label for reading in readings]
    _check_unique(table.file, where, labels)
    recommended, treatment = table.optional_text("recommended"), cast(Treatment, table.text("treatment"))
    if treatment != "editorial":
        if not readings:
            table.fail("no readings; write at least one [[interpretation.reading]] below it")
        if recommended is None:
            table.fail(f'the key "recommended" is missing; {suggest("", labels)}')
    if recommended is not None and recommended not in labels:
        table.fail(f'recommended is "{recommended}", which is no label of its readings; {suggest(recommended, labels)}')
    if any(reading.label == recommended and not reading.accepted for reading in readings):
        table.fail(f'the recommended reading "{recommended}" has accepted = false; recommend another reading')
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


def _reading(file: Path, where: str, values: Mapping[str, Any]) -> Reading:
    label = values.get("label")
    table = TomlTable(file, f"{where}, {label}" if isinstance(label, str) else where, values, _READING_KEYS)
    return Reading(
        table.text("label"),
        table.text("text"),
        table.optional_text("implies"),
        table.flag("accepted", default=True),
    )


def _simulated(file: Path, values: Mapping[str, Any]) -> Mapping[str, str]:
    table = TomlTable(file, "[spec.simulated]", values, dict.fromkeys(PLATFORMS, _ENTRY_POINT))
    return MappingProxyType({platform: table.text(platform) for platform in values})


def _schemas(file: Path, values: Mapping[str, Any]) -> Mapping[str, Path]:
    table = TomlTable(file, "[spec.schemas]", values, {name: KeySpec() for name in values})
    schemas = {name: file.parent / table.text(name) for name in values}
    for name, path in schemas.items():
        if not path.is_file():
            table.fail(f'the key "{name}" names {table.text(name)}, which is no file beside {PACK_FILE}')
    return MappingProxyType(schemas)


def _check_unique(file: Path, where: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise UsageError(f'{file}: {where}: "{id}" occurs twice; write each id once')
        seen.add(id)


def _check_references(
    file: Path, requirements: tuple[Requirement, ...], interpretations: tuple[Interpretation, ...]
) -> None:
    known = {requirement.id: requirement for requirement in requirements}
    for requirement in requirements:
        other = requirement.restates
        if other is None:
            continue
        where = f'{file}: [[requirement]] {requirement.id}: restates is "{other}"'
        if other not in known or other == requirement.id:
            raise UsageError(f"{where}, which is no other requirement; {suggest(other, set(known) - {requirement.id})}")
        if (source := known[other].restates) is not None:
            raise UsageError(f'{where}, which itself restates another; write "{source}"')
    for interpretation in interpretations:
        for id in interpretation.affects:
            if id not in known:
                raise UsageError(
                    f'{file}: [[interpretation]] {interpretation.id}: affects names "{id}", '
                    f"which is no requirement; {suggest(id, known)}"
                )


def _check_basis(
    file: Path, determinism: str | None, requirements: tuple[Requirement, ...], tools: tuple[Tool, ...]
) -> None:
    known = [requirement.id for requirement in requirements]
    if determinism is not None and determinism not in known:
        raise UsageError(
            f'{file}: [spec]: determinism is "{determinism}", which is no requirement; {suggest(determinism, known)}'
        )
    capabilities = sorted({capability for tool in tools for capability in tool.capabilities})
    for requirement in requirements:
        if requirement.capability is not None and requirement.capability not in capabilities:
            raise UsageError(
                f'{file}: [[requirement]] {requirement.id}: capability is "{requirement.capability}", '
                f"which no [[tool]] has; {suggest(requirement.capability, capabilities)}"
            )
