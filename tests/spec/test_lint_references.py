"""The lint on ids: unknown, duplicate and retired ones, and requirements that no scenario verifies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.spec import load_pack
from treeproof.spec.lint import lint
from treeproof.spec.lint_references import lint_across_packs

Write = Callable[..., Path]

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
ROWS = """
    Scenario Outline: many
      Given the tree "<tree>"
      When tiny is called with {}
      Then the entries are "a"
      And the tree is unchanged
      Examples:
        | id  | tree |
        | ID1 | a    |
        | ID2 | b    |
"""


def lint_messages(folder: Path) -> list[str]:
    return [f"{one.file.name}:{one.line} {one.code}: {one.message}" for one in lint(load_pack(folder))]


def catalogue_place(folder: Path, id: str) -> str:
    """Return the place of an id in the catalogue, as `lint_messages` writes it."""
    lines = (folder / "spec.toml").read_text("utf-8").splitlines()
    return "spec.toml:" + str(1 + lines.index(f'id = "{id}"'))


def another(id: str, lines: str) -> str:
    basis = 'basis = "stated"\nsentences = ["0123456789ab"]'
    return f'[[requirement]]\nid = "{id}"\nlevel = "MUST"\nsection = "1"\ntext = "More."\n{basis}\n{lines}\n'


def one_of(table: str, id: str = "AMB-TY-01") -> str:
    """Return the good scenario with a table of readings in place of the entries."""
    step = f'Then by {id} the answer is one of\n{table}\n      And a control call with {{}} lists "a"'
    return HEAD + GOOD.replace('Then the entries are "a"', step)


def test_a_scenario_without_an_id_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder(HEAD + GOOD.replace("@TY-01-01", ""))) == [
        "one.feature:8 malformed: the scenario has no id; write one such as TY-LST-05-01 as its first tag"
    ]


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("", "malformed: the row has no id; write one such as TY-LST-05-01 in the column id"),
        ("7", 'malformed: the id "7" counts positions; choose one such as TY-LST-05-01 that never changes'),
        ("row-7", 'malformed: the id "row-7" counts positions; choose one such as TY-LST-05-01 that never changes'),
        ("LD-01-02", 'malformed: the id "LD-01-02" must begin with TY-, such as TY-LST-05-01'),
        ("ty-01-02", 'malformed: the id "ty-01-02" must begin with TY-, such as TY-LST-05-01'),
        ("TY-01-09", "outdated: the id TY-01-09 is retired (it checked two things); choose a new one"),
        ("TY-01-01", "duplicate: one.feature:14 has the id TY-01-01 too; choose another"),
        ("TY-01-02", None),
    ],
)
def test_a_wrong_id_of_a_case_is_reported(pack_folder: Write, id: str, message: str | None) -> None:
    text = HEAD + ROWS.replace("ID1", "TY-01-01").replace("ID2", id)
    assert lint_messages(pack_folder(text)) == ([] if message is None else [f"one.feature:15 {message}"])


def test_one_id_in_two_files_is_reported(pack_folder: Write) -> None:
    assert lint_messages(pack_folder({"a.feature": HEAD + GOOD, "b.feature": HEAD + GOOD})) == [
        "b.feature:8 duplicate: a.feature:8 has the id TY-01-01 too; choose another"
    ]


def test_a_scenario_with_the_id_of_a_requirement_is_reported(pack_folder: Write) -> None:
    folder = pack_folder(HEAD + GOOD, more=another("TY-01-01", 'verified_by = ["property"]'))
    assert lint_messages(folder) == [
        "one.feature:8 duplicate: the id TY-01-01 is that of a requirement or interpretation; choose another"
    ]


def test_a_rule_of_an_unknown_requirement_is_reported(pack_folder: Write) -> None:
    folder = pack_folder(HEAD.replace("FR-TY-01", "FR-TY-1") + GOOD)
    place = catalogue_place(folder, "FR-TY-01")
    assert lint_messages(folder) == [
        'one.feature:5 orphaned: no requirement has the id "FR-TY-1"; write "FR-TY-01"',
        f"{place} uncovered: no scenario verifies FR-TY-01 (MUST): it will be NOT VERIFIED",
    ]


def test_a_rule_of_an_excluded_requirement_is_reported(pack_folder: Write) -> None:
    more = another("FR-TY-02", 'verified_by = ["inspection"]\nexcluded = "it cannot be observed"')
    text = HEAD + GOOD + "  @FR-TY-02\n  Rule: unseen\n" + GOOD.replace("01-01", "02-01").replace("one file", "x")
    assert lint_messages(pack_folder(text, more=more)) == [
        "one.feature:14 unwanted: FR-TY-02 is excluded (it cannot be observed); remove the Rule or the exclusion"
    ]


def test_a_rule_of_a_restating_requirement_is_reported(pack_folder: Write) -> None:
    more = another("FR-TY-02", 'restates = "FR-TY-01"')
    text = HEAD + GOOD + "  @FR-TY-02\n  Rule: again\n" + GOOD.replace("01-01", "02-01").replace("one file", "x")
    assert lint_messages(pack_folder(text, more=more)) == [
        "one.feature:14 unwanted: FR-TY-02 has the verdict of FR-TY-01; move the scenarios below that one"
    ]


@pytest.mark.parametrize(
    ("also", "message"),
    [
        ("FR-TY-1", 'orphaned: @also:FR-TY-1 names no requirement; write "FR-TY-01"'),
        ("FR-TY-01", "duplicate: @also:FR-TY-01 is the requirement of the Rule; remove it"),
    ],
)
def test_a_wrong_tag_also_is_reported(pack_folder: Write, also: str, message: str) -> None:
    text = HEAD + GOOD.replace("@TY-01-01", f"@TY-01-01 @also:{also}")
    assert lint_messages(pack_folder(text)) == [f"one.feature:8 {message}"]


@pytest.mark.parametrize(("tags", "is_reported"), [("@returns", False), ("@returns @prudent", True)])
def test_a_hang_can_fail_only_a_scenario_that_decides(pack_folder: Write, tags: str, is_reported: bool) -> None:
    text = HEAD + GOOD.replace("@TY-01-01", f"@TY-01-01 {tags}")
    message = "@returns needs a MUST requirement of the document: elsewhere a hang is a fault; remove it"
    assert lint_messages(pack_folder(text)) == ([f"one.feature:8 unwanted: {message}"] if is_reported else [])


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ('verified_by = ["scenario"]', True),
        ('verified_by = ["property"]', False),
        ('verified_by = ["scenario"]\ncondition = "Windows"', False),
        ('verified_by = ["scenario"]\nexcluded = "it cannot be observed"', False),
        ('restates = "FR-TY-01"', False),
    ],
)
def test_a_requirement_without_scenarios_is_reported_but_no_error(pack_folder: Write, lines: str, found: bool) -> None:
    diagnostics = lint(load_pack(pack_folder(HEAD + GOOD, more=another("FR-TY-02", lines))))
    assert [(one.code, one.is_error) for one in diagnostics] == ([("uncovered", False)] if found else [])


def test_a_requirement_that_is_only_touched_is_uncovered(pack_folder: Write) -> None:
    text = HEAD + GOOD.replace("@TY-01-01", "@TY-01-01 @also:FR-TY-02")
    folder = pack_folder(text, more=another("FR-TY-02", 'verified_by = ["scenario"]'))
    assert [one.code for one in lint(load_pack(folder))] == ["uncovered"]


@pytest.mark.parametrize(
    ("tag", "treatment", "found"),
    [
        ("", "strict", True),
        ("@interpretation:AMB-TY-03", "strict", False),
        ("", "any", False),
        ("", "advisory", False),
    ],
)
def test_a_strict_interpretation_that_no_scenario_names_is_reported_but_no_error(
    pack_folder: Write, tag: str, treatment: str, found: bool
) -> None:
    text = HEAD + GOOD.replace("@TY-01-01", f"@TY-01-01 {tag}")
    folder = pack_folder(text, more=SECOND_INTERPRETATION.replace('"any"', f'"{treatment}"'))
    message = "no scenario names AMB-TY-03 (strict); write @interpretation:AMB-TY-03 at one that enforces it"
    assert lint_messages(folder) == ([f"{catalogue_place(folder, 'AMB-TY-03')} uncovered: {message}"] if found else [])
    assert not any(one.is_error for one in lint(load_pack(folder)))


def test_known_readings_are_not_reported(pack_folder: Write) -> None:
    table = "        | reading | entries |\n        | exceeded | a |\n        | reached | a |"
    assert lint_messages(pack_folder(one_of(table))) == []


def test_an_unknown_interpretation_is_reported(pack_folder: Write) -> None:
    table = "        | reading | entries |\n        | exceeded | a |"
    assert lint_messages(pack_folder(one_of(table, "AMB-TY-1"))) == [
        'one.feature:11 orphaned: no interpretation has the id "AMB-TY-1"; write "AMB-TY-01"'
    ]


def test_an_unknown_reading_is_reported(pack_folder: Write) -> None:
    table = "        | reading | entries |\n        | exeeded | a |"
    assert lint_messages(pack_folder(one_of(table))) == [
        'one.feature:11 orphaned: AMB-TY-01 has no reading "exeeded"; write "exceeded"'
    ]


def test_two_readings_in_one_cell_are_reported(pack_folder: Write) -> None:
    table = "        | reading | entries |\n        | exceeded, reached | a |"
    assert lint_messages(pack_folder(one_of(table))) == [
        'one.feature:11 orphaned: AMB-TY-01 has no reading "exceeded, reached"; write one per row'
    ]


def test_a_row_may_hold_for_every_reading_but_not_all_rows(pack_folder: Write) -> None:
    table = "        | reading | entries |\n        | | a |\n        | {0} | a |"
    folder = pack_folder({"a.feature": one_of(table.replace("{0}", "reached"))})
    assert lint_messages(folder) == []
    (folder / "a.feature").write_text(one_of(table.replace("{0}", "")), encoding="utf-8")
    assert lint_messages(folder) == [
        "a.feature:11 malformed: no row of the table names a reading of AMB-TY-01; write a label"
    ]


SECOND_INTERPRETATION = """
[[interpretation]]
id = "AMB-TY-03"
question = "Another?"
treatment = "any"
recommended = "a"
why = "The text permits nothing else."
[[interpretation.reading]]
label = "a"
text = "So."
"""


@pytest.mark.parametrize(
    ("header", "row", "message"),
    [
        ("AMB-TY-01 | AMB-TY-03", "reached | a", None),
        ("reading | AMB-TY-03", "reached | a", None),
        (
            "AMB-TY-01 | AMB-TY-03",
            "reached | ",
            "malformed: no row of the table names a reading of AMB-TY-03; write a label",
        ),
        ("AMB-TY-01 | AMB-TY-03", "a | a", 'orphaned: AMB-TY-01 has no reading "a"; write one of: '),
        (
            "AMB-TY-01 | fails",
            "reached | ",
            "malformed: the table has no column for AMB-TY-03; add one with this heading",
        ),
    ],
)
def test_a_table_needs_a_column_for_each_interpretation(
    pack_folder: Write, header: str, row: str, message: str | None
) -> None:
    table = f"        | {header} | entries |\n        | {row} | a |"
    text = one_of(table, "AMB-TY-01 and AMB-TY-03")
    lines = lint_messages(pack_folder(text, more=SECOND_INTERPRETATION, more_steps=STEPS_OF_TWO))
    assert len(lines) == (message is not None)
    assert message is None or lines[0].startswith(f"one.feature:11 {message}")


STEPS_OF_TWO = '''
@then(
    r"by (?P<ids>AMB-[\\w-]+ and AMB-[\\w-]+) the answer is one of",
    example="by AMB-TY-01 and AMB-TY-03 the answer is one of",
    columns=("reading", "entries", "fails"),
)
def one_of_two(ids: str, datatable: list[list[str]]) -> None:
    """Compare with the rows."""
'''


def test_a_column_of_an_interpretation_that_is_not_named_is_reported(pack_folder: Write) -> None:
    table = "        | reading | AMB-TY-03 | entries |\n        | reached | a | a |"
    assert lint_messages(pack_folder(one_of(table), more=SECOND_INTERPRETATION)) == [
        'one.feature:11 orphaned: "Then by AMB-TY-01 the answer is one of": no column is called "AMB-TY-03"; '
        "write one of: reading, entries, document, fails"
    ]


def test_a_step_with_an_editorial_interpretation_is_reported(pack_folder: Write) -> None:
    table = "        | reading | entries |\n        | a | a |"
    lines = lint_messages(pack_folder(one_of(table, "AMB-TY-02")))
    assert "one.feature:11 unwanted: AMB-TY-02 is editorial and has no effect; remove it" in lines


def test_a_quoted_name_mentions_no_interpretation(pack_folder: Write) -> None:
    text = HEAD + GOOD.replace('"a"', '"AMB-TY-77"')
    assert lint_messages(pack_folder(text)) == []


def test_two_packs_with_the_same_prefix_are_reported(pack_folder: Write, tmp_path: Path) -> None:
    folder = pack_folder(steps="")
    other = tmp_path / "other"
    other.mkdir()
    text = (folder / "spec.toml").read_text(encoding="utf-8").replace('name = "tiny"', 'name = "other"', 1)
    (other / "spec.toml").write_text(text, encoding="utf-8")
    (only,) = lint_across_packs([load_pack(folder), load_pack(other)])
    assert (only.file, only.code) == (other / "spec.toml", "duplicate")
    assert only.message == f'{folder / "spec.toml"} has the prefix "TY" too; choose another prefix'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("It lists what is there (AMB-TY-01, TY-01-01, TY-01-09).", None),
        ("As in FR-OT-07 and MUT-TY-99.", None),
        ("What is there (AMB-TY-07).", 'names AMB-TY-07, which does not exist; write "AMB-TY-02"'),
        ("What FR-TY-02 says.", 'names FR-TY-02, which does not exist; write "FR-TY-01"'),
        ("As TY-01-02 shows.", 'names TY-01-02, which does not exist; write "TY-01-09"'),
    ],
)
@pytest.mark.parametrize(
    ("old", "place"),
    [
        ("It lists what is there.", "FR-TY-01: text"),
        ("The text permits both.", "AMB-TY-01: why"),
        ("As soon as it is full.", "AMB-TY-01 reached: text"),
        ("it checked two things", "TY-01-09: reason"),
    ],
)
def test_an_unknown_id_in_a_text_of_the_catalogue_is_reported(
    pack_folder: Write, text: str, problem: str | None, old: str, place: str
) -> None:
    folder = pack_folder(HEAD + GOOD)
    file = folder / "spec.toml"
    file.write_text(file.read_text("utf-8").replace(old, text), "utf-8")
    assert lint_messages(folder) == (
        []
        if problem is None
        else [f"{catalogue_place(folder, place.partition(':')[0].partition(' ')[0])} orphaned: {place} {problem}"]
    )


def test_a_wrong_tag_interpretation_is_reported(pack_folder: Write) -> None:
    text = HEAD + GOOD.replace("@TY-01-01", "@TY-01-01 @interpretation:AMB-TY-1")
    message = 'orphaned: @interpretation:AMB-TY-1 names no interpretation; write "AMB-TY-01"'
    assert lint_messages(pack_folder(text)) == [f"one.feature:8 {message}"]


def test_a_tag_of_an_interpretation_that_a_step_names_is_reported(pack_folder: Write) -> None:
    table = "        | reading | entries |\n        | a | a |\n        | b | b |"
    text = one_of(table).replace("@TY-01-01", "@TY-01-01 @interpretation:AMB-TY-01")
    message = "duplicate: @interpretation:AMB-TY-01 is named by a step as well; remove the tag"
    assert f"one.feature:8 {message}" in lint_messages(pack_folder(text))
