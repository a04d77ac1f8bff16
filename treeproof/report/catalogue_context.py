"""Data of a catalogue that a run document lacks; some reports use it for explanations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from treeproof.spec import Interpretation, Pack, Requirement


class MutantSummary(Protocol):
    """A mutant that violates a requirement."""

    @property
    def id(self) -> str: ...
    @property
    def summary(self) -> str: ...


@dataclass(frozen=True)
class CatalogueContext:
    """A pack, and its mutants by the id of the violated requirement."""

    pack: Pack
    mutants_violating: Callable[[str], Sequence[MutantSummary]] = field(default=lambda requirement: ())

    def matches(self, spec: Mapping[str, Any]) -> bool:
        """Return True if this is the catalogue of a specification in a run document."""
        mine = (self.pack.name, self.pack.version, self.pack.sha256)
        return mine == (spec["name"], spec["version"], spec["sha256"])

    def requirement(self, id: str) -> Requirement | None:
        """Return the requirement with this id, or None."""
        return next((one for one in self.pack.requirements if one.id == id), None)

    def interpretation(self, id: str) -> Interpretation | None:
        """Return the interpretation with this id, or None."""
        return next((one for one in self.pack.interpretations if one.id == id), None)
