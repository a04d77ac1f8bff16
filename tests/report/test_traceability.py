"""The table of requirements and scenarios: it is complete and has the same rows in every format."""

from __future__ import annotations

import json

import pytest

from treeproof.report.traceability_output import FORMATS, TraceRow, trace_rows
from treeproof.spec import bundled_packs, load_pack
from treeproof.spec.mutants import mutants_violating


@pytest.fixture(scope="module")
def rows() -> list[TraceRow]:
    return list(trace_rows([load_pack(folder) for folder in bundled_packs()], mutants_violating))


def test_every_requirement_is_listed_in_the_order_of_its_catalogue(rows: list[TraceRow]) -> None:
    for pack in (load_pack(folder) for folder in bundled_packs()):
        ids = dict.fromkeys(row.requirement for row in rows if row.spec == pack.name)
        assert list(ids) == [requirement.id for requirement in pack.requirements]


def test_every_format_has_the_same_rows(rows: list[TraceRow]) -> None:
    assert [row["scenario"] for row in json.loads(FORMATS["json"](rows))] == [row.scenario for row in rows]
    assert len(FORMATS["md"](rows).splitlines()) == len(rows) + 2


def test_markdown_cells_cannot_break_out_of_the_table() -> None:
    row = TraceRow("s", "R", "MUST", "3", "X-1", "scenario", "a | b <script>\n`c`", "f:1", "")
    line = FORMATS["md"]([row]).splitlines()[2]
    assert "a \\| b" in line
    assert "<script>" not in line


def test_scenarios_properties_and_mutants_are_in_one_table(rows: list[TraceRow]) -> None:
    kinds = {row.scenario: row.kind for row in rows}
    assert kinds["LD-LST-05-01"] == "scenario"
    assert kinds["LD-P-25-01"] == "property"
    assert all(row.kind == "" for row in rows if not row.scenario)
    assert "MUT-001" in next(row.wrong for row in rows if row.requirement == "FR-LD-LST-05").split()
