"""pytest, sealed: one in-process run over the features of one pack, deaf to everything but its own configuration."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest import runner

from treeproof.run.completeness import check_completeness
from treeproof.run.interrupts import Interrupts
from treeproof.run.plugin import RunPlugin
from treeproof.run.session import Session
from treeproof.run.step_registry import StepRegistry
from treeproof.spec.gherkin import FeatureText
from treeproof.verdict import ScenarioRecord

SEALED_CONFIG = Path(__file__).with_name("sealed.ini")
CURRENT_TEST_VARIABLE = "PYTEST_CURRENT_TEST"
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
"""pytest's own plugins that have no part in a run; each costs time in every phase of every scenario."""


@dataclass(frozen=True)
class ExecutionResult:
    """What pytest did: the records in the order of execution and the promises that did not hold."""

    records: tuple[ScenarioRecord, ...]
    completeness_errors: tuple[str, ...]
    interrupted: bool


def execute(
    session: Session,
    features: Mapping[Path, FeatureText],
    selected: frozenset[str] | None,
    on_record: Callable[[ScenarioRecord], None],
    order: Callable[[list[pytest.Item]], None] | None = None,
    on_scenario_start: Callable[[str], None] = lambda id: None,
) -> ExecutionResult:
    """Run the scenarios of ``features`` (those of ``selected``, or all) against the session's candidate.

    ``begun`` hears of every scenario before it is asked, ``listener`` when it has ended. The session stays open.
    """
    if selected is not None:  # a file of which nothing was asked for need not be collected
        wanted = {
            path: text for path, text in features.items() if any(r.id in selected for r in text.scenarios)
        }
        features = wanted or features
    plugin = RunPlugin(session, features, selected, on_record, order)
    between = _InterruptBetweenScenarios(
        session.interrupts, lambda item: on_scenario_start(plugin.scenario_id(item))
    )
    arguments = [
        "-c",
        str(SEALED_CONFIG),
        "--noconftest",
        "--disable-plugin-autoload",
        "-p",
        "pytest_bdd.plugin",
    ]
    arguments += ["--rootdir", os.path.commonpath([p.parent for p in features])]
    for name in DISABLED_PLUGINS:
        arguments += ["-p", f"no:{name}"]
    arguments += [str(path) for path in features]
    restore = StepRegistry(session.pack.steps).patch_pytest_bdd()
    try:
        with _sealed_environment(), _hide_current_test():
            code = pytest.main(arguments, plugins=[plugin, between])
    finally:
        restore()
    # A collection that failed ends with the same code.
    interrupted = between.interrupted or session.interrupts.pending
    errors = list(plugin.errors)
    if code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        errors.append(f"pytest ended with {pytest.ExitCode(code).name}")
    parsed = [row.id for text in features.values() for row in text.scenarios]
    executed = [record.id for record in plugin.records]
    guards = check_completeness(parsed, plugin.collected, executed, selected, errors)
    return ExecutionResult(tuple(plugin.records), tuple(guards), interrupted)


class _InterruptBetweenScenarios:
    """A plugin that ends the run between two scenarios when a signal has come, and notes that it was ended."""

    def __init__(self, interrupts: Interrupts, begins: Callable[[pytest.Item], None]) -> None:
        self.interrupted = False
        self._interrupts = interrupts
        self._on_item_start = begins

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self._interrupts.raise_if_pending()
        self._on_item_start(item)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.interrupted = self.interrupted or isinstance(excinfo.value, KeyboardInterrupt)


@contextlib.contextmanager
def _hide_current_test() -> Iterator[None]:
    """Keep pytest from naming the running scenario in the environment: a candidate that is started would see it."""
    kept = runner._update_current_test_var
    runner._update_current_test_var = lambda item, when: None
    try:
        yield
    finally:
        runner._update_current_test_var = kept


@contextlib.contextmanager
def _sealed_environment() -> Iterator[None]:
    kept = {name: os.environ.pop(name) for name in IGNORED_VARIABLES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)
