"""Finds the step definition for a step during a run.

pytest-bdd silently uses the last of two definitions that match. Here a step that matches no definition, or more than
one, is a fault of the harness and never a pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import cast

from pytest_bdd.steps import StepFunctionContext

from treeproof.spec.gherkin import StepText
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.verdict import Fault


class StepRegistry:
    """The step definitions of some modules of the pack in ``folder``. Raises UsageError for one that has an error."""

    def __init__(self, modules: Iterable[str], folder: Path | None = None) -> None:
        self._matcher = StepMatcher(load_step_definitions(modules, folder))

    def find(self, step: StepText) -> StepFunctionContext:
        """Return the only definition that matches a step.

        Raises Fault if there is none or more than one, and for a table with a column that the definition ignores.
        """
        found = self._matcher.matching(step.keyword_type, step.text)
        step_text = f"the step {step.keyword_type.capitalize()} {step.text}"
        if len(found) != 1:
            what = "several step definitions match" if found else "no step definition matches"
            raise Fault("harness", f"{what} {step_text}")
        for column in found[0].unknown_columns(step.text, step.table[0]) if step.table else ():
            known = ", ".join(found[0].info.columns)
            what = f'no column is called "{column}" in the table of {step_text}'
            raise Fault("harness", f"{what}; known columns: {known}")
        return cast(StepFunctionContext, found[0].context)
