"""The causes of a run in Markdown, in a limited number of lines: each in one, the worst with their smallest case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from treeproof.report.cause_notes import cause_facts, cause_rerun, failure_counts, related_lines
from treeproof.report.causes import Cause
from treeproof.report.digest import pluralize, rerun_command
from treeproof.report.document import Document
from treeproof.report.escape import cut_long_words
from treeproof.report.evidence_members import evidence_members
from treeproof.report.markdown_text import code_span, prose

_MAX_IDS = 10
_MAX_LINE = 240  # characters of a member of the evidence
_MIN_IN_FULL = 3
"""The causes that have their smallest case even if others are left out for it."""
_SHOWN = ("tree", "before", "after", "call", "race", "expected", "got", "answer", "error", "stderr")
"""The members of the evidence that a summary shows."""


def cause_lines(run: Document, causes: Sequence[Cause], max_lines: int) -> list[str]:
    """Return the parts of the report about the causes, at most ``max_lines`` lines with the blank ones between parts.

    The most severe causes come first, so no other displaces one with harm.
    """
    deciding = [cause for cause in causes if not cause.is_beyond_document]
    beyond = [cause for cause in causes if cause.is_beyond_document]
    headings = {}
    if deciding:
        headings[deciding[0].number] = f"### Causes: {len(deciding)} ({', '.join(failure_counts(run, deciding))})"
    if beyond:
        ids = {(one.spec["name"], requirement["id"]) for one in beyond for requirement in one.requirements}
        count = pluralize(len(ids), "requirement")
        headings[beyond[0].number] = f"### Beyond the document: warnings on {count}, which decide nothing"
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
        scenarios = pluralize(sum(len(cause.scenarios) for cause in causes[listed:]), "scenario")
        more = f"- and {pluralize(len(causes) - listed, 'more cause')} with {scenarios}: see the HTML or JSON report"
        parts[-1:] = ["\n".join([*parts[-1:], more])]
    return parts


def _count_that_fits(blocks: Sequence[Sequence[str]], lines: int) -> int:
    """Return how many of the blocks fit into ``lines``, from the first on."""
    total = 0
    sums = [total := total + len(block) for block in blocks]
    return len(list(takewhile(lambda each: each <= lines, sums)))


def _block(run: Document, cause: Cause) -> list[str]:
    """Return a cause in one line, and further lines with its smallest case."""
    count = f" ({pluralize(len(cause.scenarios), 'scenario')})" if len(cause.scenarios) > 1 else ""
    facts = ", ".join(prose(fact, limit=80) for fact in cause_facts(run, cause))
    requirement = f"{code_span(cause.requirement['id'])} {facts}"
    head = (
        f"- {cause.number}: **{cause.label}**, {requirement}{count}: {prose(cut_long_words(cause.message), limit=300)}"
    )
    return [head, *(f"  - {line}" for line in _details(run, cause))]


def _details(run: Document, cause: Cause) -> Iterator[str]:
    smallest = cause.smallest
    if smallest is not None:
        yield f"scenario {code_span(smallest['id'])}: {prose(smallest['title'], limit=200)}"
        for member in evidence_members(smallest["evidence"]):
            if member.label in _SHOWN:
                yield f"{member.label}: {code_span(member.text, limit=_MAX_LINE)}"
    for label, ids in related_lines(cause, 1, _MAX_IDS):
        yield f"{label}: {prose(ids)}"
    again = rerun_command(run, smallest["id"]) if smallest is not None else cause_rerun(run, cause)
    yield f"re-run: {code_span(again)}"
