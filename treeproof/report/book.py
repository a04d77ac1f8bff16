"""The book of a specification: what its pack contains, in the order of the document, for readers who run nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from treeproof import __version__
from treeproof.report.catalogue_lists import BASES, TREATMENTS
from treeproof.report.digest import group_by_section
from treeproof.report.markdown_text import render_markdown
from treeproof.report.traceability_output import KilledMutants, scenario_kind
from treeproof.spec import Interpretation, Pack, Requirement, ScenarioCase
from treeproof.spec.catalogue import Basis
from treeproof.spec.gherkin import ScenarioText
from treeproof.spec.mutants import Mutant
from treeproof.spec.quotations import Quotation, quotations
from treeproof.spec.traceability import build_traceability_index, format_step, format_table
from treeproof.spec.version_features import features_of


@dataclass(frozen=True)
class BookScenario:
    """A scenario as written, with all rows of its table. `place` is its file and line in the pack.

    `kind` is "scenario" or "property". `basis` is None if it is that of the requirement. `needs` are host features.
    """

    ids: tuple[str, ...]
    title: str
    kind: str
    basis: Basis | None
    needs: tuple[str, ...]
    place: str
    gherkin: str


@dataclass(frozen=True)
class BookRequirement:
    """A requirement with its scenarios, the interpretations that affect it and its mutants.

    `inseparable` is the reason why it has no mutant of its own.
    """

    data: Requirement
    scenarios: tuple[BookScenario, ...]
    interpretations: tuple[Interpretation, ...]
    mutants: tuple[Mutant, ...]
    restated_by: tuple[str, ...]
    inseparable: str | None
    quotations: Sequence[Quotation]


@dataclass(frozen=True)
class Chapter:
    """A section of the document and the requirements that stand first in it."""

    title: str
    requirements: tuple[BookRequirement, ...]


@dataclass(frozen=True)
class Book:
    """The content of a book. `naming` counts the scenarios that name each interpretation."""

    pack: Pack
    chapters: tuple[Chapter, ...]
    naming: Mapping[str, int]

    @property
    def requirements(self) -> list[BookRequirement]:
        """All requirements in the order of the book."""
        return [requirement for chapter in self.chapters for requirement in chapter.requirements]

    @property
    def scenario_count(self) -> int:
        """The number of scenario cases and properties."""
        return len({id for requirement in self.requirements for one in requirement.scenarios for id in one.ids})

    @property
    def mutant_count(self) -> int:
        """The number of mutants that a requirement owns."""
        return len({one.id for requirement in self.requirements for one in requirement.mutants})


def make_book(pack: Pack, mutants_violating: KilledMutants, inseparable: Mapping[str, str]) -> Book:
    """Return the book of a pack. ``inseparable``: why some requirements have no mutant. Raises FileError."""
    index = build_traceability_index(pack)
    scenarios = _scenarios_by_requirement(pack)
    found = [
        BookRequirement(
            data=requirement,
            scenarios=tuple(scenarios.get(requirement.id, ())),
            interpretations=tuple(entry for entry in pack.interpretations if requirement.id in entry.affects),
            mutants=() if requirement.restates else tuple(mutants_violating(pack, requirement.id)),
            restated_by=tuple(one.id for one in index.coverage(requirement.id).restated_by),
            inseparable=inseparable.get(requirement.id),
            quotations=quotations(pack, requirement),
        )
        for requirement in pack.requirements
    ]
    chapters = group_by_section(found, lambda one: one.data.section.partition(";")[0].strip())
    return Book(
        pack,
        tuple(Chapter(title, tuple(requirements)) for title, requirements in chapters.items()),
        {entry.id: len(index.scenarios_naming(entry.id)) for entry in pack.interpretations},
    )


def _scenarios_by_requirement(pack: Pack) -> Mapping[str, Sequence[BookScenario]]:
    found: dict[str, list[BookScenario]] = {}
    for feature in features_of(pack):
        by_line = {case.line: case for case in feature.scenarios}
        for template in feature.templates:
            cases = [by_line[line] for line in _case_lines(template) if line in by_line]
            for requirement in dict.fromkeys(case.requirement for case in cases):
                own = [case for case in cases if case.requirement == requirement]
                place = f"{feature.file.relative_to(pack.folder).as_posix()}:{template.line}"
                found.setdefault(requirement, []).append(_book_scenario(template, own, place))
    return found


def _case_lines(template: ScenarioText) -> list[int]:
    return [line for table in template.examples for line, _ in table.rows] or [template.line]


def _book_scenario(template: ScenarioText, cases: Sequence[ScenarioCase], place: str) -> BookScenario:
    return BookScenario(
        ids=tuple(case.id for case in cases),
        title=template.title,
        kind=scenario_kind(cases[0]),
        basis=cases[0].basis,
        needs=cases[0].needs,
        place=place,
        gherkin="\n".join(_gherkin(template)),
    )


def _gherkin(template: ScenarioText) -> Iterator[str]:
    """Yield the lines of a scenario with the steps of its Backgrounds, as a feature file has them."""
    for step in template.steps:
        yield from format_step(step)
    for table in template.examples:
        yield from ("", "Examples:")
        yield from format_table([table.header, *(cells for _, cells in table.rows)])


def book_as_markdown(book: Book) -> str:
    """Return the book in the dialects of GitHub and GitLab."""
    return render_markdown("book", book=book, pack=book.pack, bases=BASES, treatments=TREATMENTS)


def book_as_html(book: Book) -> bytes:
    """Return the book as one HTML file. Ids of requirements, scenarios and interpretations are anchors."""
    from treeproof.report.html.rendering import render
    from treeproof.report.signs import used_levels

    values = {
        "version": __version__,
        "book": book,
        "pack": book.pack,
        "levels": used_levels(one.data.level for one in book.requirements),
        "bases": BASES,
        "used_bases": [basis for basis in BASES if any(one.data.basis == basis for one in book.requirements)],
        "treatments": TREATMENTS,
    }
    return render("book", values)
