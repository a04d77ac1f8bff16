"""A run as Markdown, for the summary of a CI job, a comment or a chat: at most 60 lines, whatever fails.

The conclusion is first, then the causes, the worst with their smallest case; the gaps are last. Each part has a limit,
and the causes have the lines that the others leave. Every text is escaped by `markdown_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.report.cause_notes import failed_requirements, unverified_reason
from treeproof.report.causes import Cause, causes_of, numbers_by_requirement
from treeproof.report.digest import (
    VERDICTS,
    abbreviate,
    candidate_did_not_start,
    candidate_label,
    conclusion,
    is_narrowed,
    observed_interpretations,
    pluralize,
    selected_requirements,
    unverified_by_cause,
    verdict_counts,
    warnings_with_scenarios,
)
from treeproof.report.document import Document
from treeproof.report.markdown_causes import cause_lines
from treeproof.report.markdown_parts import fit_to_lines, id_list_suffix, table_line
from treeproof.report.markdown_text import code_span, prose
from treeproof.verdict.outcome import REMEDIES

Json = Mapping[str, Any]

MAX_LINES = 60
"""The lines of a report, blank ones among them."""

_MAX_SPECS, _MAX_UNVERIFIED, _MAX_READINGS, _MAX_WARNINGS = 8, 4, 2, 2  # lines
_MAX_IDS = 20
_EMOJI = {
    "conformant": "✅",
    "partial": "☑️",
    "non-conformant": "❌",
    "incomplete": "⚠️",
    "fault": "💥",
    "usage": "❌",
    "interrupted": "⚠️",
}


def dump(run: Document) -> bytes:
    """Return the run as GitHub's Markdown in UTF-8, at most `MAX_LINES` lines."""
    head, end = list(_head(run)), f"treeproof {run['treeproof']}, exit {run['exit']}."
    if candidate_did_not_start(run):
        return _joined([*head, f"Remedy: {prose(REMEDIES['candidate_did_not_start'])}", *_warnings(run), end])
    causes = causes_of(run)
    numbers = numbers_by_requirement(causes)
    before = [*head, _verdict_table(run)]
    after = [*_failed(run, numbers), *_unverified(run, causes, numbers), *_readings(run), *_warnings(run), end]
    used = sum(part.count("\n") + 2 for part in [*before, *after])
    return _joined([*before, *cause_lines(run, causes, MAX_LINES - used), *after])


def _joined(parts: Sequence[str]) -> bytes:
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _head(run: Document) -> Iterator[str]:
    yield f"## {_EMOJI[run['verdict']]} treeproof: {conclusion(run)}"
    yield prose(run["reason"])
    facts = [
        f"candidate {code_span(candidate_label(run), limit=120)}, adapter {code_span(run['candidate']['adapter'])}",
        f"profile {run['profile']}",
        f"{run['seconds']:.1f} s",
    ]
    if run["selection"] is not None:
        facts.append(f"selection {prose(', '.join(abbreviate(run['selection'], _MAX_IDS)))}")
    if run["interrupted"] and run["verdict"] != "interrupted":
        facts.append("interrupted: the remaining requirements are not verified")
    yield ", ".join(facts)


def _verdict_table(run: Document) -> str:
    """Return the numbers of requirements by verdict, one line for each specification."""
    counts = [verdict_counts(selected_requirements(run, spec)) for spec in run["specs"]]
    total = {verdict: sum(one[verdict] for one in counts) for verdict in VERDICTS}
    shown = [verdict for verdict in VERDICTS if total[verdict]]
    rows = []
    for spec, one in zip(run["specs"], counts, strict=True):
        label = f"{prose(spec['name'], limit=80)} {prose(spec['version'], limit=40)}"
        if is_narrowed(run):
            label += f", {sum(one.values())} of {pluralize(len(spec['requirements']), 'requirement')}"
        rows.append(table_line([label, *(str(one[verdict] or "") for verdict in shown)]))
    if rows[_MAX_SPECS:]:
        rows = [*rows[: _MAX_SPECS - 1], table_line([f"and {len(rows) - _MAX_SPECS + 1} more", *("" for _ in shown)])]
    if len(run["specs"]) > 1:
        rows.append(table_line(["**all**", *(f"**{total[verdict]}**" for verdict in shown)]))
    head = table_line(["requirements", *(verdict.lower() for verdict in shown)])
    return "\n".join([head, "|---" + "|---:" * len(shown) + "|", *rows])


def _failed(run: Document, numbers: Mapping[tuple[str, str], Sequence[int]]) -> Iterator[str]:
    """Yield one line with the failed requirements and their causes."""
    failed = failed_requirements(run, numbers)
    if failed:
        texts = [f"{one.id} ({one.reason})" if one.reason.startswith("cause") else one.id for one in failed]
        yield f"**Failed requirements: {len(failed)}**{id_list_suffix(texts, _MAX_IDS)}"


def _unverified(
    run: Document, causes: Sequence[Cause], numbers: Mapping[tuple[str, str], Sequence[int]]
) -> Iterator[str]:
    found: dict[str, tuple[str, str]] = {}
    count = 0
    for spec in run["specs"]:
        for group in unverified_by_cause(run, spec):
            if group.is_deselected and is_narrowed(run):
                continue
            count += len(group.ids)
            reason = unverified_reason(spec, group, causes, numbers)
            ids = f"{found[reason][0]}, " if reason in found else ""
            remedy = f". Remedy: {prose(group.remedy, limit=300)}" if group.remedy and not group.is_deselected else ""
            shown = str(len(group.ids)) if group.is_deselected else ", ".join(abbreviate(group.ids, _MAX_IDS))
            found[reason] = (f"{ids}{shown}", remedy)
    if found:
        lines = [f"- {prose(reason, limit=300)}: {prose(ids)}{remedy}" for reason, (ids, remedy) in found.items()]
        title = f"**Not verified: {pluralize(count, 'requirement')}**"
        yield "\n".join([title, *fit_to_lines(lines, _MAX_UNVERIFIED, "reason")])


def _readings(run: Document) -> Iterator[str]:
    """Yield the inconsistent readings; the other reports list every reading."""
    found = [one for spec in run["specs"] for one in observed_interpretations(spec) if not one["consistent"]]
    if found:
        lines = [f"- {code_span(one['id'])}: {', '.join(map(code_span, one['observed']))}" for one in found]
        yield "\n".join(["**Inconsistent readings**", *fit_to_lines(lines, _MAX_READINGS, "interpretation")])


def _warnings(run: Document) -> Iterator[str]:
    groups = warnings_with_scenarios(run)
    if groups:
        lines = [f"- {prose(warning, limit=400)}{id_list_suffix(ids, 5)}" for warning, ids in groups.items()]
        yield "\n".join(["**Warnings**", *fit_to_lines(lines, _MAX_WARNINGS, "warning")])
