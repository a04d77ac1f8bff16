"""Many runs side by side: candidates by requirements, who differs from whom, what changed since an earlier run.

Pure functions of run documents. A candidate is known by its name: of two runs of one name the newer is shown and the
older is what it is compared with, specification by specification. Nothing is judged, escaped or drawn here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from treeproof.report.digest import VERDICTS, group_by_section
from treeproof.report.document import Document, is_advisory

Json = Mapping[str, Any]

_RANK = {"FAIL": 0, "NOT VERIFIED": 1, "PASS": 2}
"""What is better than what; the other verdicts are neither."""


@dataclass(frozen=True)
class CandidateColumn:
    """A column: what the newest document of this name says, and when that and the earlier run were (ISO 8601).

    ``earlier`` is empty where there is none.
    """

    name: str
    data: Json
    conclusion: str
    reason: str
    claim: bool
    started: str
    previous_started: str = ""


@dataclass(frozen=True)
class Cell:
    """What was found of one requirement for one candidate.

    ``verdict`` is empty where the candidate was not judged by the specification, or not asked about the requirement.
    ``change`` is better, worse, other, or empty where there is no earlier run or nothing changed.
    """

    verdict: str = ""
    cause: str = ""
    known: bool = False
    previous_verdict: str = ""
    change: str = ""
    failed_scenarios: Sequence[Json] = ()


@dataclass(frozen=True)
class RequirementRow:
    """One requirement, with a cell a candidate in the order of the candidates."""

    id: str
    level: str
    section: str
    text: str
    cells: Sequence[Cell]

    @property
    def differs(self) -> bool:
        """True when two candidates that were asked have different verdicts."""
        return len({cell.verdict for cell in self.cells if cell.verdict}) > 1

    @property
    def changed(self) -> bool:
        """True when a candidate's verdict is another one than in its earlier run."""
        return any(cell.change for cell in self.cells)


@dataclass(frozen=True)
class SpecMatrix:
    """One version of a specification: its rows in the catalogue's order."""

    name: str
    version: str
    rows: Sequence[RequirementRow]

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def sections(self) -> dict[str, list[RequirementRow]]:
        """The rows by section, in the order in which a reader counts them."""
        return group_by_section(self.rows, lambda row: row.section)

    def counts(self, position: int) -> dict[str, int]:
        """The number of requirements of each verdict for the candidate at ``position``."""
        counted = Counter(row.cells[position].verdict for row in self.rows)
        return {verdict: counted[verdict] for verdict in VERDICTS if counted[verdict]}


@dataclass(frozen=True)
class Matrix:
    """Candidates by requirements."""

    candidates: Sequence[CandidateColumn]
    specs: Sequence[SpecMatrix]

    @property
    def rows(self) -> list[RequirementRow]:
        """All rows of all specifications."""
        return [row for sheet in self.specs for row in sheet.rows]

    def differences(self) -> dict[tuple[int, int], int]:
        """For each two candidates on how many requirements, of those that both were asked about, they differ."""
        pairs = dict.fromkeys(combinations(range(len(self.candidates)), 2), 0)
        for row in self.rows:
            for one, other in pairs:
                verdicts = row.cells[one].verdict, row.cells[other].verdict
                pairs[one, other] += all(verdicts) and verdicts[0] != verdicts[1]
        return pairs


def build_matrix(documents: Iterable[Document]) -> Matrix:
    """Return the matrix of some runs; candidates in the order in which their names come first."""
    by_name: dict[str, list[Document]] = {}
    for document in documents:
        by_name.setdefault(document["candidate"]["name"], []).append(document)
    # The order of equal times is the order given, so that the last one given counts as the newest.
    histories = {name: sorted(held, key=lambda one: one["started"])[::-1] for name, held in by_name.items()}
    judged_by = {
        (spec["name"], spec["version"])
        for held in histories.values()
        for document in held
        for spec in document["specs"]
    }
    candidates = [_candidate_column(name, held) for name, held in histories.items()]
    sheets = [
        _spec_matrix(name, version, [_newest_runs(held, name, version) for held in histories.values()])
        for name, version in sorted(judged_by)
    ]
    return Matrix(candidates, sheets)


def _candidate_column(name: str, held: Sequence[Document]) -> CandidateColumn:
    newest = held[0]
    return CandidateColumn(
        name=name,
        data=newest["candidate"],
        conclusion=newest["verdict"],
        reason=newest["reason"],
        claim=newest["claim"],
        started=newest["started"],
        previous_started=held[1]["started"] if len(held) > 1 else "",
    )


def _newest_runs(held: Sequence[Document], name: str, version: str) -> list[tuple[Json, str]]:
    """Return the two newest runs of a specification, the newest first, each with its profile."""
    found = [
        (spec, document["profile"])
        for document in held
        for spec in document["specs"]
        if (spec["name"], spec["version"]) == (name, version)
    ]
    return found[:2]


def _spec_matrix(name: str, version: str, runs: Sequence[Sequence[tuple[Json, str]]]) -> SpecMatrix:
    requirements: dict[str, Json] = {}
    for held in runs:
        for spec, _ in held[:1]:
            for requirement in spec["requirements"]:
                requirements.setdefault(requirement["id"], requirement)
    columns = [_cells(held) for held in runs]
    rows = [
        RequirementRow(
            requirement["id"],
            requirement["level"],
            requirement["section"],
            requirement["text"],
            [column.get(id, Cell()) for column in columns],
        )
        for id, requirement in requirements.items()
    ]
    return SpecMatrix(name, version, rows)


def _cells(held: Sequence[tuple[Json, str]]) -> dict[str, Cell]:
    if not held:
        return {}
    spec, profile = held[0]
    failed: dict[str, list[Json]] = {}
    for scenario in spec["scenarios"]:
        if scenario["outcome"] == "failed" and not is_advisory(scenario, profile):
            failed.setdefault(scenario["requirement"], []).append(scenario)
    before = {r["id"]: _verdict(r) for earlier, _ in held[1:] for r in earlier["requirements"]}
    return {
        requirement["id"]: Cell(
            verdict=_verdict(requirement),
            cause=requirement["cause"] or "",
            known=bool(requirement.get("known")),
            previous_verdict=before.get(requirement["id"], ""),
            change=_change(before.get(requirement["id"], ""), _verdict(requirement)),
            failed_scenarios=failed.get(requirement["id"], []),
        )
        for requirement in spec["requirements"]
    }


def _verdict(requirement: Json) -> str:
    return "" if requirement.get("code") == "not_selected" else str(requirement["verdict"])


def _change(before: str, now: str) -> str:
    if not before or not now or before == now:
        return ""
    if before in _RANK and now in _RANK:
        return "better" if _RANK[now] > _RANK[before] else "worse"
    return "other"
