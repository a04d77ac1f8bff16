"""What several formats tell of a run, worked out once: groups, orders, and the command that shows a thing again.

Pure functions of the run document. No markup, no escaping, no bounds: those are the business of each format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from treeproof.report.document import Document, is_advice
from treeproof.report.shell import command
from treeproof.verdict.judge import NO_SCENARIO, NO_START, NOT_SELECTED

Json = Mapping[str, Any]
One = TypeVar("One")

VERDICTS = ("PASS", "FAIL", "NOT VERIFIED", "NOT APPLICABLE", "EXCLUDED")
"""What can be said of a requirement, in the order of a table's columns."""

_SHOWN_BY: Mapping[str, frozenset[str]] = {
    "PASS": frozenset({"passed"}),
    "FAIL": frozenset({"failed"}),
    "NOT VERIFIED": frozenset({"not-verified", "fault"}),
    "NOT APPLICABLE": frozenset({"not-applicable"}),
}
# What steps put before the difference itself; two scenarios that differ in it alone say the same.
_AROUND = re.compile(
    r"(?:the control call: |under \d+ bytes: |the answer fits none of the readings .*?; by the first: )+"
)
_MANY = 5  # scenarios that say the same from which on it is worth saying so


def conclusion(run: Document) -> str:
    """Return the one word, and where it is no conformance claim, that."""
    return str(run["verdict"]) if run["claim"] else f"{run['verdict']} (not a conformance claim)"


def candidate(run: Document) -> str:
    """Return name and version of the candidate."""
    return " ".join(part for part in (run["candidate"]["name"], run["candidate"]["version"]) if part)


def lacking(run: Document) -> list[str]:
    """Return what the machine of the run could not do, in words."""
    machine = run["machine"].items()
    return [name.replace("_", " ") for name, there in machine if there is False and name != "root"]


def again(run: Document, *ids: str) -> str:
    """Return the shell command that asks for ``ids`` once more, in the same way."""
    words = [*(run.get("command") or ["TARGET"]), "--select", *ids]
    return command(["treeproof", "run", *words])


def counted(count: int, noun: str) -> str:
    """Return ``1 noun`` or ``N nouns``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def decides(requirement: Json, profile: str) -> bool:
    """Return True when the requirement's level decides the exit under ``profile``."""
    return requirement["level"] == "MUST" or (requirement["level"] == "SHOULD" and profile == "strict")


def sections(spec: Json) -> list[tuple[str, dict[str, int]]]:
    """Return each section with its number of requirements a verdict, in the order in which a reader counts."""
    found = by_section(spec["requirements"], lambda requirement: requirement["section"])
    return [(section, _counts(requirements)) for section, requirements in found.items()]


def by_section(found: Iterable[One], section: Callable[[One], str]) -> dict[str, list[One]]:
    """Return what was found by ``section`` of each, in the order in which a reader counts sections."""
    groups: dict[str, list[One]] = {}
    for one in found:
        groups.setdefault(section(one), []).append(one)
    return dict(sorted(groups.items(), key=lambda item: natural(item[0])))


def totals(spec: Json) -> dict[str, int]:
    """Return the number of requirements of each verdict."""
    return _counts(spec["requirements"])


def _counts(requirements: Iterable[Json]) -> dict[str, int]:
    found = dict.fromkeys(VERDICTS, 0)
    for requirement in requirements:
        found[requirement["verdict"]] += 1
    return found


def natural(section: str) -> tuple[bool, list[int], str]:
    """Order sections as a reader counts them: 3.2 before 3.2.1 before 3.10, what has no number last."""
    number = re.match(r"(\d+(?:\.\d+)*)?(.*)", section, re.DOTALL)
    numbered, rest = number.groups() if number else (None, section)
    return numbered is None, [int(part) for part in (numbered or "").split(".") if part], rest


def failing(spec: Json, profile: str) -> list[tuple[Json, list[Json]]]:
    """Return each requirement that fails with its scenarios that failed, in the catalogue's order."""
    by_requirement: dict[str, list[Json]] = {}
    for scenario in spec["scenarios"]:
        if scenario["outcome"] == "failed" and not is_advice(scenario, profile):
            by_requirement.setdefault(scenario["requirement"], []).append(scenario)
    return [
        (requirement, by_requirement.get(requirement["id"], []))
        for requirement in spec["requirements"]
        if requirement["verdict"] == "FAIL"
    ]


def fallen(failed: Iterable[Json], profile: str) -> str:
    """Return how many requirements fail and, where not all of them decide, how many do: a run's reason counts these."""
    every = list(failed)
    deciding = [one for one in every if decides(one, profile) and not one.get("known")]
    told = counted(len(every), "requirement")
    if len(deciding) == len(every):
        return told
    return f"{told}, {len(deciding) or 'none'} of which decide{'s' if len(deciding) < 2 else ''}"


def unverified(spec: Json) -> dict[str, list[str]]:
    """Return each cause with the requirements that it kept from being verified."""
    groups: dict[str, list[str]] = {}
    for requirement in spec["requirements"]:
        if requirement["verdict"] == "NOT VERIFIED":
            groups.setdefault(requirement["cause"], []).append(requirement["id"])
    return groups


def left_out(run: Document, cause: str) -> bool:
    """Return True for what a narrowed run left out: nobody wants to read all of it."""
    return run["selection"] is not None and cause in (NOT_SELECTED, NO_SCENARIO)


def nobody_asked(run: Document) -> bool:
    """Return True where the candidate did not start: of no requirement there is anything to tell but that."""
    return run["reason"].startswith(NO_START) and not any(spec["scenarios"] for spec in run["specs"])


