"""The items of a spec.toml, each created from its table. A wrong table raises TableError and has a placeholder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast, get_args

from treeproof.spec.catalogue import (
    PACK_FILE,
    PLATFORMS,
    Basis,
    Harm,
    Interpretation,
    Level,
    Pack,
    Reading,
    Requirement,
    RetiredId,
    SettledTopic,
    Tool,
    Treatment,
    VerificationMethod,
)
from treeproof.spec.pack_keys import ENTRY_POINT, READING_KEYS
from treeproof.spec.toml_table import KeySpec, TablePlace, TomlTable, suggest


def tool_item(table: TomlTable) -> Tool:
    name = table.text("name")
    return Tool(
        name,
        table.texts("capabilities"),
        table.table("default_arguments"),
        table.optional_text("config_table") or name,
        table.flag("has_side_effects", default=False),
        table.flag("optional", default=False),
        table.optional_table("evidence"),
        table.flag("exact_paths", default=False),
    )


def requirement_item(table: TomlTable) -> Requirement:
    restates, excluded = table.optional_text("restates"), table.optional_text("excluded")
    verified_by = cast("tuple[VerificationMethod, ...]", table.texts("verified_by"))
    if restates is not None and excluded is not None:
        table.fail('both "restates" and "excluded" are given; remove one, because a verdict has one source', "excluded")
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
        table.fail(
            f'the key "capability" is for basis = "framework", and the basis is "{basis}"; remove it', "capability"
        )
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
        harm=cast("Harm | None", table.optional_text("harm")),
    )


def interpretation_item(table: TomlTable, readings: tuple[Reading, ...]) -> Interpretation:
    labels = [reading.label for reading in readings]
    recommended, treatment = table.optional_text("recommended"), cast(Treatment, table.text("treatment"))
    if treatment != "editorial":
        if not readings:
            table.fail("no readings; write at least one [[interpretation.reading]] below it")
        if recommended is None:
            table.fail(f'the key "recommended" is missing; {suggest("", labels)}')
    if recommended is not None and recommended not in labels:
        message = f'recommended is "{recommended}", which is no label of its readings; {suggest(recommended, labels)}'
        table.fail(message, "recommended")
    if any(reading.label == recommended and not reading.accepted for reading in readings):
        table.fail(
            f'the recommended reading "{recommended}" has accepted = false; recommend another reading', "recommended"
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
        topic=table.optional_text("topic"),
        sentences=table.texts("sentences"),
    )


def settled_item(table: TomlTable) -> SettledTopic:
    return SettledTopic(table.text("topic"), table.text("reason"), table.texts("sentences"))


def reading_item(where: str, values: Mapping[str, Any], number: int, interpretation: TablePlace) -> Reading:
    label = values.get("label")
    place = TablePlace("interpretation.reading", (*interpretation.numbers, number))
    table = TomlTable(f"{where}, {label}" if isinstance(label, str) else where, values, READING_KEYS, place)
    return Reading(
        table.text("label"),
        table.text("text"),
        table.optional_text("implies"),
        table.flag("accepted", default=True),
    )


def simulated_entry_points(values: Mapping[str, Any]) -> Mapping[str, str]:
    keys = dict.fromkeys(PLATFORMS, ENTRY_POINT)
    table = TomlTable("[spec.simulated]", values, keys, TablePlace("spec.simulated"))
    return MappingProxyType({platform: table.text(platform) for platform in values})


def schema_files(folder: Path, values: Mapping[str, Any]) -> Mapping[str, Path]:
    keys = {name: KeySpec() for name in values}
    table = TomlTable("[spec.schemas]", values, keys, TablePlace("spec.schemas"))
    schemas = {name: folder / table.text(name) for name in values}
    for name, path in schemas.items():
        if not path.is_file():
            found = sorted(file.name for file in folder.glob("*.json"))
            fix = suggest(table.text(name), found) if found else "write the file"
            table.fail(f'the key "{name}" names {table.text(name)}, which is no file beside {PACK_FILE}; {fix}', name)
    return MappingProxyType(schemas)


# --- placeholders of items that have problems, so that the lint of features knows their ids ---


def _text_of(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _texts_of(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def broken_tool(values: Mapping[str, Any]) -> Tool | None:
    name = _text_of(values, "name")
    return Tool(name, _texts_of(values.get("capabilities")), {}, name) if name else None


def broken_requirement(values: Mapping[str, Any]) -> Requirement | None:
    id = _text_of(values, "id")
    return Requirement(id, "MUST", "", "", (), sentences=_texts_of(values.get("sentences"))) if id else None


def broken_interpretation(values: Mapping[str, Any]) -> Interpretation | None:
    id, tables = _text_of(values, "id"), values.get("reading")
    labels = [_text_of(one, "label") for one in tables if isinstance(one, dict)] if isinstance(tables, list) else []
    readings = tuple(Reading(label, "", accepted=False) for label in labels)
    return Interpretation(id, "", "any", None, "", (), readings) if id else None


def broken_pack(
    folder: Path,
    values: object,
    tools: tuple[Tool, ...],
    requirements: tuple[Requirement, ...],
    interpretations: tuple[Interpretation, ...],
    retired: tuple[RetiredId, ...],
    versions: tuple[str, ...] = (),
) -> Pack | None:
    if not isinstance(values, dict) or not isinstance(values.get("steps"), list):
        return None
    name, prefix = _text_of(values, "name"), _text_of(values, "prefix")
    if not (name and prefix):
        return None
    return Pack(
        folder=folder,
        name=name,
        version=_text_of(values, "version"),
        title=_text_of(values, "title"),
        source=_text_of(values, "source"),
        sha256=_text_of(values, "sha256"),
        prefix=prefix,
        steps=_texts_of(values["steps"]),
        reference=None,
        oracle=None,
        mutants=None,
        schemas={},
        tools=tools,
        requirements=requirements,
        interpretations=interpretations,
        retired=retired,
        error_kinds=_texts_of(values.get("error_kinds")),
        versions=versions,
    )
