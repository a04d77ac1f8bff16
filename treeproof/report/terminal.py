"""The terminal report of a run: a summary, causes with evidence, failed and unverified requirements, the conclusion."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.digest import (
    abbreviate,
    candidate_did_not_start,
    explain_command,
    observed_interpretations,
    pluralize,
    section_counts,
    selected_requirements,
    unverified_by_cause,
    unverified_reason,
    verdict_counts,
    warnings_with_scenarios,
)
from treeproof.report.signs import CONCLUSIONS, OUTCOMES, VERDICTS
from treeproof.report.status_line import RunProgress
from treeproof.report.terminal_causes import print_causes, print_failed_requirements
from treeproof.spec.catalogue import PLATFORMS
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.outcome import REMEDIES, Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import RequirementResult, SpecResult, Verdict

__all__ = ["RunProgress", "print_run", "render"]

_MAX_IDS = 12  # ids in a line
_MAX_DESCRIBED = 3
"""The number of selected scenarios up to which the report describes each instead of counting requirements."""


def print_run(run: RunDocument, stream: TextIO | None = None) -> None:
    """Write the report to ``stream`` (default: standard output). Raises BrokenPipeError."""
    target = sys.stdout if stream is None else stream
    render(run, console_for(target))
    target.flush()


def render(run: RunDocument, console: Console) -> None:
    """Write the report to ``console``; the last line is the conclusion and its reason."""
    writer = ConsoleWriter(console)
    _print_head(writer, run)
    if not candidate_did_not_start(run):
        _print_results(writer, run)
    _print_warnings(writer, run)
    _print_conclusion(writer, run)


def _print_results(writer: ConsoleWriter, run: RunDocument) -> None:
    for spec in run.specs:
        _print_summary(writer, run, spec)
    _print_legend(writer, run)
    print_causes(writer, run)
    print_failed_requirements(writer, run)
    for spec in run.specs:
        _print_readings(writer, run, spec)
    for spec in run.specs:
        _print_unverified(writer, run, spec)
    _print_simulated(writer, run)


def _print_head(writer: ConsoleWriter, run: RunDocument) -> None:
    candidate = run.candidate
    language = f"{candidate.language}, " if candidate.language else ""
    scenarios = sum(len(spec.scenarios) for spec in run.specs)
    writer.paragraph(writer.text(f"treeproof {run.treeproof}", "bold"))
    writer.field("candidate", writer.text(f"{run.candidate.label} ({language}adapter {candidate.adapter})"))
    writer.field(
        "run",
        writer.text(
            f"{pluralize(scenarios, 'scenario')} in {run.seconds:.1f} s · profile {run.profile} · seed {run.seed}"
        ),
    )
    host = run.machine
    user = "root" if host.root else "ordinary user"
    without = f" · without {', '.join(run.machine.missing)}" if run.machine.missing else ""
    writer.field("host", writer.text(f"{host.system} · {user}{without}"))
    if run.selection is not None:
        writer.field("selection", writer.truncated(", ".join(run.selection), characters=400))


def _describes_scenarios(run: RunDocument, spec: SpecResult) -> bool:
    return run.is_narrowed and len(spec.scenarios) <= _MAX_DESCRIBED


def _print_summary(writer: ConsoleWriter, run: RunDocument, spec: SpecResult) -> None:
    requirements = selected_requirements(run, spec)
    count = pluralize(len(spec.requirements), "requirement")
    if run.is_narrowed:
        count = f"{len(requirements)} of {count}"
    writer.heading(f"{spec.name} {spec.version} · {count}")
    if _describes_scenarios(run, spec):
        _print_scenarios(writer, spec, requirements)
        return
    total = verdict_counts(requirements)
    shown = [verdict for verdict in Verdict if total[verdict]]
    ordered = section_counts(requirements)
    if writer.narrow:
        for section, row in ordered:
            writer.paragraph(section, lead=writer.join(_section_mark(writer, row), " "))
            writer.paragraph(_verdict_counts_text(writer, row, shown), indent=4)
        writer.paragraph(writer.text("all", "bold"))
        writer.paragraph(_verdict_counts_text(writer, total, shown), indent=4)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False, show_footer=True)
    table.add_column("", footer="")
    table.add_column("", footer=writer.text("all", "bold"), overflow="fold", max_width=writer.width // 2)
    for verdict in shown:
        footer = writer.text(str(total[verdict]), f"bold {VERDICTS[verdict].colour}")
        table.add_column(writer.text(verdict.lower(), "dim"), footer=footer, justify="right", no_wrap=True)
    for section, row in ordered:
        cells = [writer.text(str(row[v]), VERDICTS[v].colour) if row[v] else writer.text("·", "dim") for v in shown]
        table.add_row(_section_mark(writer, row), writer.text(section), *cells)
    writer.table(table)


def _print_scenarios(writer: ConsoleWriter, spec: SpecResult, requirements: Iterable[RequirementResult]) -> None:
    """Print what a few selected scenarios are about, below the requirement of each."""
    for requirement in requirements:
        row = verdict_counts([requirement])
        label = writer.text(f"{requirement.id}", "bold")
        section = writer.text(f"  {requirement.level} · {requirement.section}", "dim")
        writer.paragraph(label, section, lead=writer.join(_section_mark(writer, row), " "))
        writer.paragraph(writer.truncated(requirement.text, characters=600), indent=2)
        for scenario in spec.scenarios:
            if scenario.requirement == requirement.id:
                outcome = writer.text(f"{scenario.outcome}  ", OUTCOMES[scenario.outcome].colour)
                title = writer.truncated(scenario.title, characters=400)
                writer.paragraph(writer.text(f"{scenario.id}  ", "bold"), outcome, title, indent=2)


def _section_mark(writer: ConsoleWriter, row: Counter[Verdict]) -> Text:
    if row[Verdict.FAIL]:
        return writer.text("✗", "red")
    if row[Verdict.NOT_VERIFIED]:
        return writer.text("?", "yellow")
    return writer.text("✓", "green") if row[Verdict.PASS] else writer.text("·", "dim")


def _print_legend(writer: ConsoleWriter, run: RunDocument) -> None:
    """Explain the signs of the sections that are used."""
    marks: dict[str, Text] = {}
    for spec in run.specs:
        if not _describes_scenarios(run, spec):
            for _, row in section_counts(selected_requirements(run, spec)):
                mark = _section_mark(writer, row)
                marks[mark.plain] = mark
    labels = {"✗": "a requirement fails", "?": "one is not verified", "✓": "all hold", "·": "nothing applies here"}
    shown = [(marks[sign.plain], label) for text, label in labels.items() if (sign := writer.text(text)).plain in marks]
    if shown:
        legend = Text(", ").join(writer.join(mark, writer.text(f" {label}", "dim")) for mark, label in shown)
        writer.blank()
        writer.paragraph(legend)


def _verdict_counts_text(writer: ConsoleWriter, row: Counter[Verdict], verdicts: Iterable[Verdict]) -> Text:
    counts = [writer.text(f"{row[one]} {one.lower()}", VERDICTS[one].colour) for one in verdicts if row[one]]
    return writer.text(", ").join(counts)


def _spec_suffix(run: RunDocument, spec: SpecResult) -> str:
    """Return the suffix of a heading that occurs once for each specification."""
    return f", {spec.name}" if len(run.specs) > 1 else ""


def _print_readings(writer: ConsoleWriter, run: RunDocument, spec: SpecResult) -> None:
    observed = observed_interpretations(spec)
    if not observed:
        return
    writer.heading(f"Choices observed{_spec_suffix(run, spec)}")
    for entry in observed:
        if not entry.consistent:
            writer.paragraph(
                writer.text(entry.id, "bold"),
                writer.text(f" inconsistent: {', '.join(entry.observed)}", "red"),
                indent=2,
                lead=writer.text("✗ ", "red"),
            )
    consistent = [f"{entry.id}={entry.observed[0]}" for entry in observed if entry.consistent]
    if consistent:
        writer.paragraph(writer.comma_separated(consistent), indent=2)


def _print_unverified(writer: ConsoleWriter, run: RunDocument, spec: SpecResult) -> None:
    groups = unverified_by_cause(run, spec)
    if run.is_narrowed:
        groups = [group for group in groups if not group.is_deselected]
    if groups:
        count = pluralize(sum(len(group.ids) for group in groups), "requirement")
        writer.heading(f"Not verified{_spec_suffix(run, spec)} · {count}", "bold yellow")
    for group in groups:
        many = writer.text(f" · {len(group.ids)}", "dim")
        reason = unverified_reason(run, spec, group)
        writer.paragraph(writer.truncated(reason, characters=400), many, lead=writer.text("? ", "yellow"))
        if group.is_deselected:
            continue
        writer.paragraph(writer.comma_separated(group.ids), indent=4)
        if group.remedy:
            writer.paragraph(group.remedy, indent=4, lead=writer.text("remedy: ", "dim"))
    for verdict in (Verdict.NOT_APPLICABLE, Verdict.EXCLUDED):
        ids = [one.id for one in selected_requirements(run, spec) if one.verdict is verdict]
        if ids:
            writer.heading(
                f"{verdict.capitalize()}{_spec_suffix(run, spec)} · {pluralize(len(ids), 'requirement')}", "dim"
            )
            writer.paragraph(writer.comma_separated(ids, "dim"), indent=2)
            writer.paragraph(writer.text(f"`{explain_command(run, 'ID')}` prints the reason", "dim"), indent=2)


def _print_simulated(writer: ConsoleWriter, run: RunDocument) -> None:
    scenarios = (one for spec in run.specs for one in spec.scenarios if one.outcome is Outcome.NOT_APPLICABLE)
    counts = Counter(one.evidence.simulated for one in scenarios if one.evidence.simulated)
    where = " and ".join(f"{counts[name]} on {PLATFORMS[name]}" for name in PLATFORMS if counts[name])
    if where:
        count = pluralize(counts.total(), "scenario")
        writer.blank()
        writer.paragraph(writer.text(f"Simulated · {count} held ({where}), which is no evidence of conformance", "dim"))


def _print_warnings(writer: ConsoleWriter, run: RunDocument) -> None:
    groups = warnings_with_scenarios(run)
    if groups:
        writer.heading("Warnings", "bold yellow")
    for warning, ids in groups.items():
        writer.paragraph(writer.truncated(warning, characters=400), lead=writer.text("! ", "yellow"))
        if ids:
            writer.paragraph(writer.comma_separated(abbreviate(ids, _MAX_IDS), "dim"), indent=4)


def _print_conclusion(writer: ConsoleWriter, run: RunDocument) -> None:
    writer.blank()
    if run.interrupted and run.verdict is not Conclusion.INTERRUPTED:
        writer.paragraph(writer.text("The run was interrupted; the remaining requirements are not verified.", "yellow"))
    if candidate_did_not_start(run):
        writer.paragraph(writer.text(REMEDIES["candidate_did_not_start"], "dim"))
    if not run.claim and run.verdict is not Conclusion.PARTIAL:  # the reason of `partial` contains it
        why = "No document was judged" if run.profile is Profile.BEHAVIOUR else "Not a complete run"
        writer.paragraph(writer.text(f"{why}: not a conformance claim.", "yellow"))
    writer.paragraph(
        writer.text(run.verdict, f"bold {CONCLUSIONS[run.verdict].colour}"), writer.text(f": {run.reason}")
    )
