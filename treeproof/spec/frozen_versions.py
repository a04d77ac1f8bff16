"""The frozen versions of a specification: hashes of what decides verdicts in them, in a file beside spec.toml.

A candidate that conforms to a released version must still conform to it tomorrow. So whatever changes a frozen version
is an error of the lint, until the version is frozen again, which changes the file.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from treeproof.errors import FileError, check_readable
from treeproof.spec.catalogue import Interpretation, Pack, Requirement, Tool
from treeproof.spec.gherkin import ALSO_PREFIX, ID_TAG, ScenarioCase
from treeproof.spec.pack_versions import SINCE, UNTIL
from treeproof.spec.version_features import scenarios_of

FROZEN_FILE = "frozen.lock"
"""The name of the file beside spec.toml. `treeproof freeze` writes it."""

_MAX_BYTES = 4 << 20
HEADING = "# "
_COMMENT = "// "
_HASH_LENGTH = 12
_SCHEMA, _TOOL, _SETTINGS = "schema:", "tool:", "settings"
_ENTRY = re.compile(rf"(?P<hash>[0-9a-f]{{{_HASH_LENGTH}}}) (?P<id>\S+)")


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
    hashes = {one.id: _hash_of(_requirement(one)) for one in pack.requirements}
    hashes |= {one.id: _hash_of(_interpretation(one)) for one in pack.interpretations}
    hashes |= {f"{_TOOL}{one.name}": _hash_of(_tool(one)) for one in pack.tools}
    hashes[_SETTINGS] = _hash_of(_settings(pack))
    hashes |= {f"{_SCHEMA}{name}": _hash_of(["schema", _schema(file)]) for name, file in pack.schemas.items()}
    return hashes | {case.id: scenario_hash(case, pack) for case in scenarios_of(pack)}


def _requirement(one: Requirement) -> list[Any]:
    is_limited = [one.condition is not None, one.excluded is not None]
    return ["requirement", one.level, one.basis, one.capability, one.restates, is_limited, one.harm]


def _tool(one: Tool) -> list[Any]:
    needs = [sorted(one.capabilities), dict(one.default_arguments), one.config_table]
    shown = [] if one.evidence is None else [dict(one.evidence)]
    return ["tool", *needs, one.has_side_effects, one.optional, *shown]


def _settings(pack: Pack) -> list[Any]:
    """Return the settings of [spec] that decide verdicts."""
    words = [sorted(pack.error_kinds), sorted(pack.volatile_members)]
    blamed = [pack.determinism, pack.unchanged, pack.naming, pack.output_form, sorted(pack.by_lines)]
    return ["settings", *blamed, *words, dict(pack.context), sorted(pack.simulated)]


def _interpretation(one: Interpretation) -> list[Any]:
    readings = [[reading.label, reading.accepted] for reading in one.readings]
    return ["interpretation", one.treatment, one.recommended, readings, list(one.affects)]


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
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:_HASH_LENGTH]


def read_frozen(pack: Pack) -> dict[str, dict[str, str]]:
    """Return the hashes by id of each frozen version; empty if there is no file.

    Raises FileError for a broken file, and another UsageError for one that is not readable.
    """
    file = pack.folder / FROZEN_FILE
    if not file.exists():
        return {}
    check_readable(file, _MAX_BYTES, f"the frozen versions of {pack.pack_file}")
    fix = "restore the file, or run 'treeproof freeze', which writes it"
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(file, 0, f"cannot be read: {error}; {fix}") from None
    frozen: dict[str, dict[str, str]] = {}
    current: dict[str, str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(HEADING):
            current = frozen.setdefault(line.removeprefix(HEADING), {})
        elif line and not line.startswith(_COMMENT):
            entry = _ENTRY.fullmatch(line)
            if entry is None or current is None:
                problem = f'"{line[:40]}" is no hash with an id below a version; {fix}'
                raise FileError(file, number, problem)
            current[entry["id"]] = entry["hash"]
    return frozen


def format_frozen(frozen: Mapping[str, Mapping[str, str]]) -> str:
    """Return the text of the file."""
    lines = [f"{_COMMENT}What decides verdicts in frozen versions, as hashes. `treeproof freeze` writes this file."]
    for version, hashes in frozen.items():
        lines.append(f"{HEADING}{version}")
        lines += [f"{hash} {id}" for id, hash in sorted(hashes.items())]
    return "\n".join(lines) + "\n"


def changes_since_frozen(pack: Pack) -> list[FrozenChange] | None:
    """Return what differs from the frozen state of this version; None if it is not frozen. Raises UsageError."""
    frozen = read_frozen(pack).get(pack.version)
    if frozen is None:
        return None
    present = frozen_hashes(pack)
    found = []
    for id in sorted(present | frozen):
        if present.get(id) != frozen.get(id):
            kind: ChangeKind = "removed" if id not in present else "changed" if id in frozen else "added"
            found.append(FrozenChange(id, kind))
    return found


def frozen_text(pack: Pack) -> str:
    """Return the text of the file with the present state of this version. Raises UsageError."""
    frozen = read_frozen(pack)
    frozen[pack.version] = frozen_hashes(pack)
    return format_frozen({one: frozen[one] for one in pack.versions if one in frozen})
