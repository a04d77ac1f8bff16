"""What a schema of arguments takes is found out by asking it, however it is written."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treeproof.steps.shared import definition
from treeproof.verdict import Mismatch

TABLE = [["arguments", "taken"], ['{"path": "a"}', "yes"], ['{"path": 1}', "no"], ["{}", "no"]]


def check_schema_takes(schema: Any) -> None:
    world: Any = SimpleNamespace(log=SimpleNamespace(definition=SimpleNamespace(input_schema=schema)))
    definition.the_schema_takes(world, TABLE)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
        {"properties": {"path": {"type": "string", "minLength": 1}}, "minProperties": 1},
        {
            "properties": {"path": {"$ref": "#/$defs/p"}},
            "required": ["path"],
            "$defs": {"p": {"type": "string"}},
        },
    ],
)
def test_a_schema_may_be_written_in_any_way(schema: Any) -> None:
    check_schema_takes(schema)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (None, "takes"),
        ({"required": ["path"]}, 'takes {"path": 1}'),
        ({"properties": {"path": {"type": "string"}}}, "takes {}"),
        ({"required": ["path", "more"]}, 'refuses {"path": "a"}'),
        ({"$ref": "https://example.invalid/schema"}, "cannot be used"),
        ({"properties": {"path": {"pattern": "("}}}, "cannot be used"),
    ],
)
def test_what_is_wrong_is_told(schema: Any, said: str) -> None:
    with pytest.raises(Mismatch) as why:
        check_schema_takes(schema)
    assert said in str(why.value)


def test_what_lies_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    right = {"properties": {"path": {"type": "string"}}, "required": ["path"]}
    check_schema_takes(right)
    elsewhere = tmp_path / "schema.json"
    elsewhere.write_text(json.dumps(right), "utf-8")
    with pytest.raises(Mismatch, match="cannot be used"):
        check_schema_takes({"$ref": elsewhere.as_uri()})
