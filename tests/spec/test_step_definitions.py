"""Step definitions: loading them from step modules, and matching them with steps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treeproof.errors import UsageError
from treeproof.spec import StepText
from treeproof.spec.step_definitions import CapturedArgument, StepDefinition, StepInfo, load_step_definitions

Module = Callable[..., str]

SOURCE = '''
from pytest_bdd import given, parsers, step, then
from treeproof.api import when

@given("a plain text")
def plain(docstring: str = "") -> None:
    pass

@when(
    r'(?P<tool>\\w+) is called with (?P<arguments>\\{.*\\})(?: on "(?P<place>.*)")?',
    example='it is called with {"a": {"b": 1}}',
    role="call",
    needs="strace",
    tree="place",
)
def called(tool: str, arguments: str, place: str, datatable: object) -> None:
    """Call a tool with
    any arguments.

    More about it.
    """

@then(parsers.parse('there are {count:d} in "{where}"'))
@then(parsers.cfparse('{count:d} are in "{where}"'))
def there(count: int, where: str) -> None:
    pass

@step("anything")
async def anything() -> None:
    pass

def no_step() -> None:
    pass
'''


@pytest.fixture
def definitions(steps_module: Module) -> dict[str, StepDefinition]:
    return {definition.pattern: definition for definition in load_step_definitions([steps_module(SOURCE)])}


def called(definitions: dict[str, StepDefinition]) -> StepDefinition:
    return next(definition for definition in definitions.values() if definition.function == "called")


def test_every_step_definition_of_a_module_is_loaded(definitions: dict[str, StepDefinition]) -> None:
    assert [(one.keyword_type, one.function) for one in definitions.values()] == [
        ("given", "plain"),
        ("when", "called"),
        ("then", "there"),
        ("then", "there"),
        (None, "anything"),
    ]


def test_a_definition_has_its_module_file_and_line(definitions: dict[str, StepDefinition]) -> None:
    plain = definitions["a plain text"]
    assert plain.module.startswith("steps_of_a_test_")
    assert (plain.file.name, plain.line) == (f"{plain.module}.py", 5)


def test_a_definition_has_its_parameters_and_data(definitions: dict[str, StepDefinition]) -> None:
    definition = called(definitions)
    assert definition.info.role == "call"
    assert definition.info.needs == ("strace",)
    assert definition.explanation == "Call a tool with any arguments."
    assert definition.captures == ("tool", "arguments", "place")
    assert definition.parameters == ("tool", "arguments", "place", "datatable")
    assert (definition.takes_table, definition.takes_docstring, definition.is_async) == (True, False, False)
    plain, anything = definitions["a plain text"], definitions["anything"]
    assert (plain.takes_docstring, plain.required, anything.is_async) == (True, (), True)


def test_the_example_is_the_declared_one_or_the_pattern(definitions: dict[str, StepDefinition]) -> None:
    assert called(definitions).example == 'When it is called with {"a": {"b": 1}}'
    assert definitions["a plain text"].example == "Given a plain text"
    assert definitions['there are {count:d} in "{where}"'].example == 'Then there are {count:d} in "{where}"'
    assert definitions["a plain text"].info == StepInfo()


def test_a_tree_is_a_captured_group_or_the_text_block(
    definitions: dict[str, StepDefinition], steps_module: Module
) -> None:
    step = StepText("when", 'x is called with {} on "a, b"', 1)
    assert called(definitions).tree_notation(step) == "a, b"
    assert called(definitions).tree_notation(StepText("when", "x is called with {}", 1)) is None
    assert definitions["a plain text"].tree_notation(StepText("given", "a plain text", 1)) is None
    source = "from treeproof.api import given\n"
    source += '@given("the tree", tree="docstring")\ndef the_tree(docstring: str) -> None: ...\n'
    (block,) = load_step_definitions([steps_module(source)])
    assert block.tree_notation(StepText("given", "the tree", 1, "a,\nb")) == "a, b"


def test_a_definition_matches_as_pytest_bdd_does(definitions: dict[str, StepDefinition]) -> None:
    counted = definitions['there are {count:d} in "{where}"']
    assert counted.matches('there are 3 in "a"')
    assert not counted.matches('there are three in "a"')
    assert not counted.matches('there are 3 in ""')  # parse never matches an empty part
    assert (counted.keyword_type, definitions["anything"].keyword_type) == ("then", None)


def test_arguments_are_captured_with_whether_they_are_quoted(definitions: dict[str, StepDefinition]) -> None:
    assert called(definitions).captured_arguments('x is called with {} on "a"') == {
        "tool": CapturedArgument("x", unquoted=True),
        "arguments": CapturedArgument("{}", unquoted=True),
        "place": CapturedArgument("a", unquoted=False),
    }
    assert "place" not in called(definitions).captured_arguments("x is called with {}")
    assert definitions['there are {count:d} in "{where}"'].captured_arguments('there are 3 in "a"') == {
        "count": CapturedArgument("3", unquoted=True),
        "where": CapturedArgument("a", unquoted=False),
    }
    assert definitions["a plain text"].captured_arguments("a plain text") == {}


def test_modules_are_loaded_in_the_given_order(steps_module: Module) -> None:
    text = 'from pytest_bdd import given\n@given("{0}")\ndef x() -> None:\n    """Given {0}: x."""\n'
    names = [steps_module(text.replace("{0}", word)) for word in ("b", "a")]
    assert [definition.pattern for definition in load_step_definitions(names)] == ["b", "a"]


def test_a_missing_module_is_refused() -> None:
    with pytest.raises(UsageError, match=r'the step module "no\.such\.steps" cannot be imported: ModuleNotFound'):
        load_step_definitions(["no.such.steps"])


@pytest.mark.parametrize(
    ("parser", "prefix"),
    [
        ('re(r"it lists (?P<what>a|b)")', "it lists "),
        ('re(r"its|it lists")', ""),
        ('re(r"its? name")', "it"),
        ('re(r"it{2} x")', "i"),
        ('re(r"a b", re.IGNORECASE)', ""),
        ('re(r"(?P<all>.*)")', ""),
        ('parse("it lists {what}")', ""),
    ],
)
def test_the_literal_prefix_is_common_to_all_matching_texts(steps_module: Module, parser: str, prefix: str) -> None:
    source = f"import re\nfrom pytest_bdd import parsers, then\n\n@then(parsers.{parser})\ndef there():\n    pass\n"
    (definition,) = load_step_definitions([steps_module(source)])
    assert definition.literal_prefix == prefix
