"""What several formats tell of a run, worked out once: groups, orders, and the command that shows a thing again.

Pure functions of the run document. No markup, no escaping, no bounds: those are the business of each format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from treeproof.report.document import Document, is_advisory
from treeproof.report.shell import shell_command
from treeproof.verdict.outcome import REMEDIES

Json = Mapping[str, Any]
T = TypeVar("T")

VERDICTS = ("PASS", "FAIL", "NOT VERIFIED", "NOT APPLICABLE", "EXCLUDED")
"""What can be said of a requirement, in the order of a table's columns."""

_OUTCOMES_SHOWING: Mapping[str, frozenset[str]] = {
    "PASS": frozenset({"passed"}),
    "FAIL": frozenset({"failed"}),
    "NOT VERIFIED": frozenset({"not-verified", "fault"}),
    "NOT APPLICABLE": frozenset({"not-applicable"}),
}
_MIN_REPETITIONS = 5  # scenarios that say the same from which on it is worth saying so


def conclusion(run: Document) -> str:
    """Return the one word, and where it is no conformance claim, that."""
    return str(run["verdict"]) if run["claim"] else f"{run['verdict']} (not a conformance claim)"


def candidate_label(run: Document) -> str:
    """Return name and version of the candidate."""
    return " ".join(part for part in (run["candidate"]["name"], run["candidate"]["version"]) if part)


def missing_features(run: Document) -> list[str]:
    """Return what the machine of the run could not do, in words."""
    machine = run["machine"].items()
    return [name.replace("_", " ") for name, there in machine if there is False and name != "root"]


def rerun_command(run: Document, *ids: str) -> str:
    """Return the shell command that asks for ``ids`` once more, in the same way."""
    words = [*(run.get("command") or ["TARGET"]), "--select", *ids]
    return shell_command(["treeproof", "run", *words])


def pluralize(count: int, noun: str) -> str:
    """Return ``1 noun`` or ``N nouns``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def decides_exit(requirement: Json, profile: str) -> bool:
    """Return True when the requirement's level decides the exit under ``profile``."""
    return requirement["level"] == "MUST" or (requirement["level"] == "SHOULD" and profile == "strict")


def section_counts(spec: Json) -> list[tuple[str, dict[str, int]]]:
    """Return each section with its number of requirements a verdict, in the order in which a reader counts."""
    found = group_by_section(spec["requirements"], lambda requirement: requirement["section"])
    return [(section, _count_verdicts(requirements)) for section, requirements in found.items()]


def group_by_section(found: Iterable[T], section: Callable[[T], str]) -> dict[str, list[T]]:
    """Return what was found by ``section`` of each, in the order in which a reader counts sections."""
    groups: dict[str, list[T]] = {}
    for one in found:
        groups.setdefault(section(one), []).append(one)
    return dict(sorted(groups.items(), key=lambda item: section_sort_key(item[0])))


def verdict_counts(spec: Json) -> dict[str, int]:
    """Return the number of requirements of each verdict."""
    return _count_verdicts(spec["requirements"])


def _count_verdicts(requirements: Iterable[Json]) -> dict[str, int]:
    found = dict.fromkeys(VERDICTS, 0)
    for requirement in requirements:
        found[requirement["verdict"]] += 1
    return found


def section_sort_key(section: str) -> tuple[bool, list[int], str]:
    """Order sections as a reader counts them: 3.2 before 3.2.1 before 3.10, what has no number last."""
    number = re.match(r"(\d+(?:\.\d+)*)?(.*)", section, re.DOTALL)
    numbered, rest = number.groups() if number else (None, section)
    return numbered is None, [int(part) for part in (numbered or "").split(".") if part], rest


def failing_requirements(spec: Json, profile: str) -> list[tuple[Json, list[Json]]]:
    """Return each requirement that fails with its scenarios that failed, in the catalogue's order."""
    by_requirement: dict[str, list[Json]] = {}
    for scenario in spec["scenarios"]:
        if scenario["outcome"] == "failed" and not is_advisory(scenario, profile):
            by_requirement.setdefault(scenario["requirement"], []).append(scenario)
    return [
        (requirement, by_requirement.get(requirement["id"], []))
        for requirement in spec["requirements"]
        if requirement["verdict"] == "FAIL"
    ]


def failing_count_text(failed: Iterable[Json], profile: str) -> str:
    """Return how many requirements fail and, where not all of them decide, how many do: a run's reason counts these."""
    every = list(failed)
    deciding = [one for one in every if decides_exit(one, profile) and not one.get("known")]
    told = pluralize(len(every), "requirement")
    if len(deciding) == len(every):
        return told
    return f"{told}, {len(deciding) or 'none'} of which decide{'s' if len(deciding) < 2 else ''}"


@dataclass
class UnverifiedGroup:
    """The requirements that were not verified for one cause."""

    cause: str
    remedy: str | None
    is_deselected: bool
    ids: list[str]


def unverified_by_cause(run: Document, spec: Json) -> list[UnverifiedGroup]:
    """Return the requirements that were not verified, grouped by cause."""
    groups: dict[str, UnverifiedGroup] = {}
    for requirement in spec["requirements"]:
        if requirement["verdict"] == "NOT VERIFIED":
            cause = requirement["cause"]
            new = UnverifiedGroup(cause, remedy_for(requirement), is_deselected(run, requirement), [])
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
    """Return the requirements whose verdict no scenario's own outcome shows, in the catalogue's order.

    Those that a narrowed run was not asked for are left out.
    """
    outcomes: dict[str, set[str]] = {}
    for scenario in spec["scenarios"]:
        if not is_advisory(scenario, profile):
            outcomes.setdefault(scenario["requirement"], set()).add(scenario["outcome"])
    return [
        requirement
        for requirement in spec["requirements"]
        if not _OUTCOMES_SHOWING.get(requirement["verdict"], frozenset())
        & outcomes.get(requirement["id"], set())
        and not (requirement["verdict"] == "PASS" and requirement["scenarios"])
        and requirement.get("code") != "not_selected"
    ]


