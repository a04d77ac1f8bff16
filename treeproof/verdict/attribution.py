"""The findings of a whole run, and what they make of the outcomes of its scenarios.

A model reports by which accepted readings a call is right, or how it differs from each accepted outcome. Only a
whole run shows which readings a candidate follows, so the differences are chosen here, once, and in the same way for
one process, workers, shards and a merge. One error in a candidate is attributed to one requirement. Contains pure
functions of a catalogue and its records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from treeproof.spec import Pack, Requirement
from treeproof.spec.catalogue import Basis
from treeproof.verdict.difference import OTHER_NAME
from treeproof.verdict.evidence import EMPTY, Evidence
from treeproof.verdict.finding import Alternative, CallJudgement, Finding, Readings, RunFinding
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord

Decides = Callable[[str, Basis], bool]
"""Whether a requirement of this level and basis decides the exit code."""

BLOCKED = "blocked"
"""The code of a scenario or requirement that is blocked."""

_OF_A_MISSING_VERDICT = ("cause", "code", "remedy")
_OF_A_DIFFERENCE = (
    *("message", "expected", "got", "diff", "compares_answers", "kind", "harm", "context", "scenario"),
    *_OF_A_MISSING_VERDICT,
)
"""The members of evidence that a difference has, and those of a missing verdict."""

_OPEN_CODES = frozenset({"other_requirement", "no_evidence"})
"""The causes of a missing verdict that show no more than that another requirement is violated."""


def resolve(pack: Pack, records: Sequence[ScenarioRecord], decides: Decides, platform: str) -> list[ScenarioRecord]:
    """Return the records with their findings, and with the outcomes that follow from lines and findings.

    A finding that names a scenario's own requirement fails it. A line that fails beside a finding that names another
    requirement, for the same answer, is blocked by that one. Pure: `resolve` of its own result is the same result.
    """
    renamed = next((one.requirement for one in records if _fails_by_name(one)), None)
    requirements = {one.id: one for one in pack.requirements}
    shown = shown_readings(records)
    certain = certainly_broken(record.calls for record in records)
    judge = _FindingJudge(requirements, decides, platform, certain)
    met = [
        [(call, one) for call in record.calls for one in judge.applying(nearest(call, shown, certain), record)]
        for record in records
    ]
    attribution = Attribution(
        (one, record.requirement if by_lines_alone(record).outcome is Outcome.FAILED else "")
        for record, found in zip(records, met, strict=True)
        for _, one in found
        if judge.decides(one.requirement, one)
    )
    kinds = _most_frequent_kinds(one for found in met for _, one in found)
    return [
        judge.with_outcome(record, tuple(judge.run_finding(*one, attribution, kinds) for one in found), renamed)
        for record, found in zip(records, met, strict=True)
    ]


def _most_frequent_kinds(findings: Iterable[Finding]) -> Mapping[str, str]:
    """Return the most frequent kind of the differences that break each requirement itself."""
    counts: dict[str, Counter[str]] = {}
    for finding in findings:
        counts.setdefault(finding.requirement, Counter())[finding.evidence().kind or ""] += 1
    return {id: max(sorted(kinds), key=kinds.__getitem__) for id, kinds in counts.items()}


def shown_readings(records: Iterable[ScenarioRecord]) -> Mapping[str, frozenset[str]]:
    """Return the readings that right answers of a run have shown, by interpretation.

    An answer shows a reading if every combination that explains it has this one. Simulated scenarios show nothing.
    """
    shown: dict[str, set[str]] = {}
    for record in records:
        if record.evidence.simulated:
            continue
        for call in record.calls:
            for id, label in shared_readings(call.explanations).items():
                shown.setdefault(id, set()).add(label)
        for id, label in record.readings.items() if record.outcome is Outcome.PASSED else ():
            shown.setdefault(id, set()).add(label)
    return {id: frozenset(labels) for id, labels in shown.items()}


def shared_readings(explanations: Sequence[Readings]) -> Readings:
    """Return the labels that all combinations have."""
    first, *others = explanations or ({},)
    return {id: label for id, label in first.items() if all(one.get(id) == label for one in others)}


def no_common_combination(records: Iterable[ScenarioRecord]) -> str | None:
    """Return the scenario at which no combination of readings is left that explains all right answers until there.

    None if there is such a combination, or the combinations are too many to compare.
    """
    pending = [
        (record.id, list(call.explanations))
        for record in sorted(records, key=lambda one: one.id)
        for call in (() if record.evidence.simulated else record.calls)
        if any(call.explanations)
    ]
    shown: Readings = {}
    while True:  # an answer that one combination alone explains leaves fewer to the others
        known, pending = shown, [(id, _fitting(explanations, shown)) for id, explanations in pending]
        for id, explanations in pending:
            if not explanations:
                return id
            if len(explanations) == 1:
                joined = _join(shown, explanations[0])
                if joined is None:
                    return id
                shown = joined
        pending = [(id, explanations) for id, explanations in pending if len(explanations) > 1]
        if shown == known:
            return _unexplained(pending)


def _fitting(explanations: Sequence[Readings], shown: Readings) -> list[Readings]:
    """Return what the combinations that fit the shown readings add to them; one that adds nothing suffices."""
    fitting = [one for one in explanations if _join(shown, one) is not None]
    added = [{id: label for id, label in one.items() if id not in shown} for one in fitting]
    return [{}] if {} in added else [one for at, one in enumerate(added) if one not in added[:at]]


def _unexplained(answers: Iterable[tuple[str, Sequence[Readings]]]) -> str | None:
    combinations: list[Readings] = [{}]
    for id, explanations in answers:
        joined = [_join(one, other) for one in combinations for other in explanations]
        combinations = list({tuple(sorted(one.items())): one for one in joined if one is not None}.values())
        if not combinations:
            return id
        if len(combinations) > _MAX_COMBINATIONS:
            return None
    return None


_MAX_COMBINATIONS = 256


def _join(one: Readings, other: Readings) -> Readings | None:
    return None if any(one.get(id, label) != label for id, label in other.items()) else {**one, **other}


def certainly_broken(calls: Iterable[Iterable[CallJudgement]]) -> frozenset[str]:
    """Return the requirements that an answer breaks by each accepted outcome, and by no other explanation."""
    explained = ({_requirements(one) for one in call.alternatives} for given in calls for call in given)
    found = (next(iter(sets)) for sets in explained if len(sets) == 1)
    return frozenset(id for ids in found if len(ids) == 1 for id in ids)


def _requirements(outcome: Alternative) -> frozenset[str]:
    return frozenset(id for finding in outcome.findings for id in finding.possible_requirements)


def nearest(
    call: CallJudgement, shown: Mapping[str, frozenset[str]], certain: frozenset[str] = frozenset()
) -> Alternative | None:
    """Return the nearest outcome whose readings the run has shown; None for a right answer.

    If each outcome has a reading that the run contradicts, it is the nearest of all. One that is as near, and by which
    only requirements are broken that are broken for certain, comes first whatever its readings: an error explains an
    answer before a second one does, and it can look like a reading elsewhere.
    """
    shows = [all(label in shown.get(id, (label,)) for id, label in one.readings.items()) for one in call.alternatives]
    fitting = [one for one, is_shown in zip(call.alternatives, shows, strict=True) if is_shown]
    ordered = fitting + [one for one, is_shown in zip(call.alternatives, shows, strict=True) if not is_shown]
    near = [one for one in ordered if len(one.findings) <= len(ordered[0].findings)]
    explained = (one for one in near if {finding.requirement for finding in one.findings} <= certain)
    return next(explained, ordered[0] if ordered else None)


@dataclass(frozen=True)
class _FindingJudge:
    """Which findings apply, which of them decide, and what the run makes of them."""

    requirements: Mapping[str, Requirement]
    decides_exit: Decides
    platform: str
    certain: frozenset[str]
    """The requirements that are broken for certain: they explain a line that fails beyond the document, too."""

    def applying(self, outcome: Alternative | None, record: ScenarioRecord) -> Iterator[Finding]:
        """Yield the findings of the nearest outcome that can fail here, with the other requirements that can."""
        if record.outcome is Outcome.NOT_APPLICABLE and record.evidence.simulated:
            return
        for finding in outcome.findings if outcome is not None else ():
            if self._applies(finding.requirement):
                if self._has_call_beyond_the_document(record) and finding.harm is None:
                    finding = replace(finding, basis="prudent")
                others = [id for id in finding.other_requirements if self._applies(id) and self.decides(id, finding)]
                # A sentence that decides comes before one that only recommends.
                is_first = self.decides(finding.requirement, finding) or not others
                first = finding.requirement if is_first else others.pop(0)
                yield replace(finding, requirement=first, other_requirements=tuple(others))

    def decides(self, id: str, finding: Finding) -> bool:
        """Return whether a finding on this requirement decides the exit code."""
        requirement = self.requirements[id]
        return self.decides_exit(requirement.level, finding.basis or requirement.basis)

    def _has_call_beyond_the_document(self, record: ScenarioRecord) -> bool:
        """Return whether the tag of a scenario makes its calls prudent; a prudent requirement has usual calls, too."""
        return record.basis == "prudent" and self.requirements[record.requirement].basis != "prudent"

    def run_finding(
        self, call: CallJudgement, finding: Finding, attribution: Attribution, kinds: Mapping[str, str]
    ) -> RunFinding:
        """Return the finding of the run: a finding that only warns keeps its requirement.

        One that is attributed to another requirement belongs to the most frequent difference of that.
        """
        does = self.decides(finding.requirement, finding)
        id = attribution.requirement_for(finding) if does else finding.requirement
        evidence = finding.evidence()
        if id != finding.requirement and id in kinds:
            evidence = replace(evidence, kind=kinds[id])
        return RunFinding(id, call.number, does, call.evidence.with_members_of(evidence))

    def with_outcome(
        self, record: ScenarioRecord, findings: tuple[RunFinding, ...], renamed: str | None
    ) -> ScenarioRecord:
        """Return a record with its findings and its outcome. ``renamed``: the rule that another tool name violates."""
        record = replace(by_lines_alone(record), findings=findings)
        by_lines = record.outcome
        if renamed is not None and record.evidence.code == "missing_tool":
            return _blocked(record, renamed)
        own = [one for one in findings if one.requirement == record.requirement and self._fails(one, record)]
        if own and by_lines in (Outcome.PASSED, Outcome.FAILED, Outcome.NOT_VERIFIED):
            # The model's words name the nearest accepted outcome; a line may only know the first row of a table.
            evidence = _with_line(record.evidence, _OF_A_DIFFERENCE, own[0].evidence)
            return replace(record, outcome=Outcome.FAILED, lines=by_lines, evidence=evidence)
        is_open = by_lines is Outcome.NOT_VERIFIED and record.evidence.code in _OPEN_CODES
        if (by_lines is Outcome.FAILED and record.evidence.harm is None) or is_open:
            known = self.certain if record.basis == "prudent" else frozenset()
            foreign = [one for one in findings if (one.decides or one.requirement in known) and _concerns(one, record)]
            if foreign:
                return _blocked(record, foreign[0].requirement)
        return record

    def _fails(self, finding: RunFinding, record: ScenarioRecord) -> bool:
        """Return whether a finding on a scenario's own requirement fails it: not if it rests on less than that."""
        requirement = self.requirements[finding.requirement]
        return finding.decides or requirement.level != "MUST" or "prudent" in (requirement.basis, record.basis)

    def _applies(self, id: str) -> bool:
        requirement = self.requirements.get(id)
        if requirement is None or requirement.excluded:
            return False
        return requirement.condition is None or requirement.condition.lower() == self.platform.lower()


