"""A document as a page, for the owner of its text: its outline, and what the scenarios make of each sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from treeproof import __version__
from treeproof.report.book import make_book
from treeproof.report.catalogue_lists import TREATMENTS
from treeproof.report.escape import shell_command
from treeproof.report.signs import Sign
from treeproof.report.traceability_output import KilledMutants
from treeproof.spec import Pack, ScenarioCase
from treeproof.spec.catalogue import Requirement
from treeproof.spec.document_trace import REQUIREMENT, DocumentDrift, find_drift
from treeproof.spec.gherkin import named_ids
from treeproof.spec.lint_document import differing_parts, renaming
from treeproof.spec.sentence_changes import SentenceChange
from treeproof.spec.source_document import place_below
from treeproof.spec.traceability import TraceabilityIndex, build_traceability_index
from treeproof.verdict.readings import Profile
from treeproof.verdict.spec_result import decides_exit_code

State = Literal["uncovered", "changed", "warned", "excluded", "verified", "nothing"]

STATES: Mapping[State, tuple[Sign, str]] = {
    "uncovered": (Sign("not covered", "✗", "fail"), "it demands something, and no scenario verifies it"),
    "changed": (
        Sign("changed", "≠", "fault"),
        "it is not what was confirmed: it has other words or another place, is new, or is gone",
    ),
    "warned": (
        Sign("warned", "△", "advice"),
        "scenarios verify it, but a failure is only a warning: it is a recommendation, or they demand more than it",
    ),
    "excluded": (Sign("excluded", "∅", "out"), "no scenario can verify it, for the reason beside it"),
    "verified": (Sign("verified", "✓", "pass"), "scenarios verify a requirement that rests on it"),
    "nothing": (Sign("nothing to test", "–", "none"), "it demands nothing of a tool, and this is confirmed"),
}
"""The sign of each state and its meaning, the most urgent first."""


@dataclass(frozen=True)
class OutlineSentence:
    """A sentence with its state. `anchor` is its hash. `line` is 0 and `text` empty if it is gone.

    `remarks` are the reasons of the state; `ids` are the requirements and interpretations that name it.
    """

    anchor: str
    line: int
    text: str
    state: State
    remarks: Sequence[str]
    ids: Sequence[str]


@dataclass
class OutlineSection:
    """A heading of the document, the sentences below it, and the sections below those."""

    title: str
    anchor: str
    sentences: list[OutlineSentence] = field(default_factory=list)
    sections: list[OutlineSection] = field(default_factory=list)

    @cached_property
    def all(self) -> list[OutlineSentence]:
        """Its sentences and those of its sections."""
        return [*self.sentences, *(one for section in self.sections for one in section.all)]

    def rows(self) -> Iterator[tuple[OutlineSection, Sequence[OutlineSentence]]]:
        """Yield the sections below the title of the document, and before them what has sentences of its own."""
        if self.sentences:
            yield self, self.sentences
        if len(self.sections) == 1:
            yield from self.sections[0].rows()
        else:
            yield from ((section, section.all) for section in self.sections)


def count_states(sentences: Sequence[OutlineSentence]) -> Mapping[State, int]:
    """Return the number of sentences in each state, 0 for a state without any."""
    return Counter(one.state for one in sentences)


def percent(counts: Mapping[State, int]) -> int | None:
    """Return how many percent of what can be tested is verified, rounded down; None if nothing can be tested."""
    testable = sum(counts.values()) - counts["nothing"]
    return 100 * counts["verified"] // testable if testable else None


def make_outline(drift: DocumentDrift, index: TraceabilityIndex) -> OutlineSection:
    """Return the outline of a document, with what is gone where it stood."""
    root = OutlineSection("", "section-0")
    number = 0
    present = {place_below(one.headings): one.headings for one in drift.sentences}
    headings: tuple[str, ...] = ()
    for change in drift.changes:
        if change.new is not None:
            headings = change.new.headings
        elif change.old is not None:
            headings = present.get(place_below(change.old.headings), headings)
        section = root
        for title in headings:
            if not section.sections or section.sections[-1].title != title:
                number += 1
                section.sections.append(OutlineSection(title, f"section-{number}"))
            section = section.sections[-1]
        section.sentences.append(_sentence(change, drift, index))
    return root


def _sentence(change: SentenceChange, drift: DocumentDrift, index: TraceabilityIndex) -> OutlineSentence:
    named = [*drift.resting_on(change), *(drift.naming.get(change.new.hash, ()) if change.new else ())]
    known = {one.id: one for one in index.pack.requirements}
    requirements = [known[id] for id in dict.fromkeys(one.id for one in named if one.heading == REQUIREMENT)]
    topics = [f"{one.topic}: {one.reason}" for one in index.pack.settled if any(one.topic == at.id for at in named)]
    is_demand = change.new is not None and drift.demands(change.new)
    difference = _difference(change) if change.kind != "kept" and drift.confirmed else []
    if is_demand and drift.unnamed(change) is not None:
        state: State = "uncovered"
        remarks: Sequence[str] = ["; ".join([*difference, "no requirement names it"])]
    elif difference:
        rules = [f"{one.id}: {one.text}" for one in requirements]
        state, remarks = "changed", [*difference, *(rules if change.kind in ("changed", "removed") else ())]
    elif requirements:
        state, remarks = _verification(requirements, index)
    else:
        confirmed = ["it has a word such as “must”, and is confirmed to demand nothing of a tool"]
        state, remarks = "nothing", [*(confirmed if is_demand else ()), *topics]
    ids = dict.fromkeys(one.id for one in named if one.heading != "settled")
    if change.new is None:
        hash = change.old.hash if change.old else ""
        return OutlineSentence(f"gone-{hash}", 0, "", state, remarks, list(ids))
    return OutlineSentence(change.new.hash, change.new.line, change.new.text, state, remarks, list(ids))


def _difference(change: SentenceChange) -> Sequence[str]:
    """Return in words what has become of a sentence that is not as confirmed."""
    if change.old is None:
        return ["new"]
    if change.new is None:
        return [f"gone; it was below “{change.old.headings[-1]}”" if change.old.headings else "gone"]
    if change.kind == "changed":
        return ["other words"]
    before, now = differing_parts(change.old.headings, change.new.headings)
    if change.kind == "renamed":
        return [f"the heading {renaming(before, now)}, above it"]
    return [f"moved, from below “{before}”" if before else "in another order"]


def _verification(requirements: Sequence[Requirement], index: TraceabilityIndex) -> tuple[State, Sequence[str]]:
    """Return the state of a sentence that requirements name, and the reasons if it is not verified."""
    cases = {one.id: index.coverage(one.id).verified_by for one in requirements}
    if any(_decides(one, case, index.pack) for one in requirements for case in cases[one.id]):
        return "verified", ()
    if any(cases.values()):
        return "warned", _reasons({one.id: _weakness(one) for one in requirements if cases[one.id]})
    if excluded := {one.id: one.excluded for one in requirements if one.excluded}:
        return "excluded", _reasons(excluded)
    return "uncovered", [f"{one.id} has no scenario" for one in requirements]


def _reasons(reasons: Mapping[str, str]) -> Sequence[str]:
    """Return the reasons; each with its id if there are several."""
    return [f"{id}: {reason}" for id, reason in reasons.items()] if len(reasons) > 1 else list(reasons.values())


def _decides(requirement: Requirement, case: ScenarioCase, pack: Pack) -> bool:
    """Return whether a failure of the case is more than a warning under the default profile."""
    advisory = {one.id for one in pack.interpretations if one.treatment in ("advisory", "editorial")}
    basis = case.basis or requirement.basis
    return decides_exit_code(requirement.level, basis, Profile.DEFAULT) and advisory.isdisjoint(named_ids(case))


def _weakness(requirement: Requirement) -> str:
    if requirement.level != "MUST":
        return f"{requirement.level}, so a tool may do otherwise"
    return requirement.reason or "its scenarios demand more than the document"


def document_as_html(
    pack: Pack, document: Path, mutants_violating: KilledMutants, inseparable: Mapping[str, str]
) -> bytes:
    """Return the page of a document. Hashes of sentences and ids of requirements and scenarios are anchors.

    Raises UsageError for a document or a lock that cannot be read.
    """
    from treeproof.report.html.rendering import render

    drift = find_drift(pack, document)
    root = make_outline(drift, build_traceability_index(pack))
    book = make_book(pack, mutants_violating, inseparable)
    places: dict[str, list[OutlineSentence]] = {}
    for sentence in root.all:
        for id in sentence.ids:
            places.setdefault(id, []).append(sentence)
    total = count_states(root.all)
    values = {
        "version": __version__,
        "pack": pack,
        "document": document.name,
        "command": shell_command(["treeproof", "trace", "--document", document.name, "--format", "html"]),
        "book": book,
        "root": root,
        "total": total,
        "count_states": count_states,
        "percent": percent,
        "states": {state: sign for state, (sign, _) in STATES.items() if total[state]},
        "meanings": STATES,
        "places": places,
        "is_confirmed": bool(drift.confirmed),
        "treatments": TREATMENTS,
    }
    return render("document", values, ("book.css",))
