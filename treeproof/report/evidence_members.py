"""The evidence of a scenario as labelled texts in reading order, for the terminal and Markdown.

Contains pure functions without markup and escaping. The length limits are data; the formats apply them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from treeproof.report.escape import cut_long_words, cut_long_words_of_both, json_text, shortened, visible
from treeproof.spec.catalogue import PLATFORMS
from treeproof.verdict.evidence import Evidence

_MAX_CELL = 200  # characters
_MAX_TABLE_ROWS = 30


@dataclass(frozen=True)
class EvidenceMember:
    """One part of the evidence: its label, its text, and how much of it reports show."""

    label: str
    text: str
    max_characters: int = 1200
    max_rows: int = 16


def evidence_members(evidence: Evidence) -> Iterator[EvidenceMember]:
    """Yield the parts of an ``evidence`` object in reading order; absent parts are left out.

    Long words are cut; what differs between the expected and the actual result remains.
    """
    members = list(_whole_members(evidence))
    texts = {member.label: member.text for member in members}
    pair = cut_long_words_of_both(evidence.expected or "", texts.get("got") or "")
    cut = dict(zip(("expected", "got"), pair, strict=True))
    for member in members:
        if member.label == "difference":
            yield replace(member, text=_cut_difference(member.text))
        elif member.label == "table":  # its cells are cut, and aligned
            yield member
        else:
            yield replace(member, text=cut.get(member.label) or cut_long_words(member.text))


def _cut_difference(text: str) -> str:
    """Return the lines of a difference with cut words, if it is of one line against another."""
    lines = text.split("\n")
    if [line[:1] for line in lines] != ["-", "+"]:
        return text
    missing, unexpected = cut_long_words_of_both(lines[0][1:], lines[1][1:])
    return f"-{missing}\n+{unexpected}"


def _whole_members(evidence: Evidence) -> Iterator[EvidenceMember]:
    if evidence.simulated:
        yield EvidenceMember("host", f"a simulated {PLATFORMS[evidence.simulated]}")
    before = evidence.before if evidence.before != evidence.tree else None
    for label, tree in (("tree", evidence.tree), ("beside", evidence.outside), ("before", before)):
        if tree is not None:
            yield EvidenceMember(label, tree or "(empty)")
    calls, call = evidence.calls or (), evidence.call
    for one in calls if call is None or call in calls else (*calls, call):
        yield EvidenceMember("call", f"{one.tool} {one.arguments}")
        if one.sent:
            yield EvidenceMember("sent", one.sent)
        if one.shown_context:
            yield EvidenceMember("context", json_text(one.shown_context))
    if evidence.after is not None:
        yield EvidenceMember("after", evidence.after or "(empty)")
    if evidence.step:
        yield EvidenceMember("step", evidence.step)
    if evidence.table:
        yield EvidenceMember("table", format_table(evidence.table), 6000, _MAX_TABLE_ROWS)
    for label, text in (("text", evidence.docstring), ("race", evidence.race), ("message", evidence.message)):
        if text:
            yield EvidenceMember(label, text)
    yield from _result_members(evidence)
    if evidence.stderr:
        yield EvidenceMember("stderr", evidence.stderr)


def _result_members(evidence: Evidence) -> Iterator[EvidenceMember]:
    """Yield what is due and what the candidate returned, among it its own error."""
    longest = 400 if evidence.diff else 1200  # a difference makes long texts unnecessary
    if evidence.expected and not evidence.expects_condition:  # the step is shown
        yield EvidenceMember("expected", evidence.expected, longest)
    got, error = evidence.got, evidence.error
    content = evidence.outcome.content if evidence.outcome and not error else None
    if got and got != error:
        yield EvidenceMember("got", got, longest)
    elif not got and content:
        # If trees were compared, `after` is the counterpart of `expected`.
        yield EvidenceMember("got" if evidence.after is None else "answer", content, longest)
    if error and error not in (evidence.message or ""):
        yield EvidenceMember("error", error)
    if evidence.diff:
        yield EvidenceMember("difference", evidence.diff, 2400, 24)


def format_table(rows: Iterable[Sequence[object]]) -> str:
    """Return a step's table as in a feature file: one line for each row, with aligned columns."""
    cells = [[shortened(visible(str(cell)), _MAX_CELL) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells if column < len(row)) for column in range(max(map(len, cells)))]
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))} |" for row in cells
    )
