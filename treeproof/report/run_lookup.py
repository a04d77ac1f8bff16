"""What one run found for one id, told to a person: the verdict, the scenarios, their evidence, the readings.

A pure function of the run document and the console. Nothing here judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from treeproof.errors import UsageError
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import (
    abbreviate,
    candidate_label,
    conclusion,
    pluralize,
    remedy_for,
    rerun_command,
)
from treeproof.report.document import Document
from treeproof.report.escape import visible
from treeproof.report.terminal import print_scenario

_VERDICT_STYLES: Mapping[str, str] = {
    "PASS": "green",
    "FAIL": "red",
    "NOT VERIFIED": "yellow",
    "passed": "green",
}
_OUTCOME_LABELS: Mapping[str, tuple[str, str]] = {
    "failed": ("failed", "red"),
    "fault": ("broke", "magenta"),
    "not-verified": ("not verified", "yellow"),
    "not-applicable": ("not applicable", "dim"),
    "passed": ("passed", "green"),
}
_MAX_IN_FULL = 3  # scenarios told with their evidence
_MAX_IDS = 40


def print_run_lookup(run: Document, name: str, id: str, writer: ConsoleWriter) -> None:
    """Print what the run document ``run``, a file called ``name``, says of ``id``.

    Raises UsageError when it says nothing of it.
    """
    for spec in run["specs"]:
        for kind, tell in (
            ("requirements", _print_requirement),
            ("scenarios", _print_single_scenario),
            ("interpretations", _print_interpretation),
        ):
            entry = next((entry for entry in spec[kind] if entry["id"] == id), None)
            if entry is not None:
                writer.heading(f"what {name} found · {candidate_label(run)} · {conclusion(run)}")
                tell(run, spec, entry, writer)
                return
    raise UsageError(f"{visible(name)}: says nothing of {visible(id)}; its run was of other specifications")


def _print_requirement(
    run: Document, spec: Mapping[str, Any], requirement: Mapping[str, Any], writer: ConsoleWriter
) -> None:
    known = ", known failure" if requirement.get("known") else ""
    writer.field(
        "verdict",
        writer.text(requirement["verdict"] + known, _VERDICT_STYLES.get(requirement["verdict"], "")),
        indent=2,
    )
    if requirement["cause"]:
        writer.field("why", writer.truncated(requirement["cause"]), indent=2)
        way = remedy_for(requirement) if requirement["verdict"] == "NOT VERIFIED" else None
        if way:
            writer.field("how", writer.text(way), indent=2)
    own = [scenario for scenario in spec["scenarios"] if scenario["requirement"] == requirement["id"]]
    for outcome, (label, style) in _OUTCOME_LABELS.items():
        of_it = [scenario for scenario in own if scenario["outcome"] == outcome]
        if not of_it:
            continue
        writer.blank()
        writer.paragraph(writer.text(f"{pluralize(len(of_it), 'scenario')} {label}", style), indent=2)
        _print_scenarios(run, of_it, writer)


def _print_scenarios(run: Document, scenarios: list[Mapping[str, Any]], writer: ConsoleWriter) -> None:
    if scenarios[0]["outcome"] in ("passed", "not-applicable"):
        _print_ids(scenarios, writer)
        return
    for scenario in scenarios[:_MAX_IN_FULL]:
        _print_evidence(run, scenario, writer)
    if scenarios[_MAX_IN_FULL:]:
        writer.blank()
        _print_ids(scenarios[_MAX_IN_FULL:], writer)


def _print_evidence(run: Document, scenario: Mapping[str, Any], writer: ConsoleWriter) -> None:
    print_scenario(writer, scenario)
    cause = scenario["evidence"].get("cause")
    if cause:
        writer.field("why", writer.truncated(cause), indent=4)
    writer.line(
        writer.text("    again:     ", "dim"), rerun_command(run, scenario["id"])
    )  # to be copied: never folded


def _print_ids(scenarios: Iterable[Mapping[str, Any]], writer: ConsoleWriter) -> None:
    writer.paragraph(
        writer.comma_separated(abbreviate((scenario["id"] for scenario in scenarios), _MAX_IDS)), indent=4
    )


def _print_single_scenario(
    run: Document, spec: Mapping[str, Any], scenario: Mapping[str, Any], writer: ConsoleWriter
) -> None:
    label, style = _OUTCOME_LABELS[scenario["outcome"]]
    writer.field("outcome", writer.text(label, style), indent=2)
    requirement = next((r for r in spec["requirements"] if r["id"] == scenario["requirement"]), None)
    verdict = f", {requirement['verdict']}" if requirement else ""
    writer.field("verifies", writer.text(f"{scenario['requirement']}{verdict}"), indent=2)
    if scenario["readings"]:
        seen = (f"{entry}={label}" for entry, label in scenario["readings"].items())
        writer.field("readings", writer.comma_separated(seen), indent=2)
    for warning in scenario["warnings"]:
        writer.field("warning", writer.truncated(warning, "yellow"), indent=2)
    _print_evidence(run, scenario, writer)


def _print_interpretation(
    run: Document, spec: Mapping[str, Any], entry: Mapping[str, Any], writer: ConsoleWriter
) -> None:
    if not entry["observed"]:
        writer.paragraph("no scenario of this run saw a reading of it", indent=2)
    elif not entry["consistent"]:
        writer.paragraph(writer.text("inconsistent: two scenarios saw different readings", "red"), indent=2)
    for label in entry["observed"]:
        saw = [scenario for scenario in spec["scenarios"] if scenario["readings"].get(entry["id"]) == label]
        writer.blank()
        writer.paragraph(
            writer.text(label, "bold"),
            writer.text(f"  seen by {pluralize(len(saw), 'scenario')}", "dim"),
            indent=2,
        )
        _print_ids(saw, writer)
