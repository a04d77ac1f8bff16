"""A pack of a run with its parsed features and the selected scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from treeproof.spec import Pack
from treeproof.spec.gherkin import FeatureText, ScenarioCase


@dataclass(frozen=True)
class SelectedPack:
    """One pack of the run: its parsed features, and the selected scenario ids (None: all)."""

    pack: Pack
    features: Mapping[Path, FeatureText] = field(default_factory=dict)
    selected_ids: frozenset[str] | None = None

    @property
    def cases(self) -> list[ScenarioCase]:
        """Every scenario of the pack."""
        return [case for text in self.features.values() for case in text.scenarios]

    @property
    def requirement_by_scenario(self) -> dict[str, str]:
        """Every scenario id of the pack and the requirement it verifies."""
        return {case.id: case.requirement for case in self.cases}

    @property
    def scenario_count(self) -> int:
        """The number of scenarios to run."""
        return len(self.requirement_by_scenario) if self.selected_ids is None else len(self.selected_ids)
