"""A run as Markdown, for the summary of a CI job, a comment or a chat: at most 60 lines, whatever fails.

The conclusion is first, then the causes in one line each, the worst with their smallest case; the gaps are last. Each
part has a limit, and the causes have the lines that the others leave. Every text is escaped by `markdown_text`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from treeproof.report.digest import (
    abbreviate,
    candidate_did_not_start,
    cause_facts,
    cause_rerun,
    failed_requirements,
    failure_counts,
    observed_interpretations,
    pluralize,
    related_lines,
    rerun_note,
    result_counts,
    selected_requirements,
    split_causes,
    unverified_by_cause,
    unverified_reason,
    warned_counts,
    warnings_with_scenarios,
)
from treeproof.report.escape import cut_long_words
from treeproof.report.evidence_members import evidence_members
from treeproof.report.markdown_text import code_span, fit_to_lines, id_list_suffix, prose, table_line
from treeproof.report.signs import RESULTS, Sign
from treeproof.verdict.causes import Cause
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.outcome import REMEDIES
from treeproof.verdict.run_document import RunDocument

MAX_LINES = 60
"""The lines of a report, blank ones among them."""

_MAX_SPECS, _MAX_UNVERIFIED, _MAX_READINGS, _MAX_WARNINGS = 8, 4, 2, 2  # lines
_MAX_IDS, _MAX_RELATED_IDS = 20, 10
_MAX_LINE = 240  # characters of a member of the evidence
_MIN_IN_FULL = 3
"""The causes that have their smallest case even if others are left out for it."""
_SHOWN = ("tree", "before", "after", "call", "race", "expected", "got", "answer", "error", "stderr")
"""The members of the evidence that a summary shows."""
_EMOJI: Mapping[str, str] = {
    "conformant": "✅",
    "sound": "✅",
    "partial": "☑️",
    "non-conformant": "❌",
    "unsound": "❌",
    "incomplete": "⚠️",
    "fault": "💥",
    "usage": "❌",
    "interrupted": "⚠️",
}


def dump(run: RunDocument) -> bytes:
    """Return the run as GitHub's Markdown in UTF-8, at most `MAX_LINES` lines."""
    head, end = list(_head(run)), f"treeproof {run.treeproof}, exit {run.exit}."
    if candidate_did_not_start(run):
        return _joined([*head, f"Remedy: {prose(REMEDIES['candidate_did_not_start'])}", *_warnings(run), end])
    before = [*head, _verdict_table(run)]
    after = [*_failed(run), *_unverified(run), *_readings(run), *_warnings(run), end]
    used = sum(part.count("\n") + 2 for part in [*before, *after])
    return _joined([*before, *_cause_lines(run, MAX_LINES - used), *after])


def _joined(parts: Sequence[str]) -> bytes:
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _head(run: RunDocument) -> Iterator[str]:
    yield f"## {_EMOJI[run.verdict]} treeproof: {run.conclusion}"
    yield prose(run.reason)
    facts = [
        f"candidate {code_span(run.candidate.label, limit=120)}, adapter {code_span(run.candidate.adapter)}",
        f"profile {run.profile}",
        f"{run.seconds:.1f} s",
    ]
    if run.selection is not None:
        facts.append(f"selection {prose(', '.join(abbreviate(run.selection, _MAX_IDS)))}")
    if run.interrupted and run.verdict is not Conclusion.INTERRUPTED:
        facts.append("interrupted: the remaining requirements are not verified")
    yield ", ".join(facts)


def _verdict_table(run: RunDocument) -> str:
    """Return the numbers of requirements by verdict, one line for each specification."""
    counts = [result_counts(selected_requirements(run, spec), run.profile) for spec in run.specs]
    total = sum(counts, Counter[Sign]())
    shown = [sign for sign in RESULTS if total[sign]]
    rows = []
    for spec, one in zip(run.specs, counts, strict=True):
        label = f"{prose(spec.name, limit=80)} {prose(spec.version, limit=40)}"
        if run.is_narrowed:
            label += f", {one.total()} of {pluralize(len(spec.requirements), 'requirement')}"
        rows.append(table_line([label, *(str(one[sign] or "") for sign in shown)]))
    if rows[_MAX_SPECS:]:
        rows = [*rows[: _MAX_SPECS - 1], table_line([f"and {len(rows) - _MAX_SPECS + 1} more", *("" for _ in shown)])]
    if len(run.specs) > 1:
        rows.append(table_line(["**all**", *(f"**{total[sign]}**" for sign in shown)]))
    head = table_line(["requirements", *(sign.label.lower() for sign in shown)])
    return "\n".join([head, "|---" + "|---:" * len(shown) + "|", *rows])


def _failed(run: RunDocument) -> Iterator[str]:
    """Yield one line with the failed requirements and their causes."""
    failed = failed_requirements(run)
    if failed:
        texts = [f"{one.id} ({one.reason})" if one.reason.startswith("cause") else one.id for one in failed]
        yield f"**Failed requirements: {len(failed)}**{id_list_suffix(texts, _MAX_IDS)}"


