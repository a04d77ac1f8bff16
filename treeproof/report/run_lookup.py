"""The results of one id in a run document, for `explain --report`: verdict, scenarios, evidence and readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from treeproof.errors import UsageError
from treeproof.report.cause_notes import related_lines
from treeproof.report.causes import Cause, causes_of
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
from treeproof.report.shell import shell_command
from treeproof.report.terminal_evidence import print_rerun, print_scenario

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
                if blocking := _blocking_requirement(entry):
                    _print_hint(writer, name, blocking)
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
    _print_blocking(spec, requirement, writer)
    if requirement["cause"]:
        if not _blocking_requirement(requirement):
            writer.field("cause", writer.truncated(requirement["cause"]), indent=2)
        if remedy := remedy_for(requirement):
            writer.field("remedy", writer.text(remedy), indent=2)
    for cause in _causes_in(run, spec):
        if requirement["id"] in cause.data["requirements"]:
            _print_cause(cause, requirement["id"], writer)
    own = [scenario for scenario in spec["scenarios"] if scenario["requirement"] == requirement["id"]]
    for outcome, (label, style) in _OUTCOME_LABELS.items():
        scenarios = [scenario for scenario in own if scenario["outcome"] == outcome]
        if not scenarios:
            continue
        writer.blank()
        writer.paragraph(writer.text(f"{pluralize(len(scenarios), 'scenario')} {label}", style), indent=2)
        _print_scenarios(run, scenarios, writer)


def _causes_in(run: Document, spec: Mapping[str, Any]) -> list[Cause]:
    return [cause for cause in causes_of(run) if cause.spec["name"] == spec["name"]]


def _print_cause(cause: Cause, requirement: str, writer: ConsoleWriter) -> None:
    """Print a cause in one paragraph; under its own requirement also what else it fails and blocks."""
    other = cause.data["requirement"]
    of = "" if requirement == other else f", a finding on {other}"
    count = pluralize(len(cause.scenarios), "scenario")
    writer.field(
        f"cause {cause.number}",
        writer.join(f"{cause.label} ({count}{of}): ", writer.truncated(cause.message, characters=400, rows=3)),
        indent=2,
    )
    if not of:
        for label, ids in related_lines(cause, 0, _MAX_IDS):
            if "more scenario" not in label:
                writer.field("", writer.text(f"{label}: {ids}"), indent=2)


def _blocking_requirement(entry: Mapping[str, Any]) -> str | None:
    """Return the id of the requirement that blocks a requirement or a scenario; None if none does."""
    blocking: str | None = entry.get("blocked_by") or entry.get("evidence", {}).get("blocked_by")
    return blocking


def _print_blocking(spec: Mapping[str, Any], entry: Mapping[str, Any], writer: ConsoleWriter) -> None:
    blocking = _blocking_requirement(entry)
    if blocking is None:
        return
    requirement = next((one for one in spec["requirements"] if one["id"] == blocking), None)
    verdict = f", {requirement['verdict']}: {requirement['text']}" if requirement else ""
    writer.field("blocked by", writer.truncated(f"{blocking}{verdict}", characters=400), indent=2)


def _print_hint(writer: ConsoleWriter, name: str, blocking: str) -> None:
    """Print the command that shows the failure of the requirement that blocks."""
    writer.blank()
    writer.paragraph(writer.text(f"The failure of {blocking}, which blocks it:", "dim"), indent=2)
    writer.line("    ", shell_command(["treeproof", "explain", blocking, "--report", name]))


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
    if cause and not _blocking_requirement(scenario):
        writer.field("cause", writer.truncated(cause), indent=4)
    print_rerun(writer, rerun_command(run, scenario["id"]))


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
    _print_blocking(spec, scenario, writer)
    for cause in _causes_in(run, spec):
        if scenario["id"] in cause.data["scenarios"]:
            _print_cause(cause, scenario["requirement"], writer)
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
