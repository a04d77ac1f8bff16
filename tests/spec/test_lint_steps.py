"""The lint on steps: unknown and ambiguous ones, data of definitions, scenarios without evidence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.spec import load_pack
from treeproof.spec.lint import lint
from treeproof.spec.lint_steps import Notation

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
IMPORTS = "from pytest_bdd import parsers\nfrom pytest_bdd import then as plain\nfrom treeproof.api import then\n"


def lint_messages(folder: Path, **options: object) -> list[str]:
    found = lint(load_pack(folder), **options)  # type: ignore[arg-type]
    return [f"{one.code}: {one.message}" for one in found]


def edited(old: str, new: str) -> str:
    assert old in STEPS
    return HEAD + STEPS.replace(old, new)


def definition_messages(folder: Path) -> list[str]:
    """Return the errors of the step definitions, without those of features."""
    return [
        f"{one.code}: {one.message}" for one in lint(load_pack(folder)) if one.file.suffix == ".py" and one.is_error
    ]


# Steps and definitions.


def test_an_unknown_step_is_reported_with_the_nearest(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("the tree is unchanged", "the tree is unchangd"))) == [
        'orphaned: "Then the tree is unchangd" matches no step definition; the nearest one: Then the tree is unchanged'
    ]


def test_arguments_do_not_hide_the_nearest_step(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("tiny is called with {}", 'tiny is caled with {"path": "a"}'))) == [
        'orphaned: "When tiny is caled with {"path": "a"}" matches no step definition; '
        'the nearest one: When tiny is called with {"path": "."}'
    ]


def test_a_step_without_a_similar_definition_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("the tree is unchanged", "xyzzy"))) == [
        'orphaned: "Then xyzzy" matches no step definition; see: treeproof list steps'
    ]


def test_a_step_with_another_keyword_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited("Then the entries", "When the entries"))) == [
        'orphaned: "When the entries are "a"" matches no step definition; change its keyword to Then',
        'orphaned: "When the tree is unchanged" matches no step definition; change its keyword to Then',
    ]


def test_a_step_that_two_definitions_match_is_reported(pack_folder: Write) -> None:
    more = '@then(r"the tree is u\\w+", example="the tree is up")\ndef the_tree_is() -> None: ...\n'
    example, step = lint_messages(pack_folder(HEAD + STEPS, more_steps=more))
    assert example.startswith('ambiguous: unchanged: its example "the tree is unchanged" also matches ')
    assert step.startswith('ambiguous: "Then the tree is unchanged" matches ')
    assert step.endswith(".the_tree_is; make the patterns distinct")


def test_a_row_of_an_outline_is_named(pack_folder: Write) -> None:
    text = HEAD.replace("    @TY-01-01\n    Scenario:", "    Scenario Outline:")
    text += STEPS.replace("unchanged", "<what>")
    text += "      Examples:\n        | id | what |\n"
    text += "        | TY-01-01 | unchanged |\n        | TY-01-02 | gone |\n"
    (only,) = lint_messages(pack_folder(text))
    assert only.startswith('orphaned: TY-01-02: "Then the tree is gone" matches no step definition')


def test_rows_with_different_mistakes_have_one_message_each(pack_folder: Write) -> None:
    text = HEAD.replace("    @TY-01-01\n    Scenario:", "    Scenario Outline:")
    text += STEPS.replace("unchanged", "<what>")
    text += "      Examples:\n        | id | what |\n"
    text += "        | TY-01-01 | gone |\n        | TY-01-02 | lost |\n"
    found = lint_messages(pack_folder(text))
    assert [one[:20] for one in found] == ["orphaned: TY-01-01: ", "orphaned: TY-01-02: "]


def test_a_block_that_the_step_ignores_is_reported(pack_folder: Write) -> None:
    text = edited("the tree is unchanged\n", 'the tree is unchanged\n      """\n      x\n      """\n')
    assert lint_messages(pack_folder(text)) == [
        'unwanted: "Then the tree is unchanged" has a text block that the step ignores; remove it'
    ]


def test_a_table_that_the_step_ignores_is_reported(pack_folder: Write) -> None:
    text = edited("the tree is unchanged\n", "the tree is unchanged\n      | a |\n      | b |\n")
    assert lint_messages(pack_folder(text)) == [
        'unwanted: "Then the tree is unchanged" has a table that the step ignores; remove it'
    ]


def test_a_step_without_its_block_is_reported(pack_folder: Write) -> None:
    text = edited("And the tree", "And the document is exactly\n      And the tree")
    assert lint_messages(pack_folder(text)) == [
        'malformed: "Then the document is exactly" lacks its text block; write it below between lines of """'
    ]


