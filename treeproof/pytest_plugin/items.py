"""The mapping from scenario outcomes to test outcomes, and the item of a candidate that did not start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback

from treeproof.pytest_plugin import summary
from treeproof.spec import Pack, Requirement
from treeproof.verdict import Outcome, Profile, ScenarioRecord
from treeproof.verdict.baseline import BaselineEntry, failures_of
from treeproof.verdict.judge import resolve_alone


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

    def raise_outcome(self, record: ScenarioRecord, pack: Pack, node_id: str) -> None:
        """Return for a pass; else raise ScenarioFailed, or pytest's exception for a skip or an expected failure."""
        record = resolve_alone(pack, record, self.profile)
        requirement = pack.requirement(record.requirement)
        message = summary.record_message(record)
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
        text = summary.format_failure(record, pack, requirement, node_id, self.target, self.width)
        raise ScenarioFailed(message, text)

    def _xfail_reason(self, record: ScenarioRecord, requirement: Requirement) -> str | None:
        """Return why a failure does not decide the run; None if it does."""
        own = [one for one in failures_of([record]) if one.requirement == record.requirement]
        for entry in self.known_failures:
            if any(map(entry.excuses, own)):
                return summary.safe_line(f"known failure ({entry.reason})")
        if self.profile is Profile.STRICT or record.outcome is Outcome.FAULT:
            return None
        if "prudent" in (record.basis, requirement.basis):
            return "beyond the document"
        return None if requirement.level == "MUST" else f"a {requirement.level}, which does not decide"


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
        return format_failure(self, excinfo) or super().repr_failure(excinfo, style)


def format_failure(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> ReprExceptionInfo | None:
    """Return a failure in pytest's form: a text without a traceback, and one line for the short summary.

    None for an exception that is none of ours.
    """
    error = excinfo.value
    if not isinstance(error, ScenarioFailed):
        return None
    path, line, _ = item.reportinfo()
    entry = ReprEntryNative([f"{part}\n" for part in error.text.rstrip("\n").split("\n")])
    location = ReprFileLocation(str(path), (line or 0) + 1, error.message)
    return ReprExceptionInfo(ReprTraceback([entry], None, style="native"), location)
