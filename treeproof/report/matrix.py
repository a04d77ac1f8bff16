"""The matrix of several runs: candidates by requirements, differences, and changes since earlier runs.

Contains pure functions of run documents. A candidate is identified by its name: the newest run is compared with the one
before it, for each specification, and all runs are its trend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from treeproof.report.digest import VERDICTS, group_by_section, pluralize, verdict_change
from treeproof.report.document import Document, is_advisory
from treeproof.report.matrix_answers import ScenarioAnswers, differing_answers, failing_scenarios
from treeproof.report.trend import RunPoint, run_points

Json = Mapping[str, Any]


@dataclass(frozen=True)
class CandidateColumn:
    """The newest run of a candidate. ``started`` is ISO 8601; ``previous_started`` is empty without an earlier run.

    ``runs`` are all runs, the oldest first. ``page`` is the address of the report of the newest run, or empty.
    """

    name: str
    data: Json
    conclusion: str
    reason: str
    claim: bool
    started: str
    previous_started: str = ""
    runs: Sequence[RunPoint] = ()
    page: str = ""


@dataclass(frozen=True)
class Cell:
    """The result of one requirement for one candidate.

    ``verdict`` is empty if the requirement was not selected. ``change`` is better, worse, other or empty.
    """

    verdict: str = ""
    cause: str = ""
    known: bool = False
    previous_verdict: str = ""
    change: str = ""
    failed_scenarios: Sequence[Json] = ()


@dataclass(frozen=True)
class RequirementRow:
    """One requirement, with one cell per candidate, and scenarios with different answers."""

    id: str
    level: str
    section: str
    text: str
    cells: Sequence[Cell]
    answers: Sequence[ScenarioAnswers] = ()

    @property
    def differs(self) -> bool:
        """True if two candidates have different verdicts."""
        return len({cell.verdict for cell in self.cells if cell.verdict}) > 1

    @property
    def changed(self) -> bool:
        """True if a verdict is different from the one of the earlier run."""
        return any(cell.change for cell in self.cells)


@dataclass(frozen=True)
class SpecMatrix:
    """One version of a specification, with rows in the order of the catalogue."""

    name: str
    version: str
    rows: Sequence[RequirementRow]

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def sections(self) -> dict[str, list[RequirementRow]]:
        """The rows by section, in the order of section numbers."""
        return group_by_section(self.rows, lambda row: row.section)

    def counts(self, position: int) -> dict[str, int]:
        """Return the number of requirements per verdict for the candidate at ``position``."""
        counted = Counter(row.cells[position].verdict for row in self.rows)
        return {verdict: counted[verdict] for verdict in VERDICTS if counted[verdict]}


@dataclass(frozen=True)
class Matrix:
    """Candidates by requirements."""

    candidates: Sequence[CandidateColumn]
    specs: Sequence[SpecMatrix]

    @property
    def title(self) -> str:
        """What the matrix shows, in a few words."""
        if len(self.candidates) == 1:
            return f"{pluralize(len(self.candidates[0].runs), 'run')} of one candidate"
        return f"comparison of {pluralize(len(self.candidates), 'candidate')}"

    @property
    def rows(self) -> list[RequirementRow]:
        """All rows of all specifications."""
        return [row for sheet in self.specs for row in sheet.rows]

    def differences(self) -> dict[tuple[int, int], int]:
        """Return, for each pair of candidates, the number of requirements with different verdicts."""
        pairs = dict.fromkeys(combinations(range(len(self.candidates)), 2), 0)
        for row in self.rows:
            positions: dict[str, list[int]] = {}
            for position, cell in enumerate(row.cells):
                if cell.verdict:
                    positions.setdefault(cell.verdict, []).append(position)
            for ones, others in combinations(positions.values(), 2):
                for one, other in product(ones, others):
                    pairs[min(one, other), max(one, other)] += 1
        return pairs


def build_matrix(documents: Iterable[Document], pages: Mapping[int, str] | None = None) -> Matrix:
    """Return the matrix of some runs; candidates in the order of their first runs.

    ``pages``: the addresses of reports, by the position of their run in ``documents``.
    """
    documents = list(documents)
    addresses = {id(documents[position]): page for position, page in (pages or {}).items()}
    by_name: dict[str, list[Document]] = {}
    for document in documents:
        by_name.setdefault(document["candidate"]["name"], []).append(document)
    # With equal times the last document is the newest.
    histories = {name: sorted(runs, key=lambda one: one["started"])[::-1] for name, runs in by_name.items()}
    judged_by = {
        (spec["name"], spec["version"])
        for runs in histories.values()
        for document in runs
        for spec in document["specs"]
    }
    candidates = [_candidate_column(name, runs, addresses) for name, runs in histories.items()]
    sheets = [
        _spec_matrix(name, version, [_newest_runs(runs, name, version) for runs in histories.values()])
        for name, version in sorted(judged_by)
    ]
    return Matrix(candidates, sheets)


def _candidate_column(name: str, runs: Sequence[Document], pages: Mapping[int, str]) -> CandidateColumn:
    newest = runs[0]
    return CandidateColumn(
        name=name,
        data=newest["candidate"],
        conclusion=newest["verdict"],
        reason=newest["reason"],
        claim=newest["claim"],
        started=newest["started"],
        previous_started=runs[1]["started"] if len(runs) > 1 else "",
        runs=run_points(runs),
        page=pages.get(id(newest), ""),
    )


def _newest_runs(documents: Sequence[Document], name: str, version: str) -> list[tuple[Json, str]]:
    """Return the two newest runs of a specification, newest first, each with its profile."""
    found = [
        (spec, document["profile"])
        for document in documents
        for spec in document["specs"]
        if (spec["name"], spec["version"]) == (name, version)
    ]
    return found[:2]


def _spec_matrix(name: str, version: str, runs: Sequence[Sequence[tuple[Json, str]]]) -> SpecMatrix:
    requirements: dict[str, Json] = {}
    for newest in runs:
        for spec, _ in newest[:1]:
            for requirement in spec["requirements"]:
                requirements.setdefault(requirement["id"], requirement)
    columns = [_cells(newest) for newest in runs]
    records = [
        ({one["id"]: one for one in newest[0][0]["scenarios"]}, newest[0][1]) if newest else ({}, "") for newest in runs
    ]
    failing = failing_scenarios(records)
    rows = [
        RequirementRow(
            requirement["id"],
            requirement["level"],
            requirement["section"],
            requirement["text"],
            [column.get(id, Cell()) for column in columns],
            differing_answers(failing.get(id, ()), records) if len(records) > 1 else (),
        )
        for id, requirement in requirements.items()
    ]
    return SpecMatrix(name, version, rows)


def _cells(runs: Sequence[tuple[Json, str]]) -> dict[str, Cell]:
    if not runs:
        return {}
    spec, profile = runs[0]
    failed: dict[str, list[Json]] = {}
    for scenario in spec["scenarios"]:
        if scenario["outcome"] == "failed" and not is_advisory(scenario, profile):
            failed.setdefault(scenario["requirement"], []).append(scenario)
    before = {r["id"]: _verdict(r) for earlier, _ in runs[1:] for r in earlier["requirements"]}
    return {
        requirement["id"]: Cell(
            verdict=_verdict(requirement),
            cause=requirement["cause"] or "",
            known=bool(requirement.get("known")),
            previous_verdict=before.get(requirement["id"], ""),
            change=verdict_change(before.get(requirement["id"], ""), _verdict(requirement)),
            failed_scenarios=failed.get(requirement["id"], []),
        )
        for requirement in spec["requirements"]
    }


def _verdict(requirement: Json) -> str:
    return "" if requirement.get("code") == "not_selected" else str(requirement["verdict"])
