"""The reference of the keys of spec.toml: complete, with examples that the rules accept, and current in the docs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.report.key_reference import key_reference
from treeproof.spec.pack_keys import TABLES, TableKeys
from treeproof.spec.toml_table import TablePlace, TomlTable

DOCS = Path(__file__).parents[2] / "docs"
TABLE_PARAMETERS = [pytest.param(table, id=table.heading) for table in TABLES]


@pytest.mark.parametrize("table", TABLE_PARAMETERS)
def test_every_key_has_a_meaning_and_an_example(table: TableKeys) -> None:
    assert table.meaning
    for name, key in table.keys.items():
        assert key.meaning, name
        assert key.example or key.kind == "tables", name


@pytest.mark.parametrize("table", TABLE_PARAMETERS)
def test_the_examples_of_a_table_obey_the_rules_of_its_keys(table: TableKeys) -> None:
    lines = [f"{name} = {key.example}" for name, key in table.keys.items() if key.example]
    values = tomllib.loads("\n".join(lines))
    assert TomlTable(table.heading, values, table.keys, TablePlace("example")).values == values


def test_the_page_in_the_docs_is_current() -> None:
    assert (DOCS / "spec-toml.md").read_text("utf-8") == key_reference()


def test_the_terminal_shows_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "keys"]) == 0
    words = set(capsys.readouterr().out.split())
    assert {name for table in TABLES for name in table.keys} <= words
    assert {table.heading for table in TABLES} <= words


def test_the_format_md_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "keys", "--format", "md"]) == 0
    assert capsys.readouterr().out == key_reference()
