"""pytest, sealed: one in-process run over the features of one pack, deaf to everything but its own configuration."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest import runner

from treeproof.run.guard import broken_promises
from treeproof.run.interrupts import Interrupts
from treeproof.run.lookup import Vocabulary
from treeproof.run.plugin import RunPlugin
from treeproof.run.session import Session
from treeproof.spec.gherkin import FeatureText
from treeproof.verdict import Record

SEALED = Path(__file__).with_name("sealed.ini")
CURRENT_TEST = "PYTEST_CURRENT_TEST"
DEAF_TO = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", CURRENT_TEST)
UNUSED = [
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
class Executed:
    """What pytest did: the records in the order of execution and the promises that did not hold."""

    records: tuple[Record, ...]
    guards: tuple[str, ...]
    interrupted: bool


def execute(
    session: Session,
    features: Mapping[Path, FeatureText],
    selected: frozenset[str] | None,
    listener: Callable[[Record], None],
    order: Callable[[list[pytest.Item]], None] | None = None,
    begun: Callable[[str], None] = lambda id: None,
) -> Executed:
    """Run the scenarios of ``features`` (those of ``selected``, or all) against the session's candidate.

    ``begun`` hears of every scenario before it is asked, ``listener`` when it has ended. The session stays open.
    """
    if selected is not None:  # a file of which nothing was asked for need not be collected
        wanted = {
            path: text for path, text in features.items() if any(r.id in selected for r in text.scenarios)
        }
        features = wanted or features
    plugin = RunPlugin(session, features, selected, listener, order)
    between = _BetweenScenarios(session.interrupts, lambda item: begun(plugin.id_of(item)))
    arguments = ["-c", str(SEALED), "--noconftest", "--disable-plugin-autoload", "-p", "pytest_bdd.plugin"]
    arguments += ["--rootdir", os.path.commonpath([p.parent for p in features])]
    for name in UNUSED:
        arguments += ["-p", f"no:{name}"]
    arguments += [str(path) for path in features]
    restore = Vocabulary(session.pack.steps).install()
    try:
        with _sealed_environment(), _unnamed_tests():
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
    guards = broken_promises(parsed, plugin.collected, executed, selected, errors)
    return Executed(tuple(plugin.records), tuple(guards), interrupted)


class _BetweenScenarios:
    """A plugin that ends the run between two scenarios when a signal has come, and notes that it was ended."""

    def __init__(self, interrupts: Interrupts, begins: Callable[[pytest.Item], None]) -> None:
        self.interrupted = False
        self._interrupts = interrupts
        self._begins = begins

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self._interrupts.check()
        self._begins(item)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.interrupted = self.interrupted or isinstance(excinfo.value, KeyboardInterrupt)


@contextlib.contextmanager
def _unnamed_tests() -> Iterator[None]:
    """Keep pytest from naming the running scenario in the environment: a candidate that is started would see it."""
    kept = runner._update_current_test_var
    runner._update_current_test_var = lambda item, when: None
    try:
        yield
    finally:
        runner._update_current_test_var = kept


@contextlib.contextmanager
def _sealed_environment() -> Iterator[None]:
    kept = {name: os.environ.pop(name) for name in DEAF_TO if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)
