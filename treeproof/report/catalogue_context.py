"""What a catalogue knows beyond a run document: handed to a report that explains, never a part of its verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from treeproof.spec import Interpretation, Pack, Requirement


class MutantSummary(Protocol):
    """A wrong behaviour that a requirement's scenarios catch."""

    @property
    def id(self) -> str: ...
    @property
    def summary(self) -> str: ...


@dataclass(frozen=True)
class CatalogueContext:
    """A pack, and by a requirement's id the wrong behaviours that its scenarios catch."""

    pack: Pack
    mutants_violating: Callable[[str], Sequence[MutantSummary]] = field(default=lambda requirement: ())

    def matches(self, spec: Mapping[str, Any]) -> bool:
        """Whether it is the catalogue of this specification of a run document."""
        mine = (self.pack.name, self.pack.version, self.pack.sha256)
        return mine == (spec["name"], spec["version"], spec["sha256"])

    def requirement(self, id: str) -> Requirement | None:
        """The requirement of that id; None where this version of the catalogue has none."""
        return next((one for one in self.pack.requirements if one.id == id), None)

    def interpretation(self, id: str) -> Interpretation | None:
        """The interpretation of that id; None where this version of the catalogue has none."""
        return next((one for one in self.pack.interpretations if one.id == id), None)
