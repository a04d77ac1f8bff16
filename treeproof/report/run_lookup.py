"""The results of one id in a run document, for `explain --report`: verdict, scenarios, evidence and readings."""

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
    "fault": ("ended with a fault", "magenta"),
    "not-verified": ("not verified", "yellow"),
    "not-applicable": ("not applicable", "dim"),
    "passed": ("passed", "green"),
}
_MAX_IN_FULL = 3  # scenarios with evidence
_MAX_IDS = 40


def print_run_lookup(run: Document, name: str, id: str, writer: ConsoleWriter) -> None:
    """Print the results of ``id`` in ``run``, the document in the file ``name``. Raises UsageError."""
    for spec in run["specs"]:
        for kind, print_entry in (
            ("requirements", _print_requirement),
            ("scenarios", _print_single_scenario),
            ("interpretations", _print_interpretation),
        ):
            entry = next((entry for entry in spec[kind] if entry["id"] == id), None)
            if entry is not None:
                writer.heading(f"results in {name} · {candidate_label(run)} · {conclusion(run)}")
                print_entry(run, spec, entry, writer)
                return
    raise UsageError(f"{visible(name)}: does not contain {visible(id)}; name a report with its specification")


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
        writer.field("cause", writer.truncated(requirement["cause"]), indent=2)
        if remedy := remedy_for(requirement):
            writer.field("remedy", writer.text(remedy), indent=2)
    own = [scenario for scenario in spec["scenarios"] if scenario["requirement"] == requirement["id"]]
    for outcome, (label, style) in _OUTCOME_LABELS.items():
        scenarios = [scenario for scenario in own if scenario["outcome"] == outcome]
        if not scenarios:
            continue
        writer.blank()
        writer.paragraph(writer.text(f"{pluralize(len(scenarios), 'scenario')} {label}", style), indent=2)
        _print_scenarios(run, scenarios, writer)


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
        writer.field("cause", writer.truncated(cause), indent=4)
    # Not folded, so that it can be copied.
    writer.line(writer.text("    re-run     ", "dim"), rerun_command(run, scenario["id"]))


def _print_ids(scenarios: Iterable[Mapping[str, Any]], writer: ConsoleWriter) -> None:
    writer.paragraph(writer.comma_separated(abbreviate((scenario["id"] for scenario in scenarios), _MAX_IDS)), indent=4)


def _print_single_scenario(
    run: Document, spec: Mapping[str, Any], scenario: Mapping[str, Any], writer: ConsoleWriter
) -> None:
    label, style = _OUTCOME_LABELS[scenario["outcome"]]
    writer.field("outcome", writer.text(label, style), indent=2)
    requirement = next((r for r in spec["requirements"] if r["id"] == scenario["requirement"]), None)
    verdict = f", {requirement['verdict']}" if requirement else ""
    writer.field("verifies", writer.text(f"{scenario['requirement']}{verdict}"), indent=2)
    if scenario["readings"]:
        readings = (f"{entry}={label}" for entry, label in scenario["readings"].items())
        writer.field("readings", writer.comma_separated(readings), indent=2)
    for warning in scenario["warnings"]:
        writer.field("warning", writer.truncated(warning, "yellow"), indent=2)
    _print_evidence(run, scenario, writer)


def _print_interpretation(
    run: Document, spec: Mapping[str, Any], entry: Mapping[str, Any], writer: ConsoleWriter
) -> None:
    if not entry["observed"]:
        writer.paragraph("no reading was observed in this run", indent=2)
    elif not entry["consistent"]:
        writer.paragraph(writer.text("inconsistent: scenarios observed different readings", "red"), indent=2)
    for label in entry["observed"]:
        observers = [one for one in spec["scenarios"] if one["readings"].get(entry["id"]) == label]
        writer.blank()
        writer.paragraph(
            writer.text(label, "bold"),
            writer.text(f"  observed by {pluralize(len(observers), 'scenario')}", "dim"),
            indent=2,
        )
        _print_ids(observers, writer)
