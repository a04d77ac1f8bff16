"""Feature files as scenario cases: rendering agrees with pytest-bdd, and errors of the format name their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_bdd.parser import FeatureParser

from treeproof.spec import FeatureError, FeatureText, StepText, parse_feature

EVERYTHING = r'''
@list_directory
Feature: everything at once
  Prose about it.

  Background:
    Given the first <x>
    And the second

  @FR-LD-LST-05 @framework
  Rule: in order

    Background:
      When the rule begins

    @LD-LST-05-01 @also:FR-LD-LST-07 @also:FR-LD-LST-08 @needs:strace
    Scenario: plain with <angle> brackets
      Then it holds
      """
        indented
          more
      """
      But not <this>
      * a star

    Scenario Outline: case <x>
      Given a tree <x> and <y> and <unknown> and a < b
        """
        block of <x>
        """
      And a table
        | head | <y> |
        | a\|b | c\\d\n |
      Then done

      Examples: first
        | id           | x   | y    |
        | LD-LST-05-02 | 1   | <x>  |
        | LD-LST-05-03 | \\t |      |

      Examples: second
        | id           | y | x     |
        | LD-LST-05-04 | 日 | "q" |

  @FR-LD-LST-06
  Rule: afterwards

    @LD-LST-06-01
    Scenario: in another rule
      Then done
'''


def line_of(text: str) -> int:
    """Where a text stands in EVERYTHING, from 1."""
    return next(at for at, line in enumerate(EVERYTHING.split("\n"), 1) if text in line)


def written(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "some.feature"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return file


def parsed(tmp_path: Path, text: str | bytes) -> FeatureText:
    return parse_feature(written(tmp_path, text))


def test_a_case_has_its_id_requirement_tags_and_place(tmp_path: Path) -> None:
    row = parsed(tmp_path, EVERYTHING).scenarios[0]
    assert row.id == "LD-LST-05-01"
    assert row.requirement == "FR-LD-LST-05"
    assert row.also == ("FR-LD-LST-07", "FR-LD-LST-08")
    assert row.needs == ("strace",)
    assert row.tags == (
        *("list_directory", "FR-LD-LST-05", "framework"),
        *("LD-LST-05-01", "also:FR-LD-LST-07", "also:FR-LD-LST-08", "needs:strace"),
    )
    assert (row.title, row.template_title, row.from_outline) == (
        "plain with <angle> brackets",
        "plain with <angle> brackets",
        False,
    )
    assert (row.rule, row.feature, row.file.name, row.line) == (
        "in order",
        "everything at once",
        "some.feature",
        line_of("Scenario: plain"),
    )


def test_every_row_of_examples_is_a_case_with_its_own_id_and_line(tmp_path: Path) -> None:
    rows = parsed(tmp_path, EVERYTHING).scenarios
    assert [(row.id, row.line, row.title) for row in rows] == [
        ("LD-LST-05-01", line_of("Scenario: plain"), "plain with <angle> brackets"),
        ("LD-LST-05-02", line_of("| LD-LST-05-02"), "case 1"),
        ("LD-LST-05-03", line_of("| LD-LST-05-03"), "case \\t"),
        ("LD-LST-05-04", line_of("| LD-LST-05-04"), 'case "q"'),
        ("LD-LST-06-01", line_of("Scenario: in another"), "in another rule"),
    ]
    assert rows[1].values == (("id", "LD-LST-05-02"), ("x", "1"), ("y", "<x>"))
    assert {row.template_title for row in rows[1:4]} == {"case <x>"}


def test_steps_begin_with_the_backgrounds_and_and_takes_the_type_before_it(tmp_path: Path) -> None:
    first = parsed(tmp_path, EVERYTHING).scenarios[0]
    assert [(step.keyword, step.keyword_type, step.text) for step in first.steps] == [
        ("Given", "given", "the first <x>"),
        ("And", "given", "the second"),
        ("When", "when", "the rule begins"),
        ("Then", "then", "it holds"),
        ("But", "then", "not <this>"),
        ("*", "then", "a star"),
    ]


def test_one_rules_background_is_not_anothers(tmp_path: Path) -> None:
    last = parsed(tmp_path, EVERYTHING).scenarios[-1]
    assert [step.text for step in last.steps] == ["the first <x>", "the second", "done"]


def test_an_outline_is_rendered_once_in_texts_blocks_tables_and_backgrounds(tmp_path: Path) -> None:
    row = parsed(tmp_path, EVERYTHING).scenarios[1]
    assert row.steps[0].text == "the first 1"
    assert row.steps[3:5] == (
        StepText(
            "given",
            "a tree 1 and <x> and <unknown> and a < b",
            line_of("Given a tree"),
            docstring="block of 1",
            keyword="Given",
        ),
        StepText("given", "a table", line_of("And a table"), table=(("head", "<x>"), ("a|b", "c\\d\n")), keyword="And"),
    )


def test_cases_equal_those_that_pytest_bdd_renders(tmp_path: Path) -> None:
    """The runner executes pytest-bdd's scenarios: each step must be, letter for letter, its own."""
    file = written(tmp_path, EVERYTHING)
    feature = FeatureParser(str(tmp_path), file.name).parse()
    executed = []
    for template in feature.scenarios.values():
        contexts = [context for table in template.examples for context in table.as_contexts()] or [{}]
        for context in contexts:
            scenario = template.render(context)
            executed.append((scenario.name, [_comparable(step) for step in scenario.steps]))
    rows = [
        (row.title, [(step.keyword_type, step.text, step.line, step.docstring, step.table) for step in row.steps])
        for row in parse_feature(file).scenarios
    ]
    assert rows == executed


