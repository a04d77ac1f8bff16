"""Computations on a run document that several formats share: groups, orders, texts of causes, commands to run again.

Contains pure functions without markup, escaping or size limits.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from treeproof.report.escape import shell_command
from treeproof.report.signs import KNOWN, VERDICTS, WARNING, Sign
from treeproof.verdict.causes import Cause
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import InterpretationResult, RequirementResult, SpecResult, Verdict

T = TypeVar("T")

_CHANGES: Mapping[tuple[str, str], str] = {
    (Verdict.FAIL, Verdict.PASS): "better",
    (Verdict.NOT_VERIFIED, Verdict.PASS): "better",
    (Verdict.PASS, Verdict.FAIL): "worse",
    (Verdict.NOT_VERIFIED, Verdict.FAIL): "worse",
    (Verdict.PASS, Verdict.NOT_VERIFIED): "lost",
    (Verdict.FAIL, Verdict.NOT_VERIFIED): "lost",
}
"""What a change between two verdicts means. Without a verdict nothing is better."""

_OUTCOMES_SHOWING: Mapping[Verdict, frozenset[Outcome]] = {
    Verdict.PASS: frozenset({Outcome.PASSED}),
    Verdict.FAIL: frozenset({Outcome.FAILED}),
    Verdict.NOT_VERIFIED: frozenset({Outcome.NOT_VERIFIED, Outcome.FAULT}),
    Verdict.NOT_APPLICABLE: frozenset({Outcome.NOT_APPLICABLE}),
}


def run_command(run: RunDocument) -> str:
    """Return the shell command that repeats a run."""
    selected = () if run.selection is None else ("--select", *run.selection)
    return shell_command(["treeproof", "run", *run.target, *selected])


PASSES_ALONE = "run alone, it passes: other calls or answers of the run make the difference"


def rerun_command(run: RunDocument, *ids: str) -> str:
    """Return the shell command that runs ``ids`` again with the same options.

    A case that passes alone fails only after the calls of the whole run.
    """
    scenarios = (spec.scenarios_by_id.get(id) for spec in run.specs for id in ids)
    if any(one is not None and one.alone is not None for one in scenarios):
        return run_command(run)
    return shell_command(["treeproof", "run", *run.target, "--select", *ids])


def explain_command(run: RunDocument, id: str) -> str:
    """Return the shell command that explains ``id``, with the folders of specifications that the run selected."""
    options = pairwise(run.command)
    specs = [text for option, text in options if option == "--spec" and (os.sep in text or text[0] == ".")]
    return shell_command(["treeproof", "explain", id, *(word for spec in specs for word in ("--spec", spec))])


def pluralize(count: int, noun: str) -> str:
    """Return ``1 noun`` or ``N nouns``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def selected_requirements(run: RunDocument, spec: SpecResult) -> list[RequirementResult]:
    """Return the requirements that a report is about: all, or those with a selected scenario."""
    if not run.is_narrowed:
        return list(spec.requirements)
    # A scenario that goes beyond the document decides nothing, so its requirement may have no verdict.
    shown = {scenario.requirement for scenario in spec.scenarios}
    return [
        one
        for one in spec.requirements
        if one.id in shown or (one.verdict is not Verdict.EXCLUDED and not is_deselected(run, one))
    ]


def result_sign(one: RequirementResult, profile: Profile) -> Sign:
    """Return the sign of a requirement: that of its verdict, or another one if its failure decides nothing."""
    if one.verdict is not Verdict.FAIL or one.fails(profile):
        return VERDICTS[one.verdict]
    return KNOWN if one.known else WARNING


def result_counts(requirements: Iterable[RequirementResult], profile: Profile) -> Counter[Sign]:
    """Return the number of requirements by their sign."""
    return Counter(result_sign(one, profile) for one in requirements)


def group_by_section(items: Iterable[T], section: Callable[[T], str]) -> dict[str, list[T]]:
    """Return the items grouped by ``section``, in the order of section numbers."""
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(section(item), []).append(item)
    return dict(sorted(groups.items(), key=lambda item: section_sort_key(item[0])))


def outcome_counts(run: RunDocument) -> Counter[Outcome]:
    """Return the number of scenarios of each outcome in all specifications."""
    return Counter(scenario.outcome for spec in run.specs for scenario in spec.scenarios)


def verdict_change(before: str, now: str) -> str:
    """Return whether a verdict became better, worse, lost or other; empty if it is equal or one of them is empty."""
    return _CHANGES.get((before, now), "other") if before and now and before != now else ""


def section_sort_key(section: str) -> tuple[bool, list[int], str]:
    """Return the sort key of a section: 3.2 before 3.2.1 before 3.10, sections without a number last."""
    number = re.match(r"(\d+(?:\.\d+)*)?(.*)", section, re.DOTALL)
    numbered, rest = number.groups() if number else (None, section)
    return numbered is None, [int(part) for part in (numbered or "").split(".") if part], rest


