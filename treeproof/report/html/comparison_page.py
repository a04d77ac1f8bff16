"""The comparison of two runs as HTML."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.comparison import (
    GOOD_GROUPS,
    GROUPS,
    RESULTS,
    ChangedCause,
    Group,
    RunComparison,
    ScenarioChange,
    message_of,
)
from treeproof.report.digest import rerun_command
from treeproof.report.escape import shortened
from treeproof.report.evidence_members import EvidenceMember, evidence_members
from treeproof.report.html.rendering import Anchors, render
from treeproof.report.signs import CONCLUSIONS, OUTCOMES, SEVERITIES, VERDICTS, WARNING, Sign
from treeproof.verdict.outcome import Outcome

_NO_RECORD = Sign("not executed", "·", "none")
_MAX_IN_FULL = 5  # scenarios of a cause with evidence
_MAX_CASES = 400  # scenarios of the page with evidence
_MAX_MESSAGE = 600  # characters
_MAX_IDS = 200
_OF_ANSWER = ("message", "expected", "got", "answer", "error", "difference", "after", "stderr")
"""The members of the evidence that can differ between two runs; the others are of the case."""


@dataclass(frozen=True)
class ChangeCard:
    """A scenario of a group: ``case`` are the tree and the calls, ``sides`` what each run returned, unless too many."""

    anchor: str
    data: ScenarioChange
    message: str
    case: Sequence[EvidenceMember]
    sides: Sequence[tuple[str, Sign, Sequence[EvidenceMember]]]
    rerun: str


@dataclass(frozen=True)
class CauseSection:
    """The scenarios of a group that one cause explains, the first ones with evidence."""

    data: ChangedCause
    in_full: Sequence[ChangeCard]

    @property
    def others(self) -> Sequence[ScenarioChange]:
        """The scenarios without evidence."""
        return self.data.changes[_MAX_IN_FULL:]


@dataclass(frozen=True)
class GroupSection:
    """A group with its scenarios by cause."""

    group: Group
    title: str
    sign: Sign
    causes: Sequence[CauseSection]
    count: int
    undecided: int


def dump(found: RunComparison) -> bytes:
    """Return the page as UTF-8."""
    anchors, sections, left = Anchors(), [], itertools.count(_MAX_CASES, -1)
    for group in Group:
        if changes := found.of_group(group):
            causes = []
            for one in found.causes_of(group):
                first = one.changes[:_MAX_IN_FULL]
                causes.append(CauseSection(one, [_card(found, change, anchors, next(left) > 0) for change in first]))
            undecided = 0 if group in GOOD_GROUPS else sum(not one.decides for one in changes)
            sections.append(GroupSection(group, *GROUPS[group], causes, len(changes), undecided))
    values: dict[str, Any] = {
        "found": found,
        "result": RESULTS[found.result][1],
        "runs": [
            (label, name, run, run.candidate.label, CONCLUSIONS[run.verdict])
            for label, name, run in zip(("OLD", "NEW"), found.names, (found.old, found.new), strict=True)
        ],
        "sections": sections,
        "severities": SEVERITIES,
        "warning": WARNING,
        "verdicts": VERDICTS,
        "passed": OUTCOMES[Outcome.PASSED],
        "missing_count": sum(len(one.failed) + len(one.passed) for one in found.missing),
        "max_ids": _MAX_IDS,
    }
    return render("comparison", values, has_filter=False)


def _card(found: RunComparison, change: ScenarioChange, anchors: Anchors, is_full: bool) -> ChangeCard:
    before = OUTCOMES[change.before.outcome] if change.before is not None else _NO_RECORD
    now = OUTCOMES[change.now.outcome]
    message = message_of(change.now) if change.now.outcome != "passed" else ""
    if not message and change.before is not None:
        message = f"before: {message_of(change.before)}"
    sides = []
    # The evidence of a scenario that passed is not in its report; the case is the same in both runs.
    shown = change.now.evidence or (change.before or change.now).evidence
    for label, sign, scenario in (("OLD", before, change.before), ("NEW", now, change.now)):
        members = list(evidence_members(scenario.evidence)) if scenario is not None and is_full else []
        own = [_cut(one) for one in members if one.label in _OF_ANSWER]
        if not own and is_full and change.why and label == "OLD":
            own = [EvidenceMember("message", change.why)]
        if not own and is_full and scenario is not None and scenario.evidence.cause:  # of a fault
            own = [EvidenceMember("message", shortened(scenario.evidence.cause, _MAX_MESSAGE))]
        sides.append((label, sign, own))
    return ChangeCard(
        anchors.assign(change.spec, change.now.id),
        change,
        shortened(message, _MAX_MESSAGE),
        [_cut(one) for one in evidence_members(shown) if is_full and one.label not in _OF_ANSWER],
        sides,
        rerun_command(found.new, change.now.id),
    )


def _cut(member: EvidenceMember) -> EvidenceMember:
    return EvidenceMember(member.label, shortened(member.text, member.max_characters))
