"""The causes of a run on the terminal, each with its smallest case, the failed requirements, and a single scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import (
    cause_facts,
    cause_rerun,
    failed_requirements,
    failure_counts,
    pluralize,
    related_lines,
    rerun_command,
    shown_scenarios,
    warned_count,
)
from treeproof.report.escape import cut_long_words
from treeproof.report.evidence_members import EvidenceMember, evidence_members
from treeproof.verdict.causes import Cause
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument

_STYLES: Mapping[str, str] = {"message": "red", "stderr": "dim"}
_DIFFERENCE_STYLES = {"-": "red", "+": "green"}
_MAX_FULL_CAUSES = 20  # causes without harm that have evidence; the others have two lines each
_MAX_HARMFUL_SCENARIOS = 25  # scenarios with evidence of a cause with harm; the others by id
_MAX_IDS = 12  # ids in a line


def print_causes(writer: ConsoleWriter, run: RunDocument) -> None:
    """Print the causes of a run, the most severe first; those beyond the document under their own heading."""
    causes = run.causes
    deciding = [cause for cause in causes if not cause.is_beyond_document]
    beyond = [cause for cause in causes if cause.is_beyond_document]
    in_full = {cause.number for cause in [one for one in causes if not one.is_harmful][:_MAX_FULL_CAUSES]}
    if deciding:
        counts = failure_counts(run, deciding)
        style = "bold magenta" if all(cause.is_fault for cause in deciding) else "bold red"
        writer.heading(" · ".join([f"Causes · {len(deciding)}", *counts]), style)
    _print_each(writer, run, deciding, in_full)
    if beyond:
        writer.heading(f"Beyond the document · warnings on {warned_count(beyond)}", "bold yellow")
        writer.paragraph(writer.text("The document is silent here; these failures do not affect the exit code.", "dim"))
    _print_each(writer, run, beyond, in_full)
    if any(cause.number not in in_full and not cause.is_harmful for cause in causes) or any(
        len(cause.scenarios) > _shown_count(cause) for cause in causes
    ):
        writer.blank()
        writer.paragraph(writer.text("Evidence of every failure: --report html=FILE", "dim"))


def _shown_count(cause: Cause) -> int:
    """Return how many scenarios of a cause have evidence; of a harmful one they are never folded."""
    return _MAX_HARMFUL_SCENARIOS if cause.is_harmful else 1


def _print_each(writer: ConsoleWriter, run: RunDocument, causes: Sequence[Cause], in_full: set[int]) -> None:
    for cause in causes:
        writer.blank()
        _print_cause_head(writer, run, cause)
        if cause.is_harmful or cause.number in in_full:
            _print_cause_in_full(writer, run, cause)
        else:
            _print_cause_message(writer, cause, rows=2)


def _print_cause_head(writer: ConsoleWriter, run: RunDocument, cause: Cause) -> None:
    style = "magenta" if cause.is_fault else "yellow" if cause.is_beyond_document else "red"
    writer.paragraph(
        writer.text(f"{cause.number}  ", style),
        writer.text(cause.label, f"bold {style}"),
        writer.text(" · ", "dim"),
        writer.text(cause.requirement.id, "bold"),
        writer.text(f"  {' · '.join(cause_facts(run, cause))}", "dim"),
        lead=writer.text("! " if cause.is_fault else "✗ ", style),
    )


def _print_cause_message(writer: ConsoleWriter, cause: Cause, *, rows: int) -> None:
    count = writer.text(f"  ({pluralize(len(cause.scenarios), 'scenario')})" if len(cause.scenarios) > 1 else "", "dim")
    text = cut_long_words(cause.message)
    message = writer.truncated(text, "magenta" if cause.is_fault else "red", characters=100 * rows, rows=rows)
    writer.paragraph(message, count, indent=2)


def _print_cause_in_full(writer: ConsoleWriter, run: RunDocument, cause: Cause) -> None:
    _print_cause_message(writer, cause, rows=8)
    if cause.requirement.text:
        text = writer.truncated(cause.requirement.text, characters=400)
        writer.paragraph(text, indent=2, lead=writer.text("requirement: ", "dim"))
    shown = _shown_count(cause)
    scenarios = shown_scenarios(cause, shown)
    for scenario in scenarios:
        is_repeated = scenario.evidence.message == cause.message
        print_scenario(writer, scenario, rerun=rerun_command(run, scenario.id), omit_message=is_repeated)
    if not scenarios:
        writer.blank()
        print_rerun(writer, cause_rerun(run, cause))
    for label, ids in related_lines(cause, shown, _MAX_IDS):
        writer.paragraph(writer.text(ids), indent=2, lead=writer.text(f"{label}: ", "dim"))


def print_failed_requirements(writer: ConsoleWriter, run: RunDocument) -> None:
    """Print one line for each failed requirement."""
    failed = failed_requirements(run)
    if failed:
        writer.heading(f"Failed requirements · {len(failed)}", "bold red")
    for one in failed:
        writer.paragraph(
            writer.text(one.id, "bold"),
            writer.text(f"  {' · '.join(one.facts)}", "dim"),
            writer.text(f" · {one.reason}" if one.reason else ""),
            lead=writer.text("✗ ", "red"),
        )


def print_scenario(
    writer: ConsoleWriter, scenario: ScenarioRecord, *, rerun: str = "", omit_message: bool = False
) -> None:
    """Print a scenario of a run document with its evidence.

    ``rerun`` is the command that repeats it. ``omit_message``: the message is printed above it.
    """
    evidence = scenario.evidence
    writer.blank()
    writer.paragraph(
        writer.text(f"{scenario.id}  ", "bold"), writer.truncated(scenario.title, characters=300), indent=2
    )
    if scenario.place:
        writer.paragraph(writer.text(scenario.place, "dim"), indent=4, hang=2)
    for member in evidence_members(evidence):
        if not (omit_message and member.label == "message"):
            writer.field(member.label, _styled(writer, member), indent=4)
    if evidence.scenario:
        writer.field("scenario", writer.text("the same difference, for a feature file"), indent=4)
        for line in writer.truncated(evidence.scenario, characters=2400).split("\n", allow_blank=True):
            writer.line("      ", line)  # not folded, so that it can be pasted
    if rerun:
        print_rerun(writer, rerun)


def print_rerun(writer: ConsoleWriter, command: str) -> None:
    """Print the command that repeats a scenario. It is not folded, so that it can be copied."""
    if writer.narrow:
        writer.paragraph(writer.text("re-run:", "dim"), indent=4)
        writer.line("      ", command)
    else:
        writer.line(writer.text("    re-run     ", "dim"), command)


def _styled(writer: ConsoleWriter, member: EvidenceMember) -> Text:
    text = writer.truncated(
        member.text, _STYLES.get(member.label, ""), characters=member.max_characters, rows=member.max_rows
    )
    if member.label != "difference":
        return text
    lines = [
        Text(line.plain, style=_DIFFERENCE_STYLES.get(line.plain[:1], ""))
        for line in text.split("\n", allow_blank=True)
    ]
    whole = Text("\n", overflow="fold").join(lines)
    whole.overflow = "fold"
    return whole
