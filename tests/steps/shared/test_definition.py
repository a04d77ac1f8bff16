"""A schema of arguments is checked by validating examples, so that any form of it is accepted."""

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
def test_a_schema_may_have_any_form(schema: Any) -> None:
    check_schema_takes(schema)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (None, "takes"),
        ({"required": ["path"]}, 'takes {"path": 1}'),
        ({"properties": {"path": {"type": "string"}}}, "takes {}"),
        ({"required": ["path", "more"]}, 'refuses {"path": "a"}'),
        ({"$ref": "https://example.invalid/schema"}, "cannot be used"),
        ({"properties": {"path": {"pattern": "("}}}, "cannot be used"),
    ],
)
def test_a_wrong_schema_is_described(schema: Any, message: str) -> None:
    with pytest.raises(Mismatch) as caught:
        check_schema_takes(schema)
    assert message in str(caught.value)


def test_a_schema_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    schema = {"properties": {"path": {"type": "string"}}, "required": ["path"]}
    check_schema_takes(schema)
    elsewhere = tmp_path / "schema.json"
    elsewhere.write_text(json.dumps(schema), "utf-8")
    with pytest.raises(Mismatch, match="cannot be used"):
        check_schema_takes({"$ref": elsewhere.as_uri()})
