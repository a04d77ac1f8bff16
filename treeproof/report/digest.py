"""Computations on a run document that several formats share: groups, orders, and commands to re-run scenarios.

Contains pure functions without markup, escaping or size limits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from treeproof.report.document import Document, is_advisory
from treeproof.report.shell import shell_command
from treeproof.verdict.outcome import REMEDIES

Json = Mapping[str, Any]
T = TypeVar("T")

VERDICTS = ("PASS", "FAIL", "NOT VERIFIED", "NOT APPLICABLE", "EXCLUDED")
"""The verdicts in the order of table columns."""

OUTCOMES = ("passed", "failed", "fault", "not-verified", "not-applicable")
"""The outcomes of scenarios in the order of table columns."""

_RANK = {"FAIL": 0, "NOT VERIFIED": 1, "PASS": 2}
"""A higher rank is better; other verdicts are neither."""

_OUTCOMES_SHOWING: Mapping[str, frozenset[str]] = {
    "PASS": frozenset({"passed"}),
    "FAIL": frozenset({"failed"}),
    "NOT VERIFIED": frozenset({"not-verified", "fault"}),
    "NOT APPLICABLE": frozenset({"not-applicable"}),
}


def conclusion(run: Document) -> str:
    """Return the conclusion, with a note if it is no conformance claim."""
    return str(run["verdict"]) if run["claim"] else f"{run['verdict']} (not a conformance claim)"


def candidate_label(run: Document) -> str:
    """Return name and version of the candidate."""
    return " ".join(part for part in (run["candidate"]["name"], run["candidate"]["version"]) if part)


def missing_features(run: Document) -> list[str]:
    """Return the features that the host of the run lacks."""
    facts = run["machine"].items()
    return [name.replace("_", " ") for name, value in facts if value is False and name != "root"]


def rerun_command(run: Document, *ids: str) -> str:
    """Return the shell command that runs ``ids`` again with the same options."""
    return shell_command(["treeproof", "run", *(run.get("command") or ["TARGET"]), "--select", *ids])


def explain_command(run: Document, id: str) -> str:
    """Return the shell command that explains ``id``, with the folders of specifications that the run selected."""
    words = list(run.get("command") or ())
    specs = [text for option, text in pairwise(words) if option == "--spec" and (os.sep in text or text[0] == ".")]
    return shell_command(["treeproof", "explain", id, *(word for spec in specs for word in ("--spec", spec))])


def pluralize(count: int, noun: str) -> str:
    """Return ``1 noun`` or ``N nouns``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def decides_exit(requirement: Json, profile: str) -> bool:
    """Return True if the requirement's level and basis let it affect the exit code under ``profile``."""
    if profile == "strict":
        return requirement["level"] in ("MUST", "SHOULD")
    return requirement["level"] == "MUST" and not _is_prudent(requirement, profile)


def _is_prudent(requirement: Json, profile: str) -> bool:
    return requirement.get("basis") == "prudent" and profile != "strict"


def is_narrowed(run: Document) -> bool:
    """Return True if the user has selected scenarios: the rest of a catalogue is not what the report is about."""
    return run["selection"] is not None and run.get("shard") is None


def selected_requirements(run: Document, spec: Json) -> list[Json]:
    """Return the requirements that a report is about: all, or those with a selected scenario."""
    if not is_narrowed(run):
        return list(spec["requirements"])
    # A scenario that goes beyond the document decides nothing, so its requirement may have no verdict.
    shown = {scenario["requirement"] for scenario in spec["scenarios"]}
    return [
        one
        for one in spec["requirements"]
        if one["id"] in shown or (one["verdict"] != "EXCLUDED" and not is_deselected(run, one))
    ]


def section_counts(requirements: Iterable[Json]) -> list[tuple[str, dict[str, int]]]:
    """Return the number of requirements per verdict for each section, in the order of section numbers."""
    groups = group_by_section(requirements, lambda requirement: requirement["section"])
    return [(section, verdict_counts(requirements)) for section, requirements in groups.items()]


def group_by_section(items: Iterable[T], section: Callable[[T], str]) -> dict[str, list[T]]:
    """Return the items grouped by ``section``, in the order of section numbers."""
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(section(item), []).append(item)
    return dict(sorted(groups.items(), key=lambda item: section_sort_key(item[0])))


def verdict_counts(requirements: Iterable[Json]) -> dict[str, int]:
    """Return the number of requirements of each verdict."""
    counts = dict.fromkeys(VERDICTS, 0)
    for requirement in requirements:
        counts[requirement["verdict"]] += 1
    return counts


def outcome_counts(run: Document) -> dict[str, int]:
    """Return the number of scenarios of each outcome in all specifications."""
    counts = dict.fromkeys(OUTCOMES, 0)
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            counts[scenario["outcome"]] += 1
    return counts


