"""The lint on sentences: steps, definitions without effect, scenarios that prove nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.spec import StepText, load_pack
from treeproof.spec.lint import lint

Write = Callable[..., Path]

HEAD = """
@tiny
Feature: what is there
  @FR-TY-01
  Rule: it lists what is there

    @TY-01-01
    Scenario: one file
"""
STEPS = """      Given the tree "a"
      When tiny is called with {}
      Then the entries are "a"
      And the tree is unchanged
"""
IMPORTS = "from pytest_bdd import given, parsers, step, then, when\n"


def lint_messages(folder: Path, **options: object) -> list[str]:
    found = lint(load_pack(folder), **options)  # type: ignore[arg-type]
    return [f"{one.code}: {one.message}" for one in found]


def edited(old: str, new: str) -> str:
    assert old in STEPS
    return HEAD + STEPS.replace(old, new)


def definition_messages(folder: Path) -> list[str]:
    """The findings on the step definitions, without those on features and marks."""
    return [
        f"{one.code}: {one.message}"
        for one in lint(load_pack(folder))
        if one.file.suffix == ".py" and one.is_error
    ]


# Steps against the vocabulary.


def test_a_step_that_no_sentence_matches_is_told_the_nearest(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("the tree is unchanged", "the tree is unchangd"))) == [
        'orphaned: "Then the tree is unchangd" matches no sentence; '
        "the nearest one: Then the tree is unchanged"
    ]


def test_arguments_do_not_hide_the_nearest_sentence(pack_folder: Write) -> None:
    assert lint_messages(
        pack_folder(edited("tiny is called with {}", 'tiny is caled with {"path": "a"}'))
    ) == [
        'orphaned: "When tiny is caled with {"path": "a"}" matches no sentence; '
        'the nearest one: When tiny is called with {"path": "."}'
    ]


def test_a_step_that_resembles_nothing(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("the tree is unchanged", "xyzzy"))) == [
        'orphaned: "Then xyzzy" matches no sentence; see: treeproof list steps'
    ]


def test_a_sentence_under_another_keyword(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("Then the entries", "When the entries"))) == [
        'orphaned: "When the entries are "a"" matches no sentence; as a Then it would: change the keyword',
        'orphaned: "When the tree is unchanged" matches no sentence; as a Then it would: change the keyword',
    ]


def test_a_step_that_two_sentences_match(pack_folder: Write) -> None:
    more = '''
@then(parsers.re("the tree is .*"))
def the_tree_is() -> None:
    """Then the tree is green: or not."""
'''
    lines = lint_messages(pack_folder(HEAD + STEPS, more_steps=more))
    assert len(lines) == 1
    assert lines[0].startswith('ambiguous: "Then the tree is unchanged" matches ')
    assert lines[0].endswith(".the_tree_is; make the sentences distinct")


def test_a_row_of_an_outline_is_named(pack_folder: Write) -> None:
    text = HEAD.replace("    @TY-01-01\n    Scenario:", "    Scenario Outline:")
    text += STEPS.replace("unchanged", "<what>")
    text += "      Examples:\n        | id | what |\n"
    text += "        | TY-01-01 | unchanged |\n        | TY-01-02 | gone |\n"
    (only,) = lint_messages(pack_folder(text))
    assert only.startswith('orphaned: TY-01-02: "Then the tree is gone" matches no sentence')


def test_a_block_that_the_sentence_ignores(pack_folder: Write) -> None:
    text = edited("the tree is unchanged\n", 'the tree is unchanged\n      """\n      x\n      """\n')
    assert lint_messages(pack_folder(text)) == [
        'unwanted: "Then the tree is unchanged" has a text block that the sentence ignores; leave it out'
    ]


def test_a_table_that_the_sentence_ignores(pack_folder: Write) -> None:
    text = edited("the tree is unchanged\n", "the tree is unchanged\n      | a |\n      | b |\n")
    assert lint_messages(pack_folder(text)) == [
        'unwanted: "Then the tree is unchanged" has a table that the sentence ignores; leave it out'
    ]


def test_a_sentence_without_its_block(pack_folder: Write) -> None:
    text = edited("And the tree", "And the document is exactly\n      And the tree")
    assert lint_messages(pack_folder(text)) == [
        'malformed: "Then the document is exactly" lacks its text block; write it below between lines of """'
    ]


def test_a_sentence_without_its_table(pack_folder: Write) -> None:
    text = edited("And the tree", "And by AMB-TY-01 the answer is one of\n      And the tree")
    assert lint_messages(pack_folder(text)) == [
        'malformed: "Then by AMB-TY-01 the answer is one of" lacks its table; '
        "write it below, with a header row"
    ]