def test_a_step_without_its_table_is_reported(pack_folder: Write) -> None:
    text = edited("And the tree", "And by AMB-TY-01 the answer is one of\n      And the tree")
    assert lint_messages(pack_folder(text)) == [
        'malformed: "Then by AMB-TY-01 the answer is one of" lacks its table; write it below, with a header row'
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("| reading | entries |", "has a table without rows and would check nothing; write some"),
        (
            "| reading | entries |\n | reached | a |\n | | |",
            "row 2 of the table is empty and would check nothing; remove it",
        ),
        ("| reading | reading |\n | reached | reached |", 'the column "reading" occurs 2 times; keep one'),
    ],
)
def test_a_table_that_checks_nothing_is_reported(pack_folder: Write, table: str, message: str) -> None:
    text = edited("And the tree", f"And by AMB-TY-01 the answer is one of\n      {table}\n      And the tree")
    (only,) = lint_messages(pack_folder(text))
    assert only.endswith(message)


# JSON and notation.


@pytest.mark.parametrize(
    ("json", "message"),
    [
        ('{"path": "a"', None),  # ends without a brace: no such step
        ('{"path": a}', '{"path": a} is not JSON: Expecting value at character 10'),
        ('{"path": "a",}', '{"path": "a",} is not JSON: '),
        ("{'path': 1}", "{'path': 1} is not JSON: "),
        ('{"path": "$(\'a\'*)"}', "the repetition in {\"path\": \"$('a'*)\"} cannot be read; write $('text'*count)"),
        ('{"path": "$(\'"\'*3)"}', "is not JSON: "),
        ('{"path": NaN}', "NaN is not a valid value"),
        pytest.param(f'{{"path": {"1" * 6000}}}', "not readable as JSON: a number is too", id="long"),
        pytest.param(f'{{"path": {"[" * 60_000}{"]" * 60_000}}}', "not JSON: nested too deeply", id="deep"),
    ],
)
def test_json_that_cannot_be_read_is_reported(pack_folder: Write, json: str, message: str | None) -> None:
    (only,) = lint_messages(pack_folder(edited("called with {}", f"called with {json}")))
    assert only.startswith("orphaned: " if message is None else "malformed: ")
    assert message is None or message in only


@pytest.mark.parametrize(
    "json", ['{"path": "$ROOT/a"}', '{"path": "$(\'/.\'*3000)"}', '{"path": "$(\'\\\\u0061\'*9)x", "n": 1e2}']
)
def test_json_with_placeholders_is_read(pack_folder: Write, json: str) -> None:
    assert lint_messages(pack_folder(edited("called with {}", f"called with {json}"))) == []


def test_invalid_json_in_a_table_is_reported(pack_folder: Write) -> None:
    table = '| reading | entries | document |\n      | reached | a | {"path": } |'
    text = edited("And the tree", f"And by AMB-TY-01 the answer is one of\n      {table}\n      And the tree")
    assert lint_messages(pack_folder(text)) == ['malformed: {"path": } is not JSON: Expecting value at character 10']


def test_a_quoted_argument_is_no_json(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(edited('the tree "a"', 'the tree "{"'))) == []


def test_the_caller_reads_every_tree(pack_folder: Write) -> None:
    def names_of_tree(text: str) -> list[bytes]:
        raise UsageError(f"column 2: {text} is no tree")

    assert lint_messages(pack_folder(HEAD + STEPS), notation=Notation(names_of_tree, lambda listed: [])) == [
        'malformed: "Given the tree "a"": column 2: a is no tree'
    ]


def test_a_scenario_without_a_then_is_reported(pack_folder: Write) -> None:
    text = HEAD + '      Given the tree "a"\n      When tiny is called with {}\n'
    assert lint_messages(pack_folder(text)) == [
        "malformed: TY-01-01 has no Then, so its lines compare nothing; write what must hold"
    ]


def test_a_pack_whose_tools_show_nothing_is_reported(pack_folder: Write) -> None:
    folder = pack_folder(HEAD + STEPS)
    file = folder / "spec.toml"
    file.write_text(file.read_text("utf-8").replace("evidence = ", "# "), "utf-8")
    (found,) = lint_messages(folder)
    assert found.startswith('doubtful: no [[tool]] has "evidence", so a candidate that does nothing could pass')


# The definitions.


def definition(source: str) -> str:
    return IMPORTS + source


def test_an_async_definition_is_reported(pack_folder: Write) -> None:
    source = '@then("it holds")\nasync def holds() -> None: ...\n'
    assert definition_messages(pack_folder(steps=definition(source))) == [
        "malformed: holds: is async, so nothing would ever run it; make it an ordinary function"
    ]


