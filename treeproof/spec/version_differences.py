"""What differs between two versions of a specification, for an implementer of the older one. Runs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Interpretation, Pack, Requirement, Tool
from treeproof.spec.frozen_versions import scenario_hash
from treeproof.spec.version_features import scenarios_of

DifferenceKind = Literal["new", "changed", "withdrawn", "scenarios"]
"""`scenarios`: the item itself is the same, and other scenarios verify it."""

Item = Requirement | Interpretation | Tool

_KEYS: Mapping[type, Sequence[str]] = {
    Requirement: ("level", "text", "basis", "capability", "restates", "condition", "excluded"),
    Interpretation: ("question", "treatment", "recommended", "invariant"),
    Tool: ("capabilities", "default_arguments", "config_table", "has_side_effects", "optional"),
}


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
    item: Item
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
    error_kinds = [dict.fromkeys(pack.error_kinds, b"") for pack in (old, new)]
    schemas = [{name: file.read_bytes() for name, file in pack.schemas.items()} for pack in (old, new)]
    return VersionDifferences(
        old,
        new,
        tuple(_differences(old.tools, new.tools)),
        requirements,
        tuple(_differences(old.interpretations, new.interpretations)),
        tuple(_changed_words(*error_kinds)),
        tuple(_changed_words(*schemas)),
        len(new.requirements) - sum(one.kind != "withdrawn" for one in requirements),
    )


def _requirement_differences(old: Pack, new: Pack) -> Iterator[Difference]:
    before, after = _scenarios(old), _scenarios(new)
    found = {one.id: one for one in _differences(old.requirements, new.requirements)}
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
    for case in scenarios_of(pack):
        found.setdefault(case.requirement, {})[case.id] = scenario_hash(case, pack)
    return found


def _missing(these: Mapping[str, str], those: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(id for id, digest in these.items() if those.get(id) != digest)


def _differences(old: Sequence[Item], new: Sequence[Item]) -> Iterator[Difference]:
    before, after = ({_id_of(one): one for one in items} for items in (old, new))
    for id, item in after.items():
        if id not in before:
            yield Difference(id, "new", item)
        elif changes := tuple(_changed_fields(before[id], item)):
            yield Difference(id, "changed", item, changes)
    yield from (Difference(id, "withdrawn", item) for id, item in before.items() if id not in after)


def _id_of(item: Item) -> str:
    return item.name if isinstance(item, Tool) else item.id


def _changed_fields(old: Item, new: Item) -> Iterator[FieldChange]:
    before, after = _fields(old), _fields(new)
    yield from (FieldChange(key, before[key], after[key]) for key in before if before[key] != after[key])


def _fields(item: Item) -> Mapping[str, str | None]:
    """Return what differs between versions, as text."""
    found = {key: _text(getattr(item, key)) for key in _KEYS[type(item)]}
    if isinstance(item, Interpretation):
        for accepted, key in ((True, "accepted readings"), (False, "refused readings")):
            found[key] = ", ".join(one.label for one in item.readings if one.accepted is accepted) or None
    return found


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or None
    return str(value)


def _changed_words(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[tuple[str, DifferenceKind]]:
    for word in dict.fromkeys((*new, *old)):
        if old.get(word) != new.get(word):
            yield word, "new" if word not in old else "withdrawn" if word not in new else "changed"
