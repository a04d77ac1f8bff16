"""The vocabulary: what is read from step modules, and what a sentence tells about a step."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treeproof.errors import UsageError
from treeproof.spec.step_definitions import CapturedArgument, StepDefinition, load_step_definitions

Module = Callable[..., str]

SOURCE = '''
from pytest_bdd import given, parsers, step, then, when

@given("a plain text")
def plain(docstring: str = "") -> None:
    """Given a plain text: no arguments."""

@when(parsers.re(r'(?P<tool>\\w+) is called with (?P<arguments>\\{.*\\})(?: in "(?P<place>.*)")?'))
def called(tool: str, arguments: str, place: str, datatable: object) -> None:
    """When it is called with {"a": {"b": 1}}, with any arguments. More words: and more.

    Role: call
    Evidence: arguments, column.
    """

@then(parsers.parse('there are {count:d} in "{where}"'))
@then(parsers.cfparse('{count:d} are in "{where}"'))
def there(count: int, where: str) -> None:
    """Then there are 3 in "a": counted."""

@step("anything")
async def anything() -> None:
    pass

def no_step() -> None:
    pass
'''


@pytest.fixture
def sentences(steps_module: Module) -> dict[str, StepDefinition]:
    return {sentence.pattern: sentence for sentence in load_step_definitions([steps_module(SOURCE)])}


def called(sentences: dict[str, StepDefinition]) -> StepDefinition:
    return next(sentence for sentence in sentences.values() if sentence.function == "called")


def test_every_definition_of_a_module_is_a_sentence(sentences: dict[str, StepDefinition]) -> None:
    assert [(one.keyword_type, one.function) for one in sentences.values()] == [
        ("given", "plain"),
        ("when", "called"),
        ("then", "there"),
        ("then", "there"),
        (None, "anything"),
    ]


def test_a_sentence_knows_its_place(sentences: dict[str, StepDefinition]) -> None:
    plain = sentences["a plain text"]
    assert plain.module.startswith("steps_of_a_test_")
    assert (plain.file.name, plain.line) == (f"{plain.module}.py", 4)


def test_a_sentence_knows_its_parameters_and_marks(sentences: dict[str, StepDefinition]) -> None:
    sentence = called(sentences)
    assert sentence.roles == ("call",)
    assert sentence.evidence == ("arguments", "column")
    assert sentence.captures == ("tool", "arguments", "place")
    assert sentence.parameters == ("tool", "arguments", "place", "datatable")
    assert (sentence.takes_table, sentence.takes_docstring, sentence.is_async) == (True, False, False)
    plain, anything = sentences["a plain text"], sentences["anything"]
    assert (plain.takes_docstring, plain.required, anything.is_async) == (True, (), True)


def test_the_example_ends_where_the_sentence_does(sentences: dict[str, StepDefinition]) -> None:
    assert sentences["a plain text"].example == "Given a plain text"
    assert called(sentences).example == 'When it is called with {"a": {"b": 1}}'
    assert sentences['there are {count:d} in "{where}"'].example == 'Then there are 3 in "a"'
    assert sentences["anything"].example == ""


def test_a_sentence_matches_as_pytest_bdd_does(sentences: dict[str, StepDefinition]) -> None:
    counted = sentences['there are {count:d} in "{where}"']
    assert counted.matches('there are 3 in "a"')
    assert not counted.matches('there are three in "a"')
    assert not counted.matches('there are 3 in ""')  # parse never matches an empty part
    assert counted.accepts_keyword("then")
    assert not counted.accepts_keyword("when")
    assert sentences["anything"].accepts_keyword("when")


def test_arguments_are_captured_with_whether_they_are_quoted(sentences: dict[str, StepDefinition]) -> None:
    assert called(sentences).captured_arguments('x is called with {} in "a"') == {
        "tool": CapturedArgument("x", unquoted=True),
        "arguments": CapturedArgument("{}", unquoted=True),
        "place": CapturedArgument("a", unquoted=False),
    }
    assert "place" not in called(sentences).captured_arguments("x is called with {}")
    assert sentences['there are {count:d} in "{where}"'].captured_arguments('there are 3 in "a"') == {
        "count": CapturedArgument("3", unquoted=True),
        "where": CapturedArgument("a", unquoted=False),
    }
    assert sentences["a plain text"].captured_arguments("a plain text") == {}


def test_modules_come_in_the_order_given(steps_module: Module) -> None:
    text = 'from pytest_bdd import given\n@given("{0}")\ndef x() -> None:\n    """Given {0}: x."""\n'
    names = [steps_module(text.replace("{0}", word)) for word in ("b", "a")]
    assert [sentence.pattern for sentence in load_step_definitions(names)] == ["b", "a"]


def test_a_module_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r'the step module "no\.such\.steps" cannot be imported: ModuleNotFound'
    ):
        load_step_definitions(["no.such.steps"])


@pytest.mark.parametrize(
    ("parser", "opening"),
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
def test_an_opening_is_only_what_every_text_begins_with(
    steps_module: Module, parser: str, opening: str
) -> None:
    source = f"import re\nfrom pytest_bdd import parsers, then\n\n@then(parsers.{parser})\ndef there():\n    pass\n"
    (sentence,) = load_step_definitions([steps_module(source)])
    assert sentence.literal_prefix == opening
