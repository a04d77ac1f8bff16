"""Counts the scenarios of a pack that a candidate's declarations leave out, by their prerequisites. Runs nothing.

A scenario needs the capabilities of its steps, of its call context and of its requirement, and the tools that it calls.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treeproof.candidate import InitializeResult
from treeproof.model.case import CONTEXT_CAPABILITIES
from treeproof.run.scenario_record import framework_capabilities
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase, StepText
from treeproof.spec.lint_schemas import known_arguments
from treeproof.spec.step_definitions import StepDefinition, StepMatcher, load_step_definitions
from treeproof.spec.version_features import scenarios_of


@dataclass(frozen=True)
class LeftOut:
    """The scenarios of a pack that are left out, and how many need each capability, missing tool and missing argument.

    A scenario can need several. ``total`` is that of a run, with the ``simulated`` ones for other platforms.
    """

    total: int
    simulated: int
    left_out: int
    by_capability: Mapping[str, int]
    by_tool: Mapping[str, int]
    by_argument: Mapping[str, int]


def count_left_out(
    pack: Pack,
    hello: InitializeResult,
    lacks: Callable[[str, str], bool] = lambda tool, argument: False,
    platform: str | None = None,
) -> LeftOut:
    """Return how many scenarios the declared capabilities and tools leave out.

    ``lacks`` returns whether a tool has no argument of a name; ``platform`` is that of the manifest.
    """
    matcher = StepMatcher(load_step_definitions(pack.steps, pack.folder))
    missing_tools = {tool.name for tool in pack.tools} - hello.tools.keys()
    by_capability: Counter[str] = Counter()
    by_tool: Counter[str] = Counter()
    by_argument: Counter[str] = Counter()
    total = simulated = left_out = 0
    for case in scenarios_of(pack):
        total += 1
        if case.simulated not in (None, platform):
            simulated += 1
            continue
        missing = capabilities_of(pack, case, matcher) - hello.capabilities
        calls = _calls(case, matcher)
        tools = {tool for tool, _ in calls} & missing_tools
        arguments = {(tool, name) for tool, names in calls for name in names if lacks(tool, name)}
        by_capability.update(missing)
        by_tool.update(tools)
        by_argument.update({name for tool, name in arguments if name in known_arguments(pack, tool)})
        left_out += bool(missing or tools or arguments)
    counts = (dict(each.most_common()) for each in (by_capability, by_tool, by_argument))
    return LeftOut(total, simulated, left_out, *counts)


def capabilities_of(pack: Pack, case: ScenarioCase, matcher: StepMatcher) -> set[str]:
    """Return the capabilities without which a scenario is not run. ``matcher`` finds the steps of the pack."""
    found = set(framework_capabilities(pack, case))
    for step in case.steps:
        for definition in matcher.matching(step.keyword_type, step.text):
            found.update(definition.info.capabilities)
            found.update(_context_capabilities(definition, step))
    return found


def _context_capabilities(definition: StepDefinition, step: StepText) -> set[str]:
    argument = definition.captured_arguments(step.text).get(definition.info.context)
    if argument is None:
        return set()
    members = json.loads(argument.value)
    found = {CONTEXT_CAPABILITIES[name] for name in members if name in CONTEXT_CAPABILITIES}
    return found | ({"roots"} if len(members.get("roots", ())) > 1 else set())


def _calls(case: ScenarioCase, matcher: StepMatcher) -> list[tuple[str, tuple[str, ...]]]:
    """Return the tools that a scenario calls, each with the names of its arguments."""
    found = []
    for step in case.steps:
        for definition in matcher.matching(step.keyword_type, step.text):
            captured = definition.captured_arguments(step.text)
            if "tool" in captured:
                names: tuple[str, ...] = ()
                with contextlib.suppress(KeyError, ValueError, RecursionError):
                    given = json.loads(captured["arguments"].value)
                    names = tuple(given) if isinstance(given, dict) else ()
                found.append((captured["tool"].value, names))
    return found