def test_two_definitions_of_one_step_are_reported(pack_folder: Write) -> None:
    one = '@then("it holds")\ndef {0}() -> None: ...\n'
    ambiguous, duplicate = definition_messages(
        pack_folder(steps=definition(one.format("first") + one.format("second")))
    )
    assert ambiguous.startswith('ambiguous: first: its example "it holds" also matches steps_of_a_test_')
    assert duplicate.startswith('duplicate: second: the step "it holds" is defined at steps_of_a_test_')
    assert duplicate.endswith(".py:4 too; keep one")


def test_two_functions_of_one_name_are_two_definitions(pack_folder: Write) -> None:
    one = '@then("it holds")\ndef _() -> None: ...\n'
    assert len(definition_messages(pack_folder(steps=definition(one + one)))) == 2


def test_an_example_that_does_not_match_is_reported(pack_folder: Write) -> None:
    source = '@then(r"it (?P<verb>holds)", example="it hlods")\ndef holds(verb: str) -> None: ...\n'
    assert definition_messages(pack_folder(steps=definition(source))) == [
        'malformed: holds: its pattern does not match its example "it hlods"; write example="…"'
    ]


def test_a_pattern_with_groups_needs_an_example(pack_folder: Write) -> None:
    source = '@then(r"it (?P<verb>holds)")\ndef holds(verb: str) -> None: ...\n'
    (only,) = lint_messages(pack_folder(HEAD + STEPS, steps=definition(source)))
    assert "ValueError: it (?P<verb>holds): a pattern with groups needs an example" in only


def test_a_decorator_of_pytest_bdd_needs_no_example(pack_folder: Write) -> None:
    source = '@plain(parsers.parse("there are {count:d} files"))\ndef holds(count: int) -> None: ...\n'
    assert definition_messages(pack_folder(steps=definition(source))) == []


def test_an_unused_captured_group_is_reported(pack_folder: Write) -> None:
    source = '@plain(parsers.parse("there are {count:d} files"))\ndef holds() -> None: ...\n'
    assert definition_messages(pack_folder(steps=definition(source))) == [
        'malformed: holds: captures "count" without a parameter for it; use it or do not capture it'
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            'role="cal"',
            'orphaned: holds: role="cal" is unknown; write one of: tree, surroundings, call, control',
        ),
        ('tree="docstring"', 'orphaned: holds: tree="docstring" names no part of the step'),
        ('tree="name"', None),
        ('role="call"', None),
    ],
)
def test_wrong_data_in_a_decorator_is_reported(pack_folder: Write, data: str, message: str | None) -> None:
    source = f'@then(r"(?P<name>\\w+) holds", example="it holds", {data})\ndef holds(name: str) -> None: ...\n'
    lines = definition_messages(pack_folder(steps=definition(source)))
    assert len(lines) == (message is not None)
    assert message is None or lines[0].startswith(message)


def test_an_unknown_host_feature_in_a_decorator(pack_folder: Write) -> None:
    source = definition('@then("it holds", needs=("strace", "symlink"))\ndef holds() -> None: ...\n')
    found = [one.message for one in lint(load_pack(pack_folder(steps=source)), needs=("strace", "symlinks"))]
    assert [message for message in found if "needs=" in message] == [
        'holds: needs="symlink" is no host feature; write "symlinks"'
    ]


def test_definitions_without_data_cannot_check_scenarios(pack_folder: Write) -> None:
    source = definition('@plain("it holds")\ndef holds() -> None: ...\n')
    lines = lint_messages(pack_folder(HEAD + "      Then it holds\n", steps=source))
    assert [line.partition(";")[0] for line in lines] == [
        'malformed: no step definition has role="call"',
    ]


def test_a_step_module_that_cannot_be_imported_is_reported(pack_folder: Write) -> None:
    folder = pack_folder(HEAD + STEPS, steps="raise RuntimeError('broken')")
    (only,) = lint(load_pack(folder))
    assert (only.file.suffix, only.line) == (".py", 1)
    assert only.message.startswith('the step module "steps_of_a_test_')
    assert only.message.endswith('RuntimeError: broken; correct it, or its name in the key "steps"')


@pytest.mark.parametrize(
    ("columns", "parameters", "message"),
    [
        ("", "datatable", "malformed: table: takes a table and does not declare its columns; "),
        ('columns="*"', "datatable", ""),
        ('columns=("a", "b")', "datatable", ""),
        ('columns=("a", "b")', "docstring", "orphaned: table: declares columns and takes no table; "),
    ],
)
def test_wrong_columns_of_a_definition_are_reported(
    pack_folder: Write, columns: str, parameters: str, message: str
) -> None:
    more = f'@then("a table", {columns})\ndef table({parameters}) -> None: ...\n'
    found = definition_messages(pack_folder(HEAD + STEPS, more_steps=more))
    assert len(found) == bool(message)
    assert not message or found[0].startswith(message)
