"""The results of one id in a run document, for `explain --report`: verdict, scenarios, evidence and readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from treeproof.errors import UsageError
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import abbreviate, pluralize, related_lines, rerun_command
from treeproof.report.escape import shell_command, visible
from treeproof.report.signs import OUTCOMES, VERDICTS
from treeproof.report.terminal_causes import print_rerun, print_scenario
from treeproof.verdict.causes import Cause
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import InterpretationResult, RequirementResult, SpecResult

_OUTCOMES = (Outcome.FAILED, Outcome.FAULT, Outcome.NOT_VERIFIED, Outcome.NOT_APPLICABLE, Outcome.PASSED)
"""The outcomes in the order of a requirement's scenarios."""
_MAX_IN_FULL = 3  # scenarios with evidence
_MAX_IDS = 40


def print_run_lookup(run: RunDocument, name: str, id: str, writer: ConsoleWriter) -> None:
    """Print the results of ``id`` in ``run``, the document in the file ``name``. Raises UsageError."""
    for spec in run.specs:
        lookup = _Lookup(run, spec, writer)
        interpretation = next((one for one in spec.interpretations if one.id == id), None)
        requirement, scenario = spec.requirements_by_id.get(id), spec.scenarios_by_id.get(id)
        if requirement or scenario or interpretation:
            writer.heading(f"results in {name} · {run.candidate.label} · {run.conclusion}")
        if requirement:
            lookup.print_requirement(requirement)
            lookup.print_hint(name, requirement.blocked_by)
        elif scenario:
            lookup.print_scenario(scenario)
            lookup.print_hint(name, scenario.evidence.blocked_by)
        elif interpretation:
            lookup.print_interpretation(interpretation)
        else:
            continue
        return
    raise UsageError(f"{visible(name)}: does not contain {visible(id)}; name a report with its specification")


@dataclass(frozen=True)
class _Lookup:
    run: RunDocument
    spec: SpecResult
    writer: ConsoleWriter

    def print_requirement(self, requirement: RequirementResult) -> None:
        writer, verdict = self.writer, requirement.verdict
        known = ", known failure" if requirement.known else ""
        writer.field("verdict", writer.text(verdict + known, VERDICTS[verdict].colour), indent=2)
        self._print_blocking(requirement.blocked_by)
        if requirement.cause:
            if not requirement.blocked_by:
                writer.field("cause", writer.truncated(requirement.cause), indent=2)
            if remedy := requirement.general_remedy:
                writer.field("remedy", writer.text(remedy), indent=2)
        for cause in self._causes():
            if requirement in cause.requirements:
                self._print_cause(cause, requirement.id)
        own = [scenario for scenario in self.spec.scenarios if scenario.requirement == requirement.id]
        for outcome in _OUTCOMES:
            if scenarios := [scenario for scenario in own if scenario.outcome is outcome]:
                writer.blank()
                writer.paragraph(self._outcome(outcome, f"{pluralize(len(scenarios), 'scenario')} "), indent=2)
                self._print_scenarios(outcome, scenarios)

    def _outcome(self, outcome: Outcome, count: str = "") -> Text:
        sign = OUTCOMES[outcome]
        label = "ended with a fault" if outcome is Outcome.FAULT else sign.label
        return self.writer.text(f"{count}{label}", sign.colour)

    def _causes(self) -> list[Cause]:
        return [cause for cause in self.run.causes if cause.spec.name == self.spec.name]

    def _print_cause(self, cause: Cause, requirement: str) -> None:
        """Print a cause in one paragraph; under its own requirement also what else it fails and blocks."""
        writer, other = self.writer, cause.requirement.id
        of = "" if requirement == other else f", a finding on {other}"
        count = pluralize(len(cause.scenarios), "scenario")
        message = writer.truncated(cause.message, characters=400, rows=3)
        writer.field(f"cause {cause.number}", writer.join(f"{cause.label} ({count}{of}): ", message), indent=2)
        if not of:
            for label, ids in related_lines(cause, _MAX_IDS):
                if "more scenario" not in label:
                    writer.field("", writer.text(f"{label}: {ids}"), indent=2)

    def _print_blocking(self, blocking: str | None) -> None:
        if blocking is not None:
            requirement = self.spec.requirements_by_id.get(blocking)
            verdict = f", {requirement.verdict}: {requirement.text}" if requirement else ""
            text = self.writer.truncated(f"{blocking}{verdict}", characters=400)
            self.writer.field("blocked by", text, indent=2)

    def print_hint(self, name: str, blocking: str | None) -> None:
        """Print the command that shows the failure of the requirement that blocks."""
        if blocking is not None:
            self.writer.blank()
            text = f"The failure of {blocking}, which blocks it:"
            self.writer.paragraph(self.writer.text(text, "dim"), indent=2)
            self.writer.line("    ", shell_command(["treeproof", "explain", blocking, "--report", name]))

    def _print_scenarios(self, outcome: Outcome, scenarios: Sequence[ScenarioRecord]) -> None:
        if outcome in (Outcome.PASSED, Outcome.NOT_APPLICABLE):
            self._print_ids(scenarios)
            return
        for scenario in scenarios[:_MAX_IN_FULL]:
            self._print_evidence(scenario)
        if scenarios[_MAX_IN_FULL:]:
            self.writer.blank()
            self._print_ids(scenarios[_MAX_IN_FULL:])

    def _print_evidence(self, scenario: ScenarioRecord) -> None:
        print_scenario(self.writer, scenario)
        evidence = scenario.evidence
        if evidence.cause and not evidence.blocked_by:
            self.writer.field("cause", self.writer.truncated(evidence.cause), indent=4)
        print_rerun(self.writer, rerun_command(self.run, scenario.id))

    def _print_ids(self, scenarios: Sequence[ScenarioRecord]) -> None:
        ids = abbreviate((scenario.id for scenario in scenarios), _MAX_IDS)
        self.writer.paragraph(self.writer.comma_separated(ids), indent=4)

    def print_scenario(self, scenario: ScenarioRecord) -> None:
        writer = self.writer
        writer.field("outcome", self._outcome(scenario.outcome), indent=2)
        requirement = self.spec.requirements_by_id.get(scenario.requirement)
        verdict = f", {requirement.verdict}" if requirement else ""
        writer.field("verifies", writer.text(f"{scenario.requirement}{verdict}"), indent=2)
        if scenario.readings:
            readings = (f"{entry}={label}" for entry, label in scenario.readings.items())
            writer.field("readings", writer.comma_separated(readings), indent=2)
        for warning in scenario.warnings:
            writer.field("warning", writer.truncated(warning, "yellow"), indent=2)
        self._print_blocking(scenario.evidence.blocked_by)
        for cause in self._causes():
            if any(one.id == scenario.id for one in cause.scenarios):
                self._print_cause(cause, scenario.requirement)
        self._print_evidence(scenario)

    def print_interpretation(self, entry: InterpretationResult) -> None:
        writer = self.writer
        if not entry.observed:
            writer.paragraph("no reading was observed in this run", indent=2)
        elif not entry.consistent:
            writer.paragraph(writer.text("inconsistent: scenarios observed different readings", "red"), indent=2)
        for label in entry.observed:
            observers = [one for one in self.spec.scenarios if one.readings.get(entry.id) == label]
            writer.blank()
            count = writer.text(f"  observed by {pluralize(len(observers), 'scenario')}", "dim")
            writer.paragraph(writer.text(label, "bold"), count, indent=2)
            self._print_ids(observers)