def _concerns(finding: RunFinding, record: ScenarioRecord) -> bool:
    """Return whether a finding is on an answer that the line without a verdict looks at.

    What a call has done to the tree concerns all lines after it, and a comparison of answers concerns all of them.
    """
    evidence = record.evidence
    is_over_several = (
        record.outcome is not Outcome.FAILED or evidence.after is not None or evidence.compares_answers is not None
    )
    is_same = finding.call == (evidence.call_number or 1)
    return finding.requirement != record.requirement and (is_over_several or is_same)


def _blocked(record: ScenarioRecord, owner: str) -> ScenarioRecord:
    blocked = Evidence(cause=f"blocked by {owner}", code=BLOCKED, blocked_by=owner)
    evidence = _with_line(record.evidence, _OF_A_MISSING_VERDICT, blocked)
    return replace(record, outcome=Outcome.NOT_VERIFIED, lines=record.outcome, evidence=evidence)


def _with_line(evidence: Evidence, names: Sequence[str], found: Evidence) -> Evidence:
    """Return evidence with what was found in place of the members ``names``, which become its ``line``."""
    line = evidence.only(names)
    result = evidence.without(names).with_members_of(found)
    return replace(result, line=line) if line else result


def by_lines_alone(record: ScenarioRecord) -> ScenarioRecord:
    """Return a record with the outcome of its lines alone; one that is not resolved yet is returned unchanged."""
    if record.lines is None:
        return record
    evidence = record.evidence
    if record.lines is Outcome.PASSED:
        evidence = EMPTY
    else:
        added = ("cause", "code", "blocked_by") if evidence.blocked_by else _OF_A_DIFFERENCE
        evidence = evidence.without(("line", *added)).with_members_of(evidence.line or EMPTY)
    return replace(record, outcome=record.lines, lines=None, evidence=evidence, findings=())


