"""The scenarios that a candidate's declarations leave out are counted by their prerequisites, as a run has them."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import CAPABILITIES, InitializeResult
from treeproof.run.capability_needs import capabilities_of, count_left_out
from treeproof.run.runner import Options, run
from treeproof.spec import Pack, bundled_packs, find_pack, load_pack
from treeproof.spec.gherkin import parse_feature
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions

PACKS = {pack.name: pack for pack in map(load_pack, bundled_packs())}
CANDIDATE = """
def list_directory(tool, arguments, context):
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "no"}}
"""


def required_capabilities(function: Callable[..., Any], seen: set[object]) -> set[str]:
    """Return the capabilities that a step function requires, also in functions of the steps that it calls."""
    if function in seen:
        return set()
    seen.add(function)
    found = set()
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "require_capability":
            (argument,) = node.args
            assert isinstance(argument, ast.Constant)
            found.add(str(argument.value))
        elif isinstance(node.func, ast.Name):
            called = function.__globals__.get(node.func.id)
            if isinstance(called, types.FunctionType) and ".steps." in called.__module__:
                found |= required_capabilities(called, seen)
    return found


@pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS)
def test_a_step_declares_each_capability_that_it_requires(pack: Pack) -> None:
    checked = 0
    for definition in load_step_definitions(pack.steps):
        if definition.info.context:  # what it requires depends on the members that the scenario writes
            continue
        function = inspect.unwrap(getattr(importlib.import_module(definition.module), definition.function))
        required = required_capabilities(function, set())
        assert set(definition.info.capabilities) >= required, definition.pattern
        assert set(definition.info.capabilities) <= required | {"roots"}, definition.pattern
        checked += bool(required)
    assert checked >= 5


@pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS)
def test_a_candidate_that_declares_everything_leaves_nothing_out(pack: Pack) -> None:
    tools = {tool.name: f"{pack.name}@{pack.version}" for tool in pack.tools}
    whole = InitializeResult(1, "whole", "1", "", tools, frozenset(CAPABILITIES), {})
    found = count_left_out(pack, whole)
    assert (found.left_out, found.by_capability, found.by_tool) == (0, {}, {})
    assert found.total > 100


def test_the_tools_that_are_not_offered_are_counted() -> None:
    hello = InitializeResult(1, "mover", "1", "", {"move": "file_operations@1.1"}, frozenset(CAPABILITIES), {})
    found = count_left_out(PACKS["file_operations"], hello)
    assert set(found.by_tool) == {"copy", "list_directory"}
    assert 0 < found.left_out < found.total


def test_what_is_left_out_is_what_a_run_does_not_verify(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(CANDIDATE, "utf-8")
    manifest = tmp_path / "treeproof.toml"
    manifest.write_text('[candidate]\nadapter = "python"\nfactory = "./tool.py:list_directory"\n', "utf-8")
    pack = load_pack(find_pack("list_directory"))
    matcher = StepMatcher(load_step_definitions(pack.steps))
    cases = [
        case
        for file in pack.feature_files()
        if file.name in ("denied_patterns.feature", "definition.feature")
        for case in parse_feature(file).scenarios
    ]
    done = run(Options(str(manifest), select=tuple(case.id for case in cases), jobs=1)).document
    outcomes = {one["id"]: one["outcome"] for spec in done.to_json()["specs"] for one in spec["scenarios"]}
    left_out = {case.id for case in cases if capabilities_of(pack, case, matcher)}
    assert 10 < len(left_out) < len(cases)
    assert {outcomes[id] for id in left_out} <= {"not-verified", "not-applicable"}
    assert "failed" in {outcome for id, outcome in outcomes.items() if id not in left_out}
