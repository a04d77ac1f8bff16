"""The comparison of two runs as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.comparison import GOOD_GROUPS, GROUPS, RESULTS, Group, RunComparison, ScenarioChange, message_of
from treeproof.report.digest import rerun_command
from treeproof.report.escape import shortened
from treeproof.report.evidence_members import EvidenceMember, evidence_members
from treeproof.report.html.rendering import Anchors, render
from treeproof.report.signs import CONCLUSIONS, OUTCOMES, VERDICTS, Sign
from treeproof.verdict.outcome import Outcome

_NO_RECORD = Sign("not executed", "·", "none")
_MAX_IN_FULL = 200  # scenarios of the page with evidence; the others have their message
_MAX_MESSAGE = 600  # characters
_MAX_IDS = 200
_OF_ANSWER = ("message", "expected", "got", "answer", "error", "difference", "after", "stderr")
"""The members of the evidence that can differ between two runs; the others are of the case."""


@dataclass(frozen=True)
class ChangeCard:
    """A scenario of a group: ``case`` are the tree and the calls; ``sides`` what each run returned, if it is shown."""

    anchor: str
    data: ScenarioChange
    before: Sign
    now: Sign
    message: str
    case: Sequence[EvidenceMember]
    sides: Sequence[tuple[str, Sign, Sequence[EvidenceMember]]]
    rerun: str


@dataclass(frozen=True)
class GroupSection:
    """A group with its scenarios."""

    group: Group
    title: str
    sign: Sign
    cards: Sequence[ChangeCard]
    undecided: int


def dump(found: RunComparison) -> bytes:
    """Return the page as UTF-8."""
    anchors, sections, shown = Anchors(), [], 0
    for group in Group:
        changes = found.of_group(group)
        if changes:
            cards = [
                _card(found, one, anchors, is_full=shown + position < _MAX_IN_FULL)
                for position, one in enumerate(changes)
            ]
            shown += len(cards)
            undecided = 0 if group in GOOD_GROUPS else sum(not one.decides for one in changes)
            sections.append(GroupSection(group, *GROUPS[group], cards, undecided))
    values: dict[str, Any] = {
        "found": found,
        "result": RESULTS[found.result][1],
        "runs": [
            (label, name, run, run.candidate.label, CONCLUSIONS[run.verdict])
            for label, name, run in zip(("OLD", "NEW"), found.names, (found.old, found.new), strict=True)
        ],
        "sections": sections,
        "verdicts": VERDICTS,
        "passed": OUTCOMES[Outcome.PASSED],
        "missing_count": sum(len(one.failed) + len(one.passed) for one in found.missing),
        "max_ids": _MAX_IDS,
    }
    return render("comparison", values, has_filter=False)


def _card(found: RunComparison, change: ScenarioChange, anchors: Anchors, *, is_full: bool) -> ChangeCard:
    before = OUTCOMES[change.before.outcome] if change.before is not None else _NO_RECORD
    now = OUTCOMES[change.now.outcome]
    message = message_of(change.now) if change.now.outcome != "passed" else ""
    if not message and change.before is not None:
        message = f"before: {message_of(change.before)}"
    case: list[EvidenceMember] = []
    sides = []
    if is_full:
        # The evidence of a scenario that passed is not in its report; the case is the same in both runs.
        shown = change.now.evidence or (change.before or change.now).evidence
        case = [one for one in evidence_members(shown) if one.label not in _OF_ANSWER]
        for label, sign, scenario in (("OLD", before, change.before), ("NEW", now, change.now)):
            members = list(evidence_members(scenario.evidence)) if scenario is not None else []
            own = [one for one in members if one.label in _OF_ANSWER]
            if not own and change.why and label == "OLD":
                own = [EvidenceMember("message", change.why)]
            sides.append((label, sign, own))
    return ChangeCard(
        anchors.assign(change.spec, change.now.id),
        change,
        before,
        now,
        shortened(message, _MAX_MESSAGE),
        [_cut(one) for one in case],
        [(label, sign, [_cut(one) for one in own]) for label, sign, own in sides],
        rerun_command(found.new, change.now.id),
    )


def _cut(member: EvidenceMember) -> EvidenceMember:
    return EvidenceMember(member.label, shortened(member.text, member.max_characters))
