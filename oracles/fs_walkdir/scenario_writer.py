"""The conversion of a case to a scenario with the steps of the features."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from treeproof.api import Case, Kind

from ..shared.formatting import join_paths
from ..shared.scenario_writer import given_trees, write_scenario
from .outcomes import CallOutcome, ExpectedListing
from .walk import ExpectedElement


def scenario_steps(case: Case, outside: str, expected: CallOutcome) -> tuple[str, ...]:
    """Return the lines of the scenario."""
    exactly = "" if isinstance(case.arguments, dict) and "path" in case.arguments else "exactly "
    when = [f"{case.tool} is called with {exactly}{json.dumps(case.arguments)}"]
    given = given_trees(case.tree, outside)
    return write_scenario(("Given", given), ("When", when), ("Then", [*_then_steps(expected)]))


def _then_steps(expected: CallOutcome) -> Iterator[str]:
    if not isinstance(expected, ExpectedListing):
        if expected.allows_empty_list:
            yield "no list with an entry is returned"
        else:
            by = f"by {expected.convention} " if expected.convention else ""
            yield f"{by}the result is nil, or the call fails"
    elif not expected.elements:
        interpretation, label = ("AMB-WD-06", "empty") if expected.start.ends_in_link else ("AMB-WD-01", "list")
        yield f'by {interpretation} the answer is one of\n  | reading | entries |\n  | {label} | ""      |'
    else:
        directories = (element for element in expected.elements if element.node.kind is Kind.DIR)
        yield f'the entries are "{_paths(expected.elements)}"'
        yield f'the directories among them are "{_paths(directories)}"'


def _paths(elements: Iterable[ExpectedElement]) -> str:
    return join_paths(element.path.encode() for element in elements)
