"""A run as Markdown, for the summary of a CI job or a comment: the conclusion first, then causes and gaps.

It has less than the megabyte that GitHub accepts: parts that do not fit are left out with a note. Every text is escaped
by `markdown_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.report.cause_notes import unverified_reason
from treeproof.report.causes import Cause, causes_of, numbers_by_requirement
from treeproof.report.digest import (
    VERDICTS,
    abbreviate,
    candidate_did_not_start,
    candidate_label,
    conclusion,
    observed_interpretations,
    pluralize,
    section_counts,
    unverified_by_cause,
    verdict_counts,
    warnings_with_scenarios,
)
from treeproof.report.document import Document
from treeproof.report.markdown_causes import cause_parts, failed_requirement_parts
from treeproof.report.markdown_parts import MAX_IDS, batch_items, fit_to_size, id_list_suffix
from treeproof.report.markdown_text import code_span, prose
from treeproof.verdict.outcome import REMEDIES

Json = Mapping[str, Any]

# Bytes, together below GitHub's 1 MiB. Each part has a limit, so that no other displaces it.
_MAX_HEAD, _MAX_HARMFUL, _MAX_OTHERS, _MAX_FAILED, _MAX_TAIL = 150_000, 250_000, 250_000, 100_000, 200_000
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
    """Return the run as GitHub's Markdown in UTF-8, less than 1 MiB of it."""
    causes = [] if candidate_did_not_start(run) else causes_of(run)
    numbers = numbers_by_requirement(causes)
    harmful = [cause for cause in causes if cause.is_harmful]
    others = [cause for cause in causes if not cause.is_harmful]
    parts = [
        *fit_to_size(_head(run), _MAX_HEAD),
        *fit_to_size(cause_parts(run, causes, harmful), _MAX_HARMFUL),
        *fit_to_size(cause_parts(run, causes, others), _MAX_OTHERS),
        *fit_to_size(failed_requirement_parts(run, numbers), _MAX_FAILED),
        *fit_to_size(_tail(run, causes, numbers), _MAX_TAIL),
        f"treeproof {run['treeproof']}, exit {run['exit']}.",
    ]
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _head(run: Document) -> Iterator[str]:
    yield f"## {_EMOJI[run['verdict']]} treeproof: {conclusion(run)}"
    yield prose(run["reason"])
    facts = [
        f"candidate {code_span(candidate_label(run))}, adapter {code_span(run['candidate']['adapter'])}",
        f"profile {run['profile']}",
        f"{run['seconds']:.1f} s",
    ]
    if run["selection"] is not None:
        facts.append(f"selection {prose(', '.join(abbreviate(run['selection'], MAX_IDS)))}")
    if run["interrupted"] and run["verdict"] != "interrupted":
        facts.append("interrupted: the remaining requirements are not verified")
    yield ", ".join(facts)
    if candidate_did_not_start(run):
        yield f"Remedy: {prose(REMEDIES['candidate_did_not_start'])}"
        return
    for spec in run["specs"]:
        yield _verdict_table(spec)


def _verdict_table(spec: Json) -> str:
    total = verdict_counts(spec["requirements"])
    shown = [verdict for verdict in VERDICTS if total[verdict]]
    lines = [
        f"### {prose(spec['name'])} {prose(spec['version'])}",
        "",
        " | ".join(["| section", *(verdict.lower() for verdict in shown)]) + " |",
        "|---" + "|---:" * len(shown) + "|",
    ]
    for section, row in section_counts(spec["requirements"]):
        cells = [str(row[verdict]) if row[verdict] else "" for verdict in shown]
        lines.append(" | ".join([f"| {prose(section, limit=200)}", *cells]) + " |")
    lines.append(" | ".join(["| **all**", *(f"**{total[verdict]}**" for verdict in shown)]) + " |")
    return "\n".join(lines)


def _tail(run: Document, causes: Sequence[Cause], numbers: Mapping[tuple[str, str], Sequence[int]]) -> Iterator[str]:
    if not candidate_did_not_start(run):
        for spec in run["specs"]:
            yield from _unverified_parts(run, spec, causes, numbers)
    for spec in run["specs"]:
        readings = [f"- {_format_reading(entry)}" for entry in observed_interpretations(spec)]
        if readings:
            yield f"### Observed readings{_spec_suffix(run, spec)}"
            yield from batch_items(readings)
    warnings = [f"- {prose(warning)}{id_list_suffix(ids)}" for warning, ids in warnings_with_scenarios(run).items()]
    if warnings:
        yield "### Warnings"
        yield from batch_items(warnings)


def _unverified_parts(
    run: Document, spec: Json, causes: Sequence[Cause], numbers: Mapping[tuple[str, str], Sequence[int]]
) -> Iterator[str]:
    groups = unverified_by_cause(run, spec)
    if groups:
        count = pluralize(sum(len(group.ids) for group in groups), "requirement")
        yield f"### Not verified{_spec_suffix(run, spec)}: {count}"
    lines = []
    for group in groups:
        shown = f" ({len(group.ids)})" if group.is_deselected else id_list_suffix(group.ids)
        lines.append(
            f"- {prose(unverified_reason(spec, group, causes, numbers))}{shown}"
            + (f"\n  - Remedy: {prose(group.remedy)}" if group.remedy else "")
        )
    yield from batch_items(lines)


def _spec_suffix(run: Document, spec: Json) -> str:
    """Return the suffix of a heading that occurs once for each specification."""
    return f" in {prose(spec['name'])}" if len(run["specs"]) > 1 else ""


def _format_reading(entry: Json) -> str:
    label = ", ".join(code_span(label) for label in entry["observed"])
    return f"{code_span(entry['id'])}: {label}" + ("" if entry["consistent"] else " **inconsistent**")
