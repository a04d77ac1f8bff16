"""The content of specifications for the terminal: the lists of `list`, and the explanation of an id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from treeproof.pack_modules import full_module_name
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import pluralize
from treeproof.report.traceability_output import source_location
from treeproof.spec import Interpretation, Pack, Requirement, RetiredId, ScenarioCase
from treeproof.spec.catalogue import Basis
from treeproof.spec.mutants import Mutant, load_mutants
from treeproof.spec.quotations import quotations
from treeproof.spec.source_document import DocumentSentence
from treeproof.spec.step_definitions import load_step_definitions
from treeproof.spec.traceability import TraceabilityIndex, build_traceability_index, format_scenario

CAPABILITIES: Mapping[str, str] = {
    "config": "applies the configuration that comes with a call",
    "budget": "applies max_output_bytes and available_capacity_bytes",
    "policy": "applies the tool policy and answers approval requests from the context",
    "denied_patterns": "applies the denied patterns of the sandbox",
    "allow_absolute": "accepts absolute paths inside the roots only where the context allows them",
    "roots": "works in several roots of a call at once",
    "executor": "runs calls through an executor that checks schema, policy and sandbox in the framework's order",
    "working_dir": "starts relative paths in working_dir, also where it is not the first root",
    "context": "reports what the tool did to its call context",
    "log": "reports what the tool logged",
}
"""The capabilities that a candidate can declare in ``initialize``, and their meanings."""


BASES: Mapping[Basis, str] = {
    "stated": "the document contains the words",
    "implied": "no implementation can do what the document states without it",
    "framework": "only the framework to which the document refers contains it; it applies to candidates that declare "
    "the capability",
    "prudent": "the document is silent; a failure is a warning outside the strict profile",
}
"""The bases of requirements, and their meanings."""


def print_list(kind: str, packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    """Print all items of a kind, one per line."""
    LISTS[kind](packs, writer)


def print_sentences(sentences: Iterable[DocumentSentence], writer: ConsoleWriter) -> None:
    """Print the sentences of a document under their headings, each with its hash."""
    headings: tuple[str, ...] | None = None
    for sentence in sentences:
        if sentence.headings != headings:
            headings = sentence.headings
            writer.heading(" / ".join(headings) or "(before the first heading)")
        text = writer.truncated(sentence.text, characters=400)
        writer.paragraph(text, lead=writer.text(f"{sentence.hash}  ", "bold"))


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
        first, second = (_id_column_width(row.id for row in rows), _id_column_width(row.requirement for row in rows))
        for row in rows:
            id = writer.text(f"{row.id:<{first}}", "bold")
            writer.paragraph(id, f"{row.requirement:<{second}}", writer.text(row.title, "dim"), hang=4)


def _print_interpretations(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    for pack in packs:
        wide = _id_column_width(entry.id for entry in pack.interpretations)
        for entry in pack.interpretations:
            labels = (f"{label}*" if label == entry.recommended else label for label in entry.labels)
            writer.paragraph(writer.text(f"{entry.id:<{wide}}", "bold"), f"{entry.treatment:<11}", " | ".join(labels))
            writer.paragraph(writer.text(entry.question, "dim"), indent=4)


def _print_steps(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    modules = {full_module_name(name, pack.folder): (name, pack.folder) for pack in packs for name in pack.steps}
    for name, folder in modules.values():
        writer.heading(name)
        for definition in load_step_definitions([name], folder):
            writer.paragraph(writer.text(definition.example, "bold"), indent=2)
            if definition.explanation:
                writer.paragraph(writer.text(definition.explanation, "dim"), indent=6)


def _print_mutants(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    for pack in packs:
        mutants = [one for one in load_mutants(pack).values() if one.violates]
        first = _id_column_width(one.id for one in mutants)
        second = _id_column_width(one.violates[0] for one in mutants)
        for one in mutants:
            id = writer.text(f"{one.id:<{first}}", "bold")
            writer.paragraph(id, f"{one.violates[0]:<{second}}", writer.text(one.summary, "dim"), hang=4)


def _print_capabilities(packs: Sequence[Pack], writer: ConsoleWriter) -> None:
    used: dict[str, dict[str, None]] = {}
    for pack in packs:
        for tool in pack.tools:
            for capability in tool.capabilities:
                used.setdefault(capability, {})[tool.name] = None
    wide = _id_column_width(CAPABILITIES)
    for name, meaning in CAPABILITIES.items():
        tools = f" ({', '.join(used[name])})" if name in used else ""
        writer.paragraph(meaning, writer.text(tools, "dim"), lead=writer.text(f"{name:<{wide}}", "bold"))


def _id_column_width(ids: Iterable[str]) -> int:
    """Return the width of a column of ids, with a gap."""
    return max(map(len, ids), default=0) + 2


LISTS: Mapping[str, Callable[[Sequence[Pack], ConsoleWriter], None]] = {
    "specs": _print_specs,
    "requirements": _print_requirements,
    "scenarios": _print_scenarios,
    "interpretations": _print_interpretations,
    "mutants": _print_mutants,
    "steps": _print_steps,
    "capabilities": _print_capabilities,
}


def print_explanation(
    trace: TraceabilityIndex, id: str, writer: ConsoleWriter, mutants_violating: Callable[[str], Sequence[Mutant]]
) -> None:
    """Print the explanation of an id. Raises UsageError for an unknown id."""
    match trace.find(id):
        case Requirement() as requirement:
            _print_requirement(trace, requirement, writer)
            mutants = mutants_violating(requirement.id)
            _print_table("mutants", [(mutant.id, mutant.summary) for mutant in mutants], writer)
        case Interpretation() as entry:
            _print_interpretation(trace, entry, writer)
        case ScenarioCase() as row:
            _print_scenario(trace, row, writer)
        case RetiredId() as tombstone:
            writer.paragraph(writer.text(tombstone.id, "bold"), "  retired: ", tombstone.reason)


def _print_requirement(trace: TraceabilityIndex, requirement: Requirement, writer: ConsoleWriter) -> None:
    writer.paragraph(writer.text(requirement.id, "bold"), f"  {requirement.level}, {requirement.section}")
    writer.paragraph(requirement.text, indent=2)
    _print_basis(requirement, requirement.basis, requirement.capability, writer)
    if requirement.sentences:
        writer.field("document", writer.text(trace.pack.source), indent=2)
    for one in quotations(trace.pack, requirement):
        writer.field("place", writer.text(one.place), indent=2)
        if one.text:
            writer.field("", writer.truncated(one.text, characters=1000), indent=2)
    if requirement.excluded:
        writer.field("excluded", writer.text(requirement.excluded), indent=2)
    if requirement.condition:
        writer.field("applies", writer.text(f"on {requirement.condition} only"), indent=2)
    if requirement.restates:
        writer.field("restates", writer.text(f"{requirement.restates} and shares its verdict"), indent=2)
    if requirement.verified_by:
        writer.field("verified by", writer.text(", ".join(requirement.verified_by)), indent=2, column=13)
    coverage = trace.coverage(requirement.id)
    for title, cases in (("scenarios", coverage.verified_by), ("related scenarios", coverage.touched_by)):
        _print_table(title, [(case.id, case.title) for case in cases], writer)
    entries = [(e.id, e.question) for e in trace.pack.interpretations if requirement.id in e.affects]
    _print_table("interpretations", entries, writer)


def _print_basis(requirement: Requirement, basis: Basis, capability: str | None, writer: ConsoleWriter) -> None:
    writer.field("basis", writer.text(f"{basis} ({BASES[basis]})"), indent=2)
    if requirement.reason and basis == requirement.basis:
        writer.field("reason", writer.text(requirement.reason), indent=2)
    if capability:
        writer.field("applies", writer.text(f"to candidates with the capability {capability!r}"), indent=2)


def _print_table(title: str, rows: Sequence[tuple[str, str]], writer: ConsoleWriter) -> None:
    if rows:
        writer.heading(f"{title} ({len(rows)})")
    width = _id_column_width(id for id, _ in rows)
    for id, text in rows:
        writer.paragraph(writer.text(f"{id:<{width}}", "bold"), writer.text(text, "dim"), indent=2)


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
        writer.field("invariant", writer.text(entry.invariant), indent=2)
    if entry.affects:
        writer.field("affects", writer.text(", ".join(entry.affects)), indent=2)
    if entry.treatment == "any":
        example = f'[interpretations] {entry.id} = "{entry.recommended}"'
        writer.field("pin", writer.text(f"in the manifest, so that no other is accepted: {example}"), indent=2)
    _print_table("scenarios", [(case.id, case.title) for case in trace.scenarios_naming(entry.id)], writer)


TREATMENTS: Mapping[str, str] = {
    "strict": "strict (only the recommended reading is accepted)",
    "any": "any (each accepted reading, but the same one throughout a run)",
    "advisory": "advisory (reported, but decides nothing outside the strict profile)",
    "editorial": "editorial (an error of the text without effect)",
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
    writer.heading("requirement")
    writer.paragraph(requirement.text, indent=2)
    basis = row.basis or requirement.basis
    _print_basis(requirement, basis, row.capability if row.basis else requirement.capability, writer)
