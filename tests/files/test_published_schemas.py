"""The schemas of TOML files: valid, described for authors, with examples that they accept, and one with the code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from treeproof.candidate import ADAPTER_KINDS, manifest, mcp_server_config, tool_mapping
from treeproof.candidate.adapter import Limits
from treeproof.candidate.messages import CAPABILITIES
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import TomlFile, toml_value
from treeproof.scaffold import new_candidate
from treeproof.scaffold.specification import new_spec
from treeproof.spec import bundled_packs, load_pack, pack_file
from treeproof.spec.catalogue import PLATFORMS, Basis, Harm, Level, Treatment, VerificationMethod
from treeproof.spec.source_document import HASH_LENGTH
from treeproof.verdict import baseline

ROOT = Path(__file__).parents[2]
SCHEMAS = [
    pytest.param(module.SCHEMA, id=module.__name__) for module in (pack_file, manifest, mcp_server_config, baseline)
]


def properties(schema: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the schema of every key that has a description or should have one."""
    for name, value in schema.items() if isinstance(schema, dict) else ():
        if name in ("if", "then", "else", "examples"):
            continue
        if name == "properties":
            yield from value.items()
        for inner in value if isinstance(value, list) else [value]:
            yield from properties(inner)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_describes_every_key_with_an_example_that_it_accepts(schema: JsonSchema) -> None:
    Draft202012Validator.check_schema(schema.content)
    found = [one for one in properties(schema.content) if one[1] != {"not": {}} and "not" not in one[1]]
    assert found
    for name, key in found:
        assert key.get("description"), name
        for example in key.get("examples", ()):
            assert tomllib.loads(f"x = {toml_value(example)}")["x"] == example
            alone = JsonSchema({**key, "$defs": schema.content.get("$defs", {})})
            assert name == "requires" or alone.accepts(example), name


def test_the_schemas_name_what_the_code_knows() -> None:
    spec, candidate = pack_file.SCHEMA, manifest.SCHEMA
    requirement = ("requirement", 0)
    for place, literal in (
        ((*requirement, "level"), Level),
        ((*requirement, "basis"), Basis),
        ((*requirement, "harm"), Harm),
        ((*requirement, "verified_by", 0), VerificationMethod),
        (("interpretation", 0, "treatment"), Treatment),
    ):
        assert tuple(spec.at(place)["enum"]) == get_args(literal)
    assert spec.at(("spec", "simulated"))["properties"].keys() == PLATFORMS.keys()
    assert f"{{{HASH_LENGTH}}}" in spec.at((*requirement, "sentences", 0))["pattern"]
    assert tuple(candidate.at(("candidate", "adapter"))["enum"]) == tuple(ADAPTER_KINDS)
    assert tuple(candidate.at(("candidate", "capabilities", 0))["enum"]) == CAPABILITIES
    assert set(candidate.content["$defs"]["member"]["properties"]["convert"]["enum"]) == set(tool_mapping.CONVERSIONS)
    limits = Limits()
    defaults = {"call_timeout": limits.call_seconds, "start_timeout": limits.start_seconds}
    for key, value in {**defaults, "max_answer_bytes": limits.answer_bytes}.items():
        assert candidate.at(("candidate", key))["default"] == value


def schema_of(file: Path) -> Path:
    """Return the schema that the first line of a TOML file names for editors."""
    line = re.match(r"#:schema (\S+)\n", file.read_text("utf-8"))
    assert line, file
    return file.parent / line[1]


def test_the_files_of_the_project_name_their_schema_for_editors() -> None:
    files = [folder / "spec.toml" for folder in bundled_packs()] + list(ROOT.glob("examples/**/treeproof.toml"))
    for file in files:
        kind = "spec" if file.name == "spec.toml" else "candidate"
        assert schema_of(file).resolve().parent == ROOT / "treeproof" / kind


def test_new_files_name_a_schema_beside_them(tmp_path: Path) -> None:
    new_spec("mine", tmp_path / "mine")
    new_candidate(load_pack(tmp_path / "mine"), "python", "stdio", tmp_path / "candidate")
    for file, schema in (
        (tmp_path / "mine" / "spec.toml", pack_file),
        (tmp_path / "candidate" / "treeproof.toml", manifest),
    ):
        assert schema_of(file).read_text("utf-8") == schema.SCHEMA.text
        assert TomlFile(file, JsonSchema(schema_of(file))).errors() == []
