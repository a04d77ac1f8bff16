"""The table of requirements and scenarios: the same rows in every format, and nothing missing."""

from __future__ import annotations

import csv
import io
import json

import pytest

from treeproof.report.traceability import FORMATS, Row, rows
from treeproof.spec import bundled, load


@pytest.fixture(scope="module")
def found() -> list[Row]:
    return list(rows([load(folder) for folder in bundled()]))


def test_every_requirement_is_there_in_the_order_of_its_catalogue(found: list[Row]) -> None:
    for pack in (load(folder) for folder in bundled()):
        told = dict.fromkeys(row.requirement for row in found if row.spec == pack.name)
        assert list(told) == [requirement.id for requirement in pack.requirements]


def test_the_formats_tell_the_same(found: list[Row]) -> None:
    as_csv = list(csv.DictReader(io.StringIO(FORMATS["csv"](found))))
    as_json = json.loads(FORMATS["json"](found))
    assert [row["scenario"] for row in as_csv] == [row["scenario"] for row in as_json]
    assert len(FORMATS["md"](found).splitlines()) == len(found) + 2


def test_markdown_cells_cannot_break_out_of_the_table() -> None:
    row = Row("s", "R", "MUST", "X-1", "a | b <script>\n`c`", "f:1", "")
    line = FORMATS["md"]([row]).splitlines()[2]
    assert "a \\| b" in line
    assert "<script>" not in line
