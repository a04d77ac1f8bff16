"""The conversion of a case to a scenario with the steps of the features."""

from __future__ import annotations

import json

from treeproof.api import Case

from ..shared.formatting import join_paths
from ..shared.scenario_writer import given_trees, write_scenario
from .outcomes import ExpectedFailure, ExpectedOutcome


def scenario_steps(case: Case, outside: str, expected: ExpectedOutcome) -> tuple[str, ...]:
    """Return the lines of the scenario."""
    when = [f"{case.tool} is called with {json.dumps(case.arguments)}"]
    then = "the call fails with any error"
    if not isinstance(expected, ExpectedFailure):
        entries = join_paths(entry.raw_path for entry in expected.entries)
        then = f'the entries {"include" if entries and expected.search else "are"} "{entries}"'
    return write_scenario(("Given", given_trees(case.tree, outside)), ("When", when), ("Then", [then]))
