"""The matrix of several runs: candidates by requirements, differences, and changes since earlier runs.

Contains pure functions of run documents. A candidate is identified by its name: the newest run is compared with the one
before it, for each specification, and all runs are its trend.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from treeproof.report.digest import (
    group_by_section,
    is_deselected,
    outcome_counts,
    pluralize,
    result_counts,
    result_sign,
    verdict_change,
)
from treeproof.report.signs import BY_URGENCY, Sign
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import RequirementResult, SpecResult

BLANK = Sign("", "·", "blank")
"""A requirement that was not selected."""
_MAX_NOTES = 10  # pairs of groups without a common specification
_MAX_SCENARIOS = 2  # of one requirement
_MAX_ANSWERS = 4  # of one scenario
_MAX_TEXT = 400  # characters of an answer
_CONTEXT = 120  # characters before the first difference
_Group = tuple[tuple[Outcome, str, str], list[int]]
_RANK = (Outcome.PASSED, Outcome.FAILED, Outcome.FAULT, Outcome.NOT_VERIFIED, Outcome.NOT_APPLICABLE)


@dataclass(frozen=True)
class Answer:
    """One answer: ``candidates`` are the positions of those that gave it, ``message`` is empty if they passed.

    ``is_expected``: the text is what another candidate should have answered. Reports do not contain the answers of
    scenarios that passed.
    """

    outcome: Outcome
    text: str
    message: str
    candidates: Sequence[int]
    is_expected: bool = False


@dataclass(frozen=True)
class ScenarioAnswers:
    """One scenario with different outcomes; ``omitted`` further answers are left out.

    ``scenario`` is the record of a candidate that shows the case.
    """

    scenario: ScenarioRecord
    answers: Sequence[Answer]
    omitted: int


@dataclass(frozen=True)
class RunPoint:
    """One run: ``results`` has the number of requirements that it is about, ``failed`` and ``faults`` scenarios."""

    run: RunDocument
    results: Counter[Sign]
    failed: int
    faults: int

    @property
    def total(self) -> int:
        """The number of requirements that the run is about."""
        return self.results.total()


@dataclass(frozen=True)
class CandidateColumn:
    """The newest run of a candidate, ``newest``, and the one before it.

    ``runs`` are all runs, the oldest first. ``page`` is the address of the report of the newest run, or empty.
    """

    newest: RunDocument
    previous: RunDocument | None = None
    runs: Sequence[RunPoint] = ()
    page: str = ""

    @property
    def name(self) -> str:
        """The name of the candidate, with its platform if that is not the host's."""
        return self.newest.candidate.column


@dataclass(frozen=True)
class Cell:
    """The result of one requirement for one candidate.

    ``verdict`` is empty if the requirement was not selected. ``change`` is better, worse, lost, other or empty.
    """

    verdict: str = ""
    sign: Sign = BLANK
    cause: str = ""
    known: bool = False
    previous_verdict: str = ""
    change: str = ""
    failed_scenarios: Sequence[ScenarioRecord] = ()


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

    def judges(self, position: int) -> bool:
        """Return True if the candidate at ``position`` has a verdict of it."""
        return any(row.cells[position].verdict for row in self.rows)

    def counts(self, position: int) -> Counter[Sign]:
        """Return the number of requirements by their sign for the candidate at ``position``."""
        return Counter(row.cells[position].sign for row in self.rows)


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

    @property
    def notes(self) -> list[str]:
        """A sentence for each two groups of candidates, or of runs of one candidate, without a common specification."""
        groups: dict[tuple[str, ...], list[str]] = {}
        notes = []
        for position, one in enumerate(self.candidates):
            judged = [sheet.title for sheet in self.specs if sheet.judges(position)]
            groups.setdefault(tuple(judged), []).append(one.name or "(no name)")
            runs: dict[tuple[str, ...], list[str]] = {}
            for point in one.runs:
                runs.setdefault(tuple(spec.label for spec in point.run.specs), []).append(point.run.started)
            notes += _apart(runs, f"runs of {one.name or '(no name)'}")
        return [*_apart(groups, ""), *notes]

    def differences(self) -> dict[tuple[int, int], int]:
        """Return the number of requirements with different verdicts of each pair with a common specification."""
        everyone = range(len(self.candidates))
        judged = [[at for at in everyone if sheet.judges(at)] for sheet in self.specs]
        pairs = dict.fromkeys(sorted({pair for ones in judged for pair in combinations(ones, 2)}), 0)
        for row in self.rows:
            positions: dict[str, list[int]] = {}
            for position, cell in enumerate(row.cells):
                if cell.verdict:
                    positions.setdefault(cell.verdict, []).append(position)
            for ones, others in combinations(positions.values(), 2):
                for one, other in product(ones, others):
                    pairs[min(one, other), max(one, other)] += 1
        return pairs


