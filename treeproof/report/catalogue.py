"""What the suite knows, told to a person: the lists, and one id explained. Nothing is judged or run here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from treeproof.report.page import Page
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
        counts = f"{len(pack.requirements)} requirements, {len(rows)} scenarios, {len(pack.interpretations)}"
        page.say(page.text(f"{counts} interpretations; source {pack.source}", "dim"), indent=2)


def _requirements(packs: Sequence[Pack], page: Page) -> None:
    for pack in packs:
        trace = read(pack)
        for requirement in pack.requirements:
            count = len(trace.coverage(requirement.id).verified_by)
            page.say(
                page.text(f"{requirement.id:<18}", "bold"),
                f"{requirement.level:<7}{count:>4} scenarios  ",
                page.text(requirement.text, "dim"),
            )


def _scenarios(packs: Sequence[Pack], page: Page) -> None:
    for pack in packs:
        for row in read(pack).rows:
            page.say(
                page.text(f"{row.id:<18}", "bold"), f"{row.requirement:<18}", page.text(row.title, "dim")
            )


def _interpretations(packs: Sequence[Pack], page: Page) -> None:
    for pack in packs:
        for entry in pack.interpretations:
            labels = (f"{label}*" if label == entry.recommended else label for label in entry.labels)
            page.say(page.text(f"{entry.id:<12}", "bold"), f"{entry.treatment:<10}", " | ".join(labels))
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
    used: dict[str, list[str]] = {}
    for pack in packs:
        for tool in pack.tools:
            for capability in tool.capabilities:
                used.setdefault(capability, []).append(tool.name)
    for name, promise in CAPABILITIES.items():
        tools = f" ({', '.join(used[name])})" if name in used else ""
        page.say(page.text(f"{name:<9}", "bold"), promise, page.text(tools, "dim"))


LISTS: Mapping[str, Callable[[Sequence[Pack], Page], None]] = {
    "specs": _specs,
    "requirements": _requirements,
    "scenarios": _scenarios,
    "interpretations": _interpretations,
    "steps": _steps,
    "capabilities": _capabilities,
}


class Caught(Protocol):
    """A wrong behaviour that a requirement's scenarios catch."""

    @property
    def id(self) -> str: ...
    @property
    def summary(self) -> str: ...


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
            for one in wrong:
                page.say(page.text(f"{one.id:<9}", "bold"), page.text(one.summary, "dim"), indent=2)
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
    page.field("verified by", page.text(", ".join(requirement.verified_by)), indent=2, column=13)
    coverage = trace.coverage(requirement.id)
    for title, rows in (("scenarios", coverage.verified_by), ("also touched by", coverage.touched_by)):
        if rows:
            page.heading(f"{title} ({len(rows)})")
            _rows(rows, page)
    entries = [e for e in trace.pack.interpretations if requirement.id in e.touches]
    if entries:
        page.heading("where it can be read in several ways")
        for entry in entries:
            page.say(page.text(f"{entry.id:<12}", "bold"), page.text(entry.question, "dim"), indent=2)


def _rows(rows: Iterable[ScenarioRow], page: Page) -> None:
    for row in rows:
        page.say(page.text(f"{row.id:<18}", "bold"), page.text(row.title, "dim"), indent=2)


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
    page.heading(f"where it bites ({len(bites)} scenarios)")
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
    place = row.file.relative_to(trace.pack.folder.parent.parent)
    page.say(page.text(f"{place}:{row.line}", "dim"), indent=2)
    if row.rule:
        page.say(f"Rule: {row.rule}", indent=2)
    page.blank()
    for line in scenario_text(row).split("\n"):
        page.say(page.text(line.strip()), indent=2 + len(line) - len(line.lstrip()))
    requirement = trace.pack.requirement(row.requirement)
    page.heading("the requirement")
    page.say(requirement.text, indent=2)
