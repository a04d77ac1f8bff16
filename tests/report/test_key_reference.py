"""The reference of the keys of spec.toml is complete."""

from __future__ import annotations

import pytest

from treeproof.candidate import manifest
from treeproof.cli import main
from treeproof.report.key_reference import key_reference, tables_of
from treeproof.spec.pack_file import SCHEMA


def test_the_terminal_shows_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "keys"]) == 0
    words = set(capsys.readouterr().out.split())
    tables = list(tables_of(SCHEMA))
    assert {name for table in tables for name in table.keys} <= words
    assert {table.heading for table in tables} <= words
    assert [table.heading for table in tables][:2] == ["[spec]", "[[version]]"]


@pytest.mark.parametrize(
    ("format", "text"),
    [("md", key_reference()), ("schema", SCHEMA.text), ("manifest-schema", manifest.SCHEMA.text)],
)
def test_the_page_and_the_schemas_are_printed(capsys: pytest.CaptureFixture[str], format: str, text: str) -> None:
    assert main(["list", "keys", "--format", format]) == 0
    assert capsys.readouterr().out == text


def test_only_keys_have_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "specs", "--format", "schema"]) == 2
    assert "list specs: only keys can be listed as schema" in capsys.readouterr().err
