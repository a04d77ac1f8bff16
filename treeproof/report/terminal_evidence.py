"""A scenario with its evidence on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.evidence_members import EvidenceMember, evidence_members

_STYLES: Mapping[str, str] = {"message": "red", "stderr": "dim"}
_DIFFERENCE_STYLES = {"-": "red", "+": "green"}


def print_scenario(
    writer: ConsoleWriter, scenario: Mapping[str, Any], *, rerun: str = "", omit_message: bool = False
) -> None:
    """Print a scenario of a run document with its evidence.

    ``rerun`` is the command that repeats it. ``omit_message``: the message is printed above it.
    """
    evidence = scenario["evidence"]
    writer.blank()
    writer.paragraph(
        writer.text(f"{scenario['id']}  ", "bold"),
        writer.truncated(scenario["title"], characters=300),
        indent=2,
    )
    if scenario["file"]:
        writer.paragraph(writer.text(f"{scenario['file']}:{scenario['line']}", "dim"), indent=4, hang=2)
    for member in evidence_members(evidence):
        if not (omit_message and member.label == "message"):
            writer.field(member.label, _styled(writer, member), indent=4)
    if evidence.get("scenario"):
        writer.field("scenario", writer.text("the same difference, for a feature file"), indent=4)
        for line in writer.truncated(evidence["scenario"], characters=2400).split("\n", allow_blank=True):
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
