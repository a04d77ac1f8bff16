"""The argument check by schema, and the request from arguments that pass it."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from treeproof.reference_impl.list_directory import request, settings
from treeproof.reference_impl.shared import arguments, errors, paths

VALUES = [
    *("null", "true", "false", '""', '"2"', "[]", "[1]", "{}"),
    *("0", "1", "-1", "2", "2.0", "1.5", "-0.0", "1e2", "18446744073709551617"),
]


@pytest.mark.parametrize("member", [*request.SCHEMA["properties"], "bogus"])
@pytest.mark.parametrize("value", VALUES)
def test_the_check_agrees_with_json_schema(member: str, value: str) -> None:
    instance = {"path": "."} | {member: json.loads(value)}
    valid = Draft202012Validator(request.SCHEMA).is_valid(instance)
    assert (arguments.validation_error(request.SCHEMA, instance) is None) == valid


@pytest.mark.parametrize("instance", [[], ".", None, 1, {}, {"Path": "."}])
def test_arguments_without_a_path_are_invalid(instance: Any) -> None:
    assert not Draft202012Validator(request.SCHEMA).is_valid(instance)
    assert arguments.validation_error(request.SCHEMA, instance) is not None


def test_an_infinite_number_is_not_an_integer() -> None:
    error = arguments.validation_error(request.SCHEMA, {"path": ".", "max_entries": json.loads("1e400")})
    assert error == "max_entries must be an integer"


def test_an_error_names_the_argument_and_the_limit() -> None:
    assert arguments.validation_error(request.SCHEMA, {"path": ".", "max_depth": 0}) == "max_depth must be at least 1"


def test_an_unknown_keyword_of_a_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="maximum"):
        arguments.check_schema({"type": "object", "properties": {"a": {"type": "integer", "maximum": 3}}})


def parse(members: dict[str, Any], **configured: Any) -> Any:
    return request.ArgumentParser({"path": "."} | members, settings.Settings(**configured), paths.POSIX).parse()


@pytest.mark.parametrize(
    ("members", "configured", "depth"),
    [
        ({}, {}, 1),
        ({}, {"max_depth": 9}, 1),
        ({"max_depth": 1}, {}, 1),
        ({"recursive": True}, {}, 4),
        ({"recursive": True}, {"max_depth": 2}, 2),
        ({"recursive": True, "max_depth": 2.0}, {}, 2),
        ({"recursive": True, "max_depth": 6}, {"max_depth": 6}, 6),
    ],
)
def test_the_default_depth_is_the_configured_one_if_recursive_and_else_1(
    members: dict[str, Any], configured: dict[str, Any], depth: int
) -> None:
    found = parse(members, **configured).max_depth
    assert found == depth
    assert isinstance(found, int)


@pytest.mark.parametrize(
    ("members", "configured", "message"),
    [
        ({"path": " \n"}, {}, "path"),
        ({"path": "\u3000"}, {}, "path"),
        ({"path": "in\0x"}, {}, "NUL"),
        ({"path": "\ud800"}, {}, "surrogates"),
        ({"max_depth": 2}, {}, "max_depth must be 1"),
        ({"recursive": True, "max_depth": 5}, {}, "max_depth must be at most 4"),
        ({"recursive": True, "max_depth": 2**32 + 1}, {}, "max_depth must be at most 4"),
        ({"max_entries": 201}, {}, "max_entries must be at most 200"),
        ({"max_entries": 4}, {"max_entries": 3}, "max_entries must be at most 3"),
        (
            {"include_files": False, "include_dirs": False},
            {"include_symlinks_default": False},
            "at least one",
        ),
    ],
)
def test_an_error_that_the_schema_cannot_express_is_a_bad_argument(
    members: dict[str, Any], configured: dict[str, Any], message: str
) -> None:
    with pytest.raises(errors.ToolError, match=message) as caught:
        parse(members, **configured)
    assert caught.value.kind == "BadArgs"


@pytest.mark.parametrize("switch", ["hidden", "files", "dirs", "symlinks", "other"])
def test_the_call_overrides_the_configuration_which_overrides_the_default(switch: str) -> None:
    argument, key = f"include_{switch}", f"include_{switch}_default"
    built_in = getattr(settings.BUILT_IN, key)
    assert getattr(parse({}), argument) is built_in
    assert getattr(parse({}, **{key: not built_in}), argument) is not built_in
    assert getattr(parse({argument: built_in}, **{key: not built_in}), argument) is built_in
