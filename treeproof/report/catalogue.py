"""What the suite knows, told to a person: the lists, and one id explained. Nothing is judged or run here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from treeproof.report.background import Caught
from treeproof.report.digest import counted
from treeproof.report.page import Page
from treeproof.report.traceability import place
from treeproof.spec import Interpretation, Pack, Requirement, Retired, ScenarioRow
from treeproof.spec.trace import Trace, read, scenario_text
from treeproof.spec.vocabulary import vocabulary

CAPABILITIES: Mapping[str, str] = {
    "config": "applies the configuration that comes with a call",
    "budget": "applies max_output_bytes and available_capacity_bytes",
    "policy": "applies the tool policy and answers approval requests as told",
    "context": "reports what the tool did to its call context",
    "log": "reports what the tool logged",
}
"""What a candidate's glue can declare, and what it promises by that (candidate protocol, ``initialize``)."""


def print_list(what: str, packs: Sequence[Pack], page: Page) -> None:
    """Print one of the lists, a line an item."""
    LISTS[what](packs, page)


def _specs(packs: Sequence[Pack], page: Page) -> None:
    for pack in packs:
        rows = read(pack).rows
        page.say(page.text(f"{pack.name}@{pack.version}", "bold"), f"  {pack.title}")
        counts = (
            counted(len(pack.requirements), "requirement"),
            counted(len(rows), "scenario"),
            counted(len(pack.interpretations), "interpretation"),
        )
        page.say(page.text(f"{', '.join(counts)}; source {pack.source}", "dim"), indent=2)


def _requirements(packs: Sequence[Pack], page: Page) -> None:
    for pack in packs:
        trace, wide = read(pack), _wide(requirement.id for requirement in pack.requirements)
        for requirement in pack.requirements:
            count = counted(len(trace.coverage(requirement.id).verified_by), "scenario")
            page.say(
                page.text(f"{requirement.id:<{wide}}", "bold"),
                f"{requirement.level:<7}{count:>14}  ",
                page.text(requirement.text, "dim"),
                hang=4,
            )


def _scenarios(packs: Sequence[Pack], page: Page) -> None:
    for pack in packs:
        rows = read(pack).rows
        first, second = _wide(row.id for row in rows), _wide(row.requirement for row in rows)
        for row in rows:
            id = page.text(f"{row.id:<{first}}", "bold")
            page.say(id, f"{row.requirement:<{second}}", page.text(row.title, "dim"), hang=4)


def _interpretations(packs: Sequence[Pack], page: Page) -> None:
    for pack in packs:
        wide = _wide(entry.id for entry in pack.interpretations)
        for entry in pack.interpretations:
            labels = (f"{label}*" if label == entry.recommended else label for label in entry.labels)
            page.say(page.text(f"{entry.id:<{wide}}", "bold"), f"{entry.treatment:<11}", " | ".join(labels))
            page.say(page.text(entry.question, "dim"), indent=4)


def _steps(packs: Sequence[Pack], page: Page) -> None:
    modules = dict.fromkeys(module for pack in packs for module in pack.steps)
    for module in modules:
        page.heading(module)
        for sentence in vocabulary([module]):
            first = " ".join(sentence.doc.partition("\n\n")[0].split())
            page.say(page.text(sentence.example or first.partition(":")[0], "bold"), indent=2)
            said = (
                first[len(sentence.example) :].lstrip(" :,") if sentence.example else first.partition(":")[2]
            )
            if said.strip():
                page.say(page.text(said.strip(), "dim"), indent=6)


def _capabilities(packs: Sequence[Pack], page: Page) -> None:
    used: dict[str, dict[str, None]] = {}
    for pack in packs:
        for tool in pack.tools:
            for capability in tool.capabilities:
                used.setdefault(capability, {})[tool.name] = None
    for name, promise in CAPABILITIES.items():
        tools = f" ({', '.join(used[name])})" if name in used else ""
        page.say(promise, page.text(tools, "dim"), lead=page.text(f"{name:<9}", "bold"))


def _wide(ids: Iterable[str]) -> int:
    """Columns of a list of ids: none touches what stands behind it."""
    return max(map(len, ids), default=0) + 2


LISTS: Mapping[str, Callable[[Sequence[Pack], Page], None]] = {
    "specs": _specs,
    "requirements": _requirements,
    "scenarios": _scenarios,
    "interpretations": _interpretations,
    "steps": _steps,
    "capabilities": _capabilities,
}