def failing_count_text(failed: Iterable[RequirementResult], profile: Profile) -> str:
    """Return the number of requirements that do not hold; those that fail and decide nothing are counted apart."""
    counts = result_counts(failed, profile)
    shown = [pluralize(counts[VERDICTS[Verdict.FAIL]], "requirement")]
    shown += [f"{counts[KNOWN]} known"] if counts[KNOWN] else []
    shown += [pluralize(counts[WARNING], "warning")] if counts[WARNING] else []
    return ", ".join(shown)


@dataclass(frozen=True)
class UnverifiedGroup:
    """The requirements that were not verified for one cause; ``blocked_by``: the failed one that blocks them."""

    cause: str
    remedy: str | None
    is_deselected: bool
    ids: list[str]
    blocked_by: str | None


def unverified_by_cause(run: RunDocument, spec: SpecResult) -> list[UnverifiedGroup]:
    """Return the requirements that were not verified, grouped by cause."""
    groups: dict[str, UnverifiedGroup] = {}
    for one in spec.requirements:
        if one.verdict is Verdict.NOT_VERIFIED:
            cause = one.cause or ""
            new = UnverifiedGroup(cause, one.general_remedy, is_deselected(run, one), [], one.blocked_by)
            groups.setdefault(cause, new).ids.append(one.id)
    return list(groups.values())


def is_deselected(run: RunDocument, requirement: RequirementResult) -> bool:
    """Return True for a requirement that the selection left out; reports only count these."""
    return run.selection is not None and requirement.code in ("not_selected", "no_scenario")


def candidate_did_not_start(run: RunDocument) -> bool:
    """Return True if the candidate did not start, so that there is no result for any requirement."""
    return not any(spec.scenarios for spec in run.specs) and any(
        requirement.code == "candidate_did_not_start" for spec in run.specs for requirement in spec.requirements
    )


def requirements_without_showing_scenario(spec: SpecResult, profile: Profile) -> list[RequirementResult]:
    """Return the selected requirements whose verdict is not the outcome of one of their scenarios."""
    outcomes: dict[str, set[Outcome]] = {}
    for scenario in spec.scenarios:
        if not scenario.is_advisory(profile):
            outcomes.setdefault(scenario.requirement, set()).add(scenario.outcome)
    return [
        one
        for one in spec.requirements
        if _OUTCOMES_SHOWING.get(one.verdict, frozenset()).isdisjoint(outcomes.get(one.id, ()))
        and not (one.verdict is Verdict.PASS and one.scenarios)
        and one.code != "not_selected"
    ]


def observed_interpretations(spec: SpecResult) -> list[InterpretationResult]:
    """Return the interpretations with an observed reading, contradictions first."""
    observed = [entry for entry in spec.interpretations if entry.observed]
    return sorted(observed, key=lambda entry: entry.consistent)


def warnings_with_scenarios(run: RunDocument) -> dict[str, list[str]]:
    """Return each warning with its scenarios."""
    groups: dict[str, list[str]] = {warning: [] for warning in run.warnings}
    for spec in run.specs:
        for scenario in spec.scenarios:
            for warning in scenario.warnings:
                groups.setdefault(warning, []).append(scenario.id)
    return groups


def abbreviate(ids: Iterable[str], limit: int) -> list[str]:
    """Return the first ``limit`` ids, and a note of how many more there are."""
    every = list(ids)
    return every if len(every) <= limit + 1 else [*every[:limit], f"and {len(every) - limit} more"]


# ---- causes -----------------------------------------------------------------------------------------------------


def split_causes(run: RunDocument) -> tuple[list[Cause], list[Cause]]:
    """Return the causes of a run that decide its conclusion, and those that are only warnings."""
    deciding = [cause for cause in run.causes if cause.decides(run.profile)]
    return deciding, [cause for cause in run.causes if not cause.decides(run.profile)]


def failure_counts(run: RunDocument, causes: Sequence[Cause]) -> list[str]:
    """Return the numbers of failed requirements, of failed scenarios, and of what has no verdict because calls broke.

    ``causes`` are those of the run that decide. Numbers that are 0 are left out.
    """
    failed = [one for spec in run.specs for one in spec.requirements if one.fails(run.profile)]
    lost = sum(one.is_lost and one.decides(run.profile) for spec in run.specs for one in spec.requirements)
    # A scenario with several findings belongs to the cause of each, and counts once.
    scenarios = {(cause.spec.name, scenario.id): scenario.outcome for cause in causes for scenario in cause.scenarios}
    outcomes = Counter(scenarios.values())
    counts = [failing_count_text(failed, run.profile)] if failed else []
    if count := outcomes[Outcome.FAILED]:
        counts.append(f"met in {pluralize(count, 'scenario')}")
    if count := outcomes[Outcome.FAULT]:
        requirements = [pluralize(lost, "requirement")] if lost else []
        counts.append(f"{' and '.join([*requirements, pluralize(count, 'scenario')])} without a verdict")
    return counts


