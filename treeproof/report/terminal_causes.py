"""The causes of a run on the terminal: one whole, with its smallest case, or in two lines; and a single scenario."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import (
    cause_facts,
    cause_rerun,
    failed_requirements,
    pluralize,
    related_lines,
    rerun_note,
)
from treeproof.report.escape import cut_long_words
from treeproof.report.evidence_members import EvidenceMember, evidence_members
from treeproof.report.signs import SEVERITIES
from treeproof.spec.quotations import quotations_of
from treeproof.verdict.causes import Cause, Severity
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument

_STYLES: Mapping[str, str] = {"message": "red", "stderr": "dim"}
_DIFFERENCE_STYLES = {"-": "red", "+": "green"}
_MAX_IDS = 12  # ids in a line
_MAX_ROWS = 16  # of one member of the evidence
_ROW, _CONTEXT = 60, 20  # characters
_LIMITS = (_MAX_ROWS, 8, 4, 2, 1)
_MAX_COMMAND_ROWS = 3


def print_cause(
    writer: ConsoleWriter, run: RunDocument, cause: Cause, *, is_warning: bool = False, rows: int = 0
) -> None:
    """Print a cause with its smallest case, and the command that repeats it.

    ``rows``: the rows of the terminal that are left. The members of the evidence are cut until they fit; 0: no limit.
    """
    write = partial(print_rerun, writer)
    rerun = (
        _rerun_lines(writer, run, cause, write) if rows else writer.lines_of(partial(write, cause_rerun(run, cause)))
    )
    rest, body = rows - writer.count_rows(rerun), list[Text]()
    for limit in _LIMITS:
        body = writer.lines_of(partial(_print_body, writer, run, cause, is_warning, limit))
        if not rows or writer.count_rows(body) <= rest:
            break
    else:
        body = [*body[: max(1, rest - 1)], writer.text("    … the rest: --verbose", "dim")]
    writer.write_lines([*body, *rerun])
    for label, ids in () if rows else related_lines(cause, _MAX_IDS):
        writer.paragraph(writer.text(ids), indent=2, lead=writer.text(f"{label}: ", "dim"))


def count_least_rows(writer: ConsoleWriter, run: RunDocument, cause: Cause) -> int:
    """Return the rows in which `print_cause` shows all members of the smallest case."""
    body = writer.lines_of(partial(_print_body, writer, run, cause, False, _LIMITS[-1]))
    return writer.count_rows([*body, *_rerun_lines(writer, run, cause, partial(print_rerun, writer))])


def _rerun_lines(
    writer: ConsoleWriter,
    run: RunDocument,
    cause: Cause,
    write: Callable[[str], object],
) -> list[Text]:
    """Return the lines of ``write`` for the command that repeats a cause, or for its end if it is very long."""
    lines, note = writer.lines_of(partial(write, cause_rerun(run, cause))), rerun_note(cause)
    if writer.count_rows(lines) > _MAX_COMMAND_ROWS:
        end = "" if note else f", with --select {(cause.smallest or cause.requirement).id}"
        text = writer.clipped(f"the command of this run{end}", width=writer.width - 16).plain
        lines = writer.lines_of(partial(write, text))
    return [*lines, writer.text(f"     {note}", "dim")] if note else lines


def print_cause_in_short(writer: ConsoleWriter, run: RunDocument, cause: Cause) -> None:
    """Print a cause in one line, and the command that repeats its smallest case."""
    style = _style(cause, is_warning=False)
    lead = writer.text(f"{SEVERITIES[cause.severity].mark} {cause.number}  ", style)
    id = writer.clipped(cause.requirement.id, "bold", width=writer.width // 2)
    kind = "" if cause.severity is Severity.ANSWER else f"{cause.label}: "
    count = _count(cause)
    width = max(8, writer.width - lead.cell_len - id.cell_len - 2 - len(count))
    message = writer.clipped(kind + cut_long_words(cause.message), style, width=width)
    writer.line(lead, id, "  ", message, writer.text(count, "dim"))
    writer.write_lines(_rerun_lines(writer, run, cause, lambda command: writer.line("     ", command)))


def _style(cause: Cause, *, is_warning: bool) -> str:
    return "yellow" if is_warning else "magenta" if cause.is_fault else "red"


def _count(cause: Cause) -> str:
    """Return how many scenarios a cause has, if there are several."""
    count = len(cause.scenarios)
    without = " without a verdict" if cause.is_fault else ""
    return f"  ({pluralize(count, 'scenario')}{without})" if count > 1 else ""


def _print_body(writer: ConsoleWriter, run: RunDocument, cause: Cause, is_warning: bool, limit: int) -> None:
    """Print a cause without its command; each member of its evidence has about ``limit`` rows at most."""
    style = _style(cause, is_warning=is_warning)
    writer.paragraph(
        writer.text(f"{cause.number}  ", style),
        writer.text(cause.label, f"bold {style}"),
        writer.text(" · ", "dim"),
        writer.text(cause.requirement.id, "bold"),
        writer.clipped(f"  {' · '.join(cause_facts(run, cause))}", "dim", width=writer.width * limit),
        lead=writer.text(f"{SEVERITIES[cause.severity].mark} ", style),
    )
    rows = min(max(limit, 2), 8)
    message = writer.truncated(cut_long_words(cause.message), style, characters=100 * rows, rows=rows)
    writer.paragraph(message, writer.text(_count(cause), "dim"), indent=2)
    if cause.requirement.text and limit > 1:
        text = writer.truncated(cause.requirement.text, characters=min(400, _ROW * limit))
        writer.paragraph(text, indent=2, lead=writer.text("requirement: ", "dim"))
    for quoted in quotations_of(cause.spec.name, cause.spec.version, cause.requirement.id)[: min(limit, 2)]:
        if quoted.text:
            text = writer.truncated(quoted.quoted, characters=min(600, 40 + _ROW * limit))
            writer.paragraph(text, indent=2, lead=writer.text("document: ", "dim"))
    if cause.smallest is not None:
        print_scenario(
            writer, cause.smallest, omit_message=cause.smallest.evidence.message == cause.message, rows=limit
        )


def print_failed_requirements(writer: ConsoleWriter, run: RunDocument) -> None:
    """Print one line for each requirement that does not hold."""
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
    writer: ConsoleWriter, scenario: ScenarioRecord, *, omit_message: bool = False, rows: int = _MAX_ROWS
) -> None:
    """Print a scenario of a run document with its evidence, each member in about ``rows`` rows at most.

    ``omit_message``: the message is printed above it.
    """
    evidence = scenario.evidence
    writer.blank()
    id = writer.text(f"{scenario.id}  ", "bold")
    title = writer.truncated(scenario.title, characters=300)
    if rows == 1:
        title = writer.clipped(scenario.title, width=max(8, writer.width - 2 - id.cell_len))
    writer.paragraph(id, title, indent=2)
    if scenario.place and rows > 1:
        writer.paragraph(writer.text(scenario.place, "dim"), indent=4, hang=2)
    for member in _bounded(list(evidence_members(evidence)), rows):
        if not (omit_message and member.label == "message"):
            writer.field(member.label, _styled(writer, member), indent=4)
    if evidence.scenario and rows == _MAX_ROWS:
        writer.field("scenario", writer.text("the same difference, for a feature file"), indent=4)
        for line in writer.truncated(evidence.scenario, characters=2400).split("\n", allow_blank=True):
            writer.line("      ", line)  # not folded, so that it can be pasted


def print_rerun(writer: ConsoleWriter, command: str) -> None:
    """Print the command that repeats a scenario. It is not folded, so that it can be copied."""
    if writer.narrow:
        writer.paragraph(writer.text("re-run:", "dim"), indent=4)
        writer.line("      ", command)
    else:
        writer.line(writer.text("    re-run     ", "dim"), command)


def _bounded(members: Sequence[EvidenceMember], rows: int) -> Iterator[EvidenceMember]:
    """Yield the members with smaller limits; what is expected and got begins near the difference if it were cut off."""
    pair = [member.text for member in members if member.label in ("expected", "got")]
    start = len(os.path.commonprefix(pair)) - _CONTEXT if len(pair) == 2 and pair[0] != pair[1] else 0
    for member in members:
        if rows < _MAX_ROWS:
            limit = min(member.max_characters, _ROW * rows)
            member = replace(member, max_characters=limit, max_rows=min(member.max_rows, rows))
        is_late = member.label in ("expected", "got") and start > member.max_characters // 2
        yield replace(member, text=f"…{member.text[start:]}") if is_late else member


def _styled(writer: ConsoleWriter, member: EvidenceMember) -> Text:
    style = _STYLES.get(member.label, "")
    if member.max_rows == 1 and member.label != "difference":
        return writer.clipped(member.text, style, width=max(8, writer.width - 15))
    text = writer.truncated(member.text, style, characters=member.max_characters, rows=member.max_rows)
    if member.label != "difference":
        return text
    lines = [
        Text(line.plain, style=_DIFFERENCE_STYLES.get(line.plain[:1], ""))
        for line in text.split("\n", allow_blank=True)
    ]
    whole = Text("\n", overflow="fold").join(lines)
    whole.overflow = "fold"
    return whole
