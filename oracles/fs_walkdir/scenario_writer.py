"""The conversion of a case to a scenario with the steps of the features."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from treeproof.api import Case, Kind

from ..shared.formatting import join_paths
from ..shared.scenario_writer import UNCHANGED, control_call, given_trees, write_scenario
from .expected import ExpectedListing, ExpectedOutcome
from .walk import ExpectedElement

_ARGUMENT_ENTRIES = {"WD-ARG-01": "AMB-WD-26", "WD-ARG-02": "AMB-WD-27", "WD-ARG-03": "AMB-WD-28"}
"""The interpretation of a failure in which the call may fail."""

CONTROL_CALL = control_call({"path": "."}, "a/{b}", "a, a/b")


def scenario_steps(case: Case, outside: str, expected: ExpectedOutcome) -> tuple[str, ...]:
    """Return the lines of the scenario."""
    exactly = "" if isinstance(case.arguments, dict) and "path" in case.arguments else "exactly "
    when = [f"{case.tool} is called with {exactly}{json.dumps(case.arguments)}"]
    then = [*_then_steps(expected), UNCHANGED]
    return write_scenario(("Given", given_trees(case.tree, outside)), ("When", when), ("Then", then))


def _then_steps(expected: ExpectedOutcome) -> Iterator[str]:
    if not isinstance(expected, ExpectedListing):
        if expected.may_fail:
            yield (
                f"by {_ARGUMENT_ENTRIES[expected.requirement]} the answer is one of\n"
                "  | reading    | result | fails     |\n"
                "  | nil        | nil    |           |\n"
                "  | call_error |        | any error |"
            )
        else:
            yield "no list with an entry is returned" if expected.allows_empty_list else "no list is returned"
        yield CONTROL_CALL
    elif not expected.elements:
        interpretation, label = ("AMB-WD-06", "empty") if expected.start.ends_in_link else ("AMB-WD-01", "list")
        yield f'by {interpretation} the answer is one of\n  | reading | entries |\n  | {label} | ""      |'
        yield CONTROL_CALL
    else:
        directories = (element for element in expected.elements if element.node.kind is Kind.DIR)
        yield f'the elements are "{_paths(expected.elements)}"'
        yield f'the directories among them are "{_paths(directories)}"'


def _paths(elements: Iterable[ExpectedElement]) -> str:
    return join_paths(element.path.encode() for element in elements)
