"""A run as Markdown, for the summary of a CI job or a comment: the conclusion first, then failures and gaps.

It has less than the megabyte that GitHub accepts: parts that do not fit are left out with a note. Every text is escaped
by `markdown_text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from treeproof.report.digest import (
    VERDICTS,
    FailureDeduplicator,
    FailureSelection,
    Json,
    abbreviate,
    candidate_did_not_start,
    candidate_label,
    conclusion,
    decides_exit,
    failing_count_text,
    failing_requirements,
    failures_beyond_document,
    input_trees,
    observed_interpretations,
    pluralize,
    repeated_messages,
    rerun_command,
    result_text,
    section_counts,
    unverified_by_cause,
    verdict_counts,
    warnings_with_scenarios,
)
from treeproof.report.document import Document
from treeproof.report.markdown_text import code_span, fenced_block, prose
from treeproof.verdict.outcome import REMEDIES

_MAX_HEAD, _MAX_FAILURES, _MAX_TAIL = 200_000, 500_000, 200_000  # bytes; together below GitHub's 1 MiB
_MAX_IN_FULL = 2  # scenarios with evidence per requirement; the others by id
_MAX_IDS = 40
_EMOJI = {
    "conformant": "✅",
    "partial": "☑️",
    "non-conformant": "❌",
    "incomplete": "⚠️",
    "fault": "💥",
    "usage": "❌",
}


def dump(run: Document) -> bytes:
    """Return the run as GitHub's Markdown in UTF-8, less than 1 MiB of it."""
    parts = [
        *fit_to_size(_head(run), _MAX_HEAD),
        *fit_to_size(_failure_parts(run), _MAX_FAILURES),
        *fit_to_size(_tail(run), _MAX_TAIL),
        f"treeproof {run['treeproof']}, exit {run['exit']}.",
    ]
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def fit_to_size(parts: Iterable[str], max_bytes: int) -> Iterator[str]:
    """Yield the parts that fit into ``max_bytes``, then a note of how many are left out."""
    dropped = 0
    for part in parts:
        size = len(part.encode("utf-8")) + 2
        if dropped or size > max_bytes:
            dropped += 1
        else:
            max_bytes -= size
            yield part
    if dropped:
        yield f"*{pluralize(dropped, 'part')} omitted here; the JSON report is complete.*"


def _head(run: Document) -> Iterator[str]:
    yield f"## {_EMOJI[run['verdict']]} treeproof: {conclusion(run)}"
    yield prose(run["reason"])
    facts = [
        f"candidate {code_span(candidate_label(run))}, adapter {code_span(run['candidate']['adapter'])}",
        f"profile {run['profile']}",
        f"{run['seconds']:.1f} s",
    ]
    if run["selection"] is not None:
        facts.append(f"selection {prose(', '.join(abbreviate(run['selection'], _MAX_IDS)))}")
    if run["interrupted"]:
        facts.append("interrupted: the remaining requirements are not verified")
    yield ", ".join(facts)
    if candidate_did_not_start(run):
        yield f"Remedy: {prose(REMEDIES['candidate_did_not_start'])}"
        return
    for spec in run["specs"]:
        yield _verdict_table(spec)
    yield from _batch_items(
        f"- the same message in {len(one.scenarios)} failed scenarios of "
        f"{pluralize(len(one.requirements), 'requirement')}: {prose(one.message)}"
        for one in repeated_messages(run)
    )


def _verdict_table(spec: Json) -> str:
    total = verdict_counts(spec)
    shown = [verdict for verdict in VERDICTS if total[verdict]]
    lines = [
        f"### {prose(spec['name'])} {prose(spec['version'])}",
        "",
        " | ".join(["| section", *(verdict.lower() for verdict in shown)]) + " |",
        "|---" + "|---:" * len(shown) + "|",
    ]
    for section, row in section_counts(spec):
        cells = [str(row[verdict]) if row[verdict] else "" for verdict in shown]
        lines.append(" | ".join([f"| {prose(section, limit=200)}", *cells]) + " |")
    lines.append(" | ".join(["| **all**", *(f"**{total[verdict]}**" for verdict in shown)]) + " |")
    return "\n".join(lines)


def _failure_parts(run: Document) -> Iterator[str]:
    deduplicator = FailureDeduplicator(run, _MAX_IN_FULL)
    for spec in run["specs"]:
        failed = failing_requirements(spec, run["profile"])
        if failed:
            count = failing_count_text((requirement for requirement, _ in failed), run["profile"])
            yield f"### Failures{_spec_suffix(run, spec)}: {count}"
        for requirement, scenarios in failed:
            yield _requirement_part(run, requirement, deduplicator.select(scenarios))
    for spec in run["specs"]:
        beyond = failures_beyond_document(spec, run["profile"])
        if beyond:
            count = pluralize(len(beyond), "requirement")
            yield f"### Beyond the document{_spec_suffix(run, spec)}: warnings on {count}"
            yield "The document is silent here; these failures do not affect the exit code."
        for requirement, scenarios in beyond:
            yield _requirement_part(run, requirement, deduplicator.select(scenarios))


