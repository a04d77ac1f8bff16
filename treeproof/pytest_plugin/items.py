"""Scenarios as pytest items: their names, and the mapping from scenario outcomes to test outcomes.

An item is not a function: fixtures do not apply to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback

from treeproof.pytest_plugin import terminal
from treeproof.spec import Pack, Requirement
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import Outcome, Profile, ScenarioRecord
from treeproof.verdict.baseline import BaselineEntry, failures_of
from treeproof.verdict.judge import resolve_alone

ROOT_NODE_ID = "treeproof"
"""The first part of every node id; the others are specification, requirement and scenario."""

RECORD_KEY: pytest.StashKey[ScenarioRecord] = pytest.StashKey()


def node_id(pack: Pack, case: ScenarioCase) -> str:
    """Return ``treeproof::SPECIFICATION::REQUIREMENT::SCENARIO``."""
    return "::".join((ROOT_NODE_ID, pack.name, case.requirement, case.id))


class ScenarioFailed(Exception):
    """Raised for an item that fails. ``message`` is one line, ``text`` the whole report of the failure."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.message = message
        self.text = text


@dataclass(frozen=True)
class OutcomeMapper:
    """Maps a record to a test outcome. ``known_failures`` are the valid entries of the baseline."""

    target: str
    profile: Profile
    known_failures: Sequence[BaselineEntry]
    width: int

    def raise_outcome(self, record: ScenarioRecord, pack: Pack, requirement: Requirement, node_id: str) -> None:
        """Return for a pass; else raise ScenarioFailed, or pytest's exception for a skip or an expected failure."""
        record = resolve_alone(pack, record, self.profile)
        message = terminal.record_message(record)
        match record.outcome:
            case Outcome.PASSED if any(entry.id == record.id for entry in self.known_failures):
                stale = f"the baseline lists {record.id} as failing, and it passed: remove the entry"
                raise ScenarioFailed(stale, stale)
            case Outcome.PASSED:
                return
            case Outcome.NOT_VERIFIED | Outcome.NOT_APPLICABLE:
                outcome = record.outcome.replace("-", " ").upper()
                raise pytest.skip.Exception(f"{outcome}: {message}")
            case Outcome.FAILED | Outcome.FAULT:
                xfail_reason = self._xfail_reason(record, requirement)
                if xfail_reason is not None:
                    raise pytest.xfail.Exception(f"{xfail_reason}: {message}")
        text = terminal.format_failure(record, pack, requirement, node_id, self.target, self.width)
        raise ScenarioFailed(message, text)

    def _xfail_reason(self, record: ScenarioRecord, requirement: Requirement) -> str | None:
        """Return why a failure does not decide the run; None if it does."""
        own = [one for one in failures_of([record]) if one.requirement == record.requirement]
        for entry in self.known_failures:
            if any(map(entry.excuses, own)):
                return terminal.safe_line(f"known failure ({entry.reason})")
        if self.profile is Profile.STRICT or record.outcome is Outcome.FAULT:
            return None
        if "prudent" in (record.basis, requirement.basis):
            return "beyond the document"
        return None if requirement.level == "MUST" else f"a {requirement.level}, which does not decide"


class GroupCollector(pytest.Collector):
    """A node that only contains others: treeproof, a specification or a requirement."""

    def __init__(self, **node: Any) -> None:
        super().__init__(**node)
        self.children: list[pytest.Item | pytest.Collector] = []

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Return the added nodes."""
        return self.children

    def add_group(self, name: str) -> GroupCollector:
        """Add a new group to this one and return it."""
        group: GroupCollector = GroupCollector.from_parent(self, name=name, nodeid=f"{self.nodeid}::{name}")
        self.children.append(group)
        return group


class ScenarioItem(pytest.Item):
    """One scenario: runs it and maps its record to a test outcome."""

    def __init__(
        self,
        *,
        pack: Pack,
        case: ScenarioCase,
        run_scenario: Callable[[Pack, ScenarioCase], ScenarioRecord],
        outcome_mapper: OutcomeMapper,
        **node: Any,
    ) -> None:
        super().__init__(**node)
        self._pack = pack
        self._case = case
        self._run_scenario = run_scenario
        self._outcome_mapper = outcome_mapper
        self.add_marker(pytest.mark.treeproof)

    def runtest(self) -> None:
        record = self._run_scenario(self._pack, self._case)
        self.stash[RECORD_KEY] = record
        self._outcome_mapper.raise_outcome(
            record, self._pack, self._pack.requirement(self._case.requirement), self.nodeid
        )

    def reportinfo(self) -> tuple[Path, int, str]:
        return self._case.file, self._case.line - 1, f"{self._case.id} {terminal.safe_line(self._case.title)}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        if not isinstance(error, ScenarioFailed):
            return super().repr_failure(excinfo, style)
        return build_failure_repr(error, *self.reportinfo()[:2])


class StartFailureItem(pytest.Item):
    """Stands for all scenarios of a candidate that did not start."""

    def __init__(self, *, reason: str, **node: Any) -> None:
        super().__init__(**node)
        self._reason = reason
        self.add_marker(pytest.mark.treeproof)

    def runtest(self) -> None:
        raise ScenarioFailed(self._reason, self._reason)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, "the candidate starts"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        return (
            build_failure_repr(error, self.path, 0)
            if isinstance(error, ScenarioFailed)
            else super().repr_failure(excinfo, style)
        )


def build_failure_repr(error: ScenarioFailed, path: Path, line: int) -> ReprExceptionInfo:
    """Return a failure in pytest's form: a text without a traceback, and one line for the short summary."""
    entry = ReprEntryNative([f"{part}\n" for part in error.text.rstrip("\n").split("\n")])
    location = ReprFileLocation(str(path), line + 1, error.message)
    return ReprExceptionInfo(ReprTraceback([entry], None, style="native"), location)
