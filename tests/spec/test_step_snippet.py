"""The beginning of a definition for a step without one: it compiles, and its pattern matches the step."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest

from tests.spec.test_mistakes import PACK
from treeproof.api import given, then, when
from treeproof.cli import main
from treeproof.spec.gherkin import StepText
from treeproof.spec.lint_steps import step_snippet
from treeproof.spec.step_definitions import StepInfo

TEXTS = [
    "the answer is empty",
    'the content is "one"',
    'the file "a" has the text "b" and 3 lines',
    'the tool is called with {"path": "a", "n": 1}',
    "the size is -5 (bytes) + [x] ^ $ | ? *",
    "it's \"one\" of 'these'",
    "a path such as C:\\dir",
    "v1.2 is no number",
    "7 is first",
    "class",
]


def definition_of(snippet: str) -> tuple[ast.FunctionDef, ast.Call]:
    (function,) = ast.parse(snippet).body
    assert isinstance(function, ast.FunctionDef)
    (decorator,) = function.decorator_list
    assert isinstance(decorator, ast.Call)
    return function, decorator


@pytest.mark.parametrize("text", TEXTS)
def test_the_pattern_matches_the_step_and_the_parameters_are_its_groups(text: str) -> None:
    snippet = step_snippet(StepText("then", text, 1))
    function, decorator = definition_of(snippet)
    arguments = {one.arg: ast.literal_eval(one.value) for one in decorator.keywords}
    pattern = ast.literal_eval(decorator.args[0])
    parser: dict[str, object] = {"given": given, "when": when, "then": then, "World": object}
    exec(snippet, parser)
    assert ("example" in arguments) == (len(function.args.args) > 1)
    assert arguments.get("example", text) == text
    match = re.compile(pattern).fullmatch(text)
    assert match is not None
    assert list(match.groupdict()) == [one.arg for one in function.args.args[1:]]
    assert function.name.isidentifier()


def test_a_table_and_a_text_block_become_parameters() -> None:
    step = StepText("then", "the rows are", 1, docstring="x", table=(("a", "b"), ("1", "2")))
    function, decorator = definition_of(step_snippet(step))
    assert [one.arg for one in function.args.args] == ["world", "docstring", "datatable"]
    arguments = {one.arg: ast.literal_eval(one.value) for one in decorator.keywords}
    assert arguments == {"columns": ("a", "b")}
    assert set(arguments) <= set(StepInfo.__dataclass_fields__)


def test_lint_prints_the_beginning_of_a_missing_definition_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(PACK, pack)
    feature = pack / "text.feature"
    text = feature.read_text("utf-8").replace('Then the content is "one"', 'Then the shade is "one"')
    feature.write_text(text.replace("Then the call fails with NotFound", 'Then the shade is "one"'), "utf-8")
    assert main(["lint", str(pack)]) == 2
    output = capsys.readouterr().out
    assert output.count('Then the shade is "one"" matches no step definition') == 2
    decorator = """@then('the shade is "(?P<text>[^"]*)"', example='the shade is "one"')"""
    assert output.count(decorator) == 1
    assert output.count("def the_shade_is(world: World, text: str) -> None:") == 1
