"""What traces to what, and how it reads: the data behind `trace`, `list` and `explain`.

Only look-ups and plain text live here; formats are the reports' business, verdicts are unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Interpretation, Pack, Requirement, RetiredId
from treeproof.spec.gherkin import ScenarioCase, StepText, mentioned_ids, parse_feature

_MAX_ID_LENGTH = 100  # characters of an id that are compared with known ones

TraceableItem = Requirement | Interpretation | RetiredId | ScenarioCase


@dataclass(frozen=True, slots=True)
class Coverage:
    """A requirement's scenarios: verifying it, only touching it, and who shares its verdict."""

    requirement: Requirement
    verified_by: tuple[ScenarioCase, ...]
    touched_by: tuple[ScenarioCase, ...]
    restated_by: tuple[Requirement, ...]


@dataclass(frozen=True)
class TraceabilityIndex:
    """A pack with its rows, indexed. Made by `read`."""

    pack: Pack
    scenarios: tuple[ScenarioCase, ...]
    _verifying: Mapping[str, list[ScenarioCase]] = field(repr=False, compare=False)
    _touching: Mapping[str, list[ScenarioCase]] = field(repr=False, compare=False)
    _naming: Mapping[str, list[ScenarioCase]] = field(repr=False, compare=False)

    def coverage(self, requirement_id: str) -> Coverage:
        """What verifies a requirement; a restated one's scenarios are those of the one that it restates.

        Raises UsageError for an id that the catalogue lacks.
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
        """The scenarios whose steps name an interpretation; UsageError for an id that the catalogue lacks."""
        interpretation = self.pack.interpretation(interpretation_id)
        return tuple(self._naming.get(interpretation.id, ()))

    def find(self, id: str) -> TraceableItem:
        """The requirement, interpretation, scenario or tombstone of that id; UsageError if there is none."""
        known = self._items_by_id()
        if id not in known:
            raise UsageError(unknown_id_message(id, [self]))
        return known[id]

    @property
    def ids(self) -> list[str]:
        """Every id that `find` knows."""
        return list(self._items_by_id())

    def _items_by_id(self) -> Mapping[str, TraceableItem]:
        known: dict[str, TraceableItem] = {row.id: row for row in self.scenarios if row.id}
        for group in (self.pack.retired, self.pack.interpretations, self.pack.requirements):
            known.update((one.id, one) for one in group)
        return known


def unknown_id_message(id: str, traces: Sequence[TraceabilityIndex]) -> str:
    """What is wrong with an id that none of the packs knows: the nearest ones in any case, or where all are."""
    packs = " and ".join(trace.pack.name for trace in traces) if len(traces) < 3 else "any specification"
    by_capitals = {known.upper(): known for trace in traces for known in trace.ids}
    close = [by_capitals[one] for one in get_close_matches(id.upper()[:_MAX_ID_LENGTH], by_capitals, n=3)]
    told = f'nothing has the id "{id}" in {packs}'
    if close:
        return f"{told}; write " + " or ".join(f'"{one}"' for one in close)
    return f"{told}; see: treeproof list requirements, scenarios, interpretations"


def build_traceability_index(pack: Pack) -> TraceabilityIndex:
    """The trace of a pack. Raises FeatureError (a UsageError) for a feature file that cannot be read."""
    rows = tuple(row for feature in pack.feature_files() for row in parse_feature(feature).scenarios)
    ids = {interpretation.id for interpretation in pack.interpretations}
    return TraceabilityIndex(
        pack,
        rows,
        _index((row.requirement, row) for row in rows),
        _index((id, row) for row in rows for id in dict.fromkeys(row.also)),
        _index((id, row) for row in rows for id in _mentioned(row) if id in ids),
    )


def format_scenario(row: ScenarioCase) -> str:
    """A scenario as a person reads it: its title and its rendered steps, with text blocks and tables."""
    lines = [f"Scenario: {row.title}"]
    for step in row.steps:
        lines += [f"  {line}" for line in _format_step(step)]
    return "\n".join(lines)


def _index(pairs: Iterable[tuple[str, ScenarioCase]]) -> Mapping[str, list[ScenarioCase]]:
    index: dict[str, list[ScenarioCase]] = {}
    for id, row in pairs:
        index.setdefault(id, []).append(row)
    return index


def _mentioned(row: ScenarioCase) -> Iterable[str]:
    return dict.fromkeys(id for step in row.steps for id in mentioned_ids(step.text))


def _format_step(step: StepText) -> Iterable[str]:
    yield f"{step.keyword} {step.text}"
    if step.docstring is not None:
        yield '  """'
        yield from (f"  {line}" for line in step.docstring.replace('"""', '\\"\\"\\"').split("\n"))
        yield '  """'
    if step.table is not None:
        cells = [[_escape_cell(cell) for cell in row] for row in step.table]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            yield f"  | {' | '.join(padded)} |"


def _escape_cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")
