"""The scenarios of a run as rows of lists: all of them as data for the script, and the faults as text. No HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.causes import Cause
from treeproof.report.digest import rerun_command
from treeproof.report.document import Document
from treeproof.report.escape import shortened, visible
from treeproof.report.html.anchors import Anchors
from treeproof.report.html.copied_texts import call_line
from treeproof.report.html.scenario_view import CauseLink

Json = Mapping[str, Any]

OUTCOME_VERDICTS: Mapping[str, str] = {
    "failed": "FAIL",
    "fault": "FAULT",
    "not-verified": "NOT VERIFIED",
    "passed": "PASS",
    "not-applicable": "NOT APPLICABLE",
}
"""The word by which the filter finds the scenarios with an outcome."""

_MAX_MESSAGE = 240  # characters
_MAX_STDERR_LINES = 3
_MAX_STDERR = 600
_MAX_FAULTS_OF_CAUSE = 3
_MAX_FAULTS = 12


@dataclass(frozen=True)
class Observed:
    """A reading that some scenario of the run has observed, as a choice of the filter."""

    spec: str
    interpretation: str
    label: str


@dataclass(frozen=True)
class Fault:
    """A scenario that ended with a fault: its call, how the candidate ended, the end of its stderr, the command."""

    spec: str
    id: str
    title: str
    call: str
    ending: str
    stderr: str
    command: str
    cause: CauseLink


def observed_readings(run: Document) -> list[Observed]:
    """Return the readings that scenarios have observed, in the order of specifications and ids."""
    return [
        Observed(spec["name"], id, label)
        for spec in run["specs"]
        for id, label in sorted({pair for one in spec["scenarios"] for pair in one["readings"].items()})
    ]


def scenario_rows(
    run: Document, anchors: Anchors, causes: Sequence[Cause], readings: Sequence[Observed]
) -> list[list[Any]]:
    """Return a row for each scenario of the run.

    Its members: anchor, call, verdict for the filter, anchor of the requirement, seconds, numbers of its causes,
    numbers of its readings in ``readings``, message, basis, and file with line. The page itself has its id and its
    title.
    """
    numbers = _cause_numbers(causes)
    place = {one: number for number, one in enumerate(readings)}
    rows = []
    for spec in run["specs"]:
        for one in spec["scenarios"]:
            evidence = one["evidence"]
            rows.append(
                [
                    anchors.assign(spec["name"], one["id"]),
                    visible(call_line(one)),
                    OUTCOME_VERDICTS[one["outcome"]],
                    anchors.assign(spec["name"], one["requirement"]),
                    one["seconds"],
                    numbers.get((spec["name"], one["id"]), []),
                    [place[Observed(spec["name"], id, label)] for id, label in one["readings"].items()],
                    visible(shortened(str(evidence.get("message") or evidence.get("cause") or ""), _MAX_MESSAGE)),
                    one.get("basis", ""),
                    visible(f"{one['file']}:{one['line']}") if one["file"] else "",
                ]
            )
    return rows


def _cause_numbers(causes: Sequence[Cause]) -> dict[tuple[str, str], list[int]]:
    numbers: dict[tuple[str, str], list[int]] = {}
    for cause in causes:
        for scenario in cause.scenarios:
            numbers.setdefault((cause.spec["name"], scenario["id"]), []).append(cause.number)
    return numbers


def faults(run: Document, causes: Sequence[Cause], link: Mapping[int, CauseLink]) -> list[Fault]:
    """Return the first faults of each cause, at most a fixed number of them."""
    return list(_faults(run, causes, link))[:_MAX_FAULTS]


def _faults(run: Document, causes: Sequence[Cause], link: Mapping[int, CauseLink]) -> Iterator[Fault]:
    for cause in causes:
        broken = (one for one in [cause.smallest, *cause.others] if one is not None and one["outcome"] == "fault")
        for _, one in zip(range(_MAX_FAULTS_OF_CAUSE), broken, strict=False):
            evidence = one["evidence"]
            lines = [line for line in str(evidence.get("stderr") or "").splitlines() if line.strip()]
            yield Fault(
                cause.spec["name"],
                one["id"],
                one["title"],
                call_line(one),
                shortened(evidence["cause"], _MAX_STDERR),
                shortened("\n".join(lines[-_MAX_STDERR_LINES:]), _MAX_STDERR),
                rerun_command(run, one["id"]),
                link[cause.number],
            )
