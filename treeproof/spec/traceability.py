"""The scenarios that verify each requirement: the data of `trace`, `list` and `explain`, without verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Interpretation, Pack, Requirement, RetiredId
from treeproof.spec.gherkin import ScenarioCase, StepText, named_ids
from treeproof.spec.version_features import scenarios_of

_MAX_ID_LENGTH = 100  # characters that are compared with known ids

TraceableItem = Requirement | Interpretation | RetiredId | ScenarioCase


@dataclass(frozen=True, slots=True)
class Coverage:
    """The scenarios that verify or mention (`@also`) a requirement, and the requirements that share its verdict."""

    requirement: Requirement
    verified_by: tuple[ScenarioCase, ...]
    touched_by: tuple[ScenarioCase, ...]
    restated_by: tuple[Requirement, ...]


@dataclass(frozen=True)
class TraceabilityIndex:
    """A pack with an index of its scenario cases. Created by `build_traceability_index`."""

    pack: Pack
    scenarios: tuple[ScenarioCase, ...]

    @cached_property
    def _verifying(self) -> Mapping[str, list[ScenarioCase]]:
        return _index((case.requirement, case) for case in self.scenarios if not case.is_unfinished)

    @cached_property
    def _touching(self) -> Mapping[str, list[ScenarioCase]]:
        return _index((id, case) for case in self.scenarios for id in dict.fromkeys(case.also))

    @cached_property
    def _naming(self) -> Mapping[str, list[ScenarioCase]]:
        return _index((id, case) for case in self.scenarios for id in named_ids(case))

    def coverage(self, requirement_id: str) -> Coverage:
        """Return the coverage of a requirement; one that restates another has the other's scenarios.

        Raises UsageError for an unknown id.
        """
        requirement = self.pack.requirement(requirement_id)
        source = requirement.restates or requirement.id
        return Coverage(
            requirement,
            tuple(self._verifying.get(source, ())),
            tuple(self._touching.get(requirement.id, ())),
            tuple(other for other in self.pack.requirements if other.restates == requirement.id),
        )

    def scenarios_naming(self, interpretation_id: str) -> tuple[ScenarioCase, ...]:
        """Return the scenarios whose steps or tags name an interpretation. Raises UsageError for an unknown id."""
        return tuple(self._naming.get(self.pack.interpretation(interpretation_id).id, ()))

    def find(self, id: str) -> TraceableItem:
        """Return the requirement, interpretation, scenario or retired id. Raises UsageError for an unknown id."""
        if id not in self._items_by_id:
            raise UsageError(unknown_id_message(id, [self]))
        return self._items_by_id[id]

    @property
    def ids(self) -> list[str]:
        """All ids that `find` accepts."""
        return list(self._items_by_id)

    @cached_property
    def _items_by_id(self) -> Mapping[str, TraceableItem]:
        known: dict[str, TraceableItem] = {case.id: case for case in self.scenarios if case.id}
        for group in (self.pack.retired, self.pack.interpretations, self.pack.requirements):
            known.update((one.id, one) for one in group)
        return known


def unknown_id_message(id: str, traces: Sequence[TraceabilityIndex]) -> str:
    """Return the message for an id that no pack contains, with the nearest ids in upper or lower case."""
    packs = " and ".join(trace.pack.name for trace in traces) if len(traces) < 3 else "any specification"
    by_capitals = {known.upper(): known for trace in traces for known in trace.ids}
    close = [by_capitals[one] for one in get_close_matches(id.upper()[:_MAX_ID_LENGTH], by_capitals, n=3)]
    problem = f'nothing has the id "{id}" in {packs}'
    elsewhere = next((trace.pack for trace in traces if id in trace.pack.ids_of_other_versions), None)
    if elsewhere is not None:
        others = [one for one in elsewhere.versions if one != elsewhere.version]
        return f"{problem} {elsewhere.version}; it is of another version: {', '.join(others)}"
    if close:
        return f"{problem}; write " + " or ".join(f'"{one}"' for one in close)
    return f"{problem}; see: treeproof list requirements, scenarios, interpretations"


def build_traceability_index(pack: Pack) -> TraceabilityIndex:
    """Return the index of a pack. Raises FileError for a feature file that cannot be read."""
    return TraceabilityIndex(pack, tuple(scenarios_of(pack)))


def format_scenario(case: ScenarioCase) -> str:
    """Return the title and the rendered steps of a scenario, with text blocks and tables."""
    lines = [f"Scenario: {case.title}"]
    for step in case.steps:
        lines += [f"  {line}" for line in format_step(step)]
    return "\n".join(lines)


def _index(pairs: Iterable[tuple[str, ScenarioCase]]) -> Mapping[str, list[ScenarioCase]]:
    index: dict[str, list[ScenarioCase]] = {}
    for id, case in pairs:
        index.setdefault(id, []).append(case)
    return index


def format_step(step: StepText) -> Iterable[str]:
    """Yield the lines of a step, with its text block and its table."""
    yield f"{step.keyword} {step.text}"
    if step.docstring is not None:
        yield '  """'
        yield from (f"  {line}" for line in step.docstring.replace('"""', '\\"\\"\\"').split("\n"))
        yield '  """'
    if step.table is not None:
        yield from format_table(step.table)


def format_table(rows: Iterable[Sequence[str]]) -> Iterable[str]:
    """Yield the lines of a table, with aligned columns."""
    cells = [[_escape_cell(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield f"  | {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"


def _escape_cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")