def _unverified(run: RunDocument) -> Iterator[str]:
    found: dict[str, tuple[str, str]] = {}
    count = 0
    for spec in run.specs:
        for group in unverified_by_cause(run, spec):
            if group.is_deselected and run.is_narrowed:
                continue
            count += len(group.ids)
            reason = unverified_reason(run, spec, group)
            ids = f"{found[reason][0]}, " if reason in found else ""
            remedy = f". Remedy: {prose(group.remedy, limit=300)}" if group.remedy and not group.is_deselected else ""
            shown = str(len(group.ids)) if group.is_deselected else ", ".join(abbreviate(group.ids, _MAX_IDS))
            found[reason] = (f"{ids}{shown}", remedy)
    if found:
        lines = [f"- {prose(reason, limit=300)}: {prose(ids)}{remedy}" for reason, (ids, remedy) in found.items()]
        title = f"**Not verified: {pluralize(count, 'requirement')}**"
        yield "\n".join([title, *fit_to_lines(lines, _MAX_UNVERIFIED, "reason")])


def _readings(run: RunDocument) -> Iterator[str]:
    """Yield the inconsistent readings; the other reports list every reading."""
    found = [one for spec in run.specs for one in observed_interpretations(spec) if not one.consistent]
    if found:
        lines = [f"- {code_span(one.id)}: {', '.join(map(code_span, one.observed))}" for one in found]
        yield "\n".join(["**Inconsistent readings**", *fit_to_lines(lines, _MAX_READINGS, "interpretation")])


def _warnings(run: RunDocument) -> Iterator[str]:
    groups = warnings_with_scenarios(run)
    if groups:
        lines = [f"- {prose(warning, limit=400)}{id_list_suffix(ids, 5)}" for warning, ids in groups.items()]
        yield "\n".join(["**Warnings**", *fit_to_lines(lines, _MAX_WARNINGS, "warning")])


def _cause_lines(run: RunDocument, max_lines: int) -> list[str]:
    """Return the parts of the report about the causes, at most ``max_lines`` lines with the blank ones between parts.

    The most severe causes come first, so no other displaces one with harm.
    """
    deciding, warned = split_causes(run)
    causes, headings = [*deciding, *warned], dict[int, str]()
    if deciding:
        headings[deciding[0].number] = f"### Causes: {len(deciding)} ({', '.join(failure_counts(run, deciding))})"
    if warned:
        headings[warned[0].number] = f"### Warnings of {warned_counts(run, warned)}"
    blocks = [_block(run, cause) for cause in causes[: max(0, max_lines)]]  # each has at least one line
    rest = max_lines - 3 * len(headings) - 1  # a heading has blank lines around it; one line names what is left out
    in_full = _count_that_fits(blocks[:_MIN_IN_FULL], rest)
    listed = min(len(blocks), in_full + max(0, rest - sum(map(len, blocks[:in_full]))))
    rest -= sum(map(len, blocks[:in_full])) + listed - in_full
    for block in blocks[in_full:listed]:  # what is left shows more of them whole
        if len(block) - 1 > rest:
            break
        rest -= len(block) - 1
        in_full += 1
    parts: list[str] = []
    for position, (cause, block) in enumerate(zip(causes[:listed], blocks, strict=False)):
        lines = block if position < in_full else block[:1]
        if cause.number in headings:
            parts += [headings[cause.number], *lines[:1]]
            lines = lines[1:]
        parts[-1] = "\n".join([parts[-1], *lines])
    if causes[listed:]:
        more = f"- and {pluralize(len(causes) - listed, 'more cause')}: see the HTML or JSON report"
        parts[-1:] = ["\n".join([*parts[-1:], more])]
    return parts


def _count_that_fits(blocks: Sequence[Sequence[str]], lines: int) -> int:
    """Return how many of the blocks fit into ``lines``, from the first on."""
    total = 0
    sums = [total := total + len(block) for block in blocks]
    return len(list(takewhile(lambda each: each <= lines, sums)))


def _block(run: RunDocument, cause: Cause) -> list[str]:
    """Return a cause in one line, and further lines with its smallest case."""
    count = f" ({pluralize(len(cause.scenarios), 'scenario')})" if len(cause.scenarios) > 1 else ""
    facts = ", ".join(prose(fact, limit=80) for fact in cause_facts(run, cause))
    requirement = f"{code_span(cause.requirement.id)} {facts}"
    head = (
        f"- {cause.number}: **{cause.label}**, {requirement}{count}: {prose(cut_long_words(cause.message), limit=300)}"
    )
    return [head, *(f"  - {line}" for line in _details(run, cause))]


def _details(run: RunDocument, cause: Cause) -> Iterator[str]:
    smallest = cause.smallest
    if smallest is not None:
        yield f"scenario {code_span(smallest.id)}: {prose(smallest.title, limit=200)}"
        for member in evidence_members(smallest.evidence):
            if member.label in _SHOWN or (member.label == "step" and smallest.evidence.expects_condition):
                yield f"{member.label}: {code_span(member.text, limit=_MAX_LINE)}"
    for label, ids in related_lines(cause, _MAX_RELATED_IDS):
        yield f"{label}: {prose(ids)}"
    yield ", ".join(filter(None, [f"re-run: {code_span(cause_rerun(run, cause))}", rerun_note(cause)]))