def verdict_change(before: str, now: str) -> str:
    """Return whether a verdict became better, worse or other; an empty text if it is equal or one of them is empty."""
    if not before or not now or before == now:
        return ""
    if before in _RANK and now in _RANK:
        return "better" if _RANK[now] > _RANK[before] else "worse"
    return "other"


def section_sort_key(section: str) -> tuple[bool, list[int], str]:
    """Return the sort key of a section: 3.2 before 3.2.1 before 3.10, sections without a number last."""
    number = re.match(r"(\d+(?:\.\d+)*)?(.*)", section, re.DOTALL)
    numbered, rest = number.groups() if number else (None, section)
    return numbered is None, [int(part) for part in (numbered or "").split(".") if part], rest


def failing_requirements(spec: Json, profile: str) -> list[Json]:
    """Return the failed requirements in the order of the catalogue, without those beyond the document."""
    return [
        requirement
        for requirement in spec["requirements"]
        if requirement["verdict"] == "FAIL" and not _is_prudent(requirement, profile)
    ]


def failing_count_text(failed: Iterable[Json], profile: str) -> str:
    """Return the number of failed requirements; if not all of them affect the exit code, also how many do."""
    every = list(failed)
    deciding = sum(decides_exit(one, profile) and not one.get("known") for one in every)
    text = pluralize(len(every), "requirement")
    if deciding == len(every):
        return text
    return f"{text}, {deciding or 'none'} of which affect{'s' if deciding < 2 else ''} the exit code"


@dataclass
class UnverifiedGroup:
    """The requirements that were not verified for one cause; ``blocked_by``: the failed one that blocks them."""

    cause: str
    remedy: str | None
    is_deselected: bool
    ids: list[str]
    blocked_by: str | None = None


def unverified_by_cause(run: Document, spec: Json) -> list[UnverifiedGroup]:
    """Return the requirements that were not verified, grouped by cause."""
    groups: dict[str, UnverifiedGroup] = {}
    for requirement in spec["requirements"]:
        if requirement["verdict"] == "NOT VERIFIED":
            cause = requirement["cause"]
            new = UnverifiedGroup(
                cause,
                remedy_for(requirement),
                is_deselected(run, requirement),
                [],
                requirement.get("blocked_by"),
            )
            groups.setdefault(cause, new).ids.append(requirement["id"])
    return list(groups.values())


def remedy_for(unverified: Json) -> str | None:
    """Return what a user can do about a requirement or evidence without a verdict; None if nothing is known."""
    return unverified.get("remedy") or REMEDIES.get(unverified.get("code", ""))


def is_deselected(run: Document, requirement: Json) -> bool:
    """Return True for a requirement that the selection left out; reports only count these."""
    return run["selection"] is not None and requirement.get("code") in ("not_selected", "no_scenario")


def candidate_did_not_start(run: Document) -> bool:
    """Return True if the candidate did not start, so that there is no result for any requirement."""
    return not any(spec["scenarios"] for spec in run["specs"]) and any(
        requirement.get("code") == "candidate_did_not_start"
        for spec in run["specs"]
        for requirement in spec["requirements"]
    )


def requirements_without_showing_scenario(spec: Json, profile: str) -> list[Json]:
    """Return the selected requirements whose verdict is not the outcome of one of their scenarios."""
    outcomes: dict[str, set[str]] = {}
    for scenario in spec["scenarios"]:
        if not is_advisory(scenario, profile):
            outcomes.setdefault(scenario["requirement"], set()).add(scenario["outcome"])
    return [
        requirement
        for requirement in spec["requirements"]
        if not _OUTCOMES_SHOWING.get(requirement["verdict"], frozenset()) & outcomes.get(requirement["id"], set())
        and not (requirement["verdict"] == "PASS" and requirement["scenarios"])
        and requirement.get("code") != "not_selected"
    ]


def observed_interpretations(spec: Json) -> list[Json]:
    """Return the interpretations with an observed reading, contradictions first."""
    observed = [entry for entry in spec["interpretations"] if entry["observed"]]
    return sorted(observed, key=lambda entry: bool(entry["consistent"]))


def warnings_with_scenarios(run: Document) -> dict[str, list[str]]:
    """Return each warning with its scenarios."""
    groups: dict[str, list[str]] = {warning: [] for warning in run["warnings"]}
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            for warning in scenario["warnings"]:
                groups.setdefault(warning, []).append(scenario["id"])
    return groups


def abbreviate(ids: Iterable[str], limit: int) -> list[str]:
    """Return the first ``limit`` ids, and a note of how many more there are."""
    every = list(ids)
    return every if len(every) <= limit + 1 else [*every[:limit], f"and {len(every) - limit} more"]