def _apart(groups: Mapping[tuple[str, ...], Sequence[str]], what: str) -> list[str]:
    return [
        f"No specification in common, so nothing is compared: {what}{' ' * bool(what)}"
        f"{', '.join(one)} ({', '.join(specs)}) and {', '.join(other)} ({', '.join(others)})"
        for (specs, one), (others, other) in islice(combinations(groups.items(), 2), _MAX_NOTES)
        if not set(specs) & set(others)
    ]


def build_matrix(documents: Iterable[RunDocument], pages: Mapping[int, str] | None = None) -> Matrix:
    """Return the matrix of some runs; candidates in the order of their first runs.

    ``pages``: the addresses of reports, by the position of their run in ``documents``.
    """
    documents = list(documents)
    addresses = {id(documents[position]): page for position, page in (pages or {}).items()}
    by_name: dict[str, list[RunDocument]] = {}
    for document in documents:
        by_name.setdefault(document.candidate.column, []).append(document)
    # With equal times the last document is the newest.
    histories = [sorted(runs, key=lambda one: one.started)[::-1] for runs in by_name.values()]
    judged_by = {(spec.name, spec.version) for document in documents for spec in document.specs}
    candidates = [
        CandidateColumn(runs[0], runs[1] if len(runs) > 1 else None, run_points(runs), addresses.get(id(runs[0]), ""))
        for runs in histories
    ]
    sheets = [
        _spec_matrix(name, version, [_newest_runs(runs, name, version) for runs in histories])
        for name, version in sorted(judged_by)
    ]
    return Matrix(candidates, sheets)


_Run = tuple[SpecResult, Profile]
"""The results of a specification in a run, and the profile of the run."""


def _newest_runs(documents: Sequence[RunDocument], name: str, version: str) -> list[_Run]:
    """Return the two newest runs of a specification, newest first."""
    found = [
        (spec, document.profile)
        for document in documents
        for spec in document.specs
        if (spec.name, spec.version) == (name, version)
    ]
    return found[:2]


def _spec_matrix(name: str, version: str, runs: Sequence[Sequence[_Run]]) -> SpecMatrix:
    requirements: dict[str, RequirementResult] = {}
    for newest in runs:
        for spec, _ in newest[:1]:
            for id, one in spec.requirements_by_id.items():
                requirements.setdefault(id, one)
    columns = [_cells(newest) for newest in runs]
    records = [newest[0] if newest else None for newest in runs]
    failing = _failing_scenarios(records)
    rows = [
        RequirementRow(
            one.id,
            one.level,
            one.section,
            one.text,
            [column.get(id, Cell()) for column in columns],
            _differing_answers(failing.get(id, ()), records) if len(records) > 1 else (),
        )
        for id, one in requirements.items()
    ]
    return SpecMatrix(name, version, rows)


def _cells(runs: Sequence[_Run]) -> dict[str, Cell]:
    if not runs:
        return {}
    spec, profile = runs[0]
    failed: dict[str, list[ScenarioRecord]] = {}
    for scenario in spec.scenarios:
        if scenario.outcome is Outcome.FAILED and not scenario.is_advisory(profile):
            failed.setdefault(scenario.requirement, []).append(scenario)
    before = {one.id: _verdict(one) for earlier, _ in runs[1:] for one in earlier.requirements}
    return {
        one.id: Cell(
            verdict=_verdict(one),
            sign=result_sign(one, profile) if _verdict(one) else BLANK,
            cause=one.cause or "",
            known=one.known,
            previous_verdict=before.get(one.id, ""),
            change=verdict_change(before.get(one.id, ""), _verdict(one)),
            failed_scenarios=failed.get(one.id, []),
        )
        for one in spec.requirements
    }


def _verdict(requirement: RequirementResult) -> str:
    return "" if requirement.code == "not_selected" else str(requirement.verdict)


# ---- the answers of several candidates to the same scenario -----------------------------------------------------


