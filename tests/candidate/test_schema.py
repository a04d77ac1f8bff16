"""The compiled validators agree with a full JSON Schema validator."""

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referencing import Registry, Resource

from treeproof.candidate import CandidateFault, framing, load_schema, unknown_members
from treeproof.candidate import schema as schema_module
from treeproof.candidate.schema import validator_for, validator_of
from treeproof.files.json_schema import JsonSchema

METHODS = ("initialize", "describe", "call", "shutdown")
MESSAGES = [f"{method}.{part}" for method in METHODS for part in ("params", "result")]

EXAMPLES: dict[str, Any] = {
    "initialize.params": {"protocol": 1, "workspace": "/w"},
    "initialize.result": {
        "protocol": 1,
        "candidate": {"name": "n", "version": "1", "language": "go"},
        "tools": {"LS": "ls@2.0.0"},
        "capabilities": ["config"],
        "interpretations": {"AMB-LD-12": "per_run"},
    },
    "describe.params": {"tool": "t"},
    "describe.result": {
        "name": "t",
        "aliases": ["u"],
        "description": "d",
        "input_schema": {"type": "object"},
        "is_side_effecting": False,
        "requires_approval": False,
        "risk_level": "Low",
    },
    "call.params": {
        "tool": "t",
        "arguments": {"path": "."},
        "context": {
            "roots": ["/r"],
            "working_dir": "/r",
            "allow_absolute": False,
            "denied_patterns": ["**/x"],
            "include_default_denies": True,
            "max_output_bytes": 102400,
            "available_capacity_bytes": 65536,
            "config": {"tools": {}},
            "policy": {
                "enabled": True,
                "mode": "auto",
                "allowlist": ["t"],
                "denylist": [],
                "prompt_side_effects": False,
            },
            "approval": "deny",
        },
    },
    "call.result": {
        "status": "ok",
        "content": "{}",
        "context": {"allow_truncation": False},
        "log": [{"level": "error", "message": "m"}],
        "approval_requested": True,
    },
    "shutdown.params": {},
    "shutdown.result": None,
}
FAILURE = {"status": "error", "error": {"kind": "BadArgs", "message": "m"}}

# Values near the limits of the schemas, so that mutated examples are often valid and often invalid.
LEAVES: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 2, 1.5, "", "ok", "error", "deny", "prompt", "BadArgs", "debug", "/w", "ls@2",
    "a@b@c", "a b@c", [], {}, ["x"], [1], [[]], {"x": 1}, {"status": "ok"}, FAILURE["error"],
    [{"level": "info", "message": ""}],
]  # fmt: skip
NAMES = sorted({"x", "error", "content", "status", "policy", "mode"} | set(EXAMPLES["call.params"]["context"]))


@st.composite
def mutated(draw: st.DrawFn, example: Any) -> Any:
    value = json.loads(json.dumps(example))
    for _ in range(draw(st.integers(0, 3))):
        value = draw(changed(value))
    return value


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """Return the value with one part replaced, removed or added."""
    if isinstance(value, dict) and draw(st.integers(0, 5)):
        name = draw(st.sampled_from([*value, *NAMES]))
        if name in value and draw(st.booleans()):
            return {key: member for key, member in value.items() if key != name}
        return value | {name: draw(changed(value.get(name)))}
    if isinstance(value, list) and value and draw(st.booleans()):
        return [draw(changed(value[0])), *value[1:]]
    return draw(st.sampled_from(LEAVES))


@functools.cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    resources = [
        (f"urn:treeproof:protocol:1:{message}", Resource.from_contents(load_schema(message))) for message in MESSAGES
    ]
    registry: Registry[Any] = Registry().with_resources(resources)
    return jsonschema.Draft202012Validator(load_schema(name), registry=registry)


def test_every_published_schema_is_valid_and_every_file_is_known() -> None:
    files = sorted(path.name for path in (Path(schema_module.__file__).parent / "schemas").glob("*.json"))
    assert files == sorted(f"{name}.schema.json" for name in [*MESSAGES, "request", "response"])
    for name in [*MESSAGES, "request", "response"]:
        jsonschema.Draft202012Validator.check_schema(load_schema(name))
        assert load_schema(name)["$id"] == f"urn:treeproof:protocol:1:{name}"


