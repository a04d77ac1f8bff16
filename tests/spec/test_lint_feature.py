"""The lint on one feature file: its conventions, and the lines that pytest-bdd ignores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.spec import load_pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.lint import find_orphan_features, lint

Write = Callable[..., Path]

EXAMPLES_WOULD_PASS = "malformed at (Examples:): the Examples have no rows and would pass; write rows or delete them"
HEAD = """
@tiny
Feature: what is there
  @FR-TY-01
  Rule: it lists what is there
"""
GOOD = """
    @TY-01-01
    Scenario: one file
      Given the tree "a"
      When tiny is called with {}
      Then the entries are "a"
      And the tree is unchanged
"""
STEPS = """
      Given the tree "a"
      When tiny is called with {}
      Then the entries are "a"
      And the tree is unchanged
"""
OUTLINE = """
    Scenario Outline: many
      Given the tree "<tree>"
      When tiny is called with {}
      Then the entries are "a"
      And the tree is unchanged
"""
EXAMPLES = """
      Examples:
        | id       | tree |
        | TY-01-01 | a    |
        | TY-01-02 | a/   |
"""


def findings(folder: Path, **options: object) -> list[Diagnostic]:
    return lint(load_pack(folder), **options)  # type: ignore[arg-type]


def lint_messages(folder: Path, **options: object) -> list[str]:
    """Return the diagnostics as `code at (text of the line): message`, without those on coverage."""
    lines = []
    for one in findings(folder, **options):
        if one.code != "uncovered":
            text = one.file.read_text(encoding="utf-8").split("\n")[one.line - 1].strip()
            lines.append(f"{one.code} at ({text}): {one.message}")
    return lines


def test_a_good_feature_has_no_diagnostics(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD + GOOD)) == []


def test_a_good_outline_has_no_diagnostics(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD + OUTLINE + EXAMPLES)) == []


def test_a_feature_that_is_not_gherkin_is_reported(pack_folder: Write) -> None:
    (only,) = findings(pack_folder({"bad.feature": "Scenario: x\n", "good.feature": HEAD + GOOD}))
    assert (only.file.name, only.line, only.code) == ("bad.feature", 1, "malformed")
    assert only.message == '"Scenario: x" is not allowed here; write one of: tags, Feature:'


# Mistakes that pytest-bdd ignores silently.


def test_two_scenarios_with_one_title_are_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD + GOOD + GOOD.replace("01-01", "01-02"))) == [
        'duplicate at (Scenario: one file): the title "one file" occurs in line 8 too, '
        "and only the later scenario would run; give each scenario its own title"
    ]


def test_two_scenarios_with_one_title_in_different_rules_are_reported(pack_folder: Write) -> None:
    text = HEAD + GOOD + "\n  @FR-TY-01\n  Rule: again\n" + GOOD.replace("01-01", "01-02")
    assert lint_messages(pack_folder(text)) == [
        'duplicate at (Scenario: one file): the title "one file" occurs in line 8 too, '
        "and only the later scenario would run; give each scenario its own title"
    ]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ('Giben the tree "a"', "Given"),
        ('given the tree "a"', "Given"),
        ('Given: the tree "a"', "Given"),
        ('Gvien the tree "a"', "Given"),
        ("Wen tiny is called with {}", "When"),
        ("Tehn the call fails", "Then"),
        ("Adn the call fails", "And"),
        ("Butt the call fails", "But"),
    ],
)
def test_a_misspelt_keyword_is_reported_with_the_correct_one(pack_folder: Write, line: str, meant: str) -> None:
    text = HEAD + GOOD.replace("      Given", f"      {line}\n      Given")
    assert (
        f'malformed at ({line}): "{line}" is read as a description and never runs; write {meant}, followed by a blank'
    ) in lint_messages(pack_folder(text))


def test_the_line_of_a_misspelt_keyword_is_reported(pack_folder: Write) -> None:
    text = "@tiny\nFeature: f\n @FR-TY-01\n Rule: r\n  @TY-01-01\n  Scenario: s\n\n  # why\n   Giben a tree\n"
    assert ("malformed", 9) in [(one.code, one.line) for one in findings(pack_folder(text))]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Scenaro: another", "Scenario:"),
        ("scenario: another", "Scenario:"),
        ("Scenario Outlin: another", "Scenario Outline:"),
        ("Exampels:", "Examples:"),
        ("Backgroud:", "Background:"),
        ("Ruel: another", "Rule:"),
        ("Feature: another", "Feature:"),
    ],
)
def test_a_misspelt_or_misplaced_heading_is_reported(pack_folder: Write, line: str, meant: str) -> None:
    text = HEAD.replace("there\n  @FR", f"there\n  Prose.\n\n  {line}\n  @FR") + GOOD
    assert lint_messages(pack_folder(text)) == [
        f'malformed at ({line}): "{line}" is read as a description and never runs; write {meant} where it is allowed'
    ]


@pytest.mark.parametrize("line", ["the tree is unchanged", "Also the tree is unchanged", 'the tree "a"'])
def test_a_step_without_a_keyword_is_reported(pack_folder: Write, line: str) -> None:
    text = HEAD + GOOD.replace("      Given", f"      {line}\n      Given")
    assert lint_messages(pack_folder(text)) == [
        f'malformed at ({line}): "{line}" is read as a description and never runs; begin it with Given, When or Then'
    ]


def test_prose_is_no_misspelt_keyword(pack_folder: Write) -> None:
    text = HEAD.replace("there\n  @FR", "there\n  The rest is prose.\n  and so is: this\n  @FR")
    text += GOOD.replace(
        "      Given", "      The tree has one file. Any would do.\n      They are alike.\n      Given"
    )
    assert lint_messages(pack_folder(text)) == []


def test_a_table_without_a_step_is_reported(pack_folder: Write) -> None:
    text = HEAD.replace("there\n  @FR", "there\n  | a | b |\n  @FR") + GOOD
    assert lint_messages(pack_folder(text)) == [
        'malformed at (| a | b |): "| a | b |" is read as a description and never runs; '
        "write it below a step, or above a Scenario or Examples"
    ]


def test_a_scenario_without_steps_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD + "\n    @TY-01-01\n    Scenario: nothing\n")) == [
        "malformed at (Scenario: nothing): the scenario has no steps and would pass; write steps or delete it"
    ]


def test_a_scenario_with_only_the_steps_of_its_background_is_reported(pack_folder: Write) -> None:
    text = HEAD + f"\n    Background:{STEPS}\n    @TY-01-01\n    Scenario: nothing\n"
    assert lint_messages(pack_folder(text)) == [
        "malformed at (Scenario: nothing): the scenario has no steps and would pass; write steps or delete it"
    ]


@pytest.mark.parametrize("table", ["", "        | id | tree |\n"])
def test_examples_without_rows_are_reported(pack_folder: Write, table: str) -> None:
    assert lint_messages(pack_folder(HEAD + OUTLINE + "      Examples:\n" + table)) == [EXAMPLES_WOULD_PASS]


def test_an_outline_without_examples_is_reported(pack_folder: Write) -> None:
    text = HEAD + "    @TY-01-01\n" + OUTLINE.lstrip("\n").replace("<tree>", "a")
    assert lint_messages(pack_folder(text)) == [
        "malformed at (Scenario Outline: many): the outline has no Examples; write some, or make it a Scenario"
    ]


@pytest.mark.parametrize("tag", ["skip", "xfail", "skipif(True)", "parametrize", "usefixtures"])
@pytest.mark.parametrize(
    ("place", "heading"),
    [
        ("@tiny", "Feature: what is there"),
        ("@FR-TY-01", "Rule: it lists what is there"),
        ("@TY-01-01", "Scenario: one file"),
    ],
)
def test_a_tag_that_is_a_mark_of_pytest_is_reported(pack_folder: Write, tag: str, place: str, heading: str) -> None:
    text = (HEAD + GOOD).replace(place, f"{place} @{tag}")
    assert lint_messages(pack_folder(text)) == [
        f"unwanted at ({heading}): the tag @{tag} is a mark of pytest and would change which scenarios run; remove it"
    ]


def test_unknown_tags_on_examples_are_reported(pack_folder: Write) -> None:
    text = HEAD + OUTLINE + EXAMPLES.replace("      Examples", "      @prudent @slow\n      Examples")
    (only,) = lint_messages(pack_folder(text))
    assert only.startswith("unwanted at (Examples:): the tag @slow is unknown; write an id or one of: ")


def test_a_feature_outside_of_every_pack_is_reported(tmp_path: Path, pack_folder: Write) -> None:
    pack_folder(HEAD + GOOD)
    (tmp_path / "stray.feature").touch()
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "hidden.feature").touch()
    (only,) = find_orphan_features(tmp_path)
    assert (only.file, only.code) == (tmp_path / "stray.feature", "orphaned")
    assert "so nothing runs it" in only.message


def test_a_feature_in_a_subfolder_of_a_pack_is_not_reported(pack_folder: Write) -> None:
    folder = pack_folder(HEAD + GOOD)
    (folder / "deep").mkdir()
    (folder / "deep" / "two.feature").touch()
    assert list(find_orphan_features(folder / "deep")) == []


# Conventions.


def test_a_feature_without_the_tag_of_its_pack_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder((HEAD + GOOD).replace("@tiny\n", "\n"))) == [
        "malformed at (Feature: what is there): the Feature lacks the tag of its pack; write @tiny above it"
    ]


def test_a_feature_without_scenarios_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder("@tiny\nFeature: nothing\n")) == [
        "malformed at (Feature: nothing): the Feature has no scenario; write one or delete the file"
    ]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (
            "@TY-01-01 @slow",
            "unwanted: the tag @slow is unknown; "
            "write an id or one of: @also:ID, @needs:FEATURE, @framework:CAPABILITY, @interpretation:ID, "
            "@behaviour:ID, @since:VERSION, @until:VERSION, "
            "@generated, @implied, @prudent, @returns, @simulated:macos, @simulated:windows, @stated, @tiny",
        ),
        (
            "@TY-01-01 @behaviour:BEH-6",
            'orphaned: the behaviour contract has no rule "BEH-6"; write "BEH-06"',
        ),
        ("@TY-01-01 @needs:strase", 'orphaned: no host feature is named "strase"; write "strace"'),
        ("@TY-01-01 @prudent @prudent", "duplicate: the tag @prudent occurs 2 times; write it once"),
        ("@prudent @TY-01-01", "malformed: the id @TY-01-01 comes after other tags; write it first"),
        ("@TY-01-01 @TY-01-02", "ambiguous: the scenario has the ids TY-01-01, TY-01-02; keep the first"),
    ],
)
def test_wrong_tags_of_a_scenario_are_reported(pack_folder: Write, tags: str, message: str) -> None:
    lines = lint_messages(pack_folder(HEAD + GOOD.replace("@TY-01-01", tags)), needs={"strace", "mknod"})
    assert lines == [message.replace(": ", " at (Scenario: one file): ", 1)]


def test_known_tags_are_not_reported(pack_folder: Write) -> None:
    text = HEAD + GOOD.replace("@TY-01-01", "@TY-01-01 @implied @needs:strace")
    assert lint_messages(pack_folder(text), needs={"strace"}) == []


def test_a_scenario_without_a_title_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD + GOOD.replace("one file", ""))) == [
        "malformed at (Scenario:): the scenario has no title; write one after the colon"
    ]


def test_a_rule_without_a_requirement_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD.replace("  @FR-TY-01\n", "") + GOOD)) == [
        "malformed at (Rule: it lists what is there): the Rule has no requirement; "
        "write its id as a tag above it, such as @FR-LD-LST-05"
    ]


def test_a_rule_with_two_requirements_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD.replace("@FR-TY-01", "@FR-TY-01 @FR-TY-02") + GOOD)) == [
        "ambiguous at (Rule: it lists what is there): the Rule has the requirements FR-TY-01, FR-TY-02; "
        "keep one and write @also:… at the scenarios"
    ]


def test_a_rule_without_scenarios_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD + GOOD + "  @FR-TY-01\n  Rule: empty\n")) == [
        "malformed at (Rule: empty): the Rule has no scenario; write one or delete it"
    ]


def test_a_scenario_outside_of_any_rule_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder("@tiny\nFeature: f\n" + GOOD)) == [
        "malformed at (Scenario: one file): the scenario is outside of every Rule; "
        "move it below that of its requirement"
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("| tree |\n | a |", "malformed: the Examples have no column id; write it as the first column"),
        ("| tree | id |\n | a | TY-01-01 |", "malformed: the column id is not the first column; move it there"),
        (
            "| id | tree | other |\n | TY-01-01 | a | b |",
            "unwanted: no step uses the column <other>; use it or remove it",
        ),
        ("| id | tree | tree |\n | TY-01-01 | a | b |", 'duplicate: the column "tree" occurs 2 times; keep one'),
        (
            "| id |\n | TY-01-01 |",
            "malformed: <tree> in the outline is no column; add it (an outline cannot contain a plain <)",
        ),
    ],
)
def test_wrong_columns_of_examples_are_reported(pack_folder: Write, table: str, message: str) -> None:
    lines = lint_messages(pack_folder(HEAD + OUTLINE + "      Examples:\n" + table + "\n"))
    assert message.replace(": ", " at (Examples:): ", 1) in lines


def test_a_column_may_be_used_in_a_block_a_table_or_the_title(pack_folder: Write) -> None:
    text = HEAD + (
        "    Scenario Outline: many <c>\n"
        '      Given the tree "a"\n'
        "      When tiny is called with {}\n"
        "      Then the document is exactly\n"
        '        """\n        <a>\n        """\n'
        "      And by AMB-TY-01 the answer is one of\n"
        "        | reading  | entries |\n        | exceeded | <b>     |\n"
        "      And the tree is unchanged\n"
        "      Examples:\n        | id | a | b | c |\n        | TY-01-01 | 1 | 2 | 3 |\n"
    )
    assert lint_messages(pack_folder(text)) == []


def test_an_outline_with_its_own_id_is_reported(pack_folder: Write) -> None:
    text = HEAD + "    @TY-01-01" + OUTLINE + EXAMPLES
    assert lint_messages(pack_folder(text)) == [
        "unwanted at (Scenario Outline: many): the outline has the id @TY-01-01; "
        "remove it, the column id contains those of the rows"
    ]


def test_diagnostics_are_sorted_by_file_and_line(pack_folder: Write) -> None:
    bad = HEAD.replace("@tiny", "@tiny @skip") + GOOD.replace("one file", "")
    folder = pack_folder({"b.feature": bad, "a.feature": bad.replace("TY-01-01", "TY-01-02")})
    places = [(one.file.name, one.line) for one in findings(folder)]
    assert places == [("a.feature", 3), ("a.feature", 8), ("b.feature", 3), ("b.feature", 8)]
