"""The steps of one scenario, performed on a world one after the other. Knows no test runner and no fixtures.

For runs inside somebody else's pytest, whose fixtures, hooks and step definitions must have no part in a scenario. What
is performed are the row's own steps, which are exactly those that pytest-bdd executes in a sealed run.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from pytest_bdd.parser import Step
from pytest_bdd.scenario import parse_step_arguments
from pytest_bdd.steps import StepFunctionContext

from treeproof.run.step_registry import StepRegistry
from treeproof.run.world import World
from treeproof.spec.gherkin import StepText
from treeproof.verdict import Fault


def run_steps(world: World, registry: StepRegistry) -> None:
    """Perform every step of the world's row. Raises what the first sentence that does not hold raises."""
    for text in world.case.steps:
        world.step = f"{text.keyword_type.capitalize()} {text.text}"
        world.phase = text.keyword_type
        step = Step(text.text, text.keyword_type, 0, text.line, text.keyword)
        definition = registry.find(step, world.case)
        definition.step_func(**_step_arguments(definition, step, text, world))


def _step_arguments(
    definition: StepFunctionContext, step: Step, text: StepText, world: World
) -> dict[str, object]:
    offered: dict[str, object] = {**parse_step_arguments(step, definition), "world": world}
    if text.docstring is not None:
        offered["docstring"] = text.docstring
    if text.table is not None:
        offered["datatable"] = [list(row) for row in text.table]
    wanted = _parameters(definition.step_func)
    lacking = [name for name, needed in wanted.items() if needed and name not in offered]
    if lacking or definition.target_fixture is not None:
        what = f"asks for {', '.join(lacking)}" if lacking else "makes a fixture"
        raise Fault("harness", f"a sentence {what}, and there is nothing but a world: {step}")
    return {name: value for name, value in offered.items() if name in wanted}


@cache
def _parameters(function: Any) -> dict[str, bool]:
    """The names of a function's parameters, and whether each has to be given. Raises Fault for what only promises."""
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise Fault("harness", f"the sentence {function.__name__} would only begin: it is no plain function")
    found = inspect.signature(function).parameters
    return {name: parameter.default is parameter.empty for name, parameter in found.items()}
