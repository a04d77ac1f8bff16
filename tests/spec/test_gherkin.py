"""Feature files as scenario cases: rendering agrees with pytest-bdd, and errors of the format name their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_bdd.parser import FeatureParser

from treeproof.errors import FileError
from treeproof.spec import FeatureText, StepText, parse_feature

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
    """Return the line number of a text in EVERYTHING."""
    return next(at for at, line in enumerate(EVERYTHING.split("\n"), 1) if text in line)


def write_feature(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "some.feature"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return file


def parse(tmp_path: Path, text: str | bytes) -> FeatureText:
    return parse_feature(write_feature(tmp_path, text))


def test_a_case_has_its_id_requirement_tags_and_place(tmp_path: Path) -> None:
    case = parse(tmp_path, EVERYTHING).scenarios[0]
    assert case.id == "LD-LST-05-01"
    assert case.requirement == "FR-LD-LST-05"
    assert case.also == ("FR-LD-LST-07", "FR-LD-LST-08")
    assert case.needs == ("strace",)
    assert case.tags == (
        *("list_directory", "FR-LD-LST-05", "framework"),
        *("LD-LST-05-01", "also:FR-LD-LST-07", "also:FR-LD-LST-08", "needs:strace"),
    )
    assert (case.title, case.template_title, case.from_outline) == (
        "plain with <angle> brackets",
        "plain with <angle> brackets",
        False,
    )
    assert (case.rule, case.feature, case.file.name, case.line) == (
        "in order",
        "everything at once",
        "some.feature",
        line_of("Scenario: plain"),
    )


def test_every_row_of_examples_is_a_case_with_its_own_id_and_line(tmp_path: Path) -> None:
    cases = parse(tmp_path, EVERYTHING).scenarios
    assert [(case.id, case.line, case.title) for case in cases] == [
        ("LD-LST-05-01", line_of("Scenario: plain"), "plain with <angle> brackets"),
        ("LD-LST-05-02", line_of("| LD-LST-05-02"), "case 1"),
        ("LD-LST-05-03", line_of("| LD-LST-05-03"), "case \\t"),
        ("LD-LST-05-04", line_of("| LD-LST-05-04"), 'case "q"'),
        ("LD-LST-06-01", line_of("Scenario: in another"), "in another rule"),
    ]
    assert cases[1].values == (("id", "LD-LST-05-02"), ("x", "1"), ("y", "<x>"))
    assert {case.template_title for case in cases[1:4]} == {"case <x>"}


def test_steps_begin_with_the_backgrounds_and_and_has_the_type_of_the_previous_step(tmp_path: Path) -> None:
    first = parse(tmp_path, EVERYTHING).scenarios[0]
    assert [(step.keyword, step.keyword_type, step.text) for step in first.steps] == [
        ("Given", "given", "the first <x>"),
        ("And", "given", "the second"),
        ("When", "when", "the rule begins"),
        ("Then", "then", "it holds"),
        ("But", "then", "not <this>"),
        ("*", "then", "a star"),
    ]


def test_the_background_of_a_rule_applies_to_that_rule_only(tmp_path: Path) -> None:
    last = parse(tmp_path, EVERYTHING).scenarios[-1]
    assert [step.text for step in last.steps] == ["the first <x>", "the second", "done"]


def test_an_outline_is_rendered_once_in_texts_blocks_tables_and_backgrounds(tmp_path: Path) -> None:
    case = parse(tmp_path, EVERYTHING).scenarios[1]
    assert case.steps[0].text == "the first 1"
    assert case.steps[3:5] == (
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
    """The runner executes pytest-bdd's scenarios, so the steps of a case must be equal to those."""
    file = write_feature(tmp_path, EVERYTHING)
    feature = FeatureParser(str(tmp_path), file.name).parse()
    executed = []
    for template in feature.scenarios.values():
        contexts = [context for table in template.examples for context in table.as_contexts()] or [{}]
        for context in contexts:
            scenario = template.render(context)
            executed.append((scenario.name, [_comparable(step) for step in scenario.steps]))
    cases = [
        (case.title, [(step.keyword_type, step.text, step.line, step.docstring, step.table) for step in case.steps])
        for case in parse_feature(file).scenarios
    ]
    assert cases == executed


def _comparable(step: object) -> tuple[object, ...]:
    table = step.datatable  # type: ignore[attr-defined]
    rows = None if table is None else tuple(tuple(row) for row in table.raw())
    return (step.type, step.name, step.line_number, step.docstring, rows)  # type: ignore[attr-defined]


def test_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    unix = parse(tmp_path, EVERYTHING)
    assert parse(tmp_path, EVERYTHING.replace("\n", "\r\n").encode()) == unix


def test_a_missing_id_requirement_and_rule_are_empty(tmp_path: Path) -> None:
    text = "Feature: f\n Scenario: no id\n  Given x\n"
    text += " Scenario Outline: o\n  Given <x>\n  Examples:\n   | x |\n   | 1 |\n"
    cases = parse(tmp_path, text).scenarios
    assert [(case.id, case.requirement, case.rule) for case in cases] == [("", "", None), ("", "", None)]


@pytest.mark.parametrize(
    ("text", "line", "message"),
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
        ('Feature: f\n Scenario: a\n  Given x\n   """\n   open\n', 4, "the text block that begins here is not closed"),
        ("Feature: f\n Scenario: a\n  Given x\n @b\n", 5, "the file ends too early; add one of: "),
    ],
)
def test_an_invalid_feature_is_refused_with_file_and_line(
    tmp_path: Path, text: str | bytes, line: int, message: str
) -> None:
    file = write_feature(tmp_path, text)
    with pytest.raises(FileError) as caught:
        parse_feature(file)
    assert str(caught.value).startswith(f"{file}:{line}: {message}")
    assert "\n" not in str(caught.value)
    assert caught.value.line == line


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        parse_feature(tmp_path / "none.feature")
