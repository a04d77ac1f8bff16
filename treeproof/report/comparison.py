"""The comparison of two runs: what fails newly, what is fixed, what fails in another way, and what cannot be compared.

Contains pure functions of run documents. A scenario that one of the runs did not execute is neither fixed nor worse.
Failures are compared by the digest that baselines use; times never decide anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from treeproof.report.comparison_notes import comparison_notes
from treeproof.report.digest import candidate_did_not_start, is_deselected, pluralize, verdict_change
from treeproof.report.signs import Sign
from treeproof.verdict.baseline import record_digest
from treeproof.verdict.causes import Cause
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import RequirementResult, SpecResult, Verdict, unlisted_requirement

SLOWER_RATIO, SLOWER_SECONDS = 2.0, 0.5
"""A scenario is slower if it takes this many times as long and this much longer than the general change explains."""


class Group(StrEnum):
    """What became of a scenario; in the order of reports."""

    NEW_FAILURES = "new_failures"
    CHANGED_FAILURES = "changed_failures"
    NEW_FAULTS = "new_faults"
    FIRST_FAILURES = "first_failures"
    FIXED = "fixed"
    FAULTS_GONE = "faults_gone"


GROUPS: Mapping[Group, tuple[str, Sign]] = {
    Group.NEW_FAILURES: ("New failures", Sign("new failure", "✗", "fail")),
    Group.CHANGED_FAILURES: ("Fails in another way", Sign("fails in another way", "≠", "fail")),
    Group.NEW_FAULTS: ("New faults", Sign("new fault", "!", "fault")),
    Group.FIRST_FAILURES: ("Fails, without a verdict before", Sign("fails, without a verdict before", "✗", "open")),
    Group.FIXED: ("Fixed", Sign("fixed", "✓", "pass")),
    Group.FAULTS_GONE: ("Faults gone", Sign("fault gone", "✓", "pass")),
}
"""The heading of each group, and its sign."""

_CHANGE_ORDER = ("worse", "lost", "other", "better")
GOOD_GROUPS = frozenset({Group.FIXED, Group.FAULTS_GONE})


class Result(StrEnum):
    """The result of a comparison."""

    WORSE = "worse"
    FAULT = "fault"
    INCOMPLETE = "incomplete"
    NOT_WORSE = "not worse"


RESULTS: Mapping[Result, tuple[int, Sign]] = {
    Result.WORSE: (1, Sign("worse", "✗", "fail")),
    Result.FAULT: (4, Sign("fault", "!", "fault")),
    Result.INCOMPLETE: (3, Sign("incomplete", "?", "open")),
    Result.NOT_WORSE: (0, Sign("not worse", "✓", "pass")),
}
"""The exit code of each result, and its sign."""


@dataclass(frozen=True)
class ScenarioChange:
    """A scenario with another result. ``before`` is None without a record; ``why`` is then the reason.

    ``decides``: the requirement's level and the baseline of the newer run let it affect the exit code.
    """

    spec: str
    group: Group
    requirement: RequirementResult
    before: ScenarioRecord | None
    now: ScenarioRecord
    why: str
    decides: bool


@dataclass(frozen=True)
class ChangedCause:
    """The scenarios of a group that one cause explains: a cause of NEW, or of OLD if they do not fail any more."""

    cause: Cause
    changes: Sequence[ScenarioChange]

    @property
    def count(self) -> str:
        """How many of the scenarios of the cause are in the group."""
        total = len(self.cause.scenarios)
        if len(self.changes) < total:
            return f"{len(self.changes)} of its {pluralize(total, 'scenario')}"
        return pluralize(total, "scenario")


@dataclass(frozen=True)
class MissingResults:
    """Scenarios with a result in the older run and none in the newer one, for one reason.

    ``failed`` and ``passed`` are ids by their earlier outcome. ``decides``: something is lost that was not left out.
    """

    reason: str
    failed: Sequence[str]
    passed: Sequence[str]
    decides: bool


@dataclass(frozen=True)
class VerdictChange:
    """A requirement with another verdict. ``change`` is better, worse, lost or other."""

    spec: str
    requirement: RequirementResult
    before: str
    now: str
    change: str
    decides: bool


@dataclass(frozen=True)
class ReadingChange:
    """An interpretation with other readings in the scenarios that both runs executed."""

    spec: str
    id: str
    before: Sequence[str]
    now: Sequence[str]


@dataclass(frozen=True)
class SlowerScenario:
    """A scenario that took longer; seconds."""

    spec: str
    id: str
    title: str
    before: float
    now: float


@dataclass(frozen=True)
class RunComparison:
    """Two runs and their differences. ``compared`` scenarios have a record in both, ``unchanged`` of them are equal."""

    old: RunDocument
    new: RunDocument
    names: tuple[str, str]
    notes: Sequence[str]
    scenarios: Sequence[ScenarioChange]
    missing: Sequence[MissingResults]
    requirements: Sequence[VerdictChange]
    readings: Sequence[ReadingChange]
    slower: Sequence[SlowerScenario]
    speed: float
    compared: int
    unchanged: int
    result: Result
    reason: str

    @property
    def exit(self) -> int:
        """The exit code."""
        return RESULTS[self.result][0]

    @property
    def verdict_changes(self) -> Mapping[tuple[str, str], Sequence[VerdictChange]]:
        """The requirements with another verdict, by both verdicts."""
        found: dict[tuple[str, str], list[VerdictChange]] = {}
        for one in self.requirements:
            found.setdefault((one.before, one.now), []).append(one)
        return dict(sorted(found.items(), key=lambda item: _CHANGE_ORDER.index(item[1][0].change)))

    def of_group(self, group: Group) -> list[ScenarioChange]:
        """Return the scenarios of a group, those that decide first."""
        return sorted((one for one in self.scenarios if one.group is group), key=lambda one: not one.decides)

    def causes_of(self, group: Group) -> list[ChangedCause]:
        """Return the scenarios of a group by their cause: what decides first, of a cause the smallest case first."""
        run = self.old if group in GOOD_GROUPS else self.new
        explaining: dict[tuple[str, str], tuple[Cause, int]] = {}
        # A finding puts a scenario into the cause of another requirement, too: its own explains it better.
        for is_own in (False, True):
            for cause in reversed(run.causes):
                for place, one in enumerate(cause.in_order):
                    owner = cause.spec.scenarios_by_id[one.id].requirement
                    if is_own is (owner == cause.requirement.id):
                        explaining[cause.spec.name, one.id] = cause, place
        found: dict[int, list[ScenarioChange]] = {}
        changes = self.of_group(group)
        for change in sorted(changes, key=lambda one: (not one.decides, explaining[one.spec, one.now.id][1])):
            found.setdefault(explaining[change.spec, change.now.id][0].number, []).append(change)
        ordered = sorted(found.items(), key=lambda item: (not item[1][0].decides, item[0]))
        return [ChangedCause(run.causes[number - 1], ones) for number, ones in ordered]


def compare_runs(old: RunDocument, new: RunDocument, names: tuple[str, str] = ("", "")) -> RunComparison:
    """Return the comparison of two runs, from ``old`` to ``new``. ``names``: their files, for reports."""
    pairs = [(old.spec(spec.name), spec) for spec in new.specs]
    both = [(before, now) for before, now in pairs if before is not None]
    scenarios = [one for before, now in pairs for one in _scenario_changes(old, new, before, now)]
    missing = _missing_results(old, new)
    requirements = [one for before, now in both for one in _verdict_changes(new, before, now)]
    times = [
        (now.name, one, before.scenarios_by_id[one.id])
        for before, now in both
        for one in now.scenarios
        if one.id in before.scenarios_by_id
    ]
    speed = median(one.seconds / max(was.seconds, 0.001) for _, one, was in times) if times else 1.0
    unchanged = sum(_is_unchanged(was, one) for _, one, was in times)
    result, reason = _conclude(old, new, scenarios, missing, requirements, len(times))
    return RunComparison(
        old,
        new,
        names,
        comparison_notes(old, new),
        scenarios,
        missing,
        requirements,
        [one for before, now in both for one in _reading_changes(before, now)],
        sorted(_slower(times, speed), key=lambda one: one.before - one.now),
        speed,
        len(times),
        unchanged,
        result,
        reason,
    )


def message_of(scenario: ScenarioRecord) -> str:
    """Return why a scenario failed, broke, or has no verdict; its outcome if it passed."""
    return scenario.evidence.reason or str(scenario.outcome)


def _status(scenario: ScenarioRecord | None) -> Outcome | None:
    """Return the outcome; None without a verdict."""
    ends = (Outcome.PASSED, Outcome.FAILED, Outcome.FAULT)
    return scenario.outcome if scenario is not None and scenario.outcome in ends else None


def _is_unchanged(before: ScenarioRecord, now: ScenarioRecord) -> bool:
    if before.outcome is not now.outcome:
        return False
    return now.outcome not in (Outcome.FAILED, Outcome.FAULT) or record_digest(before) == record_digest(now)


def _group(before: ScenarioRecord | None, now: ScenarioRecord) -> Group | None:
    """Return the group of a scenario with a record in the newer run; None if there is nothing to report."""
    was, status = _status(before), _status(now)
    if status is None:
        return None
    if status is Outcome.PASSED:
        return Group.FIXED if was is Outcome.FAILED else Group.FAULTS_GONE if was is Outcome.FAULT else None
    if before is not None and was is status:
        return None if record_digest(before) == record_digest(now) else Group.CHANGED_FAILURES
    if status is Outcome.FAULT:
        return Group.NEW_FAULTS
    return Group.NEW_FAILURES if was is Outcome.PASSED else Group.FIRST_FAILURES


def _scenario_changes(
    old: RunDocument, new: RunDocument, before: SpecResult | None, now: SpecResult
) -> Iterator[ScenarioChange]:
    earlier = before.scenarios_by_id if before is not None else {}
    for scenario in now.scenarios:
        was = earlier.get(scenario.id)
        group = _group(was, scenario)
        if group is None:
            continue
        has_verdict = _status(was) in (Outcome.PASSED, Outcome.FAILED) or scenario.outcome is Outcome.PASSED
        why = "" if has_verdict else _missing_reason(old, before, scenario.id, was, "OLD")[0]
        requirement = _requirement_of(now, scenario)
        yield ScenarioChange(now.name, group, requirement, was, scenario, why, _decides(new, scenario, requirement))


def _requirement_of(spec: SpecResult, scenario: ScenarioRecord) -> RequirementResult:
    return spec.requirements_by_id.get(scenario.requirement) or unlisted_requirement(scenario.requirement)


def _decides(run: RunDocument, scenario: ScenarioRecord, requirement: RequirementResult) -> bool:
    profile = run.profile
    is_known = scenario.known or requirement.known
    return requirement.decides(profile) and not scenario.is_advisory(profile) and not is_known


def _missing_reason(
    run: RunDocument, spec: SpecResult | None, id: str, scenario: ScenarioRecord | None, label: str
) -> tuple[str, bool]:
    """Return why a run has no verdict of a scenario, and True if nothing was lost: it was left out on purpose."""
    if scenario is not None:
        blocked = scenario.evidence.blocked_by
        return f"blocked by {blocked}" if blocked else scenario.evidence.cause or "", False
    if spec is None:
        return f"{label} did not run the specification", True
    if not any(id in one.scenarios for one in spec.requirements):
        return f"the catalogue of {label} does not contain it", True
    if run.selection is not None:
        return f"not selected in {label}", not run.interrupted
    return f"{label} was interrupted" if run.interrupted else f"not executed in {label}", False


def _missing_results(old: RunDocument, new: RunDocument) -> list[MissingResults]:
    """Return the scenarios that passed, failed or broke in ``old`` and have no verdict in ``new``, by reason."""
    found: dict[tuple[str, bool], tuple[list[str], list[str]]] = {}
    for before in old.specs:
        now = new.spec(before.name)
        later = now.scenarios_by_id if now is not None else {}
        for scenario in before.scenarios:
            record = later.get(scenario.id)
            if not _status(scenario) or _status(record):
                continue
            reason, is_left_out = _missing_reason(new, now, scenario.id, record, "NEW")
            decides = not is_left_out and _decides(new, scenario, _requirement_of(before, scenario))
            lists = found.setdefault((reason, decides), ([], []))
            lists[scenario.outcome is Outcome.PASSED].append(scenario.id)
    every = [MissingResults(reason, *lists, decides=decides) for (reason, decides), lists in found.items()]
    return sorted(every, key=lambda one: (not one.decides, -len(one.failed)))


def _verdict_changes(new: RunDocument, before: SpecResult, now: SpecResult) -> Iterator[VerdictChange]:
    executed = now.scenarios_by_id
    for requirement in now.requirements:
        was = before.requirements_by_id.get(requirement.id)
        if was is None or is_deselected(new, requirement) or was.code == "not_selected":
            continue
        change = verdict_change(was.verdict, requirement.verdict)
        if not change:
            continue
        lost = [one.id for one in before.scenarios if one.requirement == was.id and one.id not in executed]
        if lost and change not in ("worse", "lost"):  # only a part was executed: no improvement is shown
            continue
        decides = (
            requirement.verdict is Verdict.FAIL
            and was.verdict is Verdict.PASS
            and requirement.decides(new.profile)
            and not requirement.known
        )
        yield VerdictChange(now.name, requirement, was.verdict, requirement.verdict, change, decides)


def _reading_changes(before: SpecResult, now: SpecResult) -> Iterator[ReadingChange]:
    """Yield the interpretations with other readings; only scenarios with a record in both runs count."""
    earlier, later = before.scenarios_by_id, now.scenarios_by_id
    common = [id for id in later if id in earlier]
    for entry in now.interpretations:
        was = _readings(entry.id, (earlier[id] for id in common))
        readings = _readings(entry.id, (later[id] for id in common))
        if was and readings and was != readings:
            yield ReadingChange(now.name, entry.id, was, readings)


def _readings(id: str, scenarios: Iterable[ScenarioRecord]) -> list[str]:
    return sorted({one.readings[id] for one in scenarios if id in one.readings})


def _slower(times: Sequence[tuple[str, ScenarioRecord, ScenarioRecord]], speed: float) -> Iterator[SlowerScenario]:
    usual = max(1.0, speed)  # another machine, or a busy one, is no property of a scenario
    for spec, now, before in times:
        if not before.outcome is now.outcome is Outcome.PASSED:  # a failing property looks for its smallest case
            continue
        expected = before.seconds * usual
        if now.seconds >= SLOWER_RATIO * expected and now.seconds - expected >= SLOWER_SECONDS:
            yield SlowerScenario(spec, now.id, now.title, before.seconds, now.seconds)


def _conclude(
    old: RunDocument,
    new: RunDocument,
    scenarios: Sequence[ScenarioChange],
    missing: Sequence[MissingResults],
    requirements: Sequence[VerdictChange],
    compared: int,
) -> tuple[Result, str]:
    if candidate_did_not_start(new):
        return Result.FAULT, f"the candidate of NEW did not start: {new.reason}"
    deciding = {group: sum(one.group is group and one.decides for one in scenarios) for group in Group}
    parts = []
    if deciding[Group.NEW_FAILURES]:
        count = deciding[Group.NEW_FAILURES]
        parts.append(f"{pluralize(count, 'scenario')} that passed {_verb('fail', count)} now")
    if deciding[Group.CHANGED_FAILURES] and old.treeproof == new.treeproof:
        count = deciding[Group.CHANGED_FAILURES]
        parts.append(f"{pluralize(count, 'scenario')} {_verb('fail', count)} in another way")
    failed = [one.requirement.id for one in requirements if one.decides]
    if failed and not parts:
        parts.append(
            f"{pluralize(len(failed), 'requirement')} that passed {'fails' if len(failed) == 1 else 'fail'} now"
        )
    if parts:
        return Result.WORSE, " and ".join(parts)
    if deciding[Group.NEW_FAULTS]:
        return Result.FAULT, f"{pluralize(deciding[Group.NEW_FAULTS], 'scenario')} ended with a new fault"
    lost = sum(len(one.failed) + len(one.passed) for one in missing if one.decides)
    if lost:
        return Result.INCOMPLETE, f"{pluralize(lost, 'scenario')} with a result in OLD {_have(lost)} none in NEW"
    if not compared:
        return Result.INCOMPLETE, "the two runs have no scenario in common"
    return Result.NOT_WORSE, f"nothing is worse in the {pluralize(compared, 'scenario')} that both runs executed"


def _verb(verb: str, count: int) -> str:
    return f"{verb}s" if count == 1 else verb


def _have(count: int) -> str:
    return "has" if count == 1 else "have"
