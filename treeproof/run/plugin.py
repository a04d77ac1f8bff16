"""The pytest plugin of a run: what is collected, which world a scenario gets, where records go.

It refuses what pytest-bdd swallows: parsed, collected and executed are compared by id on every run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from treeproof.run.collect import FEATURES_KEY, FeatureFile, case_of_item
from treeproof.run.scenario_record import build_record, check_prerequisites
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec.gherkin import FeatureText, ScenarioCase
from treeproof.verdict import ScenarioRecord
from treeproof.verdict.record import truncate

if TYPE_CHECKING:
    from treeproof.run.simulated import SimulatedPlatforms

RECORD_PROPERTY = "treeproof"
WORLD_KEY: pytest.StashKey[World] = pytest.StashKey()


class RunPlugin:
    """One run over the features of one pack."""

    def __init__(
        self,
        session: Session,
        features: Mapping[Path, FeatureText],
        selected: frozenset[str] | None,
        on_record: Callable[[ScenarioRecord], None],
        order: Callable[[list[pytest.Item]], None] | None = None,
    ) -> None:
        self._session = session
        self._features = features
        self._selected = selected
        self._on_record = on_record
        self._order = order
        self.records: list[ScenarioRecord] = []
        self.collected: list[str] = []
        self.errors: list[str] = []
        self._case_by_node: dict[str, ScenarioCase] = {}
        self._simulated_platforms: SimulatedPlatforms | None = None

    def scenario_id(self, item: pytest.Item) -> str:
        """The id of the scenario that a collected item runs."""
        return self._case_by_node[item.nodeid].id

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[FEATURES_KEY] = self._features

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> FeatureFile | None:
        if file_path in self._features:
            return FeatureFile.from_parent(parent, path=file_path)
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_bdd_apply_tag(self, tag: str, function: object) -> bool:
        """Tags are ids here, never pytest marks: @skip must not skip."""
        return True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(f"{report.nodeid}: {truncate(str(report.longrepr), 400)}")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        keep = []
        for item in items:
            row = case_of_item(item, self._features[item.path])
            if row is None:
                self.errors.append(f"{item.nodeid}: collected, but no scenario of the feature has its id")
                continue
            self._case_by_node[item.nodeid] = row
            self.collected.append(row.id)
            if self._selected is None or row.id in self._selected:
                # The record says what happened; pytest's own drawing of a failure costs more than the scenario.
                item.repr_failure = _short_failure  # type: ignore[method-assign]
                keep.append(item)
        items[:] = keep
        if self._order is not None:
            self._order(items)

    @pytest.fixture
    def world(self, request: pytest.FixtureRequest) -> Iterator[World]:
        """The state of one scenario; its tree is removed when the scenario is over."""
        world = self._create_world(self._case_by_node[request.node.nodeid])
        request.node.stash[WORLD_KEY] = world
        check_prerequisites(world)
        try:
            yield world
        finally:
            world.close()

    def _create_world(self, row: ScenarioCase) -> World:
        platform = row.simulated
        if platform is None or platform not in self._session.simulated_entry_points:
            return World(self._session, row)
        if self._simulated_platforms is None:
            # A run without such rows need not wait for pyfakefs.
            from treeproof.run.simulated import SimulatedPlatforms

            self._simulated_platforms = SimulatedPlatforms(self._session)
        return self._simulated_platforms.create_world(row, platform)

    def pytest_sessionfinish(self) -> None:
        if self._simulated_platforms is not None:
            self._simulated_platforms.close()

    def pytest_bdd_before_step(self, request: pytest.FixtureRequest, step: Any) -> None:
        world: World = request.getfixturevalue("world")
        world.step = f"{step.type.capitalize()} {step.name}"
        world.phase = step.type

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """When every step has held, ask the world whether the scenario has shown what it set out to show."""
        yield
        item.stash[WORLD_KEY].check_evidence()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "call" or call.excinfo is not None:
            row = self._case_by_node[item.nodeid]
            world = item.stash.get(WORLD_KEY, None)
            error = call.excinfo.value if call.excinfo is not None else None
            record = build_record(
                self._session.pack.folder, row, world, error, call.duration, teardown=call.when == "teardown"
            )
            report.user_properties.append((RECORD_PROPERTY, record.to_json()))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == RECORD_PROPERTY and isinstance(value, dict):
                record = ScenarioRecord.from_json(value)
                # A teardown that breaks comes after the call's record and replaces it.
                self.records = (
                    [r for r in self.records if r.id != record.id]
                    if report.when == "teardown"
                    else self.records
                )
                self.records.append(record)
                self._on_record(record)
                return


def _short_failure(excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
    return excinfo.typename