@pytest.mark.parametrize(
    ("table", "finding"),
    [
        ("| reading | entries |", "has a table without rows and would check nothing; write some"),
        ("| reading | reading |\n | reached | reached |", 'the column "reading" is there 2 times; keep one'),
    ],
)
def test_a_table_that_checks_nothing(pack_folder: Write, table: str, finding: str) -> None:
    text = edited("And the tree", f"And by AMB-TY-01 the answer is one of\n      {table}\n      And the tree")
    (only,) = lint_messages(pack_folder(text))
    assert only.endswith(finding)


# JSON and notation.


@pytest.mark.parametrize(
    ("json", "finding"),
    [
        ('{"path": "a"', None),  # ends without a brace: no such sentence
        ('{"path": a}', '{"path": a} is not JSON: Expecting value at character 10'),
        ('{"path": "a",}', '{"path": "a",} is not JSON: '),
        ("{'path': 1}", "{'path': 1} is not JSON: "),
        (
            '{"path": "$(\'a\'*)"}',
            "the repetition in {\"path\": \"$('a'*)\"} cannot be read; write $('text'*count)",
        ),
        ('{"path": "$(\'"\'*3)"}', "is not JSON: "),
        ('{"path": NaN}', "NaN is no value of it"),
        pytest.param(f'{{"path": {"1" * 6000}}}', "not JSON that can be read: a number is too", id="long"),
        pytest.param(f'{{"path": {"[" * 60_000}{"]" * 60_000}}}', "not JSON: nested too deeply", id="deep"),
    ],
)
def test_json_that_cannot_be_read(pack_folder: Write, json: str, finding: str | None) -> None:
    (only,) = lint_messages(pack_folder(edited("called with {}", f"called with {json}")))
    assert only.startswith("orphaned: " if finding is None else "malformed: ")
    assert finding is None or finding in only


@pytest.mark.parametrize(
    "json", ['{"path": "$ROOT/a"}', '{"path": "$(\'/.\'*3000)"}', '{"path": "$(\'\\\\u0061\'*9)x", "n": 1e2}']
)
def test_json_with_stand_ins_is_read(pack_folder: Write, json: str) -> None:
    assert lint_messages(pack_folder(edited("called with {}", f"called with {json}"))) == []


def test_json_in_a_table(pack_folder: Write) -> None:
    table = '| reading | entries | document |\n      | reached | a | {"path": } |'
    text = edited("And the tree", f"And by AMB-TY-01 the answer is one of\n      {table}\n      And the tree")
    assert lint_messages(pack_folder(text)) == [
        'malformed: {"path": } is not JSON: Expecting value at character 10'
    ]


def test_a_quoted_argument_is_no_json(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited('the tree "a"', 'the tree "{"'))) == []


def test_the_callers_check_sees_every_step_once(pack_folder: Write) -> None:
    seen: list[str] = []

    def check(step: StepText) -> str | None:
        seen.append(step.text)
        if step.text.startswith('the tree "'):
            return "column 2: no such thing"
        return None

    text = HEAD + STEPS + "\n    @TY-01-02\n    Scenario: the same again\n" + STEPS
    assert (
        lint_messages(pack_folder(text), check_step=check)[0]
        == 'malformed: "Given the tree "a"": column 2: no such thing'
    )
    assert len(seen) == 8


def test_what_the_callers_check_raises_is_a_finding(pack_folder: Write) -> None:
    def check(step: StepText) -> str | None:
        raise UsageError("cannot be")

    assert set(lint_messages(pack_folder(HEAD + STEPS), check_step=check)) == {
        'malformed: "Given the tree "a"": cannot be',
        'malformed: "When tiny is called with {}": cannot be',
        'malformed: "Then the entries are "a"": cannot be',
        'malformed: "Then the tree is unchanged": cannot be',
    }


# What a scenario proves.


def test_a_call_after_which_nobody_looks_at_the_tree(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("      And the tree is unchanged\n", ""))) == [
        "malformed: TY-01-01 calls and never says what became of the tree; "
        "end it with: And the tree is unchanged"
    ]


def test_a_second_call_after_which_nobody_looks_at_the_tree(pack_folder: Write) -> None:
    text = edited(
        "And the tree is unchanged\n", "And the tree is unchanged\n      When tiny is called with {}\n"
    )
    assert len(lint_messages(pack_folder(text))) == 1


def test_a_scenario_without_a_call_need_not_look_at_the_tree(pack_folder: Write) -> None:
    text = HEAD + '      Given the tree "a"\n      Then a control call with {} lists "a"\n'
    assert lint_messages(pack_folder(text)) == []


NOTHING = (
    "malformed: TY-01-01 would pass for a candidate that does nothing; "
    "add a control call that lists something"
)


@pytest.mark.parametrize(
    "step", ['Then the entries are ""', "Then the call fails", 'Then a control call with {} lists ""']
)
def test_a_scenario_that_shows_no_presence(pack_folder: Write, step: str) -> None:
    assert lint_messages(pack_folder(edited('Then the entries are "a"', step))) == [NOTHING]


