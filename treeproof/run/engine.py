"""A sealed pytest: one run in this process over the features of a pack, with no other configuration or plugin."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from treeproof.run.completeness import check_completeness
from treeproof.run.plugin import RunPlugin
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_runner import CURRENT_TEST_VARIABLE
from treeproof.run.session import Session
from treeproof.spec.gherkin import FeatureText
from treeproof.verdict import ScenarioRecord

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


@dataclass(frozen=True)
class ExecutionResult:
    """The records in the order of execution, and the contradictions to the completeness of the run.

    ``evidence`` maps the calls for positive evidence to "", or to the reason why one of them has shown no content.
    """

    records: tuple[ScenarioRecord, ...]
    completeness_errors: tuple[str, ...]
    interrupted: bool
    evidence: Mapping[str, str]


def execute(
    session: Session,
    features: Mapping[Path, FeatureText],
    selected: frozenset[str] | None,
    on_record: Callable[[ScenarioRecord], None],
    order: Callable[[list[pytest.Item]], None] | None = None,
    on_scenario_start: Callable[[str], None] = lambda id: None,
) -> ExecutionResult:
    """Run the scenarios of ``features`` (those of ``selected``, or all) with the session's candidate.

    ``on_scenario_start`` receives each scenario's id before it runs, ``on_record`` its record. The session stays open.
    Raises UsageError if a step module of the pack cannot be imported.
    """
    _ = session.step_registry  # before anything runs: a broken step module is an error of the pack, not a fault
    if selected is not None:  # do not collect a file without selected scenarios
        wanted = {path: text for path, text in features.items() if any(case.id in selected for case in text.scenarios)}
        features = wanted or features
    plugin = RunPlugin(session, features, selected, on_record, order, on_scenario_start)
    arguments = ["-c", str(SEALED_CONFIG), "--noconftest", "--disable-plugin-autoload"]
    arguments += ["--rootdir", os.path.commonpath([path.parent for path in features])]
    for name in DISABLED_PLUGINS:
        arguments += ["-p", f"no:{name}"]
    arguments += [str(path) for path in features]
    with _sealed_environment(), _kept_working_directory():
        code = pytest.main(arguments, plugins=[plugin])
    # A failed collection ends with the same code.
    interrupted = plugin.interrupted or session.candidate.environment.interrupts.pending
    if code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        plugin.errors.append(f"pytest ended with {pytest.ExitCode(code).name}")
    parsed = [case.id for text in features.values() for case in text.scenarios]
    executed = [record.id for record in plugin.records]
    errors = check_completeness(parsed, plugin.collected, executed, selected, plugin.errors)
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