def _comparable(step: object) -> tuple[object, ...]:
    table = step.datatable  # type: ignore[attr-defined]
    rows = None if table is None else tuple(tuple(row) for row in table.raw())
    return (step.type, step.name, step.line_number, step.docstring, rows)  # type: ignore[attr-defined]


def test_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    unix = parsed(tmp_path, EVERYTHING)
    assert parsed(tmp_path, EVERYTHING.replace("\n", "\r\n").encode()) == unix


def test_what_is_missing_is_empty_so_that_the_lint_can_say_so(tmp_path: Path) -> None:
    text = "Feature: f\n Scenario: no id\n  Given x\n"
    text += " Scenario Outline: o\n  Given <x>\n  Examples:\n   | x |\n   | 1 |\n"
    rows = parsed(tmp_path, text).scenarios
    assert [(row.id, row.requirement, row.rule) for row in rows] == [("", "", None), ("", "", None)]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "no Feature in this file; write a line beginning with Feature:"),
        (b"Feature: f\n Scenario: \xff\n", 2, "not UTF-8; write a raw byte in a name as \\xNN"),
        ("\ufeffFeature: f\n", 1, "begins with a byte order mark"),
        ("Scenario: a\n", 1, '"Scenario: a" is not allowed here; write one of: tags, Feature:'),
        ("Feature: f\n Scenario: a\n  Given x\n  Giben y\n", 4, '"Giben y" is not allowed here; write one of: '),
        ("Feature: f\n Scenario: a\n  And x\n", 3, "the first step begins with And; write Given, When or Then"),
        ("Feature: f\n Scenario: a\n  * x\n", 3, "the first step begins with *; write Given, When or Then"),
        (
            "Feature: f\n Background:\n  Given x\n Scenario: a\n  But y\n",
            5,
            "the first step begins with But; write Given, When or Then",
        ),
        (
            "Feature: f\n Scenario: a\n  Given x\n   | a | b |\n   | c |\n",
            5,
            "this row and the first one differ in the number of cells; write a bar inside a cell as \\|",
        ),
        ("@a b\nFeature: f\n", 1, "a tag contains a blank; write one word that begins with @"),
        ("# language: xx\nFeature: f\n", 1, "language not supported: xx; remove the language line"),
        ('Feature: f\n Scenario: a\n  Given x\n   """\n   open\n', 6, "the file ends too early; add one of: "),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_and_line(
    tmp_path: Path, text: str | bytes, line: int, what: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(FeatureError) as caught:
        parse_feature(file)
    assert str(caught.value).startswith(f"{file}:{line}: {what}")
    assert "\n" not in str(caught.value)
    assert caught.value.line == line


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FeatureError, match="cannot be read"):
        parse_feature(tmp_path / "none.feature")