def _requirement_part(run: Document, requirement: Json, selection: FailureSelection) -> str:
    level = requirement["level"] + ("" if decides_exit(requirement, run["profile"]) else ", a warning")
    basis = f", {requirement['basis']}" if "basis" in requirement else ""
    known = ", known failure" if requirement.get("known") else ""
    lines = [
        f"#### {code_span(requirement['id'])} {level}{basis}{known}",
        f"{prose(requirement['section'], limit=200)}: {prose(requirement['text'])}",
    ]
    if requirement["cause"]:
        lines.append(f"Cause: {prose(requirement['cause'])}")
    lines += [_scenario_details(run, scenario) for scenario in selection.in_full]
    rest = [
        f"- as above, {prose(same.message, limit=200)}{_id_list_suffix(_scenario_ids(same.scenarios))}"
        for same in selection.repeated
    ]
    if selection.others:
        rest.append(f"- also failed{_id_list_suffix(_scenario_ids(selection.others))}")
    lines += _batch_items(rest)
    return "\n\n".join(lines)


def _scenario_ids(scenarios: Iterable[Json]) -> list[str]:
    return [scenario["id"] for scenario in scenarios]


def _scenario_details(run: Document, scenario: Json) -> str:
    evidence = scenario["evidence"]
    parts = [
        f"<details><summary>Scenario <code>{scenario['id']}</code></summary>",
        prose(scenario["title"], limit=300)
        + (f" ({code_span(scenario['file'] + ':' + str(scenario['line']))})" if scenario["file"] else ""),
    ]
    if evidence.get("message"):
        parts.append(f"Message: {prose(evidence['message'])}")
    members = list(_evidence_members(evidence))
    parts += _batch_items(f"- {name}: {code_span(text)}" for name, text, _ in members if _fits_one_line(text))
    for name, text, limit in members:
        if not _fits_one_line(text):
            parts += [
                f"{name}:",
                fenced_block(text, limit=limit, info="diff" if name == "difference" else ""),
            ]
    parts += ["re-run:", fenced_block(rerun_command(run, scenario["id"]), info="sh"), "</details>"]
    return "\n\n".join(parts)


def _fits_one_line(text: str) -> bool:
    return "\n" not in text and len(text) <= 200


def _evidence_members(evidence: Json) -> Iterator[tuple[str, str, int]]:
    """Yield name, text and maximal length of the parts of evidence, in reading order."""
    longest = 400 if evidence.get("diff") else 1200
    yield from ((name, tree, 1200) for name, tree in input_trees(evidence))
    call = evidence.get("call")
    if call:
        yield "call", f"{call['tool']} {call['arguments']}", 1200
    if "after" in evidence:
        yield "after", evidence["after"] or "(empty)", 1200
    if evidence.get("step"):
        yield "step", evidence["step"], 1200
    if evidence.get("expected"):
        yield "expected", evidence["expected"], longest
    if result_text(evidence):
        yield "got", result_text(evidence), longest
    if evidence.get("diff"):
        yield "difference", evidence["diff"], 2400


def _tail(run: Document) -> Iterator[str]:
    yield from _fault_parts(run)
    if not candidate_did_not_start(run):
        for spec in run["specs"]:
            yield from _unverified_parts(run, spec)
    for spec in run["specs"]:
        readings = [f"- {_format_reading(entry)}" for entry in observed_interpretations(spec)]
        if readings:
            yield f"### Observed readings{_spec_suffix(run, spec)}"
            yield from _batch_items(readings)
    warnings = [f"- {prose(warning)}{_id_list_suffix(ids)}" for warning, ids in warnings_with_scenarios(run).items()]
    if warnings:
        yield "### Warnings"
        yield from _batch_items(warnings)


def _fault_parts(run: Document) -> Iterator[str]:
    groups: dict[str, list[Any]] = {}
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            if scenario["outcome"] == "fault":
                groups.setdefault(scenario["evidence"].get("cause", "fault"), []).append(scenario)
    if groups:
        yield f"### Faults: {pluralize(sum(map(len, groups.values())), 'scenario')} without a verdict"
    for cause, scenarios in groups.items():
        yield f"{prose(cause)}{_id_list_suffix([scenario['id'] for scenario in scenarios])}"
        if scenarios[0]["evidence"].get("stderr"):
            yield fenced_block(scenarios[0]["evidence"]["stderr"])


def _unverified_parts(run: Document, spec: Json) -> Iterator[str]:
    groups = unverified_by_cause(run, spec)
    if groups:
        count = pluralize(sum(len(group.ids) for group in groups), "requirement")
        yield f"### Not verified{_spec_suffix(run, spec)}: {count}"
    lines = []
    for group in groups:
        shown = f" ({len(group.ids)})" if group.is_deselected else _id_list_suffix(group.ids)
        lines.append(
            f"- {prose(group.cause)}{shown}" + (f"\n  - Remedy: {prose(group.remedy)}" if group.remedy else "")
        )
    yield from _batch_items(lines)


def _spec_suffix(run: Document, spec: Json) -> str:
    """Return the suffix of a heading that occurs once for each specification."""
    return f" in {prose(spec['name'])}" if len(run["specs"]) > 1 else ""


def _format_reading(entry: Json) -> str:
    label = ", ".join(code_span(label) for label in entry["observed"])
    return f"{code_span(entry['id'])}: {label}" + ("" if entry["consistent"] else " **inconsistent**")


def _id_list_suffix(ids: Sequence[str]) -> str:
    return f": {prose(', '.join(abbreviate(ids, _MAX_IDS)))}" if ids else ""


def _batch_items(items: Iterable[str]) -> Iterator[str]:
    """Yield the items of a list in groups of ten, so that `fit_to_size` omits few of them."""
    lines = list(items)
    for start in range(0, len(lines), 10):
        yield "\n".join(lines[start : start + 10])
