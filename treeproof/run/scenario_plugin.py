"""The plug-in of pytest that runs scenarios: as a run of treeproof, in its workers, and in the run of an adopter.

A scenario is an item, and no function: fixtures do not apply to it. What differs between these runs is in the derived
plug-ins: `engine.SealedPlugin` and `pytest_plugin.conformance.ConformancePlugin`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from treeproof.run.scenario_proof import with_proven_scenario
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import ScenarioRecord

ROOT_NODE_ID = "treeproof"
"""The first part of every node id; the others are specification, requirement and scenario."""


def node_id(pack: Pack, case: ScenarioCase) -> str:
    """Return ``treeproof::SPECIFICATION::REQUIREMENT::SCENARIO``."""
    return "::".join((ROOT_NODE_ID, pack.name, case.requirement, case.id))


class GroupCollector(pytest.Collector):
    """A node that only contains others: treeproof, a specification or a requirement."""

    def __init__(self, **node: Any) -> None:
        super().__init__(**node)
        self._groups: dict[str, GroupCollector] = {}
        self.children: list[pytest.Item | pytest.Collector] = []

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Return the added nodes."""
        return self.children

    def group(self, name: str) -> GroupCollector:
        """Return the group of this name in this one; add it if there is none."""
        if name not in self._groups:
            new = GroupCollector.from_parent(self, name=name, nodeid=f"{self.nodeid}::{name}")
            self._groups[name] = new
            self.children.append(new)
        return self._groups[name]


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, plugin: ScenarioPlugin, session_of_pack: Session, case: ScenarioCase, **node: Any) -> None:
        super().__init__(**node)
        self.case = case
        self.pack = session_of_pack.pack
        self.record: ScenarioRecord | None = None
        self._session_of_pack = session_of_pack
        self._plugin = plugin
        self.add_marker(pytest.mark.treeproof)

    def runtest(self) -> None:
        """Run the scenario; a signal ends the run before it."""
        self._session_of_pack.candidate.environment.interrupts.raise_if_pending()
        record = run_scenario(self._session_of_pack, self.case)
        self.record = with_proven_scenario(self._session_of_pack, self.case, record)
        self._plugin.on_record(self, self.record)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.case.file, self.case.line - 1, self._plugin.describe(self.case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return self._plugin.format_failure(self, excinfo) or super().repr_failure(excinfo, style)


class ScenarioPlugin:
    """Adds scenarios to a run of pytest as items."""

    def add_scenarios(self, top: GroupCollector, session: Session, cases: Iterable[ScenarioCase]) -> list[pytest.Item]:
        """Add an item for each case below ``top``, run by ``session``; return the items in the order of the cases."""
        items: list[pytest.Item] = []
        for case in cases:
            group = top.group(session.pack.name).group(case.requirement)
            item = ScenarioItem.from_parent(
                group,
                name=case.id,
                nodeid=node_id(session.pack, case),
                plugin=self,
                session_of_pack=session,
                case=case,
            )
            group.children.append(item)
            items.append(item)
        return items

    def on_record(self, item: ScenarioItem, record: ScenarioRecord) -> None:
        """Handle the record of a scenario; may raise an exception that is the outcome of the item."""

    def describe(self, case: ScenarioCase) -> str:
        """Return the scenario's id and title, as pytest names the item."""
        return f"{case.id} {case.title}"

    def format_failure(self, item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        """Return the report of a failure in pytest's form; None for pytest's own."""
