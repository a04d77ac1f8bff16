"""The texts of a conformance run in pytest's terminal: a failure, and the section at the end.

The console writer of the reports escapes all texts of a candidate.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator, Sequence

from rich.console import Console

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import result_counts
from treeproof.report.escape import shortened, visible
from treeproof.report.signs import RESULTS
from treeproof.report.terminal_causes import print_scenario
from treeproof.spec import Pack, Requirement
from treeproof.verdict import Profile, ScenarioRecord
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import RequirementResult, SpecResult

StyledLine = tuple[str, str]
"""A style of pytest's terminal (``red``, ``yellow``, ``green``, ``bold`` or none) and a text."""

_STYLES = {"conformant": "green", "sound": "green", "partial": "green", "incomplete": "yellow", "interrupted": "yellow"}
_MAX_LISTED_PASSES = 12  # with more passed requirements, their ids are not printed


def safe_line(text: str) -> str:
    """Return ``text`` as one short line that cannot act on a terminal."""
    return visible(shortened(text, 300))


def record_message(record: ScenarioRecord) -> str:
    """Return the message of a record as one line."""
    return safe_line(record.evidence.reason or str(record.outcome))


def format_failure(
    record: ScenarioRecord, pack: Pack, requirement: Requirement, node_id: str, target: str, width: int
) -> str:
    """Return the report of a scenario with a failure or a fault; ``node_id`` is its item."""
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None, markup=False, emoji=False, highlight=False)
    writer = ConsoleWriter(console)
    writer.paragraph(f"{requirement.id}  {requirement.level} · {requirement.section}")
    writer.paragraph(writer.truncated(requirement.text, characters=600), indent=2)
    cause = record.evidence.cause
    if cause:
        writer.paragraph(writer.truncated(cause), indent=2)
    print_scenario(writer, record)
    writer.blank()
    selection = ["--spec", pack.name, "--select", record.id]
    writer.field("explain", writer.text(f"treeproof explain {record.id}"), indent=4)
    writer.field("again", writer.text(shlex.join(["pytest", "--treeproof", target, node_id])), indent=4)
    writer.field("alone", writer.text(shlex.join(["treeproof", "run", target, *selection])), indent=4)
    return out.getvalue()


def format_summary(
    run: RunDocument,
    selected_count: int,
    scenario_count: int,
    failures_without_item: Sequence[str],
    verbosity: int,
) -> Iterator[StyledLine]:
    """Yield the section at the end: the verdicts of the requirements, then the conclusion of the run.

    ``selected_count`` of ``scenario_count`` ran; ``failures_without_item`` are reasons for a failure.
    """
    for spec in run.specs:
        if not spec.scenarios:
            continue
        yield "bold", safe_line(f"{spec.label} · {run.candidate.label} · profile {run.profile}")
        yield from _format_spec(spec, run.profile, verbosity)
    for message in run.warnings[:10]:
        yield "yellow", f"! {safe_line(message)}"
    for message in failures_without_item:
        yield "red", f"no single scenario shows it: {safe_line(message)}"
    skipped = sum(s.outcome == "not-verified" for spec in run.specs for s in spec.scenarios)
    if skipped:
        yield "yellow", f"{skipped} skipped scenarios were not verified, and none of them passed"
    if selected_count < scenario_count:
        yield "yellow", f"{selected_count} of {scenario_count} scenarios were selected: no conformance claim"
    if run.interrupted:
        yield "yellow", "the run was stopped before its end: no conformance claim"
    yield _STYLES.get(run.verdict, "red"), f"{run.verdict}: {safe_line(run.reason)}"


def _format_spec(spec: SpecResult, profile: Profile, verbosity: int) -> Iterator[StyledLine]:
    by_verdict: dict[str, list[RequirementResult]] = {}
    for requirement in spec.requirements:
        by_verdict.setdefault(requirement.verdict, []).append(requirement)
    counts = result_counts(spec.requirements, profile)
    yield "", ", ".join(f"{counts[sign]} {sign.label}" for sign in RESULTS if counts[sign])
    for requirement in by_verdict.get("FAIL", ()):
        known = ", known" if requirement.known else ""
        failed = {s.id for s in spec.scenarios if s.outcome == "failed"}
        why = ", ".join(id for id in requirement.scenarios if id in failed) or requirement.cause or ""
        style = "red" if requirement.fails(profile) else "yellow"
        yield style, f"FAIL  {requirement.id} ({requirement.level}{known}): {safe_line(why)}"
    causes: dict[str, list[RequirementResult]] = {}
    for requirement in by_verdict.get("NOT VERIFIED", ()):
        causes.setdefault(requirement.cause or "", []).append(requirement)
    for cause, group in causes.items():
        ids = [requirement.id for requirement in group]
        is_abbreviated = group[0].code in ("not_selected", "interrupted") and verbosity <= 0
        which = f"{len(ids)} requirements" if is_abbreviated else ", ".join(ids)
        yield "yellow", f"NOT VERIFIED  {safe_line(cause)}: {which}"
        remedy = None if is_abbreviated else group[0].general_remedy
        if remedy:
            yield "", f"  remedy: {safe_line(remedy)}"
    passed = [requirement.id for requirement in by_verdict.get("PASS", ())]
    if passed and (verbosity > 0 or len(passed) <= _MAX_LISTED_PASSES):
        yield "green", f"PASS  {', '.join(passed)}"
