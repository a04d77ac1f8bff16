"""The conversion of a case to a scenario with the steps of the features."""

from __future__ import annotations

import json

from treeproof.api import Case

from ..shared.formatting import join_paths
from ..shared.scenario_writer import UNCHANGED, control_call, given_trees, write_scenario
from .expected import ExpectedListing, ExpectedOutcome

CONTROL_CALL = control_call({"path": "$ROOT"}, "a/{b}, c", "a, c")


def scenario_steps(case: Case, outside: str, expected: ExpectedOutcome) -> tuple[str, ...]:
    """Return the lines of the scenario."""
    entries = expected.entries if isinstance(expected, ExpectedListing) else ()
    then = ["the call fails with any error"]
    if isinstance(expected, ExpectedListing):
        what = "include" if entries and expected.is_search else "are"
        then = [f'the entries {what} "{join_paths(entry.raw_path for entry in entries)}"']
    then += [*([] if entries else [CONTROL_CALL]), UNCHANGED]
    when = [f"{case.tool} is called with {json.dumps(case.arguments)}"]
    return write_scenario(("Given", given_trees(case.tree, outside)), ("When", when), ("Then", then))
