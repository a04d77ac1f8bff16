"""The traceability page: requirements with their scenarios, properties and mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof import __version__
from treeproof.report.catalogue_context import MutantSummary
from treeproof.report.digest import group_by_section
from treeproof.report.html.anchors import Anchors
from treeproof.report.html.rendering import render
from treeproof.report.html.signs import VERDICTS, used_levels
from treeproof.report.traceability import scenario_kind
from treeproof.spec import Interpretation, Pack, Requirement, ScenarioCase
from treeproof.spec.traceability import TraceabilityIndex, build_traceability_index


@dataclass(frozen=True)
class VerifyingScenario:
    """A scenario or property with its HTML id, and its file and line in the pack."""

    anchor: str
    scenario: ScenarioCase
    kind: str
    source_location: str


@dataclass(frozen=True)
class RequirementTrace:
    """One requirement with its scenarios. ``shares_verdict_of`` is the HTML id of the requirement that it restates."""

    anchor: str
    data: Requirement
    checks: Sequence[VerifyingScenario]
    shares_verdict_of: str | None
    related_scenarios: Sequence[str]
    interpretations: Sequence[Interpretation]
    mutants: Sequence[MutantSummary]

    @property
    def is_checked(self) -> bool:
        """Return True if a scenario verifies it."""
        return bool(self.checks) or self.shares_verdict_of is not None

    @property
    def tally(self) -> str:
        """The number of scenarios and properties."""
        kinds = Counter(check.kind for check in self.checks)
        counts = [(kinds["scenario"], "scenario", "scenarios"), (kinds["property"], "property", "properties")]
        return " and ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count)


@dataclass(frozen=True)
class TracedSpec:
    """One specification with its requirements by section."""

    data: Pack
    anchor: str
    sections: Mapping[str, Sequence[RequirementTrace]]

    @property
    def lines(self) -> list[RequirementTrace]:
        """All requirements in the order of the page."""
        return [line for lines in self.sections.values() for line in lines]

    @property
    def scenario_count(self) -> int:
        """The number of scenarios, without properties."""
        return self._count_kind("scenario")

    @property
    def property_count(self) -> int:
        """The number of properties."""
        return self._count_kind("property")

    @property
    def mutant_count(self) -> int:
        """The number of mutants."""
        return len({mutant.id for line in self.lines for mutant in line.mutants})

    def _count_kind(self, kind: str) -> int:
        return len({check.scenario.id for line in self.lines for check in line.checks if check.kind == kind})


def dump(packs: Iterable[Pack], mutants_violating: Callable[[Pack, str], Sequence[MutantSummary]]) -> bytes:
    """Return the traceability page of the packs as UTF-8."""
    anchors = Anchors()
    parts = [_traced_spec(pack, mutants_violating, anchors, number) for number, pack in enumerate(packs, 1)]
    lines = [line for part in parts for line in part.lines]
    values: dict[str, Any] = {
        "version": __version__,
        "parts": parts,
        "levels": used_levels(line.data.level for line in lines),
        "properties": any(part.property_count for part in parts),
        "unchecked": any(not line.is_checked for line in lines),
        "out": VERDICTS["EXCLUDED"],
        "missing": VERDICTS["NOT VERIFIED"],
    }
    return render("trace", values)


def _traced_spec(
    pack: Pack, mutants: Callable[[Pack, str], Sequence[MutantSummary]], anchors: Anchors, number: int
) -> TracedSpec:
    trace = build_traceability_index(pack)
    lines = [
        _requirement_trace(trace, requirement, mutants(pack, requirement.restates or requirement.id), anchors)
        for requirement in pack.requirements
    ]
    return TracedSpec(pack, f"_spec{number}", group_by_section(lines, lambda line: line.data.section))


def _requirement_trace(
    trace: TraceabilityIndex, requirement: Requirement, mutants: Sequence[MutantSummary], anchors: Anchors
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
        mutants=mutants if shares is None else (),
    )


def _verifying_scenario(pack: Pack, row: ScenarioCase, anchors: Anchors) -> VerifyingScenario:
    place = f"{row.file.relative_to(pack.folder).as_posix()}:{row.line}"
    return VerifyingScenario(anchors.assign(pack.name, row.id), row, scenario_kind(row), place)
