"""The causes of a run in Markdown, each with its smallest case, and the list of the failed requirements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.report.cause_notes import (
    cause_facts,
    cause_rerun,
    failed_requirements,
    failure_counts,
    related_lines,
    shown_scenarios,
)
from treeproof.report.causes import Cause
from treeproof.report.digest import pluralize, rerun_command
from treeproof.report.document import Document
from treeproof.report.evidence_members import EvidenceMember, evidence_members
from treeproof.report.markdown_parts import MAX_IDS, batch_items
from treeproof.report.markdown_text import code_span, fenced_block, prose

Json = Mapping[str, Any]

_MAX_FULL_CAUSES = 100  # causes without harm that have evidence
_MAX_HARMFUL_SCENARIOS = 100  # scenarios with evidence of a cause with harm; the others by id
_MAX_LINE = 200  # characters of a member beside its label; longer texts are blocks


def cause_parts(run: Document, every: Sequence[Cause], causes: Sequence[Cause]) -> Iterator[str]:
    """Yield the parts of the report about ``causes``, in their order, with the headings before them.

    ``every``: all causes of the run, which the headings count.
    """
    deciding = [cause for cause in every if not cause.is_beyond_document]
    beyond = [cause for cause in every if cause.is_beyond_document]
    for position, cause in enumerate(causes):
        if deciding and cause is deciding[0]:
            yield f"### Causes: {len(deciding)} ({', '.join(failure_counts(run, deciding))})"
        if beyond and cause is beyond[0]:
            ids = {(one.spec["name"], requirement["id"]) for one in beyond for requirement in one.requirements}
            yield f"### Beyond the document: warnings on {pluralize(len(ids), 'requirement')}"
            yield "The document is silent here; these failures do not affect the exit code."
        yield from _parts_of(run, cause, in_full=cause.is_harmful or position < _MAX_FULL_CAUSES)


def _parts_of(run: Document, cause: Cause, *, in_full: bool) -> Iterator[str]:
    count = f" ({pluralize(len(cause.scenarios), 'scenario')})" if len(cause.scenarios) > 1 else ""
    facts = ", ".join(prose(fact, limit=200) for fact in cause_facts(run, cause))
    head = [
        f"#### {cause.number}: {cause.label}, {code_span(cause.requirement['id'])} {facts}",
        f"Message{count}: {prose(cause.message)}",
    ]
    if not in_full:
        yield "\n\n".join(head)
        return
    if cause.requirement["text"]:
        head.append(f"Requirement: {prose(cause.requirement['text'])}")
    limit = _MAX_HARMFUL_SCENARIOS if cause.is_harmful else 1
    scenarios = shown_scenarios(cause, limit)
    details = [_scenario_details(run, cause, scenario) for scenario in scenarios]
    if not scenarios:
        details = [f"re-run:\n\n{fenced_block(cause_rerun(run, cause), info='sh')}"]
    # The smallest case and its cause are shown together or not at all.
    yield "\n\n".join([*head, details[0]])
    yield from details[1:]
    yield from batch_items(f"- {label}: {prose(ids)}" for label, ids in related_lines(cause, limit, MAX_IDS))


def _scenario_details(run: Document, cause: Cause, scenario: Json) -> str:
    """Return a scenario with its evidence; that of a harmful cause is not folded."""
    evidence = scenario["evidence"]
    title = prose(scenario["title"], limit=300)
    place = f" ({code_span(scenario['file'] + ':' + str(scenario['line']))})" if scenario["file"] else ""
    if cause.is_harmful:
        parts = [f"Scenario {code_span(scenario['id'])}: {title}{place}"]
    else:
        parts = [f"<details><summary>Scenario <code>{scenario['id']}</code></summary>", title + place]
    members = list(evidence_members(evidence))
    if evidence.get("message") and evidence["message"] != cause.message:
        parts.append(f"Message: {prose(evidence['message'])}")
    members = [member for member in members if member.label != "message"]
    parts += batch_items(f"- {one.label}: {code_span(one.text)}" for one in members if _fits_one_line(one))
    for one in members:
        if not _fits_one_line(one):
            info = "diff" if one.label == "difference" else ""
            parts += [f"{one.label}:", fenced_block(one.text, limit=one.max_characters, info=info)]
    if evidence.get("scenario"):
        parts += ["the same difference, for a feature file:", fenced_block(evidence["scenario"], info="gherkin")]
    parts += ["re-run:", fenced_block(rerun_command(run, scenario["id"]), info="sh")]
    return "\n\n".join(parts if cause.is_harmful else [*parts, "</details>"])


def _fits_one_line(member: EvidenceMember) -> bool:
    return "\n" not in member.text and len(member.text) <= _MAX_LINE and member.label != "table"


def failed_requirement_parts(run: Document, numbers: Mapping[tuple[str, str], Sequence[int]]) -> Iterator[str]:
    """Yield a list of the failed requirements. ``numbers``: those of the causes of each requirement."""
    failed = failed_requirements(run, numbers)
    if failed:
        yield f"### Failed requirements: {len(failed)}"
    lines = []
    for one in failed:
        texts = [*one.facts, one.reason] if one.reason else one.facts
        lines.append(f"- {code_span(one.id)} {', '.join(prose(text, limit=200) for text in texts)}")
    yield from batch_items(lines)
