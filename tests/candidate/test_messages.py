"""Sent messages fit the published schemas; invalid messages are refused with the place of the error."""

import json
from typing import Any

import pytest

from treeproof.candidate import ERROR_KINDS, UNCLASSIFIED, Call, MessageError, load_schema, messages

CONTEXT: dict[str, Any] = {"roots": ["/r"], "working_dir": "/r"}


def test_params_follow_the_protocol() -> None:
    assert json.loads(messages.initialize_params("/w")) == {"protocol": 1, "workspace": "/w"}
    assert json.loads(messages.describe_params("t")) == {"tool": "t"}
    assert json.loads(messages.shutdown_params()) == {}
    call = Call("t", {"path": "é\ud800\n", "n": 2**70}, CONTEXT)
    text = messages.call_params(call)
    assert json.loads(text) == {"tool": "t", "arguments": call.arguments, "context": CONTEXT}
    assert text.isascii() and "\n" not in text


@pytest.mark.parametrize("arguments", [None, True, 0, "x", [1], {}])
def test_arguments_can_be_any_json_value(arguments: Any) -> None:
    assert json.loads(messages.call_params(Call("t", arguments, CONTEXT)))["arguments"] == arguments


def test_the_text_of_arguments_is_sent_unchanged_on_one_line() -> None:
    call = Call("t", {"n": 100}, CONTEXT, '{"n": 1e2,\r\n "é": 2.0}')
    assert '"arguments":{"n": 1e2,   "é": 2.0},"context"' in messages.call_params(call)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (Call("t", {}, {"roots": ["/r"]}), "call: params.context lacks the member 'working_dir'"),
        (Call("t", {}, CONTEXT | {"denied_pattern": []}), 'has the unknown member "denied_pattern"'),
        (Call("t", {}, CONTEXT | {"max_output_bytes": -1}), "context.max_output_bytes is -1, less than 0"),
        (Call("t", {}, CONTEXT | {"max_output_bytes": True}), "max_output_bytes is true, not an integer"),
        (Call("t", {}, CONTEXT | {"policy": {"mode": "ask"}}), "policy.mode is \"ask\", not one of auto, "),
        (Call("t", {}, CONTEXT | {"roots": ["/r", 1]}), "call: params.context.roots[1] is 1, not a string"),
        (Call("t", float("nan"), CONTEXT), "cannot be written as JSON"),
        (Call("t", {"x": b""}, CONTEXT), "cannot be written as JSON"),
        (Call("t", {}, CONTEXT, '"\ud800"'), "has a lone surrogate: write it as \\uNNNN"),
    ],
)  # fmt: skip
def test_an_invalid_request_is_a_message_error(call: Call, message: str) -> None:
    with pytest.raises(MessageError) as caught:
        messages.call_params(call)
    assert message in str(caught.value)


def test_a_relative_workspace_is_refused() -> None:
    with pytest.raises(MessageError, match="an absolute directory"):
        messages.initialize_params("tmp")


def test_an_initialize_result_keeps_all_members() -> None:
    result = {
        "protocol": 1.0,
        "candidate": {"name": "n", "version": "v", "language": "l", "more": 1},
        "tools": {"LS": "ls@2.0.0"},
        "capabilities": ["config", "telepathy"],
        "interpretations": {"AMB-LD-12": "per_run"},
        "more": 2,
    }
    parsed = messages.parse_initialize_result(messages.validate_result("initialize", result))
    assert (parsed.protocol, parsed.name, parsed.version, parsed.language) == (1, "n", "v", "l")
    assert parsed.capabilities == {"config", "telepathy"}
    assert parsed.interpretations == {"AMB-LD-12": "per_run"}
    assert parsed.raw == result


def test_omitted_members_of_a_definition_are_none() -> None:
    bare = messages.parse_tool_definition(messages.validate_result("describe", {"name": "t"}))
    left_out = (bare.aliases, bare.description, bare.input_schema, bare.is_side_effecting, bare.risk_level)
    assert left_out == (None, None, None, None, None)
    full = messages.parse_tool_definition(
        {"name": "t", "aliases": ["u"], "requires_approval": False, "risk_level": "Low", "input_schema": {}}
    )
    assert (full.aliases, full.requires_approval, full.risk_level, full.input_schema) == (
        ("u",),
        False,
        "Low",
        {},
    )


def test_a_call_result_is_parsed() -> None:
    ok = messages.parse_call_result(
        {"status": "ok", "content": "", "error": None, "context": {"allow_truncation": False}}, b"r"
    )
    assert (ok.status, ok.content, ok.error_kind, ok.error_message, ok.context) == (
        "ok",
        "",
        None,
        None,
        {"allow_truncation": False},
    )
    assert (ok.log, ok.approval_requested, ok.raw) == (None, None, b"r")
    error = messages.parse_call_result(
        {"status": "error", "error": {"kind": "BadArgs", "message": "m"}, "log": []}, b""
    )
    assert (error.status, error.content, error.error_kind, error.error_message, error.log) == (
        "error",
        None,
        "BadArgs",
        "m",
        (),
    )


def test_the_error_kinds_are_the_published_ones() -> None:
    error = load_schema("call.result")["else"]["then"]["properties"]["error"]
    assert tuple(error["properties"]["kind"]["enum"]) == (*ERROR_KINDS, UNCLASSIFIED)
