"""What one run found for one id, told to a person: the verdict, the scenarios, their evidence, the readings.

A pure function of the run document and the console. Nothing here judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from treeproof.errors import UsageError
from treeproof.report.advice import way_out
from treeproof.report.digest import again, candidate, conclusion, counted, some
from treeproof.report.document import Document
from treeproof.report.escape import visible
from treeproof.report.page import Page
from treeproof.report.terminal import print_scenario

_STYLES: Mapping[str, str] = {"PASS": "green", "FAIL": "red", "NOT VERIFIED": "yellow", "passed": "green"}
_OUTCOMES: Mapping[str, tuple[str, str]] = {
    "failed": ("failed", "red"),
    "fault": ("broke", "magenta"),
    "not-verified": ("not verified", "yellow"),
    "not-applicable": ("not applicable", "dim"),
    "passed": ("passed", "green"),
}
_FULL = 3  # scenarios told with their evidence
_IDS = 40


def print_found(run: Document, name: str, id: str, page: Page) -> None:
    """Print what the run document ``run``, a file called ``name``, says of ``id``.

    Raises UsageError when it says nothing of it.
    """
    for spec in run["specs"]:
        for kind, tell in (
            ("requirements", _requirement),
            ("scenarios", _scenario),
            ("interpretations", _interpretation),
        ):
            entry = next((entry for entry in spec[kind] if entry["id"] == id), None)
            if entry is not None:
                page.heading(f"what {name} found · {candidate(run)} · {conclusion(run)}")
                tell(run, spec, entry, page)
                return
    raise UsageError(f"{visible(name)}: says nothing of {visible(id)}; its run was of other specifications")


def _requirement(run: Document, spec: Mapping[str, Any], requirement: Mapping[str, Any], page: Page) -> None:
    known = ", known failure" if requirement.get("known") else ""
    page.field(
        "verdict",
        page.text(requirement["verdict"] + known, _STYLES.get(requirement["verdict"], "")),
        indent=2,
    )
    if requirement["cause"]:
        page.field("why", page.bounded(requirement["cause"]), indent=2)
        way = way_out(requirement["cause"]) if requirement["verdict"] == "NOT VERIFIED" else None
        if way:
            page.field("how", page.text(way), indent=2)
    own = [scenario for scenario in spec["scenarios"] if scenario["requirement"] == requirement["id"]]
    for outcome, (label, style) in _OUTCOMES.items():
        of_it = [scenario for scenario in own if scenario["outcome"] == outcome]
        if not of_it:
            continue
        page.blank()
        page.say(page.text(f"{counted(len(of_it), 'scenario')} {label}", style), indent=2)
        _scenarios(run, of_it, page)


def _scenarios(run: Document, scenarios: list[Mapping[str, Any]], page: Page) -> None:
    if scenarios[0]["outcome"] in ("passed", "not-applicable"):
        _ids(scenarios, page)
        return
    for scenario in scenarios[:_FULL]:
        _told(run, scenario, page)
    if scenarios[_FULL:]:
        page.blank()
        _ids(scenarios[_FULL:], page)


def _told(run: Document, scenario: Mapping[str, Any], page: Page) -> None:
    print_scenario(page, scenario)
    cause = scenario["evidence"].get("cause")
    if cause:
        page.field("why", page.bounded(cause), indent=4)
    page.line(page.text("    again:     ", "dim"), again(run, scenario["id"]))  # to be copied: never folded


def _ids(scenarios: Iterable[Mapping[str, Any]], page: Page) -> None:
    page.say(page.words(some((scenario["id"] for scenario in scenarios), _IDS)), indent=4)


def _scenario(run: Document, spec: Mapping[str, Any], scenario: Mapping[str, Any], page: Page) -> None:
    label, style = _OUTCOMES[scenario["outcome"]]
    page.field("outcome", page.text(label, style), indent=2)
    requirement = next((r for r in spec["requirements"] if r["id"] == scenario["requirement"]), None)
    verdict = f", {requirement['verdict']}" if requirement else ""
    page.field("verifies", page.text(f"{scenario['requirement']}{verdict}"), indent=2)
    if scenario["readings"]:
        seen = (f"{entry}={label}" for entry, label in scenario["readings"].items())
        page.field("readings", page.words(seen), indent=2)
    for warning in scenario["warnings"]:
        page.field("warning", page.bounded(warning, "yellow"), indent=2)
    _told(run, scenario, page)


def _interpretation(run: Document, spec: Mapping[str, Any], entry: Mapping[str, Any], page: Page) -> None:
    if not entry["observed"]:
        page.say("no scenario of this run saw a reading of it", indent=2)
    elif not entry["consistent"]:
        page.say(page.text("inconsistent: two scenarios saw different readings", "red"), indent=2)
    for label in entry["observed"]:
        saw = [scenario for scenario in spec["scenarios"] if scenario["readings"].get(entry["id"]) == label]
        page.blank()
        page.say(
            page.text(label, "bold"), page.text(f"  seen by {counted(len(saw), 'scenario')}", "dim"), indent=2
        )
        _ids(saw, page)
