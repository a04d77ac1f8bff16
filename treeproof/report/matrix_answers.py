"""The answers of several candidates to the same scenario, side by side. Pure functions of run documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.document import is_advisory
from treeproof.report.evidence_members import error_text

Json = Mapping[str, Any]

_MAX_SCENARIOS = 2  # of one requirement
_MAX_ANSWERS = 4  # of one scenario
_MAX_TEXT = 400  # characters of an answer
_CONTEXT = 120  # characters before the first difference
_Group = tuple[tuple[str, str, str], list[int]]
_RANK = {"passed": 0, "failed": 1, "fault": 2, "not-verified": 3, "not-applicable": 4}


@dataclass(frozen=True)
class Answer:
    """One answer: ``candidates`` are the positions of those that gave it, ``message`` is empty if they passed.

    ``is_expected``: the text is what another candidate should have answered. Reports do not contain the answers of
    scenarios that passed.
    """

    outcome: str
    text: str
    message: str
    candidates: Sequence[int]
    is_expected: bool = False


@dataclass(frozen=True)
class ScenarioAnswers:
    """One scenario with different outcomes; ``omitted`` further answers are left out.

    ``scenario`` is the record of a candidate that shows the case.
    """

    scenario: Json
    answers: Sequence[Answer]
    omitted: int


def failing_scenarios(columns: Sequence[tuple[Mapping[str, Json], str]]) -> dict[str, list[str]]:
    """Return the ids of the scenarios that some candidate fails, by their requirement.

    ``columns``: for each candidate its scenarios by id, and its profile.
    """
    found: dict[str, dict[str, None]] = {}
    for scenarios, profile in columns:
        for id, one in scenarios.items():
            if one["outcome"] in ("failed", "fault") and not is_advisory(one, profile):
                found.setdefault(one["requirement"], {})[id] = None
    return {requirement: list(ids) for requirement, ids in found.items()}


def differing_answers(ids: Iterable[str], columns: Sequence[tuple[Mapping[str, Json], str]]) -> list[ScenarioAnswers]:
    """Return the first of these scenarios that some candidates fail and others do not; ``columns`` as above."""
    found = []
    for id in ids:
        records = {position: scenarios[id] for position, (scenarios, _) in enumerate(columns) if id in scenarios}
        if len({one["outcome"] for one in records.values()}) > 1:
            found.append(_answers(records))
        if len(found) == _MAX_SCENARIOS:
            break
    return found


def _answers(records: Mapping[int, Json]) -> ScenarioAnswers:
    groups: dict[tuple[str, str, str], list[int]] = {}
    for position, record in records.items():
        evidence = record["evidence"]
        message = "" if record["outcome"] == "passed" else str(evidence.get("message") or evidence.get("cause") or "")
        groups.setdefault((record["outcome"], answer_text(evidence), message), []).append(position)
    ordered = sorted(groups.items(), key=lambda item: (_RANK[item[0][0]], -len(item[1])))
    shown = _one_of_each_outcome_first(ordered)[:_MAX_ANSWERS]
    expected = next((text for one in records.values() if (text := one["evidence"].get("expected"))), "")
    is_expected = [outcome == "passed" and not text and bool(expected) for (outcome, text, _), _ in shown]
    given = [expected if due else text for due, ((_, text, _), _) in zip(is_expected, shown, strict=True)]
    texts = cut_around_difference(given, _MAX_TEXT)
    answers = [
        Answer(outcome, text, message, positions, due)
        for ((outcome, _, message), positions), text, due in zip(shown, texts, is_expected, strict=True)
    ]
    case = max(records.values(), key=lambda one: len(one["evidence"].keys() & {"tree", "call"}))
    return ScenarioAnswers(case, answers, len(ordered) - len(shown))


def _one_of_each_outcome_first(ordered: Sequence[_Group]) -> list[_Group]:
    """Return the groups so that no outcome is left out if there are many answers."""
    first: dict[str, _Group] = {}
    for group in ordered:
        first.setdefault(group[0][0], group)
    return [*first.values(), *(group for group in ordered if group is not first[group[0][0]])]


def answer_text(evidence: Json) -> str:
    """Return the answer of a candidate: its content or its error; empty if the report does not contain it."""
    result = evidence.get("outcome") or {}
    return error_text(evidence) or str(result.get("content") or "")


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
