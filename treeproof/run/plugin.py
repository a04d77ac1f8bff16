"""The pytest plugin of a run: what is collected, how a step's exception becomes an outcome, where records go.

It refuses what pytest-bdd swallows: parsed, collected and executed are compared by id on every run.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from treeproof.candidate import CandidateFault
from treeproof.run.collect import FEATURES, FeatureFile, rows_by_item
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec.catalogue import PLATFORMS
from treeproof.spec.gherkin import FeatureText, ScenarioRow
from treeproof.verdict import Fault, Mismatch, NotApplicable, NotVerified, Outcome, Record
from treeproof.verdict.evidence import bounded

if TYPE_CHECKING:
    from treeproof.run.simulated import SimulatedPlatforms

RECORD = "treeproof"
ADVISORY = "advisory"
WORLD: pytest.StashKey[World] = pytest.StashKey()


class RunPlugin:
    """One run over the features of one pack."""

    def __init__(
        self,
        session: Session,
        features: Mapping[Path, FeatureText],
        selected: frozenset[str] | None,
        listener: Callable[[Record], None],
        order: Callable[[list[pytest.Item]], None] | None = None,
    ) -> None:
        self._session = session
        self._features = features
        self._selected = selected
        self._listener = listener
        self._order = order
        self.records: list[Record] = []
        self.collected: list[str] = []
        self.errors: list[str] = []
        self._rows: dict[str, ScenarioRow] = {}
        self._elsewhere: SimulatedPlatforms | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[FEATURES] = self._features

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> FeatureFile | None:
        if file_path in self._features:
            return FeatureFile.from_parent(parent, path=file_path)
        return None

    def pytest_bdd_apply_tag(self, tag: str, function: object) -> bool:
        """Tags are ids here, never pytest marks: @skip must not skip."""
        return True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(f"{report.nodeid}: {bounded(str(report.longrepr), 400)}")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        keep = []
        for item in items:
            row = rows_by_item(item, self._features[item.path])
            if row is None:
                self.errors.append(f"{item.nodeid}: collected, but no scenario of the feature has its id")
                continue
            self._rows[item.nodeid] = row
            self.collected.append(row.id)
            if self._selected is None or row.id in self._selected:
                # The record says what happened; pytest's own drawing of a failure costs more than the scenario.
                item.repr_failure = _in_a_word  # type: ignore[method-assign]
                keep.append(item)
        items[:] = keep
        if self._order is not None:
            self._order(items)

    @pytest.fixture
    def world(self, request: pytest.FixtureRequest) -> Iterator[World]:
        """The state of one scenario; its tree is removed when the scenario is over."""
        world = self._new_world(self._rows[request.node.nodeid])
        request.node.stash[WORLD] = world
        self._refuse_what_cannot_be_shown(world)
        try:
            yield world
        finally:
            world.close()

    def _new_world(self, row: ScenarioRow) -> World:
        platform = row.simulated
        if platform is None or platform not in self._session.simulated:
            return World(self._session, row)
        if self._elsewhere is None:
            # A run without such rows need not wait for pyfakefs.
            from treeproof.run.simulated import SimulatedPlatforms

            self._elsewhere = SimulatedPlatforms(self._session)
        return self._elsewhere.world(row, platform)

    def pytest_sessionfinish(self) -> None:
        if self._elsewhere is not None:
            self._elsewhere.close()

    def _refuse_what_cannot_be_shown(self, world: World) -> None:
        row = world.row
        if world.simulated is not None:
            return
        if row.simulated is not None:
            name = PLATFORMS[row.simulated]
            raise NotApplicable(
                f"a rule of {name}, which this machine only simulates, and only for the reference"
            )
        for need in row.needs:
            why = self._session.machine.why_not(need)
            if why is not None:
                raise NotVerified(f"needs {need}: {why}")

    def pytest_bdd_before_step(self, request: pytest.FixtureRequest, step: Any) -> None:
        world: World = request.getfixturevalue("world")
        world.step = f"{step.type.capitalize()} {step.name}"
        world.phase = step.type

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """When every step has held, ask the world whether the scenario has shown what it set out to show."""
        yield
        item.stash[WORLD].settle()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "call" or call.excinfo is not None:
            row = self._rows[item.nodeid]
            world = item.stash.get(WORLD, None)
            error = call.excinfo.value if call.excinfo is not None else None
            record = _record(
                self._session.pack.folder, row, world, error, call.duration, teardown=call.when == "teardown"
            )
            report.user_properties.append((RECORD, record.to_json()))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == RECORD and isinstance(value, dict):
                record = Record.from_json(value)
                # A teardown that breaks comes after the call's record and replaces it.
                self.records = (
                    [r for r in self.records if r.id != record.id]
                    if report.when == "teardown"
                    else self.records
                )
                self.records.append(record)
                self._listener(record)
                return


def _in_a_word(excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
    return excinfo.typename


def _record(
    folder: Path,
    row: ScenarioRow,
    world: World | None,
    error: BaseException | None,
    seconds: float,
    *,
    teardown: bool,
) -> Record:
    outcome, why = _outcome(error, world, teardown=teardown)
    evidence = world.evidence(outcome, why) if world is not None else why
    return Record(
        id=row.id,
        requirement=row.requirement,
        outcome=outcome,
        title=row.title,
        file=row.file.relative_to(folder.parent.parent).as_posix(),
        line=row.line,
        also=row.also,
        advisory=ADVISORY in row.tags,
        readings=dict(world.readings) if world is not None else {},
        warnings=tuple(world.warnings) if world is not None else (),
        seconds=seconds,
        evidence=evidence,
    )


def _outcome(
    error: BaseException | None, world: World | None, *, teardown: bool
) -> tuple[Outcome, dict[str, str]]:
    """Return how the scenario ended, and the words for it."""
    match error:
        case None if world is not None and not world.positive:
            cause = (
                "harness fault: the scenario showed no positive evidence (no entry listed, no control call)"
            )
            return Outcome.FAULT, {"cause": cause}
        case None if world is not None and world.simulated is not None:
            name = PLATFORMS[world.simulated]
            cause = f"held in a simulated {name}, which is no evidence of conformance"
            return Outcome.NOT_APPLICABLE, {"cause": cause}
        case None:
            return Outcome.PASSED, {}
        case Mismatch() if world is not None and world.phase == "given":
            return Outcome.FAULT, {"cause": f"the start could not be made: {error.message}"}
        case Mismatch():
            return Outcome.FAILED, {
                "message": bounded(error.message, 2000),
                "expected": bounded(error.expected),
                "got": bounded(error.got),
                "diff": bounded(error.diff),
                **({"scenario": bounded(error.scenario)} if error.scenario else {}),
            }
        case NotVerified() if world is not None and world.simulated is not None:
            cause = f"a rule of {PLATFORMS[world.simulated]} that is not simulated: {error.cause}"
            return Outcome.NOT_APPLICABLE, {"cause": bounded(cause, 1000)}
        case NotVerified():
            return Outcome.NOT_VERIFIED, {"cause": bounded(error.cause, 1000)}
        case NotApplicable():
            return Outcome.NOT_APPLICABLE, {"cause": bounded(error.condition, 1000)}
        case CandidateFault():
            return Outcome.FAULT, {"cause": bounded(f"candidate fault ({error.fault}): {error.detail}", 2000)}
        case Fault():
            return Outcome.FAULT, {"cause": bounded(str(error), 2000)}
        case _:
            frames = traceback.extract_tb(error.__traceback__)[-1:]
            place = f" at {Path(frames[0].filename).name}:{frames[0].lineno}" if frames else ""
            when = " while the scenario was cleaned up" if teardown else ""
            return Outcome.FAULT, {"cause": f"harness fault{when}: {type(error).__name__}: {error}{place}"}