def test_a_control_call_shows_presence(pack_folder: Write) -> None:
    step = 'Then the call fails\n      And a control call with {} lists "a"'
    assert lint_messages(pack_folder(edited('Then the entries are "a"', step))) == []


@pytest.mark.parametrize(("second", "shown"), [("a", True), ("", False)])
def test_readings_show_presence_if_each_row_does(pack_folder: Write, second: str, shown: bool) -> None:
    step = "Then by AMB-TY-01 the answer is one of\n      | reading | entries |\n"
    step += f"      | exceeded | a |\n      | reached | {second} |"
    lines = lint_messages(pack_folder(edited('Then the entries are "a"', step)))
    assert lines == ([] if shown else [NOTHING])


# The definitions.


def definition(source: str) -> str:
    return IMPORTS + source


def test_an_async_definition(pack_folder: Write) -> None:
    source = '@then("it holds")\nasync def holds() -> None:\n    """Then it holds: surely."""\n'
    assert definition_messages(pack_folder(steps=definition(source))) == [
        "malformed: holds: is async, so nothing would ever run it; make it an ordinary function"
    ]


def test_two_definitions_of_one_sentence(pack_folder: Write) -> None:
    one = '@then("it holds")\ndef {0}() -> None:\n    """Then it holds: surely."""\n'
    (only,) = definition_messages(pack_folder(steps=definition(one.format("first") + one.format("second"))))
    assert only.startswith('duplicate: second: the sentence "it holds" is defined at steps_of_a_test_')
    assert only.endswith(".py:2 too; keep one")


def test_two_functions_of_one_name_are_two_definitions(pack_folder: Write) -> None:
    one = '@then("it holds")\ndef _() -> None:\n    """Then it holds: surely."""\n'
    assert len(definition_messages(pack_folder(steps=definition(one + one)))) == 1


@pytest.mark.parametrize("doc", ["", '"""It holds."""', '"""Then it hlods: surely."""'])
def test_a_definition_without_an_example_of_itself(pack_folder: Write, doc: str) -> None:
    source = f'@then("it holds")\ndef holds() -> None:\n    {doc or "pass"}\n'
    assert definition_messages(pack_folder(steps=definition(source))) == [
        "malformed: holds: its docstring begins with no example of the sentence; write one and a colon"
    ]


def test_a_captured_part_that_nothing_looks_at(pack_folder: Write) -> None:
    source = '@then(parsers.parse("there are {count:d} files"))\ndef holds() -> None:\n'
    source += '    """Then there are 3 files: surely."""\n'
    assert definition_messages(pack_folder(steps=definition(source))) == [
        'malformed: holds: captures "count" and does not take it; use it or do not capture it'
    ]


@pytest.mark.parametrize(
    ("mark", "finding"),
    [
        ("Role: cal", 'orphaned: holds: "Role: cal" is unknown; write one of: call, state'),
        (
            "Evidence: nam",
            'orphaned: holds: "Evidence: nam" names no part of the sentence; write one it captures',
        ),
        ("Evidence: docstring", 'orphaned: holds: "Evidence: docstring" names no part of the sentence'),
        ("Evidence: name.", None),
        ("Evidence: always", None),
        ("Role: call, state", None),
    ],
)
def test_marks_in_a_docstring(pack_folder: Write, mark: str, finding: str | None) -> None:
    source = '@then(parsers.re(r"(?P<name>\\w+) holds"))\ndef holds(name: str) -> None:\n'
    source += f'    """Then it holds: surely.\n\n    {mark}\n    """\n'
    lines = definition_messages(pack_folder(steps=definition(source)))
    assert len(lines) == (finding is not None)
    assert finding is None or lines[0].startswith(finding)


def test_a_vocabulary_without_marks_cannot_judge_scenarios_and_says_so_once(pack_folder: Write) -> None:
    source = definition('@then("it holds")\ndef holds() -> None:\n    """Then it holds: surely."""\n')
    lines = lint_messages(pack_folder(HEAD + "      Then it holds\n", steps=source))
    assert [line.partition(" in its")[0] for line in lines] == [
        'malformed: no sentence of its steps is marked "Evidence: …"',
        'malformed: no sentence of its steps is marked "Role: call"',
        'malformed: no sentence of its steps is marked "Role: state"',
    ]


def test_a_step_module_that_cannot_be_imported(pack_folder: Write) -> None:
    folder = pack_folder(HEAD + STEPS, steps="raise RuntimeError('broken')")
    (only,) = lint_messages(folder)
    assert only.startswith('malformed: the step module "steps_of_a_test_')
    assert '.py:1: RuntimeError: broken; correct it, or its name in the key "steps"' in only


def test_an_empty_vocabulary_leaves_the_wording_alone(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("the tree is unchanged", "xyzzy")), step_definitions=()) == []
