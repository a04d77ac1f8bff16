"""A run and the lint refuse a table column that no step reads, because it would assert nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.run.clean_packs import lint_pack
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack
from treeproof.spec.step_definitions import ANY_COLUMN, load_step_definitions

SPECS = ("file_operations", "fs_walkdir", "list_directory", "local_files", "ls")
WriteFeature = Callable[[str], Path]

FEATURE = """
@ls
Feature: one table

  @LS-FILT-01
  Rule: one table

    @LS-TABLE-01
    Scenario: one table
      Given the tree "a, b"
      When LS is called with {}
      Then by AMB-LS-05 the answer is one of
        | reading | COLUMN |
        | LABEL   | CELL   |
      And the tree is unchanged
"""


@pytest.fixture
def write(tmp_path: Path) -> WriteFeature:
    """Return a function that writes a pack like ls with one feature, and returns its folder."""

    def write(feature: str) -> Path:
        pack = load_pack(find_pack("ls"))
        folder = tmp_path / "one_table"
        folder.mkdir()
        for file in (pack.pack_file, *pack.schemas.values()):
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / "one_table.feature").write_text(feature, "utf-8")
        return folder

    return write


def one_table(column: str, *, label: str = "a", cell: str = "a, b") -> str:
    return FEATURE.replace("COLUMN", column).replace("LABEL", label).replace("CELL", cell)


def run_one(folder: Path) -> dict[str, Any]:
    done = run(Options(target="reference", specs=(str(folder),), select=("LS-TABLE-01",))).document
    (scenario,) = done.to_json()["specs"][0]["scenarios"]
    return dict(scenario)


def lint_errors(folder: Path) -> list[str]:
    """Return the errors in the feature, without those about readings that its table lacks."""
    found = [one for one in lint_pack(load_pack(folder)) if one.is_error and one.file.suffix == ".feature"]
    return [f"{one.line}: {one.message}" for one in found if "has no row for the reading" not in one.message]


@pytest.mark.usefixtures("unlinted")
def test_a_known_column_is_checked(write: WriteFeature) -> None:
    folder = write(one_table("entries"))
    assert lint_errors(folder) == []
    assert run_one(folder)["outcome"] == "passed"


@pytest.mark.usefixtures("unlinted")
def test_a_run_refuses_an_unknown_column(write: WriteFeature) -> None:
    scenario = run_one(write(one_table("entires")))
    assert scenario["outcome"] == "fault"
    cause = scenario["evidence"]["cause"]
    assert 'no column is called "entires"' in cause
    assert "known columns: reading, entries, in order" in cause


def test_the_lint_refuses_an_unknown_column_and_suggests_the_nearest(write: WriteFeature) -> None:
    (error,) = [one for one in lint_errors(write(one_table("entires"))) if "column" in one]
    assert error == '12: "Then by AMB-LS-05 the answer is one of": no column is called "entires"; write "entries"'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "A"}, 'AMB-LS-05 has no reading "A"; write one of: a, b'),
        ({"column": "AMB-LS-06 | entries", "cell": "a | a, b"}, 'no column is called "AMB-LS-06"; '),
    ],
)
def test_the_lint_refuses_unknown_readings(write: WriteFeature, change: dict[str, str], message: str) -> None:
    (error,) = lint_errors(write(one_table(**{"column": "entries", **change})))
    assert message in error


def test_the_lint_refuses_an_unknown_interpretation(write: WriteFeature) -> None:
    (error,) = lint_errors(write(one_table("entries").replace("AMB-LS-05", "AMB-LS-99")))
    assert error.startswith('12: no interpretation has the id "AMB-LS-99"; ')


@pytest.mark.parametrize("spec", SPECS)
def test_every_step_with_a_table_declares_its_columns(spec: str) -> None:
    open_tables = set()
    for definition in load_step_definitions(load_pack(find_pack(spec)).steps):
        if definition.takes_table:
            assert definition.info.columns, definition.pattern
            if ANY_COLUMN in definition.info.columns:
                open_tables.add(definition.pattern)
    assert open_tables == {"the entries have"}
