"""Feature files as pytest modules: every row of every feature becomes one test item that carries its scenario id.

pytest-bdd binds features to Python modules that somebody has to write, and says nothing of a feature that nobody
bound. Here the feature file itself is the module.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import scenario
from pytest_bdd.feature import features
from pytest_bdd.gherkin_parser import GherkinDocument
from pytest_bdd.parser import FeatureParser

from treeproof.spec.gherkin import FeatureText, ScenarioCase

EXAMPLE_PARAMETER = "_pytest_bdd_example"


class FeatureFile(pytest.Module):
    """A ``.feature`` file; collects one function a scenario, parametrized by the rows of its Examples."""

    def _getobj(self) -> types.ModuleType:
        module = types.ModuleType(f"feature_{self.path.stem}")
        text = self.config.stash[FEATURES_KEY][self.path]
        # pytest-bdd keeps what it has parsed here, for ever; it gets what was parsed for this run.
        features[str(self.path)] = _PreparsedFeatureParser(
            str(self.path.parent), self.path.name, text
        ).parse()
        for title, row in _first_case_by_title(text).items():
            setattr(module, row.id, _bind_scenario(self.path, title))
        return module


class _PreparsedFeatureParser(FeatureParser):
    """pytest-bdd's own reading of a file that has been parsed already."""

    def __init__(self, folder: str, name: str, text: FeatureText) -> None:
        super().__init__(folder, name)
        self._text = text

    def _parse_feature_file(self) -> GherkinDocument:
        return GherkinDocument.from_dict(dict(self._text.document))


FEATURES_KEY: pytest.StashKey[Mapping[Path, FeatureText]] = pytest.StashKey()


def _first_case_by_title(text: FeatureText) -> dict[str, ScenarioCase]:
    rows: dict[str, ScenarioCase] = {}
    for row in text.scenarios:
        rows.setdefault(row.template_title, row)
    return rows


def _bind_scenario(path: Path, title: str) -> Callable[..., Any]:
    @scenario(path.name, title, features_base_dir=str(path.parent))
    def bound() -> None:
        """The steps have run; there is nothing to add."""

    return bound


def case_of_item(item: pytest.Item, text: FeatureText) -> ScenarioCase | None:
    """Return the row that ``item`` runs, or None when the feature holds no such row."""
    callspec = getattr(item, "callspec", None)
    wanted = (
        callspec.params[EXAMPLE_PARAMETER].get("id")
        if callspec is not None
        else getattr(item, "originalname", item.name)
    )
    return next((row for row in text.scenarios if row.id == wanted), None)
