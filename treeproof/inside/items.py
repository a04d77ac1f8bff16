"""Scenarios as items of pytest: how they are named, and what an outcome is called where tests are.

An item is no function: fixtures, autouse ones among them, have no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback

from treeproof.inside import telling
from treeproof.spec import Pack, Requirement
from treeproof.spec.gherkin import ScenarioRow
from treeproof.verdict import Outcome, Profile, Record

TOP = "treeproof"
"""What every node id begins with; the rest are specification, requirement and scenario."""

RECORD: pytest.StashKey[Record] = pytest.StashKey()


def node_id(pack: Pack, row: ScenarioRow) -> str:
    """Return ``treeproof::SPECIFICATION::REQUIREMENT::SCENARIO``."""
    return "::".join((TOP, pack.name, row.requirement, row.id))


class Unmet(Exception):
    """The scenario ends its item as a failure. ``message`` is a line, ``text`` all that a person needs to see."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.message = message
        self.text = text


@dataclass(frozen=True)
class Scales:
    """Weighs a record as a test outcome. ``known`` maps ids that may fail to the reason that the baseline gives."""

    target: str
    profile: Profile
    known: Mapping[str, str]
    width: int

    def weigh(self, record: Record, pack: Pack, requirement: Requirement, node: str) -> None:
        """Return for a pass; else raise Unmet, or what pytest takes for a skip or an expected failure."""
        said = telling.message(record)
        match record.outcome:
            case Outcome.PASSED if record.id in self.known:
                why = f"the baseline lists {record.id} as failing, and it passed: remove the entry"
                raise Unmet(why, why)
            case Outcome.PASSED:
                return
            case Outcome.NOT_VERIFIED | Outcome.NOT_APPLICABLE:
                word = record.outcome.replace("-", " ").upper()
                raise pytest.skip.Exception(f"{word}: {said}")
            case Outcome.FAILED:
                excuse = self._excuse(record, requirement)
                if excuse is not None:
                    raise pytest.xfail.Exception(f"{excuse}: {said}")
        text = telling.failure(record, pack, requirement, node, self.target, self.width)
        raise Unmet(said, text)

    def _excuse(self, record: Record, requirement: Requirement) -> str | None:
        """Why a failure does not decide; None where it does."""
        for listed in (record.id, requirement.id):
            if listed in self.known:
                return telling.line(f"known failure ({self.known[listed]})")
        if self.profile is Profile.STRICT:
            return None
        if record.advisory:
            return "advisory"
        return None if requirement.level == "MUST" else f"a {requirement.level}, which does not decide"


class Group(pytest.Collector):
    """A node that only holds others: all of treeproof, a specification, a requirement."""

    def __init__(self, **node: Any) -> None:
        super().__init__(**node)
        self.held: list[pytest.Item | pytest.Collector] = []

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Return what was put into it."""
        return self.held

    def group(self, name: str) -> Group:
        """Put a new group into this one and return it."""
        made: Group = Group.from_parent(self, name=name, nodeid=f"{self.nodeid}::{name}")
        self.held.append(made)
        return made


class Scenario(pytest.Item):
    """One scenario: performed on the subject of this process, weighed on the scales."""

    def __init__(
        self,
        *,
        pack: Pack,
        row: ScenarioRow,
        ask: Callable[[Pack, ScenarioRow], Record],
        scales: Scales,
        **node: Any,
    ) -> None:
        super().__init__(**node)
        self._pack = pack
        self._row = row
        self._ask = ask
        self._scales = scales
        self.add_marker(pytest.mark.treeproof)

    def runtest(self) -> None:
        record = self._ask(self._pack, self._row)
        self.stash[RECORD] = record
        self._scales.weigh(record, self._pack, self._pack.requirement(self._row.requirement), self.nodeid)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self._row.file, self._row.line - 1, f"{self._row.id} {telling.line(self._row.title)}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        if not isinstance(error, Unmet):
            return super().repr_failure(excinfo, style)
        return shown(error, *self.reportinfo()[:2])


class NoStart(pytest.Item):
    """Stands for all scenarios of a candidate that did not start."""

    def __init__(self, *, why: str, **node: Any) -> None:
        super().__init__(**node)
        self._why = why
        self.add_marker(pytest.mark.treeproof)

    def runtest(self) -> None:
        raise Unmet(self._why, self._why)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, "the candidate starts"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        return (
            shown(error, self.path, 0) if isinstance(error, Unmet) else super().repr_failure(excinfo, style)
        )


def shown(error: Unmet, path: Path, line: int) -> ReprExceptionInfo:
    """Return a failure as pytest keeps it: a text without a traceback, and one line for the short summary."""
    entry = ReprEntryNative([f"{part}\n" for part in error.text.rstrip("\n").split("\n")])
    where = ReprFileLocation(str(path), line + 1, error.message)
    return ReprExceptionInfo(ReprTraceback([entry], None, style="native"), where)