@dataclass(frozen=True)
class RepeatedMessage:
    """What many failed scenarios say alike: the first one's message, and all of them."""

    message: str
    scenarios: Sequence[Json]

    @property
    def requirements(self) -> list[str]:
        """The requirements that these scenarios verify, each once."""
        return list(dict.fromkeys(str(scenario["requirement"]) for scenario in self.scenarios))


def repeated_messages(run: Document) -> list[RepeatedMessage]:
    """Return what five failed scenarios or more say alike, the most frequent first.

    One bug can break every call; a person should read of it once.
    """
    groups: dict[str, list[Json]] = {}
    for spec in run["specs"]:
        for _, scenarios in failing_requirements(spec, run["profile"]):
            for scenario in scenarios:
                groups.setdefault(failure_signature(scenario), []).append(scenario)
    many = [(key, group) for key, group in groups.items() if len(group) >= _MIN_REPETITIONS]
    many.sort(key=lambda item: -len(item[1]))
    return [RepeatedMessage(_core_message(group[0]), group) for _, group in many]


@dataclass(frozen=True)
class FailureSelection:
    """The failed scenarios of one requirement: which to tell in full, which said the same before, and the others."""

    in_full: Sequence[Json]
    repeated: Sequence[RepeatedMessage]
    others: Sequence[Json]


class FailureDeduplicator:
    """Keeps in mind what was told, so that one bug that breaks every call is not told with every requirement."""

    def __init__(self, run: Document, limit: int) -> None:
        """``most``: scenarios of one requirement, and of one saying in the whole run, that are told in full."""
        self._limit = limit
        self._messages = {
            failure_signature(saying.scenarios[0]): saying.message for saying in repeated_messages(run)
        }
        self._shown_counts = dict.fromkeys(self._messages, 0)

    def select(self, scenarios: Iterable[Json]) -> FailureSelection:
        """Return how to tell the scenarios of the next requirement."""
        full: list[Json] = []
        same: dict[str, list[Json]] = {}
        others: list[Json] = []
        for scenario in scenarios:
            key = failure_signature(scenario)
            if self._shown_counts.get(key, 0) >= self._limit:
                same.setdefault(key, []).append(scenario)
            elif len(full) < self._limit:
                full.append(scenario)
                if key in self._shown_counts:
                    self._shown_counts[key] += 1
            else:
                others.append(scenario)
        return FailureSelection(
            full, [RepeatedMessage(self._messages[key], group) for key, group in same.items()], others
        )


def failure_signature(scenario: Json) -> str:
    """Return what is the same of two failures that say the same: words without numbers, and the difference."""
    evidence = scenario["evidence"]
    changed = [line for line in str(evidence.get("diff", "")).split("\n") if line[:1] in ("-", "+")]
    told = [_core_message(scenario), *(changed if _error_text(evidence) is None else [])]
    return re.sub(r"\d+", "#", "\n".join(told))


def _core_message(scenario: Json) -> str:
    evidence = scenario["evidence"]
    message = str(evidence.get("message", "")).removeprefix(evidence.get("context", ""))
    return _error_text(evidence) or message


def _error_text(evidence: Json) -> str | None:
    """An error is the same whatever was expected instead of it."""
    answer = evidence.get("outcome") or {}
    if answer.get("status") != "error":
        return None
    return f"the call failed with {answer.get('kind')}: {answer.get('message') or ''}"


def observed_interpretations(spec: Json) -> list[Json]:
    """Return the interpretations of which a reading was seen, contradictions first."""
    seen = [entry for entry in spec["interpretations"] if entry["observed"]]
    return sorted(seen, key=lambda entry: bool(entry["consistent"]))


def warnings_with_scenarios(run: Document) -> dict[str, list[str]]:
    """Return each warning, advice among them, with the scenarios that it is of."""
    groups: dict[str, list[str]] = {warning: [] for warning in run["warnings"]}
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            for warning in scenario["warnings"]:
                groups.setdefault(warning, []).append(scenario["id"])
            if scenario["outcome"] == "failed" and is_advisory(scenario, run["profile"]):
                advice = f"{scenario['requirement']}, advisory: {scenario['evidence']['message']}"
                groups.setdefault(advice, []).append(scenario["id"])
    return groups


def input_trees(evidence: Json) -> list[tuple[str, str]]:
    """Return name and notation of each tree that stood before the last call, in reading order."""
    told = [("tree", "tree"), ("beside", "outside")]
    if evidence.get("before") not in (None, evidence.get("tree")):
        told.append(("before", "before"))
    return [(name, evidence[member] or "(empty)") for name, member in told if member in evidence]


def answer_text(evidence: Json) -> str:
    """Return what came, as a person reads it: what was compared, else the content or the error of the answer."""
    answer = evidence.get("outcome")
    if evidence.get("got") or answer is None:
        return str(evidence.get("got", ""))
    if answer["status"] == "ok":
        return str(answer.get("content", ""))
    return f"{answer.get('kind')}: {answer.get('message') or ''}"


def abbreviate(ids: Iterable[str], limit: int) -> list[str]:
    """Return the ids; of more than ``most`` the first ones and how many more there are."""
    every = list(ids)
    return every if len(every) <= limit + 1 else [*every[:limit], f"and {len(every) - limit} more"]