def unshown(spec: Json, profile: str) -> list[Json]:
    """Return the requirements whose verdict no scenario's own outcome shows, in the catalogue's order.

    Those that a narrowed run was not asked for are left out.
    """
    outcomes: dict[str, set[str]] = {}
    for scenario in spec["scenarios"]:
        if not is_advice(scenario, profile):
            outcomes.setdefault(scenario["requirement"], set()).add(scenario["outcome"])
    return [
        requirement
        for requirement in spec["requirements"]
        if not _SHOWN_BY.get(requirement["verdict"], frozenset()) & outcomes.get(requirement["id"], set())
        and not (requirement["verdict"] == "PASS" and requirement["scenarios"])
        and requirement["cause"] != NOT_SELECTED
    ]


@dataclass(frozen=True)
class Saying:
    """What many failed scenarios say alike: the first one's message, and all of them."""

    message: str
    scenarios: Sequence[Json]

    @property
    def requirements(self) -> list[str]:
        """The requirements that these scenarios verify, each once."""
        return list(dict.fromkeys(str(scenario["requirement"]) for scenario in self.scenarios))


def sayings(run: Document) -> list[Saying]:
    """Return what five failed scenarios or more say alike, the most frequent first.

    One bug can break every call; a person should read of it once.
    """
    groups: dict[str, list[Json]] = {}
    for spec in run["specs"]:
        for _, scenarios in failing(spec, run["profile"]):
            for scenario in scenarios:
                groups.setdefault(signature(scenario), []).append(scenario)
    many = [(key, group) for key, group in groups.items() if len(group) >= _MANY]
    many.sort(key=lambda item: -len(item[1]))
    return [Saying(_essence(group[0]), group) for _, group in many]


@dataclass(frozen=True)
class Share:
    """The failed scenarios of one requirement: which to tell in full, which said the same before, and the others."""

    full: Sequence[Json]
    same: Sequence[Saying]
    others: Sequence[Json]


class Retelling:
    """Keeps in mind what was told, so that one bug that breaks every call is not told with every requirement."""

    def __init__(self, run: Document, most: int) -> None:
        """``most``: scenarios of one requirement, and of one saying in the whole run, that are told in full."""
        self._most = most
        self._said = {signature(saying.scenarios[0]): saying.message for saying in sayings(run)}
        self._told = dict.fromkeys(self._said, 0)

    def share(self, scenarios: Iterable[Json]) -> Share:
        """Return how to tell the scenarios of the next requirement."""
        full: list[Json] = []
        same: dict[str, list[Json]] = {}
        others: list[Json] = []
        for scenario in scenarios:
            key = signature(scenario)
            if self._told.get(key, 0) >= self._most:
                same.setdefault(key, []).append(scenario)
            elif len(full) < self._most:
                full.append(scenario)
                if key in self._told:
                    self._told[key] += 1
            else:
                others.append(scenario)
        return Share(full, [Saying(self._said[key], group) for key, group in same.items()], others)


def signature(scenario: Json) -> str:
    """Return what is the same of two failures that say the same: words without numbers, and the difference."""
    evidence = scenario["evidence"]
    changed = [line for line in str(evidence.get("diff", "")).split("\n") if line[:1] in ("-", "+")]
    told = [_essence(scenario), *(changed if _error(evidence) is None else [])]
    return re.sub(r"\d+", "#", "\n".join(told))


def _essence(scenario: Json) -> str:
    error = _error(scenario["evidence"])
    return error or _AROUND.sub("", str(scenario["evidence"].get("message", "")), count=1)


def _error(evidence: Json) -> str | None:
    """An error is the same whatever was expected instead of it."""
    answer = evidence.get("outcome") or {}
    if answer.get("status") != "error":
        return None
    return f"the call failed with {answer.get('kind')}: {answer.get('message') or ''}"


def readings(spec: Json) -> list[Json]:
    """Return the interpretations of which a reading was seen, contradictions first."""
    seen = [entry for entry in spec["interpretations"] if entry["observed"]]
    return sorted(seen, key=lambda entry: bool(entry["consistent"]))


def warnings(run: Document) -> dict[str, list[str]]:
    """Return each warning, advice among them, with the scenarios that it is of."""
    groups: dict[str, list[str]] = {warning: [] for warning in run["warnings"]}
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            for warning in scenario["warnings"]:
                groups.setdefault(warning, []).append(scenario["id"])
            if scenario["outcome"] == "failed" and is_advice(scenario, run["profile"]):
                advice = f"{scenario['requirement']}, advisory: {scenario['evidence']['message']}"
                groups.setdefault(advice, []).append(scenario["id"])
    return groups


def grown(evidence: Json) -> list[tuple[str, str]]:
    """Return name and notation of each tree that stood before the last call, in reading order."""
    told = [("tree", "tree"), ("beside", "outside")]
    if evidence.get("before") not in (None, evidence.get("tree")):
        told.append(("before", "before"))
    return [(name, evidence[member] or "(empty)") for name, member in told if member in evidence]


def answered(evidence: Json) -> str:
    """Return what came, as a person reads it: what was compared, else the content or the error of the answer."""
    answer = evidence.get("outcome")
    if evidence.get("got") or answer is None:
        return str(evidence.get("got", ""))
    if answer["status"] == "ok":
        return str(answer.get("content", ""))
    return f"{answer.get('kind')}: {answer.get('message') or ''}"


def some(ids: Iterable[str], most: int) -> list[str]:
    """Return the ids; of more than ``most`` the first ones and how many more there are."""
    every = list(ids)
    return every if len(every) <= most + 1 else [*every[:most], f"and {len(every) - most} more"]
