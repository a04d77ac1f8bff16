"""What the suite knows, told to a person: the lists, and one id explained. Nothing is judged or run here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from treeproof.report.catalogue_context import MutantSummary
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import pluralize
from treeproof.report.traceability import source_location
from treeproof.spec import Interpretation, Pack, Requirement, RetiredId, ScenarioCase
from treeproof.spec.step_definitions import load_step_definitions
from treeproof.spec.traceability import TraceabilityIndex, build_traceability_index, format_scenario

CAPABILITIES: Mapping[str, str] = {
    "config": "applies the configuration that comes with a call",
    "budget": "applies max_output_bytes and available_capacity_bytes",
    "policy": "applies the tool policy and answers approval requests as told",
    "context": "reports what the tool did to its call context",
    "log": "reports what the tool logged",
}
"""What a candidate's glue can declare, and what it promises by that (candidate protocol, ``initialize``)."""


def print_list(what: str, packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    """Print one of the lists, a line an item."""
    LISTS[what](packs, writer)


def _print_specs(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    for pack in packs:
        rows = build_traceability_index(pack).scenarios
        writer.paragraph(writer.text(f"{pack.name}@{pack.version}", "bold"), f"  {pack.title}")
        counts = (
            pluralize(len(pack.requirements), "requirement"),
            pluralize(len(rows), "scenario"),
            pluralize(len(pack.interpretations), "interpretation"),
        )
        writer.paragraph(writer.text(f"{', '.join(counts)}; source {pack.source}", "dim"), indent=2)


def _print_requirements(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    for pack in packs:
        trace, wide = (
            build_traceability_index(pack),
            _id_column_width(requirement.id for requirement in pack.requirements),
        )
        for requirement in pack.requirements:
            count = pluralize(len(trace.coverage(requirement.id).verified_by), "scenario")
            writer.paragraph(
                writer.text(f"{requirement.id:<{wide}}", "bold"),
                f"{requirement.level:<7}{count:>14}  ",
                writer.text(requirement.text, "dim"),
                hang=4,
            )


def _print_scenarios(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    for pack in packs:
        rows = build_traceability_index(pack).scenarios
        first, second = (
            _id_column_width(row.id for row in rows),
            _id_column_width(row.requirement for row in rows),
        )
        for row in rows:
            id = writer.text(f"{row.id:<{first}}", "bold")
            writer.paragraph(id, f"{row.requirement:<{second}}", writer.text(row.title, "dim"), hang=4)


def _print_interpretations(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    for pack in packs:
        wide = _id_column_width(entry.id for entry in pack.interpretations)
        for entry in pack.interpretations:
            labels = (f"{label}*" if label == entry.recommended else label for label in entry.labels)
            writer.paragraph(
                writer.text(f"{entry.id:<{wide}}", "bold"), f"{entry.treatment:<11}", " | ".join(labels)
            )
            writer.paragraph(writer.text(entry.question, "dim"), indent=4)


def _print_steps(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    modules = dict.fromkeys(module for pack in packs for module in pack.steps)
    for module in modules:
        writer.heading(module)
        for definition in load_step_definitions([module]):
            writer.paragraph(writer.text(definition.example, "bold"), indent=2)
            if definition.explanation:
                writer.paragraph(writer.text(definition.explanation, "dim"), indent=6)


def _print_capabilities(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    used: dict[str, dict[str, None]] = {}
    for pack in packs:
        for tool in pack.tools:
            for capability in tool.capabilities:
                used.setdefault(capability, {})[tool.name] = None
    for name, promise in CAPABILITIES.items():
        tools = f" ({', '.join(used[name])})" if name in used else ""
        writer.paragraph(promise, writer.text(tools, "dim"), lead=writer.text(f"{name:<9}", "bold"))


def _id_column_width(ids: Iterable[str]) -> int:
    """Columns of a list of ids: none touches what stands behind it."""
    return max(map(len, ids), default=0) + 2


LISTS: Mapping[str, Callable[[Sequence[Pack], ConsoleWriter], None]] = {
    "specs": _print_specs,
    "requirements": _print_requirements,
    "scenarios": _print_scenarios,
    "interpretations": _print_interpretations,
    "steps": _print_steps,
    "capabilities": _print_capabilities,
}


def print_explanation(
    trace: TraceabilityIndex,
    id: str,
    writer: ConsoleWriter,
    mutants_violating: Callable[[str], Sequence[MutantSummary]],
) -> None:
    """Print what an id of this pack is; ``caught`` gives the wrong behaviours that a requirement's scenarios catch.

    Raises UsageError when nothing has the id.
    """
    match trace.find(id):
        case Requirement() as requirement:
            _print_requirement(trace, requirement, writer)
            wrong = mutants_violating(requirement.id)
            if wrong:
                writer.heading(f"wrong behaviours that its scenarios catch ({len(wrong)})")
            wide = _id_column_width(one.id for one in wrong)
            for one in wrong:
                writer.paragraph(
                    writer.text(f"{one.id:<{wide}}", "bold"), writer.text(one.summary, "dim"), indent=2
                )
        case Interpretation() as entry:
            _print_interpretation(trace, entry, writer)
        case ScenarioCase() as row:
            _print_scenario(trace, row, writer)
        case RetiredId() as tombstone:
            writer.paragraph(writer.text(tombstone.id, "bold"), "  retired: ", tombstone.reason)


def _print_requirement(trace: TraceabilityIndex, requirement: Requirement, writer: ConsoleWriter) -> None:
    writer.paragraph(writer.text(requirement.id, "bold"), f"  {requirement.level}, {requirement.section}")
    writer.paragraph(requirement.text, indent=2)
    if requirement.excluded:
        writer.field("excluded", writer.text(requirement.excluded), indent=2)
    if requirement.condition:
        writer.field("applies", writer.text(f"on {requirement.condition} only"), indent=2)
    if requirement.restates:
        writer.field("restates", writer.text(f"{requirement.restates}, whose verdict it shares"), indent=2)
    if requirement.verified_by:
        writer.field("verified by", writer.text(", ".join(requirement.verified_by)), indent=2, column=13)
    coverage = trace.coverage(requirement.id)
    for title, rows in (("scenarios", coverage.verified_by), ("also touched by", coverage.touched_by)):
        if rows:
            writer.heading(f"{title} ({len(rows)})")
            _print_rows(rows, writer)
    entries = [e for e in trace.pack.interpretations if requirement.id in e.affects]
    if entries:
        writer.heading("where it can be read in several ways")
        wide = _id_column_width(entry.id for entry in entries)
        for entry in entries:
            writer.paragraph(
                writer.text(f"{entry.id:<{wide}}", "bold"), writer.text(entry.question, "dim"), indent=2
            )


def _print_rows(rows: Sequence[ScenarioCase], writer: ConsoleWriter) -> None:
    wide = _id_column_width(row.id for row in rows)
    for row in rows:
        writer.paragraph(writer.text(f"{row.id:<{wide}}", "bold"), writer.text(row.title, "dim"), indent=2)


def _print_interpretation(trace: TraceabilityIndex, entry: Interpretation, writer: ConsoleWriter) -> None:
    writer.paragraph(writer.text(entry.id, "bold"), f"  {entry.question}")
    writer.paragraph(writer.text(f"treatment: {TREATMENTS[entry.treatment]}", "dim"), indent=2)
    for reading in entry.readings:
        mark = "recommended" if reading.label == entry.recommended else ""
        if entry.treatment == "any" and not reading.accepted:
            mark = "not accepted"
        writer.blank()
        writer.paragraph(
            writer.text(reading.label, "bold"), writer.text(f"  {mark}" if mark else "", "green"), indent=2
        )
        writer.paragraph(reading.text, indent=4)
        if reading.implies:
            writer.paragraph(writer.text(f"implies: {reading.implies}", "dim"), indent=4)
    writer.blank()
    writer.field("why", writer.text(entry.why), indent=2)
    if entry.invariant:
        writer.field("strict", writer.text(entry.invariant), indent=2)
    if entry.affects:
        writer.field("touches", writer.text(", ".join(entry.affects)), indent=2)
    if entry.treatment == "declared":
        example = f'[interpretations] {entry.id} = "{entry.labels[-1]}"'
        writer.field("declare", writer.text(f"in the manifest, such as {example}"), indent=2)
    bites = trace.scenarios_naming(entry.id)
    writer.heading(f"where it bites ({pluralize(len(bites), 'scenario')})")
    _print_rows(bites, writer)


TREATMENTS: Mapping[str, str] = {
    "strict": "strict, only the recommended reading is accepted",
    "any": "any of the accepted readings, the same one throughout a run",
    "declared": "declared, the manifest says which reading holds, else the recommended one",
    "advisory": "advisory, reported and decides nothing outside the strict profile",
    "editorial": "editorial, a slip of the text without effect",
}


def _print_scenario(trace: TraceabilityIndex, row: ScenarioCase, writer: ConsoleWriter) -> None:
    writer.paragraph(writer.text(row.id, "bold"), f"  verifies {row.requirement}")
    writer.paragraph(writer.text(source_location(trace.pack, row), "dim"), indent=2)
    if row.rule:
        writer.paragraph(f"Rule: {row.rule}", indent=2)
    writer.blank()
    for line in format_scenario(row).split("\n"):
        writer.paragraph(writer.text(line.strip()), indent=2 + len(line) - len(line.lstrip()))
    requirement = trace.pack.requirement(row.requirement)
    writer.heading("the requirement")
    writer.paragraph(requirement.text, indent=2)
