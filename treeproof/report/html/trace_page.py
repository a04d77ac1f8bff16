"""The page of what checks what: requirements with their scenarios, laws and wrong implementations. Nothing was run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof import __version__
from treeproof.report.catalogue_context import MutantSummary
from treeproof.report.digest import group_by_section, pluralize
from treeproof.report.html.anchors import Anchors
from treeproof.report.html.rendering import render
from treeproof.report.html.signs import VERDICTS, used_levels
from treeproof.report.traceability import scenario_kind
from treeproof.spec import Interpretation, Pack, Requirement, ScenarioCase
from treeproof.spec.traceability import TraceabilityIndex, build_traceability_index


@dataclass(frozen=True)
class VerifyingScenario:
    """A scenario or law with its place on the page, and its place in the pack: file and line."""

    anchor: str
    scenario: ScenarioCase
    kind: str
    source_location: str


@dataclass(frozen=True)
class RequirementTrace:
    """One requirement and all that traces to it. ``shares`` is the anchor of the requirement that it restates."""

    anchor: str
    data: Requirement
    checks: Sequence[VerifyingScenario]
    shares_verdict_of: str | None
    related_scenarios: Sequence[str]
    interpretations: Sequence[Interpretation]
    mutants: Sequence[MutantSummary]

    @property
    def is_checked(self) -> bool:
        """Whether anything verifies it."""
        return bool(self.checks) or self.shares_verdict_of is not None

    @property
    def tally(self) -> str:
        """How many scenarios and laws verify it."""
        laws = sum(check.kind == "law" for check in self.checks)
        told = [(len(self.checks) - laws, "scenario"), (laws, "law")]
        return " and ".join(pluralize(count, noun) for count, noun in told if count)


@dataclass(frozen=True)
class TracedSpec:
    """One specification, its requirements by the section of the source that they come from."""

    data: Pack
    anchor: str
    sections: Mapping[str, Sequence[RequirementTrace]]

    @property
    def lines(self) -> list[RequirementTrace]:
        """All requirements in the order of the page."""
        return [line for lines in self.sections.values() for line in lines]

    @property
    def scenario_count(self) -> int:
        """How many scenarios are no law."""
        return self._count_kind("scenario")

    @property
    def property_count(self) -> int:
        """How many laws there are."""
        return self._count_kind("law")

    @property
    def mutant_count(self) -> int:
        """How many wrong implementations its scenarios are there to catch."""
        return len({one.id for line in self.lines for one in line.mutants})

    def _count_kind(self, kind: str) -> int:
        return len({check.scenario.id for line in self.lines for check in line.checks if check.kind == kind})


def dump(packs: Iterable[Pack], mutants_violating: Callable[[Pack, str], Sequence[MutantSummary]]) -> bytes:
    """Return the page of what the packs ask and what checks it, as UTF-8. ``caught`` is told in `background.py`."""
    anchors = Anchors()
    parts = [_traced_spec(pack, mutants_violating, anchors, number) for number, pack in enumerate(packs, 1)]
    lines = [line for part in parts for line in part.lines]
    values: dict[str, Any] = {
        "version": __version__,
        "parts": parts,
        "levels": used_levels(line.data.level for line in lines),
        "laws": any(part.property_count for part in parts),
        "bare": any(not line.is_checked for line in lines),
        "out": VERDICTS["EXCLUDED"],
        "missing": VERDICTS["NOT VERIFIED"],
    }
    return render("trace", values)


def _traced_spec(
    pack: Pack, caught: Callable[[Pack, str], Sequence[MutantSummary]], anchors: Anchors, number: int
) -> TracedSpec:
    trace = build_traceability_index(pack)
    lines = [
        _requirement_trace(trace, requirement, caught(pack, requirement.restates or requirement.id), anchors)
        for requirement in pack.requirements
    ]
    return TracedSpec(pack, f"_spec{number}", group_by_section(lines, lambda line: line.data.section))


def _requirement_trace(
    trace: TraceabilityIndex, requirement: Requirement, wrong: Sequence[MutantSummary], anchors: Anchors
) -> RequirementTrace:
    pack = trace.pack
    coverage = trace.coverage(requirement.id)
    own = [row for row in coverage.verified_by if row.requirement == requirement.id]
    shares = anchors.assign(pack.name, requirement.restates) if requirement.restates else None
    return RequirementTrace(
        anchor=anchors.assign(pack.name, requirement.id),
        data=requirement,
        checks=[_verifying_scenario(pack, row, anchors) for row in own],
        shares_verdict_of=shares,
        related_scenarios=[anchors.assign(pack.name, row.id) for row in coverage.touched_by],
        interpretations=[entry for entry in pack.interpretations if requirement.id in entry.affects],
        mutants=wrong if shares is None else (),
    )


def _verifying_scenario(pack: Pack, row: ScenarioCase, anchors: Anchors) -> VerifyingScenario:
    place = f"{row.file.relative_to(pack.folder).as_posix()}:{row.line}"
    return VerifyingScenario(anchors.assign(pack.name, row.id), row, scenario_kind(row), place)
