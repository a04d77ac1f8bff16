"""Finds the step definition for a step during a run.

pytest-bdd searches all fixtures of the session for every step, and silently uses the last of two definitions that
match. Here a step that matches no definition, or more than one, is a fault of the harness and never a pass.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, cast

from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext

from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.verdict import Fault


class StepRegistry:
    """The step definitions of some modules. Raises UsageError if a module cannot be imported."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._matcher = StepMatcher(load_step_definitions(modules))

    def find(self, step: Step, case: ScenarioCase) -> StepFunctionContext:
        """Return the only definition that matches a step of ``case``.

        Raises Fault if there is none or more than one, and for a table with a column that the definition ignores.
        """
        found = self._matcher.matching(step.type, step.name)
        shown = f"the step {step.type.capitalize()} {step.name}"
        if len(found) != 1:
            what = "several step definitions match" if found else "no step definition matches"
            raise Fault("harness", f"{what} {shown}")
        for text in case.steps:
            if text.table and text.text == step.name:
                for column in found[0].unknown_columns(step.name, text.table[0]):
                    known = ", ".join(found[0].info.columns)
                    what = f'{case.id}: no column is called "{column}" in the table of {shown}'
                    raise Fault("harness", f"{what}; known columns: {known}")
        return cast(StepFunctionContext, found[0].context)

    def patch_pytest_bdd(self) -> Callable[[], None]:
        """Make pytest-bdd find steps here and inspect each signature once. Return a function that undoes this."""
        # The attribute `scenario` of the package is the decorator and not the module.
        module = importlib.import_module("pytest_bdd.scenario")

        def get_step_function(request: Any, step: Step) -> StepFunctionContext:
            return self.find(step, request.getfixturevalue("world").case)

        ours = {
            "get_step_function": get_step_function,
            "signature": lru_cache(maxsize=None)(inspect.signature),
            "get_required_args": lru_cache(maxsize=None)(module.get_required_args),
        }
        theirs = {name: getattr(module, name) for name in ours}
        for name, function in ours.items():
            setattr(module, name, function)

        def restore() -> None:
            for name, function in theirs.items():
                setattr(module, name, function)

        return restore
