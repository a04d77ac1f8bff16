"""A sealed pytest: one run in this process over scenarios of a pack, with no other configuration or plugin."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from treeproof.run.completeness import ExecutionResult, check_completeness
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_plugin import ROOT_NODE_ID, GroupCollector, ScenarioItem, ScenarioPlugin
from treeproof.run.scenario_runner import CURRENT_TEST_VARIABLE
from treeproof.run.session import Session
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import ScenarioRecord
from treeproof.verdict.plain_text import truncate

SEALED_CONFIG = Path(__file__).with_name("sealed.ini")
IGNORED_VARIABLES = (
    "PYTEST_ADDOPTS",
    "PYTEST_PLUGINS",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    CURRENT_TEST_VARIABLE,
)
DISABLED_PLUGINS = [
    "assertion",
    "cacheprovider",
    "capture",
    "debugging",
    "doctest",
    "faulthandler",
    "junitxml",
    "legacypath",
    "logging",
    "monkeypatch",
    "pastebin",
    "recwarn",
    "reports",
    "setuponly",
    "setupplan",
    "skipping",
    "stepwise",
    "subtests",
    "terminal",
    "threadexception",
    "tmpdir",
    "unittest",
    "unraisableexception",
    "warnings",
]
"""pytest's own plugins that a run does not need; each costs time."""


class SealedPlugin(ScenarioPlugin):
    """Collects scenarios instead of files, and keeps their records."""

    def __init__(
        self,
        session: Session,
        cases: Sequence[ScenarioCase],
        on_record: Callable[[ScenarioRecord], None],
        order: Callable[[list[pytest.Item]], None] | None,
    ) -> None:
        self._session = session
        self._cases = cases
        self._report_record = on_record
        self._order = order
        self.records: list[ScenarioRecord] = []
        self.errors: list[str] = []
        self.interrupted = False

    def pytest_configure(self, config: pytest.Config) -> None:
        """Let pytest end in a folder that exists: a candidate may have removed the working directory."""
        config.addinivalue_line("markers", "treeproof: a scenario")
        params = config.invocation_params
        config.invocation_params = pytest.Config.InvocationParams(
            args=params.args, plugins=params.plugins, dir=Path(__file__).parent
        )

    def pytest_collection(self, session: pytest.Session) -> bool:
        """Collect the scenarios, and no file."""
        top = GroupCollector.from_parent(session, name=ROOT_NODE_ID, nodeid=ROOT_NODE_ID)
        # In the order of the files, in which properties come last; the tree of nodes is ordered by requirement.
        session.items = self.add_scenarios(top, self._session, self._cases)
        session.testscollected = len(session.items)
        if self._order is not None:
            self._order(session.items)
        return True

    def on_record(self, item: ScenarioItem, record: ScenarioRecord) -> None:
        """Keep a record; the run judges it later."""
        self.records.append(record)
        self._report_record(record)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.errors.append(f"{report.nodeid}: {truncate(str(report.longrepr), 400)}")

    def pytest_keyboard_interrupt(self) -> None:
        self.interrupted = True


def execute(
    session: Session,
    cases: Sequence[ScenarioCase],
    on_record: Callable[[ScenarioRecord], None],
    order: Callable[[list[pytest.Item]], None] | None = None,
) -> ExecutionResult:
    """Run the scenarios with the session's candidate, which stays open; ``on_record`` receives each record.

    Raises UsageError if a step module of the pack cannot be imported.
    """
    _ = session.step_registry  # before anything runs: a broken step module is an error of the pack, not a fault
    plugin = SealedPlugin(session, cases, on_record, order)
    arguments = ["-c", str(SEALED_CONFIG), "--noconftest", "--disable-plugin-autoload"]
    arguments += ["--rootdir", str(SEALED_CONFIG.parent)]
    for name in DISABLED_PLUGINS:
        arguments += ["-p", f"no:{name}"]
    with _sealed_environment(), _kept_working_directory():
        code = pytest.main(arguments, plugins=[plugin])
    interrupted = plugin.interrupted or session.candidate.environment.interrupts.pending
    if code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        plugin.errors.append(f"pytest ended with {pytest.ExitCode(code).name}")
    executed = [record.id for record in plugin.records]
    errors = [*plugin.errors, *check_completeness([case.id for case in cases], executed)]
    evidence = {} if interrupted else PositiveEvidence.for_session(session).finish()
    return ExecutionResult(tuple(plugin.records), tuple(errors), interrupted, evidence)


@contextlib.contextmanager
def _sealed_environment() -> Iterator[None]:
    kept = {name: os.environ.pop(name) for name in IGNORED_VARIABLES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


@contextlib.contextmanager
def _kept_working_directory() -> Iterator[None]:
    """Return to the working directory, wherever a candidate has moved it."""
    try:
        directory: int | str = os.open(os.curdir, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # it may be entered and not read
        directory = os.getcwd()  # noqa: PTH109 - restored below
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.chdir(directory)
        if isinstance(directory, int):
            os.close(directory)