def print_explanation(trace: Trace, id: str, page: Page, caught: Callable[[str], Sequence[Caught]]) -> None:
    """Print what an id of this pack is; ``caught`` gives the wrong behaviours that a requirement's scenarios catch.

    Raises UsageError when nothing has the id.
    """
    match trace.find(id):
        case Requirement() as requirement:
            _requirement(trace, requirement, page)
            wrong = caught(requirement.id)
            if wrong:
                page.heading(f"wrong behaviours that its scenarios catch ({len(wrong)})")
            wide = _wide(one.id for one in wrong)
            for one in wrong:
                page.say(page.text(f"{one.id:<{wide}}", "bold"), page.text(one.summary, "dim"), indent=2)
        case Interpretation() as entry:
            _interpretation(trace, entry, page)
        case ScenarioRow() as row:
            _scenario(trace, row, page)
        case Retired() as tombstone:
            page.say(page.text(tombstone.id, "bold"), "  retired: ", tombstone.reason)


def _requirement(trace: Trace, requirement: Requirement, page: Page) -> None:
    page.say(page.text(requirement.id, "bold"), f"  {requirement.level}, {requirement.section}")
    page.say(requirement.text, indent=2)
    if requirement.excluded:
        page.field("excluded", page.text(requirement.excluded), indent=2)
    if requirement.condition:
        page.field("applies", page.text(f"on {requirement.condition} only"), indent=2)
    if requirement.restates:
        page.field("restates", page.text(f"{requirement.restates}, whose verdict it shares"), indent=2)
    if requirement.verified_by:
        page.field("verified by", page.text(", ".join(requirement.verified_by)), indent=2, column=13)
    coverage = trace.coverage(requirement.id)
    for title, rows in (("scenarios", coverage.verified_by), ("also touched by", coverage.touched_by)):
        if rows:
            page.heading(f"{title} ({len(rows)})")
            _rows(rows, page)
    entries = [e for e in trace.pack.interpretations if requirement.id in e.touches]
    if entries:
        page.heading("where it can be read in several ways")
        wide = _wide(entry.id for entry in entries)
        for entry in entries:
            page.say(page.text(f"{entry.id:<{wide}}", "bold"), page.text(entry.question, "dim"), indent=2)


def _rows(rows: Sequence[ScenarioRow], page: Page) -> None:
    wide = _wide(row.id for row in rows)
    for row in rows:
        page.say(page.text(f"{row.id:<{wide}}", "bold"), page.text(row.title, "dim"), indent=2)


def _interpretation(trace: Trace, entry: Interpretation, page: Page) -> None:
    page.say(page.text(entry.id, "bold"), f"  {entry.question}")
    page.say(page.text(f"treatment: {TREATMENTS[entry.treatment]}", "dim"), indent=2)
    for reading in entry.readings:
        mark = "recommended" if reading.label == entry.recommended else ""
        if entry.treatment == "any" and not reading.accepted:
            mark = "not accepted"
        page.blank()
        page.say(page.text(reading.label, "bold"), page.text(f"  {mark}" if mark else "", "green"), indent=2)
        page.say(reading.text, indent=4)
        if reading.implies:
            page.say(page.text(f"implies: {reading.implies}", "dim"), indent=4)
    page.blank()
    page.field("why", page.text(entry.why), indent=2)
    if entry.core:
        page.field("strict", page.text(entry.core), indent=2)
    if entry.touches:
        page.field("touches", page.text(", ".join(entry.touches)), indent=2)
    if entry.treatment == "declared":
        example = f'[interpretations] {entry.id} = "{entry.labels[-1]}"'
        page.field("declare", page.text(f"in the manifest, such as {example}"), indent=2)
    bites = trace.bites(entry.id)
    page.heading(f"where it bites ({counted(len(bites), 'scenario')})")
    _rows(bites, page)


TREATMENTS: Mapping[str, str] = {
    "strict": "strict, only the recommended reading is accepted",
    "any": "any of the accepted readings, the same one throughout a run",
    "declared": "declared, the manifest says which reading holds, else the recommended one",
    "advisory": "advisory, reported and decides nothing outside the strict profile",
    "editorial": "editorial, a slip of the text without effect",
}


def _scenario(trace: Trace, row: ScenarioRow, page: Page) -> None:
    page.say(page.text(row.id, "bold"), f"  verifies {row.requirement}")
    page.say(page.text(place(trace.pack, row), "dim"), indent=2)
    if row.rule:
        page.say(f"Rule: {row.rule}", indent=2)
    page.blank()
    for line in scenario_text(row).split("\n"):
        page.say(page.text(line.strip()), indent=2 + len(line) - len(line.lstrip()))
    requirement = trace.pack.requirement(row.requirement)
    page.heading("the requirement")
    page.say(requirement.text, indent=2)