def _fails_by_name(record: ScenarioRecord) -> bool:
    """Return whether a scenario fails because the candidate offers the tool under another name."""
    return record.outcome is Outcome.FAILED and record.evidence.kind == OTHER_NAME


# ---- attribution ------------------------------------------------------------------------------------------------


class Attribution:
    """The attribution of a whole run: what findings break without a doubt explains others that could be the same error.

    It does so if it was met at least half as often as what they break by the most specific sentence: an error in every
    call is met in plain calls, too. The others are attributed to a few sentences, the specific ones first.
    """

    def __init__(self, met: Iterable[tuple[Finding, str]]) -> None:
        """Take each finding, with the requirement of the scenario in which it was met if a line failed there."""
        pairs = list(met)
        given = [finding for finding, _ in pairs]
        self._specific = Counter(one.requirement for one in given)
        self._certain = Counter(one.requirement for one in given if len(one.possible_requirements) == 1)
        certain = sorted(self._certain, key=lambda id: (-self._certain[id], id))
        open_ones = [pair for pair in pairs if not any(self._explains(id, pair[0]) for id in certain)]
        self.requirements = (*certain, *_minimal_cover(open_ones))

    def requirement_for(self, finding: Finding) -> str:
        """Return the requirement to which a finding of the run is attributed; its own comes first if it is violated."""
        if finding.requirement in self.requirements:
            return finding.requirement
        possible = (id for id in self.requirements if id in finding.possible_requirements)
        return next(
            (id for id in possible if id not in self._certain or self._explains(id, finding)), finding.requirement
        )

    def _explains(self, certain: str, finding: Finding) -> bool:
        if certain == finding.requirement:
            return True
        return (
            certain in finding.possible_requirements
            and 2 * self._certain[certain] >= self._specific[finding.requirement]
        )


def _minimal_cover(met: list[tuple[Finding, str]]) -> tuple[str, ...]:
    """Return a few requirements that explain all findings: a greedy set cover.

    One that no finding names first, and that no scenario with a failed line verifies, has to explain twice as many.
    """
    chosen: list[str] = []
    while met:
        coverage = Counter(id for finding, _ in met for id in finding.possible_requirements)
        first = Counter(finding.requirement for finding, _ in met)
        own = Counter(id for finding, id in met if id in finding.possible_requirements)
        rank = {id: (coverage[id], own[id] > 0, first[id], own[id], id) for id in coverage}
        best, specific = max(rank, key=rank.__getitem__), max(first | own, key=rank.__getitem__)
        if coverage[best] < 2 * coverage[specific]:
            best = specific
        chosen.append(best)
        met = [pair for pair in met if best not in pair[0].possible_requirements]
    return tuple(chosen)
