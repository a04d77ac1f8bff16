"""Runs the steps of one scenario in order. A step receives the world, its own arguments and no pytest fixture."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from pytest_bdd.parser import Step
from pytest_bdd.scenario import parse_step_arguments
from pytest_bdd.steps import StepFunctionContext

from treeproof.run.world import World
from treeproof.spec.gherkin import StepText
from treeproof.verdict import Fault


def run_steps(world: World) -> None:
    """Run every step of the scenario. Raises the exception of the first step that fails."""
    for text in world.case.steps:
        world.step = text
        world.evidence.expected_text = ""  # that of an earlier step, which has passed
        world.phase = text.keyword_type
        definition = world.session.step_registry.find(text)
        step = Step(text.text, text.keyword_type, 0, text.line, text.keyword)
        definition.step_func(**_step_arguments(definition, step, text, world))


def _step_arguments(definition: StepFunctionContext, step: Step, text: StepText, world: World) -> dict[str, object]:
    available: dict[str, object] = {**parse_step_arguments(step, definition), "world": world}
    if text.docstring is not None:
        available["docstring"] = text.docstring
    if text.table is not None:
        available["datatable"] = [list(row) for row in text.table]
    parameters = _parameters(definition.step_func)
    missing = [name for name, required in parameters.items() if required and name not in available]
    if missing or definition.target_fixture is not None:
        what = f"has the parameter {', '.join(missing)}" if missing else "has a target fixture"
        raise Fault("harness", f"a step definition {what}, but a step receives only the world: {step}")
    return {name: value for name, value in available.items() if name in parameters}


@cache
def _parameters(function: Any) -> dict[str, bool]:
    """Return each parameter of a step function, True if it is required. Raises Fault for a coroutine or generator."""
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise Fault("harness", f"the step definition {function.__name__} is not a plain function")
    found = inspect.signature(function).parameters
    return {name: parameter.default is parameter.empty for name, parameter in found.items()}
