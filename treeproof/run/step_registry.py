"""From a step's words to its definition, in one pass over a small table.

pytest-bdd asks every fixture of the session for every step, and silently takes the last of two definitions that
match. Here a step that matches no definition or two of them is a fault of the harness, never a pass.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

from treeproof.spec.step_definitions import import_step_module
from treeproof.verdict import Fault


class StepRegistry:
    """The step definitions of some modules, by kind of step. Raises UsageError for one that cannot be imported."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._by_type: dict[str, list[StepFunctionContext]] = {"given": [], "when": [], "then": []}
        for name in modules:
            for value in list(vars(import_step_module(name)).values()):
                context = _step_definition(value)
                if context is not None:
                    for kind in [context.type] if context.type else list(self._by_type):
                        self._by_type[kind].append(context)

    def find(self, step: Step) -> StepFunctionContext:
        """Return the only definition that matches ``step``; raises Fault when there is none or more than one."""
        found = [context for context in self._by_type[step.type] if context.parser.is_matching(step.name)]
        if len(found) == 1:
            return found[0]
        what = "no sentence matches" if not found else "two sentences match"
        raise Fault("harness", f"{what} the step {step.type.capitalize()} {step.name}")

    def patch_pytest_bdd(self) -> Callable[[], None]:
        """Make pytest-bdd look steps up here, and look at a function's signature once; returns what undoes that."""
        # The package's attribute `scenario` is the decorator; the module is reached by its name.
        module = importlib.import_module("pytest_bdd.scenario")

        def get_step_function(request: Any, step: Step) -> StepFunctionContext:
            return self.find(step)

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


def _step_definition(value: object) -> StepFunctionContext | None:
    # pytest wraps the function that pytest-bdd registers; __wrapped__ is that function.
    marker = getattr(value, "__wrapped__", None)
    return step_function_context_registry.get(marker) if inspect.isfunction(marker) else None
