"""The frozen versions of a specification: hashes of what decides verdicts in them, in a file beside spec.toml.

A candidate that conforms to a released version must still conform to it tomorrow. So whatever changes a frozen version
is an error of the lint, until the version is frozen again, which changes the file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Literal

from treeproof.spec.catalogue import Pack
from treeproof.spec.gherkin import ALSO_PREFIX, ID_TAG, ScenarioCase
from treeproof.spec.locks import format_frozen, read_frozen
from treeproof.spec.pack_versions import SINCE, UNTIL
from treeproof.spec.source_document import HASH_LENGTH
from treeproof.spec.version_features import scenarios_of

ChangeKind = Literal["changed", "added", "removed"]


@dataclass(frozen=True, slots=True)
class FrozenChange:
    """A difference between a pack and its frozen state: the id of a requirement, an interpretation or a scenario.

    A schema has `schema:` before its name, a tool `tool:`. The settings in [spec] have the id `settings`.
    """

    id: str
    kind: ChangeKind


def frozen_hashes(pack: Pack) -> dict[str, str]:
    """Return a hash for each requirement, interpretation, tool, scenario and schema of a version, by its id.

    One more, `settings`, is of the settings in [spec]. Contains the level and basis of requirements, the treatment and
    readings of interpretations, and the requirement, tags and steps of scenarios. Titles, explanations and places in
    files are left out. Raises FileError.
    """
    found: dict[str, list[Any]] = {}
    for one in pack.requirements:
        is_limited = [one.condition is not None, one.excluded is not None]
        found[one.id] = ["requirement", one.level, one.basis, one.capability, one.restates, is_limited, one.harm]
    for entry in pack.interpretations:
        readings = [[reading.label, reading.accepted] for reading in entry.readings]
        found[entry.id] = ["interpretation", entry.treatment, entry.recommended, readings, list(entry.affects)]
    for tool in pack.tools:
        needs = [sorted(tool.capabilities), dict(tool.default_arguments), tool.config_table]
        shown = [] if tool.evidence is None else [dict(tool.evidence)]
        found[f"tool:{tool.name}"] = ["tool", *needs, tool.has_side_effects, tool.optional, *shown]
    words = [sorted(pack.error_kinds), sorted(pack.volatile_members), dict(pack.context), sorted(pack.simulated)]
    blamed = [pack.determinism, pack.unchanged, pack.naming, pack.output_form, sorted(pack.by_lines)]
    view = [] if pack.view is None else [astuple(pack.view)]
    found["settings"] = ["settings", *blamed, *words, *view]
    found |= {f"schema:{name}": ["schema", _schema(file)] for name, file in pack.schemas.items()}
    hashes = {id: _hash_of(content) for id, content in found.items()}
    return hashes | {case.id: scenario_hash(case, pack) for case in scenarios_of(pack)}


def _schema(file: Path) -> Any:
    """Return the content of a schema, in which spaces do not count, or its text if it is no JSON."""
    text = file.read_text("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def scenario_hash(case: ScenarioCase, pack: Pack) -> str:
    """Return a hash of the requirement, the tags and the steps of a scenario, without its place and versions."""
    tags = sorted(
        tag
        for tag in case.tags
        if tag != pack.name
        and not ID_TAG.fullmatch(tag)
        and not tag.startswith((f"{SINCE}:", f"{UNTIL}:", ALSO_PREFIX))
    )
    steps = [[step.keyword_type, step.text, step.docstring, step.table] for step in case.steps]
    return _hash_of(["scenario", case.requirement, tags, steps])


def _hash_of(content: list[Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:HASH_LENGTH]


def changes_since_frozen(pack: Pack) -> list[FrozenChange] | None:
    """Return what differs from the frozen state of this version; None if it is not frozen. Raises UsageError."""
    frozen = read_frozen(pack).get(pack.version)
    if frozen is None:
        return None
    present = frozen_hashes(pack)
    changed = (id for id in sorted(present | frozen) if present.get(id) != frozen.get(id))
    return [
        FrozenChange(id, "removed" if id not in present else "changed" if id in frozen else "added") for id in changed
    ]


def frozen_text(pack: Pack) -> str:
    """Return the text of the file with the present state of this version. Raises UsageError."""
    frozen = read_frozen(pack)
    frozen[pack.version] = frozen_hashes(pack)
    return format_frozen({one: frozen[one] for one in pack.versions if one in frozen})
