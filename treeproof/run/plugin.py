"""The pytest plugin of a run: feature files as collectors, scenario cases as items, records as results.

pytest selects, orders and runs the items. It calls no fixture and no function: a scenario is run by `scenario_runner`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.spec.gherkin import FeatureText, ScenarioCase
from treeproof.verdict import ScenarioRecord
from treeproof.verdict.plain_text import truncate


class FeatureFile(pytest.File):
    """A feature file; collects one item per scenario case."""

    def __init__(self, *, feature: FeatureText, **node: Any) -> None:
        super().__init__(**node)
        self._feature = feature

    def collect(self) -> Iterator[ScenarioItem]:
        """Yield the scenario cases."""
        for case in self._feature.scenarios:
            yield ScenarioItem.from_parent(self, name=case.id, case=case)


class ScenarioItem(pytest.Item):
    """One scenario case."""

    def __init__(self, *, case: ScenarioCase, **node: Any) -> None:
        super().__init__(**node)
        self.case = case

    def runtest(self) -> None:
        """Do nothing: the plugin runs the scenario."""


class RunPlugin:
    """One run over the features of one pack."""

    def __init__(
        self,
        session: Session,
        features: Mapping[Path, FeatureText],
        selected: frozenset[str] | None,
        on_record: Callable[[ScenarioRecord], None],
        order: Callable[[list[pytest.Item]], None] | None,
        on_scenario_start: Callable[[str], None],
    ) -> None:
        self._session = session
        self._features = features
        self._selected = selected
        self._on_record = on_record
        self._order = order
        self._on_scenario_start = on_scenario_start
        self.records: list[ScenarioRecord] = []
        self.collected: list[str] = []
        self.errors: list[str] = []
        self.interrupted = False

    def pytest_configure(self, config: pytest.Config) -> None:
        """Let pytest end in a folder that exists: a candidate may have removed the working directory."""
        params = config.invocation_params
        config.invocation_params = pytest.Config.InvocationParams(
            args=params.args, plugins=params.plugins, dir=Path(__file__).parent
        )

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> FeatureFile | None:
        feature = self._features.get(file_path)
        return FeatureFile.from_parent(parent, path=file_path, feature=feature) if feature else None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(f"{report.nodeid}: {truncate(str(report.longrepr), 400)}")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        cases = [item for item in items if isinstance(item, ScenarioItem)]
        self.collected = [item.case.id for item in cases]
        items[:] = [item for item in cases if self._selected is None or item.case.id in self._selected]
        if self._order is not None:
            self._order(items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: ScenarioItem) -> bool:
        """Run a scenario; a signal ends the run before it."""
        self._session.candidate.environment.interrupts.raise_if_pending()
        self._on_scenario_start(item.case.id)
        record = run_scenario(self._session, item.case)
        self.records.append(record)
        self._on_record(record)
        return True

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if not isinstance(excinfo.value, pytest.Session.Interrupted):  # a failed collection raises it
            self.interrupted = True
