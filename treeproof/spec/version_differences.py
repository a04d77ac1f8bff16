"""What differs between two versions of a specification, for an implementer of the older one. Runs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Interpretation, Pack, Requirement, Tool
from treeproof.spec.frozen_versions import scenario_hash
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.version_features import scenarios_of

DifferenceKind = Literal["new", "changed", "withdrawn", "scenarios"]
"""`scenarios`: the item itself is the same, and other scenarios verify it."""

_REQUIREMENT_KEYS = ("level", "text", "basis", "capability", "restates", "condition", "excluded")
_INTERPRETATION_KEYS = ("question", "treatment", "recommended", "invariant")
_TOOL_KEYS = ("capabilities", "default_arguments", "config_table", "has_side_effects", "optional")


@dataclass(frozen=True)
class FieldChange:
    """A key of the catalogue with both values as text; None if it is absent."""

    key: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class Difference:
    """An item that is not the same in both versions. `item` is that of the new version, or of the old if withdrawn.

    `new_scenarios` and `gone_scenarios` are ids; a scenario with other steps is in both.
    """

    id: str
    kind: DifferenceKind
    item: Requirement | Interpretation | Tool
    fields: tuple[FieldChange, ...] = ()
    new_scenarios: tuple[str, ...] = ()
    gone_scenarios: tuple[str, ...] = ()


@dataclass(frozen=True)
class VersionDifferences:
    """The differences from `old` to `new`. `same` is the number of requirements without any."""

    old: Pack
    new: Pack
    tools: tuple[Difference, ...]
    requirements: tuple[Difference, ...]
    interpretations: tuple[Difference, ...]
    error_kinds: tuple[tuple[str, DifferenceKind], ...]
    schemas: tuple[tuple[str, DifferenceKind], ...]
    same: int

    @property
    def is_empty(self) -> bool:
        """True if nothing differs for a candidate."""
        return not (self.tools or self.requirements or self.interpretations or self.error_kinds or self.schemas)


def compare_versions(old: Pack, new: Pack) -> VersionDifferences:
    """Return what differs between two packs. Raises UsageError if they are of different specifications."""
    if old.name != new.name:
        raise UsageError(f"{old.name} and {new.name} are two specifications; write two versions of one")
    requirements = tuple(_requirement_differences(old, new))
    return VersionDifferences(
        old,
        new,
        tuple(_differences({one.name: one for one in old.tools}, {one.name: one for one in new.tools}, _tool_fields)),
        requirements,
        tuple(
            _differences(
                {one.id: one for one in old.interpretations},
                {one.id: one for one in new.interpretations},
                _interpretation_fields,
            )
        ),
        tuple(_changed_words(dict.fromkeys(old.error_kinds, b""), dict.fromkeys(new.error_kinds, b""))),
        tuple(_changed_words(_schema_bytes(old), _schema_bytes(new))),
        len(new.requirements) - sum(one.kind != "withdrawn" for one in requirements),
    )


def _requirement_differences(old: Pack, new: Pack) -> Iterator[Difference]:
    before, after = _scenarios(old), _scenarios(new)
    found = {
        one.id: one
        for one in _differences(
            {one.id: one for one in old.requirements}, {one.id: one for one in new.requirements}, _requirement_fields
        )
    }
    present = {one.id for one in new.requirements}
    withdrawn = [one for one in old.requirements if one.id not in present]
    for requirement in (*new.requirements, *withdrawn):
        difference = found.get(requirement.id) or Difference(requirement.id, "scenarios", requirement)
        added = _missing(after.get(requirement.id, {}), before.get(requirement.id, {}))
        gone = _missing(before.get(requirement.id, {}), after.get(requirement.id, {}))
        if difference.kind != "scenarios" or added or gone:
            yield Difference(difference.id, difference.kind, difference.item, difference.fields, added, gone)


def _scenarios(pack: Pack) -> dict[str, dict[str, str]]:
    """Return the hashes of all scenarios by their id, by the id of their requirement."""
    found: dict[str, dict[str, str]] = {}
    cases: Sequence[ScenarioCase] = scenarios_of(pack)
    for case in cases:
        found.setdefault(case.requirement, {})[case.id] = scenario_hash(case, pack)
    return found


def _missing(these: Mapping[str, str], those: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(id for id, digest in these.items() if those.get(id) != digest)


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], fields: Any) -> Iterator[Difference]:
    for id, item in new.items():
        if id not in old:
            yield Difference(id, "new", item)
        elif changes := tuple(fields(old[id], item)):
            yield Difference(id, "changed", item, changes)
    yield from (Difference(id, "withdrawn", item) for id, item in old.items() if id not in new)


def _requirement_fields(old: Requirement, new: Requirement) -> Iterator[FieldChange]:
    yield from _changed_fields(old, new, _REQUIREMENT_KEYS)


def _interpretation_fields(old: Interpretation, new: Interpretation) -> Iterator[FieldChange]:
    yield from _changed_fields(old, new, _INTERPRETATION_KEYS)
    for accepted, key in ((True, "accepted readings"), (False, "refused readings")):
        before, after = ([one.label for one in entry.readings if one.accepted is accepted] for entry in (old, new))
        if before != after:
            yield FieldChange(key, ", ".join(before) or None, ", ".join(after) or None)


def _tool_fields(old: Tool, new: Tool) -> Iterator[FieldChange]:
    yield from _changed_fields(old, new, _TOOL_KEYS)


def _changed_fields(old: object, new: object, keys: Sequence[str]) -> Iterator[FieldChange]:
    for key in keys:
        before, after = _text(getattr(old, key)), _text(getattr(new, key))
        if before != after:
            yield FieldChange(key, before, after)


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or None
    return str(value)


def _schema_bytes(pack: Pack) -> dict[str, bytes]:
    return {name: file.read_bytes() for name, file in pack.schemas.items()}


def _changed_words(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[tuple[str, DifferenceKind]]:
    for word in dict.fromkeys((*new, *old)):
        if old.get(word) != new.get(word):
            yield word, "new" if word not in old else "withdrawn" if word not in new else "changed"
