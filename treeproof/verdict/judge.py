"""The judgement of records: one verdict per requirement, then one conclusion and one exit code for the run.

Contains pure functions of the catalogue, the records and the platform. No I/O.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from treeproof.spec import Pack, Requirement
from treeproof.spec.catalogue import Basis
from treeproof.verdict.attribution import no_common_combination, resolve
from treeproof.verdict.causes import SEVERITY_LABELS, Severity, find_causes
from treeproof.verdict.outcome import NotVerified, Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.spec_result import (
    InterpretationResult,
    RequirementResult,
    ShownContent,
    SpecResult,
    Verdict,
    decides_exit_code,
)


class Conclusion(enum.StrEnum):
    """The result of a run; ``EXIT_CODES`` has its exit code."""

    CONFORMANT = "conformant"
    SOUND = "sound"
    PARTIAL = "partial"
    NON_CONFORMANT = "non-conformant"
    UNSOUND = "unsound"
    USAGE = "usage"
    INCOMPLETE = "incomplete"
    FAULT = "fault"
    INTERRUPTED = "interrupted"


EXIT_CODES: Mapping[Conclusion, int] = {
    Conclusion.CONFORMANT: 0,
    Conclusion.SOUND: 0,
    Conclusion.PARTIAL: 0,
    Conclusion.NON_CONFORMANT: 1,
    Conclusion.UNSOUND: 1,
    Conclusion.USAGE: 2,
    Conclusion.INCOMPLETE: 3,
    Conclusion.FAULT: 4,
    Conclusion.INTERRUPTED: 5,
}

MAX_SCENARIOS_OF_READING = 5
"""The number of scenarios that an inconsistency names for each reading."""

CANDIDATE_DID_NOT_START = "the candidate did not start"
NOT_STARTED = NotVerified("candidate_did_not_start", CANDIDATE_DID_NOT_START)
RUN_INTERRUPTED = "the run was interrupted; a part of the scenarios did not run"
INTERRUPTED = NotVerified("interrupted", "the run was interrupted before it was its turn")
"""The reasons of unfinished runs."""


@dataclass(frozen=True)
class PackJudgement:
    """All verdicts of one specification, and the observed readings."""

    pack: Pack
    requirements: tuple[RequirementResult, ...]
    interpretations: tuple[InterpretationResult, ...]
    records: tuple[ScenarioRecord, ...]
    note: str | None = None
    """Why the right answers of the run follow no single combination of readings."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """The calls for the positive evidence of the run, and why one of them has shown no content."""

    @property
    def result(self) -> SpecResult:
        """The part of the run document about this specification."""
        return SpecResult(
            name=self.pack.name,
            version=self.pack.version,
            title=self.pack.title,
            source=self.pack.source,
            sha256=self.pack.sha256,
            evidence=tuple(ShownContent(call, not why, why or None) for call, why in self.evidence.items()),
            requirements=self.requirements,
            interpretations=self.interpretations,
            scenarios=self.records,
        )


def judge(
    pack: Pack,
    records: Sequence[ScenarioRecord],
    *,
    platform: str,
    selected: frozenset[str] | None,
    named: Sequence[str] = (),
    expected: Mapping[str, str],
    profile: Profile = Profile.DEFAULT,
    unfinished: NotVerified | None = None,
    evidence: Mapping[str, str] | None = None,
) -> PackJudgement:
    """Judge every requirement of ``pack``.

    ``expected`` maps every scenario id in the pack's features to its requirement; ``selected`` holds the ids of the
    selection (None: all), ``named`` what the user has selected. A selected scenario without a record is NOT VERIFIED:
    for the reason ``unfinished`` if the run was interrupted or the candidate did not start, otherwise as a completeness
    error. A scenario that demands more than its requirement (basis ``prudent``) does not decide, except under the
    strict profile. Different readings of one interpretation fail the requirement of determinism if the interpretation
    affects it.

    A requirement also fails by a finding of any scenario; one that the selection leaves out, of a scenario that
    ``named`` contains. It passes only if the run has shown content: ``evidence`` maps each call for it to "", or to the
    reason why it did not.
    """

    def decides(level: str, basis: Basis) -> bool:
        return decides_exit_code(level, basis, profile)

    records = resolve(pack, records, decides, platform)
    blamed: dict[str, dict[str, str]] = {}
    for record in records:
        for finding in record.findings:
            if finding.decides:
                blamed.setdefault(finding.requirement, {}).setdefault(record.id, finding.evidence.message or "")
    missing_evidence = next(filter(None, (evidence or {}).values()), None)
    interpretations = tuple(observe_readings(pack, records))
    prudent = {r.id for r in records if r.basis == "prudent" and profile is not Profile.STRICT}
    by_requirement: dict[str, list[ScenarioRecord]] = {}
    for record in records:
        by_requirement.setdefault(record.requirement, []).append(record)
    scenarios: dict[str, list[str]] = {}
    for scenario, verified in expected.items():
        scenarios.setdefault(verified, []).append(scenario)
    inconsistency = _describe_inconsistency(
        one for one in interpretations if not one.consistent and one.determinism is not None
    )
    own: dict[str, RequirementResult] = {}
    for requirement in pack.requirements:
        ids = tuple(sorted(scenarios.get(requirement.id, ())))
        ignored = frozenset() if requirement.basis == "prudent" else prudent
        chosen = tuple(i for i in ids if (selected is None or i in selected) and i not in ignored)
        own[requirement.id] = _judge_one(
            requirement,
            ids,
            chosen,
            by_requirement.get(requirement.id, []),
            platform,
            selected is not None and blamed.get(requirement.id, {}).keys().isdisjoint(named),
            inconsistency if requirement.id == pack.determinism else None,
            unfinished,
            blamed=blamed.get(requirement.id, {}),
            missing_evidence=missing_evidence,
            is_contract=pack.is_contract,
        )
    shown = records if missing_evidence is None else ()
    final = tuple(_apply_restatement(requirement, own, shown) for requirement in pack.requirements)
    ordered = tuple(sorted(records, key=lambda r: r.id))
    note = _combination_note(pack, interpretations, ordered)
    return PackJudgement(pack, final, interpretations, ordered, note=note, evidence=evidence or {})


def _combination_note(
    pack: Pack, interpretations: Iterable[InterpretationResult], records: Sequence[ScenarioRecord]
) -> str | None:
    """Return a note if each interpretation has one reading in the run, and yet no combination explains all answers."""
    if not all(one.consistent for one in interpretations):
        return None
    found = no_common_combination(records)
    if found is None:
        return None
    return f"{pack.name}: no combination of readings explains all right answers: {found} needs another one"


def _shown(record: ScenarioRecord) -> Mapping[str, str]:
    """Return the readings that a scenario shows.

    A line that failed may have taken an error for a reading, so a failed scenario shows those of its right answers.
    """
    if record.outcome is Outcome.PASSED:
        return record.readings
    right = {item for call in record.calls for one in call.explanations for item in one.items()}
    return {id: label for id, label in record.readings.items() if (id, label) in right}


def observe_readings(pack: Pack, records: Iterable[ScenarioRecord]) -> list[InterpretationResult]:
    """Return the readings that passed and failed scenarios observed, in the order of the catalogue.

    Simulated scenarios do not count: they are no evidence for this platform.
    """
    labels: dict[str, dict[str, str]] = {}
    for record in records:
        if record.outcome in (Outcome.PASSED, Outcome.FAILED) and not record.evidence.simulated:
            for id, label in _shown(record).items():
                labels.setdefault(id, {})[record.id] = label
    result = []
    for entry in pack.interpretations:
        sides: dict[str, tuple[str, ...]] = {}
        for scenario, label in sorted(labels.get(entry.id, {}).items()):
            sides[label] = (*sides.get(label, ()), scenario)
        ordered = dict(sorted(sides.items(), key=lambda side: (-len(side[1]), side[0])))
        determinism = pack.determinism if pack.is_determined(entry.id) else None
        observed = tuple(sorted(sides)), entry.treatment, len(sides) <= 1
        result.append(InterpretationResult(entry.id, *observed, determinism, entry.affects, ordered))
    return result


def resolve_alone(pack: Pack, record: ScenarioRecord, profile: Profile) -> ScenarioRecord:
    """Return a record with the outcome that it has by itself, before the run is over; ``judge`` has the last word."""
    return resolve(pack, [record], lambda level, basis: decides_exit_code(level, basis, profile), platform="")[0]


def _describe_inconsistency(inconsistent: Iterable[InterpretationResult]) -> str | None:
    """Return the first interpretation of which scenarios observed different readings, and the scenarios of each."""
    for observation in inconsistent:
        sides = (f"{label} in {_some(ids)}" for label, ids in observation.scenarios.items())
        return f"inconsistent readings of {observation.id}: {'; '.join(sides)}"
    return None


def _some(ids: Sequence[str]) -> str:
    rest = len(ids) - MAX_SCENARIOS_OF_READING
    return ", ".join(ids[:MAX_SCENARIOS_OF_READING]) + (f" and {rest} more" if rest > 0 else "")


def _judge_one(
    requirement: Requirement,
    ids: tuple[str, ...],
    chosen: tuple[str, ...],
    records: list[ScenarioRecord],
    platform: str,
    is_left_out: bool,
    inconsistency: str | None,
    unfinished: NotVerified | None,
    *,
    blamed: Mapping[str, str],
    missing_evidence: str | None,
    is_contract: bool,
) -> RequirementResult:
    def verdict(
        kind: Verdict,
        cause: str | None = None,
        code: str | None = None,
        remedy: str | None = None,
        *,
        fault: bool = False,
    ) -> RequirementResult:
        result = RequirementResult.of(requirement, kind, ids, cause)
        return replace(result, code=code, remedy=remedy, fault=fault)

    if requirement.excluded:
        return verdict(Verdict.EXCLUDED, requirement.excluded)
    if requirement.condition and requirement.condition.lower() != platform.lower():
        return verdict(Verdict.NOT_APPLICABLE, f"applies on {requirement.condition} only")
    if not chosen and is_left_out:
        return replace(verdict(Verdict.NOT_VERIFIED, "not selected", "not_selected"), selected=False)
    by_id = {record.id: record for record in records}
    failed = [i for i in chosen if i in by_id and by_id[i].outcome is Outcome.FAILED]
    if failed:
        return verdict(Verdict.FAIL)
    if blamed:
        met = sorted(blamed)
        return verdict(Verdict.FAIL, f"{blamed[met[0]]} (in {_some(met)})")
    if not chosen and is_contract:
        return verdict(Verdict.NOT_APPLICABLE, "a rule for other tools than those of the candidate")
    if not chosen:
        return verdict(Verdict.NOT_VERIFIED, "no scenario verifies it yet", "no_scenario")
    if inconsistency:
        return verdict(Verdict.FAIL, inconsistency)
    missing = [i for i in chosen if i not in by_id]
    if missing and unfinished:
        return verdict(Verdict.NOT_VERIFIED, unfinished.detail, unfinished.code, unfinished.remedy)
    if missing:
        cause = f"{missing[0]} was selected and did not run"
        return verdict(Verdict.NOT_VERIFIED, cause, "did_not_run", fault=True)
    faults = [by_id[i] for i in chosen if by_id[i].outcome is Outcome.FAULT]
    if faults:
        return verdict(Verdict.NOT_VERIFIED, *_record_reason(faults[0]), fault=True)
    unverified = [by_id[i] for i in chosen if by_id[i].outcome is Outcome.NOT_VERIFIED]
    if unverified:
        first = next((record for record in unverified if record.evidence.blocked_by), unverified[0])
        result = verdict(Verdict.NOT_VERIFIED, *_record_reason(first))
        return replace(result, blocked_by=first.evidence.blocked_by)
    outside = [by_id[i] for i in chosen if by_id[i].outcome is Outcome.NOT_APPLICABLE]
    if len(outside) == len(chosen):
        return verdict(Verdict.NOT_APPLICABLE, _record_cause(outside[0]))
    if missing_evidence is not None:
        return verdict(Verdict.NOT_VERIFIED, missing_evidence, "no_evidence")
    return verdict(Verdict.PASS)


def _record_reason(record: ScenarioRecord) -> tuple[str, str | None, str | None]:
    """Return cause, code and remedy."""
    return _record_cause(record), record.evidence.code, record.evidence.remedy


def _record_cause(record: ScenarioRecord) -> str:
    return record.evidence.cause or record.evidence.message or str(record.outcome)


def _apply_restatement(
    requirement: Requirement, own: Mapping[str, RequirementResult], records: Sequence[ScenarioRecord]
) -> RequirementResult:
    """Return the verdict of a requirement; one that restates another shares its verdict, unless its own is worse.

    It does not FAIL if scenarios name it in a tag `@also` and all of them hold: it demands less than the other one.
    """
    result = own[requirement.id]
    if not requirement.restates or result.verdict in (Verdict.EXCLUDED, Verdict.NOT_APPLICABLE):
        return result
    other = own[requirement.restates]
    if result.scenarios and result.verdict is not Verdict.PASS and result.selected:
        return result
    cause = other.cause if other.verdict is not Verdict.PASS else None
    if other.verdict is Verdict.FAIL:
        named = [record for record in records if requirement.id in record.also]
        if named and all(_holds(record) for record in named):
            scenarios = tuple(sorted({*result.scenarios, *(record.id for record in named)}))
            return replace(result, verdict=Verdict.PASS, scenarios=scenarios, cause=None, code=None, selected=True)
        cause = f"restates {requirement.restates}"
    scenarios = result.scenarios or other.scenarios
    taken = {name: getattr(other, name) for name in ("verdict", "code", "remedy", "blocked_by", "selected", "fault")}
    return replace(result, **taken, scenarios=scenarios, cause=cause)


def _holds(record: ScenarioRecord) -> bool:
    """Return whether a scenario has passed without an answer that breaks any requirement."""
    return record.outcome is Outcome.NOT_APPLICABLE or (record.outcome is Outcome.PASSED and not record.findings)


def conclude(
    judgements: Sequence[PackJudgement],
    profile: Profile,
    *,
    has_selection: bool,
    completeness_errors: Sequence[str],
    contradictions: Sequence[str] = (),
    interrupted: bool = False,
) -> tuple[Conclusion, str]:
    """Return the conclusion of the run and its reason.

    ``completeness_errors`` are differences between the parsed, collected and executed scenarios; ``contradictions``
    come from the baseline. With either of them, and for an ``interrupted`` run, the exit code is not 0.
    """
    decisive = [v for j in judgements for v in j.requirements if v.selected and v.decides(profile)]
    failed = [v for v in decisive if v.fails(profile)]
    ran = sum(len(j.records) for j in judgements)
    by_contract = profile is Profile.BEHAVIOUR
    wrong = Conclusion.UNSOUND if by_contract else Conclusion.NON_CONFORMANT
    if failed:
        what = "rule" if by_contract else "requirement"
        text = _describe_count(_gravest_first(judgements, profile), "does not hold", "do not hold", what)
        lost = sum(v.is_lost for v in decisive)
        return wrong, text + (
            f"; {lost} of {len(decisive)} {what}s without a verdict, because calls broke" if lost else ""
        )
    if contradictions:
        return wrong, contradictions[0]
    faults = [r for j in judgements for r in j.records if r.outcome is Outcome.FAULT and not r.known]
    broken = [r for r in faults if not _is_beyond_the_document(r, profile)]
    unknown_faults = [v for v in decisive if v.fault and not v.known]
    if broken or unknown_faults:
        first = _record_cause(broken[0]) if broken else unknown_faults[0].cause or ""
        lost = sum(v.is_lost for v in decisive)
        of = f" and {lost} requirement{'s' * (lost != 1)}" if lost else ""
        count = f"{len(faults)} scenario{'s' * (len(faults) != 1)}"
        return Conclusion.FAULT, f"the verdict is withheld for {count}{of}: {first}"
    if interrupted:
        return Conclusion.INTERRUPTED, RUN_INTERRUPTED
    if completeness_errors:
        return Conclusion.INCOMPLETE, completeness_errors[0]
    if ran == 0:
        return Conclusion.INCOMPLETE, "nothing was executed"
    unverified = [v for v in decisive if v.verdict is Verdict.NOT_VERIFIED and not v.known]
    if unverified:
        every = [v for j in judgements for v in j.requirements if v.selected and v.verdict is Verdict.NOT_VERIFIED]
        what = "requirement" if len(every) == len(unverified) else "deciding requirement"
        text = _describe_count([v.id for v in unverified], "was not verified", "were not verified", what)
        return Conclusion.INCOMPLETE, text
    known = [v for v in decisive if v.known]
    if known:
        failures = "1 known failure" if len(known) == 1 else f"{len(known)} known failures"
        return Conclusion.PARTIAL, f"everything but {failures} held; not a conformance claim"
    outcomes = {record.outcome for judgement in judgements for record in judgement.records}
    if has_selection and Outcome.NOT_VERIFIED in outcomes and Outcome.PASSED not in outcomes:
        return Conclusion.INCOMPLETE, "nothing that was selected was verified"
    if has_selection:
        return Conclusion.PARTIAL, "everything selected held; not a conformance claim"
    if by_contract:
        return Conclusion.SOUND, "every applicable rule of the behaviour contract holds"
    return Conclusion.CONFORMANT, "every applicable MUST holds"


def _is_beyond_the_document(record: ScenarioRecord, profile: Profile) -> bool:
    """Return whether a candidate broke at a call that the document does not describe, which decides nothing."""
    is_own = record.evidence.code in ("candidate_fault", "candidate_timeout")
    return is_own and record.basis == "prudent" and profile is not Profile.STRICT


def _gravest_first(judgements: Sequence[PackJudgement], profile: Profile) -> list[str]:
    """Return the ids of the failed requirements in the order of their causes, with what is worse than a wrong answer.

    Those without a cause, which restate others, are last.
    """
    specs = [judgement.result for judgement in judgements]
    rest = {(spec.name, one.id): one.id for spec in specs for one in spec.requirements if one.fails(profile)}
    named = []
    for cause in find_causes(specs, profile):
        label = f" ({SEVERITY_LABELS[cause.severity]})" if cause.severity in _GRAVE else ""
        found = (rest.pop((cause.spec.name, one.id), None) for one in cause.requirements)
        named += [id + label for id in found if id is not None]
    return [*named, *rest.values()]


_GRAVE = frozenset({Severity.DATA, Severity.ESCAPE, Severity.CRASH})


def _describe_count(names: Sequence[str], one: str, many: str, what: str = "requirement") -> str:
    noun = f"{what} {one}" if len(names) == 1 else f"{what}s {many}"
    return f"{len(names)} {noun}: {', '.join(names[:3])}{', …' if len(names) > 3 else ''}"