def _failing_scenarios(columns: Sequence[_Run | None]) -> dict[str, list[str]]:
    """Return the ids of the scenarios that some candidate fails, by their requirement."""
    found: dict[str, dict[str, None]] = {}
    for spec, profile in filter(None, columns):
        for one in spec.scenarios:
            if one.outcome in (Outcome.FAILED, Outcome.FAULT) and not one.is_advisory(profile):
                found.setdefault(one.requirement, {})[one.id] = None
    return {requirement: list(ids) for requirement, ids in found.items()}


def _differing_answers(ids: Iterable[str], columns: Sequence[_Run | None]) -> list[ScenarioAnswers]:
    """Return the first of these scenarios that some candidates fail and others do not."""
    found = []
    for id in ids:
        given = ((position, one[0].scenarios_by_id.get(id)) for position, one in enumerate(columns) if one is not None)
        records = {position: record for position, record in given if record is not None}
        if len({one.outcome for one in records.values()}) > 1:
            found.append(_answers(records))
        if len(found) == _MAX_SCENARIOS:
            break
    return found


def _answers(records: Mapping[int, ScenarioRecord]) -> ScenarioAnswers:
    groups: dict[tuple[Outcome, str, str], list[int]] = {}
    for position, record in records.items():
        evidence = record.evidence
        message = "" if record.outcome is Outcome.PASSED else evidence.reason
        groups.setdefault((record.outcome, evidence.answer, message), []).append(position)
    ordered = sorted(groups.items(), key=lambda item: (_RANK.index(item[0][0]), -len(item[1])))
    shown = _one_of_each_outcome_first(ordered)[:_MAX_ANSWERS]
    expected = next((text for one in records.values() if (text := one.evidence.expected)), "")
    is_expected = [outcome is Outcome.PASSED and not text and bool(expected) for (outcome, text, _), _ in shown]
    given = [expected if due else text for due, ((_, text, _), _) in zip(is_expected, shown, strict=True)]
    texts = cut_around_difference(given, _MAX_TEXT)
    answers = [
        Answer(outcome, text, message, positions, due)
        for ((outcome, _, message), positions), text, due in zip(shown, texts, is_expected, strict=True)
    ]
    case = max(records.values(), key=lambda one: (one.evidence.tree is not None) + (one.evidence.call is not None))
    return ScenarioAnswers(case, answers, len(ordered) - len(shown))


def _one_of_each_outcome_first(ordered: Sequence[_Group]) -> list[_Group]:
    """Return the groups so that no outcome is left out if there are many answers."""
    first: dict[Outcome, _Group] = {}
    for group in ordered:
        first.setdefault(group[0][0], group)
    return [*first.values(), *(group for group in ordered if group is not first[group[0][0]])]


def cut_around_difference(texts: Sequence[str], limit: int) -> list[str]:
    """Return the texts cut to ``limit`` characters, so that their first difference is in what is left."""
    given = [text for text in texts if text]
    common = len(os.path.commonprefix(given)) if len(given) > 1 else 0
    start = max(0, common - _CONTEXT) if any(len(text) > limit for text in given) else 0
    return [_cut(text, start, limit) for text in texts]


def _cut(text: str, start: int, limit: int) -> str:
    end = start + limit
    before = f"({start} characters) …" if start and text else ""
    after = f"… ({len(text) - end} more characters)" if len(text) > end else ""
    return f"{before}{text[start:end]}{after}"


# ---- the trend of a candidate -----------------------------------------------------------------------------------


def run_points(runs: Iterable[RunDocument]) -> list[RunPoint]:
    """Return all runs of a candidate, the oldest first."""
    return [_point(run) for run in sorted(runs, key=lambda run: run.started)]


def _point(run: RunDocument) -> RunPoint:
    selected = [one for spec in run.specs for one in spec.requirements if not is_deselected(run, one)]
    outcomes = outcome_counts(run)
    return RunPoint(run, result_counts(selected, run.profile), outcomes[Outcome.FAILED], outcomes[Outcome.FAULT])


def bar_lengths(point: RunPoint, total: int, length: int) -> list[tuple[Sign, int]]:
    """Return sign and length of each part of a bar, for a full bar of ``length`` units and ``total`` requirements.

    Every result that occurs has at least one unit, so that a single failure is visible.
    """
    parts = [(sign, point.results[sign]) for sign in BY_URGENCY if point.results[sign]]
    lengths = {sign: max(1, round(count * length / max(total, 1))) for sign, count in parts}
    excess = sum(lengths.values()) - length
    if excess > 0 and lengths:
        longest = max(lengths, key=lambda sign: lengths[sign])
        lengths[longest] = max(1, lengths[longest] - excess)
    return list(lengths.items())
