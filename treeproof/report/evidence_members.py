"""The evidence of a scenario as labelled texts in reading order, for the terminal and Markdown.

Contains pure functions without markup and escaping. The length limits are data; the formats apply them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeproof.report.escape import cut_long_words, cut_long_words_of_both, json_text, shortened, visible
from treeproof.spec.catalogue import PLATFORMS

Json = Mapping[str, Any]

_DEFAULT_CONTEXT_KEYS = frozenset({"roots", "working_dir"})  # in every call, so they are not shown
_MAX_CELL = 200  # characters
_MAX_TABLE_ROWS = 30


@dataclass(frozen=True)
class EvidenceMember:
    """One part of the evidence: its label, its text, and how much of it reports show."""

    label: str
    text: str
    max_characters: int = 1200
    max_rows: int = 16


def evidence_members(evidence: Json) -> Iterator[EvidenceMember]:
    """Yield the parts of an ``evidence`` object in reading order; absent parts are left out.

    Long words are cut; what differs between the expected and the actual result remains.
    """
    members = list(_whole_members(evidence))
    texts = {member.label: member.text for member in members}
    pair = cut_long_words_of_both(texts.get("expected", ""), texts.get("got", ""))
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


def _whole_members(evidence: Json) -> Iterator[EvidenceMember]:
    if "simulated" in evidence:
        yield EvidenceMember("host", f"a simulated {PLATFORMS[evidence['simulated']]}")
    yield from _input_trees(evidence)
    for call in _calls(evidence):
        yield from _call_members(call)
    if "after" in evidence:
        yield EvidenceMember("after", evidence["after"] or "(empty)")
    if evidence.get("step"):
        yield EvidenceMember("step", str(evidence["step"]))
    if evidence.get("table"):
        yield EvidenceMember("table", format_table(evidence["table"]), 6000, _MAX_TABLE_ROWS)
    if evidence.get("docstring"):
        yield EvidenceMember("text", str(evidence["docstring"]))
    if evidence.get("race"):
        yield EvidenceMember("race", str(evidence["race"]))
    if evidence.get("message"):
        yield EvidenceMember("message", str(evidence["message"]))
    yield from _result_members(evidence)
    if evidence.get("stderr"):
        yield EvidenceMember("stderr", str(evidence["stderr"]))


def _input_trees(evidence: Json) -> Iterator[EvidenceMember]:
    """Yield each tree before the last call."""
    labels = {"tree": "tree", "outside": "beside"}
    if evidence.get("before") not in (None, evidence.get("tree")):
        labels["before"] = "before"
    for member, label in labels.items():
        if member in evidence:
            yield EvidenceMember(label, evidence[member] or "(empty)")


def _calls(evidence: Json) -> list[Json]:
    """Return the calls that lead to the failure, and last the one that failed."""
    calls = list(evidence.get("calls") or ())
    call = evidence.get("call")
    return calls if call is None or call in calls else [*calls, call]


def _call_members(call: Json) -> Iterator[EvidenceMember]:
    yield EvidenceMember("call", f"{call['tool']} {call['arguments']}")
    added = {key: value for key, value in call.get("context", {}).items() if key not in _DEFAULT_CONTEXT_KEYS}
    if added:
        yield EvidenceMember("context", json_text(added))


def _result_members(evidence: Json) -> Iterator[EvidenceMember]:
    """Yield what is due and what the candidate returned, among it its own error."""
    longest = 400 if evidence.get("diff") else 1200  # a difference makes long texts unnecessary
    if evidence.get("expected"):
        yield EvidenceMember("expected", str(evidence["expected"]), longest)
    result = evidence.get("outcome") or {}
    got, error = str(evidence.get("got") or ""), error_text(evidence)
    if got and got != error:
        yield EvidenceMember("got", got, longest)
    elif not got and result.get("status") == "ok" and result.get("content"):
        # If trees were compared, `after` is the counterpart of `expected`.
        yield EvidenceMember("answer" if "after" in evidence else "got", str(result["content"]), longest)
    if error and error not in str(evidence.get("message", "")):
        yield EvidenceMember("error", error)
    if evidence.get("diff"):
        yield EvidenceMember("difference", str(evidence["diff"]), 2400, 24)


def error_text(evidence: Json) -> str:
    """Return kind and message of the error that the candidate returned; empty if it returned none."""
    result = evidence.get("outcome") or {}
    if result.get("status") != "error":
        return ""
    return ": ".join(str(part) for part in (result.get("kind"), result.get("message")) if part)


def format_table(rows: Iterable[Sequence[object]]) -> str:
    """Return a step's table as in a feature file: one line for each row, with aligned columns."""
    cells = [[shortened(visible(str(cell)), _MAX_CELL) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells if column < len(row)) for column in range(max(map(len, cells)))]
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))} |" for row in cells
    )
