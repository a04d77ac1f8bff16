"""The texts about a cause and the lists beside it that the terminal and Markdown share.

Contains pure functions without markup and escaping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.causes import Cause, blocking_numbers
from treeproof.report.digest import (
    UnverifiedGroup,
    abbreviate,
    decides_exit,
    failing_count_text,
    failing_requirements,
    pluralize,
    rerun_command,
)
from treeproof.report.document import Document

Json = Mapping[str, Any]


def failure_counts(run: Document, causes: Sequence[Cause]) -> list[str]:
    """Return the numbers of failed requirements, of failed scenarios, and of scenarios without a verdict.

    ``causes`` are those of the run that the document decides. Numbers that are 0 are left out.
    """
    failed = [one for spec in run["specs"] for one in failing_requirements(spec, run["profile"])]
    outcomes = [scenario["outcome"] for cause in causes for scenario in cause.scenarios]
    counts = [failing_count_text(failed, run["profile"])] if failed else []
    if "failed" in outcomes:
        counts.append(f"in {pluralize(outcomes.count('failed'), 'scenario')}")
    if "fault" in outcomes:
        counts.append(f"{pluralize(outcomes.count('fault'), 'scenario')} without a verdict")
    return counts


def requirement_facts(run: Document, spec: Json, requirement: Json, *, is_known: bool) -> list[str]:
    """Return level, basis, section and state of a requirement, and its specification if several ran."""
    level = requirement["level"] if decides_exit(requirement, run["profile"]) else f"{requirement['level']}, a warning"
    facts = [level, requirement.get("basis", ""), requirement["section"]]
    facts += [spec["name"]] if len(run["specs"]) > 1 else []
    facts += ["known failure"] if is_known else []
    return [fact for fact in facts if fact]


def cause_facts(run: Document, cause: Cause) -> list[str]:
    """Return level, basis, section and state of the requirement of a cause."""
    if cause.is_beyond_document:  # the scenario demands more than its requirement: neither level nor basis are its own
        return requirement_facts(run, cause.spec, {**cause.requirement, "basis": ""}, is_known=False)[1:]
    return requirement_facts(run, cause.spec, cause.requirement, is_known=cause.data["known"])


def cause_rerun(run: Document, cause: Cause) -> str:
    """Return the command that repeats the smallest case of a cause, or its requirement if no scenario failed."""
    return rerun_command(run, cause.data["smallest"] or cause.requirement["id"])


def related_lines(cause: Cause, shown: int, max_ids: int) -> Iterator[tuple[str, str]]:
    """Yield label and ids: scenarios of the requirement without evidence, other requirements, and blocked ones.

    ``shown``: scenarios that are shown with their evidence. At most ``max_ids`` ids are named in each line.
    """
    in_full = {scenario["id"] for scenario in shown_scenarios(cause, shown)}
    more = [scenario["id"] for scenario in cause.more_of_requirement if scenario["id"] not in in_full]
    if more:
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


def shown_scenarios(cause: Cause, limit: int) -> list[Json]:
    """Return the first ``limit`` scenarios of a cause, the smallest case first."""
    return [] if cause.smallest is None else [cause.smallest, *cause.others][:limit]


def _names(names: Sequence[str], max_ids: int) -> str:
    return ", ".join(abbreviate(names, max_ids))


@dataclass(frozen=True)
class FailedRequirement:
    """One failed requirement of a run: ``facts`` are its level, section and state; ``reason`` names its causes."""

    id: str
    facts: Sequence[str]
    reason: str


def failed_requirements(run: Document, numbers: Mapping[tuple[str, str], Sequence[int]]) -> list[FailedRequirement]:
    """Return the failed requirements in catalogue order. ``numbers``: those of the causes of each requirement."""
    failed = []
    for spec in run["specs"]:
        for requirement in failing_requirements(spec, run["profile"]):
            facts = requirement_facts(run, spec, {**requirement, "basis": ""}, is_known=requirement.get("known", False))
            failed.append(FailedRequirement(requirement["id"], facts, _reason(spec, requirement, numbers)))
    return failed


def _reason(spec: Json, requirement: Json, numbers: Mapping[tuple[str, str], Sequence[int]]) -> str:
    own = numbers.get((spec["name"], requirement["id"]))
    other = requirement.get("restates")
    if own or not other:
        return cause_numbers(own or ()) or requirement["cause"] or ""
    return ", ".join(
        part for part in (f"restates {other}", cause_numbers(numbers.get((spec["name"], other), ()))) if part
    )


def cause_numbers(numbers: Sequence[int]) -> str:
    """Return ``cause 1``, ``causes 1, 3`` or an empty text."""
    return f"cause{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}" if numbers else ""


def unverified_reason(
    spec: Json, group: UnverifiedGroup, causes: Sequence[Cause], numbers: Mapping[tuple[str, str], Sequence[int]]
) -> str:
    """Return why requirements were not verified; if another requirement blocks them, with the numbers of its causes."""
    if group.blocked_by is None:
        return group.cause
    blocking = blocking_numbers(causes, spec, group.ids) or numbers.get((spec["name"], group.blocked_by), ())
    text = cause_numbers(blocking)
    return f"{group.cause} ({text})" if text else group.cause