@pytest.mark.parametrize("name", MESSAGES)
def test_the_example_of_every_message_fits(name: str) -> None:
    assert validator_for(name)(EXAMPLES[name]) is None
    validator(name).validate(EXAMPLES[name])


@pytest.mark.parametrize("name", MESSAGES)
@settings(max_examples=100)
@given(data=st.data())
def test_the_compiled_check_agrees_with_a_full_validator(name: str, data: st.DataObject) -> None:
    examples = [EXAMPLES[name], FAILURE] if name == "call.result" else [EXAMPLES[name]]
    value = data.draw(st.one_of(*map(mutated, examples)))
    assert (validator_for(name)(value) is None) == validator(name).is_valid(value)


def test_the_corpus_contains_valid_and_invalid_values() -> None:
    results: dict[str, set[bool]] = {name: set() for name in MESSAGES}
    for name in MESSAGES:

        @settings(max_examples=30)
        @given(mutated(EXAMPLES[name]))
        def record(value: Any) -> None:
            results[name].add(validator_for(name)(value) is None)  # noqa: B023 - called in the same iteration

        record()
    assert all(kinds == {True, False} for kinds in results.values()), results


@settings(max_examples=100)
@given(mutated({"jsonrpc": "2.0", "id": 1, "result": None, "more": 1}))
def test_a_response_is_accepted_if_the_published_schema_accepts_it(value: Any) -> None:
    try:
        framing.parse_response(json.dumps(value).encode(), 1)
        read = True
    except CandidateFault as fault:
        read = fault.kind == "glue"
    fits = validator("response").is_valid(value)
    assert read <= fits
    # A schema cannot check the id of the request, and a request by the candidate is no response.
    if fits and "method" not in value and "result" in value:
        assert read == (value["id"] == 1)


def test_a_request_line_fits_the_published_schema() -> None:
    for method in METHODS:
        params = json.dumps(EXAMPLES[f"{method}.params"])
        line = framing.encode_request(7, method, params)  # type: ignore[arg-type]
        assert line.endswith(b"}\n")
        validator("request").validate(json.loads(line))


@pytest.mark.parametrize(
    ("schema", "value", "problem"),
    [
        ({"type": "object"}, [1], ("", "is [1], not an object")),
        ({"properties": {"a": {"type": "integer"}}}, {"a": True}, (".a", "is true, not an integer")),
        ({"items": {"type": "string"}}, ["x", 1], ("[1]", "is 1, not a string")),
        ({"required": ["a", "b"]}, {"a": 1}, ("", "lacks the member 'b'")),
        (
            {"properties": {"a": {}}, "additionalProperties": False},
            {"a": 1, "b{c}": 2},
            ("", 'has the unknown member "b{c}"'),
        ),
        ({"additionalProperties": {"type": "null"}}, {"b{c}.d": 2}, (".b{c}.d", "is 2, not null")),
        ({"enum": ["a", "b"]}, "c", ("", 'is "c", not one of a, b')),
        ({"const": 1}, 2, ("", "is 2, not 1")),
        ({"pattern": "^/", "description": "an absolute path"}, "x", ("", 'is "x", not an absolute path')),
        ({"minLength": 1}, "", ("", 'is "", which is too short')),
        ({"minimum": 1}, 0, ("", "is 0, less than 1")),
        ({"maxLength": 3}, "long", ("", 'is "long", which violates maxLength: 3')),
        ({"type": "null"}, "\udc80", ("", 'is "\\x80", not null')),
    ],
)
def test_a_problem_names_the_place_the_value_and_what_fits(
    schema: dict[str, Any], value: Any, problem: tuple[str, str]
) -> None:
    assert validator_of(JsonSchema(schema))(value) == problem


def test_a_schema_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot check the schema"):
        validator_of(JsonSchema({"type": "strnig"}))(1)


def test_unknown_members_are_found() -> None:
    result = {
        "status": "ok",
        "content": "",
        "error": None,
        "extra": 1,
        "log": [{"level": "info", "message": "", "at\n": 0}],
        "context": {"allow_truncation": True, "odd": 1},
    }
    found = unknown_members("call.result", result)
    assert sorted(found) == [".context.odd", ".extra", ".log[0].at\\n"]
    tools = {"tools": {"any": "thing@1"}, "interpretations": {"AMB-1": "a"}, "candidate": {"size": 1}}
    assert unknown_members("initialize.result", tools) == [".candidate.size"]