def warned_counts(run: RunDocument, causes: Sequence[Cause]) -> str:
    """Return how many causes that decide nothing are of which kind."""
    kinds = Counter(
        "known"
        if one.known
        else "beyond the document"
        if one.is_beyond_document
        else "not selected"
        if is_deselected(run, one.requirement)
        else one.requirement.level
        for one in causes
    )
    return f"{pluralize(len(causes), 'cause')}: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"


def _requirement_facts(
    run: RunDocument, spec: SpecResult, one: RequirementResult, basis: str | None, known: bool
) -> list[str]:
    """Return level, basis, section and state of a requirement, and its specification if several ran."""
    level = one.level if one.decides(run.profile) else f"{one.level}, a warning"
    facts = [level, basis, one.section, spec.name if len(run.specs) > 1 else "", "known failure" if known else ""]
    return [fact for fact in facts if fact]


def cause_facts(run: RunDocument, cause: Cause) -> list[str]:
    """Return level, basis, section and state of the requirement of a cause."""
    if cause.is_beyond_document:  # the scenario demands more than its requirement: neither level nor basis are its own
        return _requirement_facts(run, cause.spec, cause.requirement, None, False)[1:]
    return _requirement_facts(run, cause.spec, cause.requirement, cause.requirement.basis, cause.known)


def cause_rerun(run: RunDocument, cause: Cause) -> str:
    """Return the command that repeats the smallest case of a cause, or its requirement if no scenario failed."""
    return rerun_command(run, (cause.smallest or cause.requirement).id)


def rerun_note(cause: Cause) -> str:
    """Return why the command of a cause repeats the whole run; empty if it runs the smallest case alone."""
    return PASSES_ALONE if cause.smallest is not None and cause.smallest.alone is not None else ""


def related_lines(cause: Cause, max_ids: int) -> Iterator[tuple[str, str]]:
    """Yield label and ids: further scenarios of the requirement, other requirements, and blocked ones.

    At most ``max_ids`` ids are named in each line.
    """
    if more := [scenario.id for scenario in cause.others if scenario.requirement == cause.requirement.id]:
        yield pluralize(len(more), "more scenario"), _names(more, max_ids)
    others = [
        f"{id} ({pluralize(count, 'scenario') if position == 0 else count})"
        for position, (id, count) in enumerate(cause.other_requirements.items())
    ]
    if others:
        yield "also without a verdict" if cause.is_fault else "also fails", _names(others, max_ids)
    if cause.blocked:
        requirements = cause.blocked_requirements
        count = f"{pluralize(len(cause.blocked), 'scenario')} of {pluralize(len(requirements), 'requirement')}"
        yield f"blocks {count}", _names(requirements, max_ids)


def _names(names: Sequence[str], max_ids: int) -> str:
    return ", ".join(abbreviate(names, max_ids))


@dataclass(frozen=True)
class FailedRequirement:
    """One failed requirement of a run: ``facts`` are its level, section and state; ``reason`` names its causes."""

    id: str
    facts: Sequence[str]
    reason: str


def failed_requirements(run: RunDocument) -> list[FailedRequirement]:
    """Return the failed requirements in catalogue order."""
    return [
        FailedRequirement(one.id, _requirement_facts(run, spec, one, None, one.known), _failure_reason(run, spec, one))
        for spec in run.specs
        for one in spec.requirements
        if one.fails(run.profile)
    ]


def _failure_reason(run: RunDocument, spec: SpecResult, one: RequirementResult) -> str:
    own = _cause_numbers(run.cause_numbers.get((spec.name, one.id), ()))
    if own or not one.restates:
        return own or one.cause or ""
    restated = _cause_numbers(run.cause_numbers.get((spec.name, one.restates), ()))
    return ", ".join(filter(None, (f"restates {one.restates}", restated)))


def _cause_numbers(numbers: Sequence[int]) -> str:
    """Return ``cause 1``, ``causes 1, 3`` or an empty text."""
    return f"cause{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}" if numbers else ""


def unverified_reason(run: RunDocument, spec: SpecResult, group: UnverifiedGroup) -> str:
    """Return why requirements were not verified; if another requirement blocks them, with the numbers of its causes."""
    if group.blocked_by is None:
        return group.cause
    own = (cause for cause in run.causes if cause.spec.name == spec.name)
    blocking = [cause.number for cause in own if not frozenset(group.ids).isdisjoint(cause.blocked_requirements)]
    text = _cause_numbers(blocking or run.cause_numbers.get((spec.name, group.blocked_by), ()))
    return f"{group.cause} ({text})" if text else group.cause
