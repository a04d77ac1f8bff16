"""Adapter kind mcp with a sample server: requests, context, and the meaning of results."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="not verified: the MCP adapter; needs the SDK: pip install 'treeproof[mcp]'")

from treeproof.candidate import UNCLASSIFIED, Adapter, Call, CallResult, ToolConfig, UnsupportedByAdapter
from treeproof.candidate.adapter import LacksArgument
from treeproof.candidate.tool_mapping import ArgumentMapping, MemberMapping, OutputMapping

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]

ABSOLUTE = {"list_directory": ToolConfig("list_directory@1.1", absolute_path_arguments=("path",))}


def state(answer: CallResult) -> dict[str, Any]:
    assert answer.content is not None
    found: dict[str, Any] = json.loads(answer.content)
    return found


def sent_arguments(answer: CallResult) -> dict[str, Any]:
    """Return the params of tools/call as the server received them."""
    params: dict[str, Any] = json.loads(state(answer)["line"])["params"]
    return params


def context_below(root: str, **context: Any) -> dict[str, Any]:
    return {"roots": [root], "working_dir": root, **context}


# --- requests ---


def test_a_correct_server_is_started_described_called_and_closed(server: Make, call: MakeCall) -> None:
    candidate = server()
    result = candidate.start("/tmp")
    assert (result.name, result.version, result.language) == ("by hand", "7", "")
    assert result.tools == {"list_directory": "list_directory@1.1"}
    assert result.capabilities == frozenset()
    definition = candidate.describe("list_directory")
    assert (definition.name, definition.description) == ("list_directory", "Lists.")
    assert set((definition.input_schema or {})["properties"] or ()) == {"path", "do"}  # type: ignore[arg-type]
    assert (definition.is_side_effecting, definition.requires_approval) == (True, None)
    assert definition.raw["unsaid"] == ["aliases", "requires_approval", "risk_level"]
    answers = [state(candidate.call(call())) for _ in range(3)]
    assert [answer["calls"] for answer in answers] == [1, 2, 3]
    assert {answer["pid"] for answer in answers} == {candidate.pid}
    candidate.close()
    assert candidate.pid is None
    assert candidate.close_problem is None  # type: ignore[attr-defined]
    candidate.close()


def test_the_declaration_of_a_server_is_used(server: Make) -> None:
    declared = {
        "candidate": {"name": "acme", "version": "3", "language": "go"},
        "tools": {"list_directory": "list_directory@1.0"},
        "capabilities": ["config", "log"],
        "interpretations": {"AMB-LD-12": "per_run"},
    }
    initialize_result = {"capabilities": {"tools": {}, "experimental": {"treeproof/candidate": declared}}}
    result = server(env={"INITIALIZE": json.dumps(initialize_result)}).start("/tmp")
    assert (result.name, result.version, result.language) == ("acme", "3", "go")
    assert result.tools == declared["tools"]
    assert result.capabilities == {"config", "log"}
    assert result.interpretations == declared["interpretations"]


def test_all_pages_of_tools_are_read_and_the_definition_is_completed_by_meta(server: Make) -> None:
    more = {"aliases": ["ls"], "requires_approval": False, "risk_level": "Low"}
    tools = [
        {"name": "other", "inputSchema": {"type": "object"}},
        {
            "name": "list_directory",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
            "_meta": {"treeproof/definition": more},
        },
    ]
    candidate = server(env={"TOOLS": json.dumps(tools)})
    candidate.start("/tmp")
    for name in ("list_directory", "ls"):
        definition = candidate.describe(name)
        assert (definition.name, definition.aliases) == ("list_directory", ("ls",))
        assert (definition.is_side_effecting, definition.requires_approval) == (False, False)
        assert (definition.risk_level, definition.description) == ("Low", None)
        assert definition.raw["unsaid"] == []


def test_the_context_of_a_call_is_sent_in_meta_only_if_the_server_reads_it(server: Make, call: MakeCall) -> None:
    declared_server = server()
    declared_server.start("/tmp")
    request = call(path=".")
    assert sent_arguments(declared_server.call(request))["_meta"]["treeproof/context"] == request.context
    other = server(declares=False, tools=ABSOLUTE)
    other.start("/tmp")
    assert "_meta" not in sent_arguments(other.call(request))


def test_tool_and_argument_names_are_mapped(server: Make, call: MakeCall) -> None:
    tool = {"name": "ls", "inputSchema": {"type": "object", "properties": {"dir": {}, "deep": {}}}}
    places = {"path": ArgumentMapping(("dir",)), "recursive": ArgumentMapping(("deep",))}
    mapped = ToolConfig("list_directory@1.1", "ls", places, absolute_path_arguments=("path",))
    candidate = server(declares=False, tools={"list_directory": mapped}, env={"TOOLS": json.dumps([tool])})
    assert candidate.start("/tmp").tools == {"list_directory": "list_directory@1.1"}
    assert candidate.describe("list_directory").name == "ls"
    got = sent_arguments(candidate.call(call(path="a/b", recursive=None, more=1)))
    assert got == {"name": "ls", "arguments": {"dir": "/tmp/a/b", "deep": None, "more": 1}}


@pytest.mark.parametrize(
    ("path", "absolute"),
    [
        (".", "/tmp/."),
        ("../x", "/tmp/../x"),
        ("/etc", "/etc"),
        ("", ""),
        ("~", "/tmp/~"),
        (" .. ", "/tmp/ .. "),
        ("\t/etc", "/tmp/\t/etc"),
        (" \n", "/tmp/ \n"),
        (5, 5),
        ("a\0b", "/tmp/a\0b"),
    ],
)
def test_relative_paths_are_made_absolute_if_configured(
    server: Make, call: MakeCall, path: object, absolute: object
) -> None:
    candidate = server(declares=False, tools=ABSOLUTE, start="fixture", args="{root}")
    candidate.start("/tmp")
    assert sent_arguments(candidate.call(call(path=path)))["arguments"] == {"path": absolute}


ARGUMENT_TEXTS = [
    '{"n": 1e2, "x": "\\u00e9",\n "x": 2.0}',
    "[1]",
    "null",
    '"."',
    "-0.0",
    '{"n": 123456789012345678901234567890}',
]


@pytest.mark.parametrize("text", ARGUMENT_TEXTS)
def test_the_text_of_arguments_reaches_the_server(server: Make, call: MakeCall, text: str) -> None:
    candidate = server()
    candidate.start("/tmp")
    request = Call("list_directory", json.loads(text), context_below("/tmp"), text)
    assert f'"arguments":{text.replace(chr(10), " ")}}}' in state(candidate.call(request))["line"]
    assert sent_arguments(candidate.call(call(path=".")))["arguments"] == {"path": "."}


def test_unsupported_calls_are_reported_and_the_server_keeps_running(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    pid = state(candidate.call(call()))["pid"]
    with pytest.raises(UnsupportedByAdapter, match="lone surrogate"):
        candidate.call(call(path="\ud800"))
    assert sent_arguments(candidate.call(call(path="\U0001f600")))["arguments"] == {"path": "\U0001f600"}
    assert state(candidate.call(call()))["pid"] == pid


def test_an_argument_that_the_server_does_not_list_is_not_sent(server: Make, call: MakeCall) -> None:
    tools = {"list_directory": replace(ABSOLUTE["list_directory"], is_mapped=True)}
    candidate = server(declares=False, tools=tools)
    candidate.start("/tmp")
    with pytest.raises(LacksArgument, match="the tool has no argument 'recursive'"):
        candidate.call(call(path=".", recursive=True))
    assert sent_arguments(candidate.call(call(path=".")))["arguments"] == {"path": "/tmp/."}


LISTED = OutputMapping(("entries",), {"name": MemberMapping(("name",))}, ("result",), re.compile("(?P<name>.*)"))
OBJECTS = OutputMapping(("entries",), {"name": MemberMapping(("name",))})


@pytest.mark.parametrize(
    ("output", "texts", "structured"),
    [
        (LISTED, ["2 entries", '{"result": ["a", "b"]}'], None),
        (LISTED, ["a", "b"], {"result": ["a", "b"]}),
        (OBJECTS, ['{"name": "a"}', '{"name": "b"}'], {"result": []}),
        (OBJECTS, ['[{"name": "a"}', ',{"name": "b"}]'], None),
    ],
)
def test_the_part_of_an_answer_that_has_the_list_is_taken(
    server: Make, call: MakeCall, output: OutputMapping, texts: list[str], structured: Any
) -> None:
    tools = {"list_directory": replace(ABSOLUTE["list_directory"], output=output)}
    candidate = server(declares=False, tools=tools)
    candidate.start("/tmp")
    result = {"content": [{"type": "text", "text": text} for text in texts]}
    answer = call_server(candidate, call, result | ({} if structured is None else {"structuredContent": structured}))
    assert json.loads(answer.content or "") == {"entries": [{"name": "a"}, {"name": "b"}]}


def test_mapped_arguments_cannot_have_duplicate_members(server: Make, call: MakeCall) -> None:
    candidate = server(declares=False, tools=ABSOLUTE)
    candidate.start("/tmp")
    with pytest.raises(UnsupportedByAdapter, match="has the member 'path' twice"):
        candidate.call(call('{"path": "a", "path": "b"}', path="b"))


def test_requests_of_a_server_are_answered(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    reply = json.loads(candidate.call(call(do="request_roots")).content or "")
    assert (reply["id"], "error" in reply) == ("mine", True)


# --- results ---


def call_server(candidate: Adapter, call: MakeCall, result: dict[str, Any]) -> CallResult:
    return candidate.call(call(do="result", result=result))


def text_blocks(*each: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in each]


def test_the_text_is_the_content_unchanged(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    exact = '{"a": 1}\r\n\x00\u2028 \ufeff'
    assert call_server(candidate, call, {"content": text_blocks(exact)}).content == exact
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    assert call_server(candidate, call, {"content": [*text_blocks("a"), image, *text_blocks("b")]}).content == "a\nb"
    structured = {"content": [], "structuredContent": {"b": [None, 1.5], "a": "é"}}
    assert call_server(candidate, call, structured).content == '{"b":[null,1.5],"a":"é"}'
    assert call_server(candidate, call, {"content": [], "isError": False}).content == ""


def test_meta_contains_context_and_log(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    more = {"context": {"allow_truncation": False}, "approval_requested": True}
    log = [{"level": "error", "message": "m"}]
    answer = call_server(
        candidate,
        call,
        {"content": text_blocks("x"), "_meta": {"treeproof/result": {**more, "log": log, "other": 1}}},
    )
    assert (answer.context, answer.approval_requested) == ({"allow_truncation": False}, True)
    assert answer.log == tuple(log)
    assert json.loads(answer.raw)["content"] == "x"


PATTERNS = (
    (re.compile("^Access denied"), "SandboxViolation"),
    (re.compile("denied|ENOENT"), "ExecutionFailed"),
)
KINDS = [
    ({"structuredContent": {"error": {"kind": "BadArgs"}}}, "Access denied", "BadArgs"),
    ({"_meta": {"treeproof/result": {"error": {"kind": "BadArgs"}}}}, "Access denied", "BadArgs"),
    ({"structuredContent": {"error": {"kind": "Oops"}}}, "Access denied", "SandboxViolation"),
    ({"structuredContent": {"error": "text"}}, "it was denied", "ExecutionFailed"),
    ({}, "Access denied", "SandboxViolation"),
    ({}, "ENOENT: denied", "ExecutionFailed"),
    ({}, "no idea", UNCLASSIFIED),
    ({"structuredContent": {"error": {"kind": 5}}}, "", UNCLASSIFIED),
]


@pytest.mark.parametrize(("more", "text", "kind"), KINDS)
def test_the_kind_of_an_error_is_derived_from_members_or_the_text(
    server: Make, call: MakeCall, more: dict[str, Any], text: str, kind: str
) -> None:
    candidate = server(error_kinds=PATTERNS)
    candidate.start("/tmp")
    answer = call_server(candidate, call, {"content": text_blocks(text), "isError": True, **more})
    assert (answer.status, answer.error_kind, answer.error_message, answer.content) == ("error", kind, text, None)


REFUSALS = [
    (-32602, "Unknown tool: x", None, UNCLASSIFIED),
    (-32602, "Access denied", None, "SandboxViolation"),
    (-32603, "Access denied", {"kind": "UnknownTool"}, "UnknownTool"),
    (-32000, "whatever", {"kind": "Oops"}, UNCLASSIFIED),
    (0, "whatever", "text", UNCLASSIFIED),
]


@pytest.mark.parametrize(("code", "message", "data", "kind"), REFUSALS)
def test_an_error_of_json_rpc_is_an_error_of_the_tool(
    server: Make, call: MakeCall, code: int, message: str, data: object, kind: str
) -> None:
    candidate = server(error_kinds=PATTERNS)
    candidate.start("/tmp")
    error = {"code": code, "message": message, "data": data}
    answer = candidate.call(call(do="error", error=error))
    assert (answer.status, answer.error_kind, answer.error_message) == ("error", kind, message)


@pytest.mark.parametrize(
    ("code", "message", "kind"),
    [
        (-32601, "no method ls", "UnknownTool"),
        (-32602, "Unknown tool: ls", "UnknownTool"),
        (-32602, "Access denied", "SandboxViolation"),
        (-32603, "Oops", UNCLASSIFIED),
    ],
)
def test_a_name_that_the_server_does_not_list_is_refused_by_the_server_itself(
    server: Make, code: int, message: str, kind: str
) -> None:
    candidate = server(error_kinds=PATTERNS)
    candidate.start("/tmp")
    arguments = {"do": "error", "error": {"code": code, "message": message}}
    answer = candidate.call(Call("ls", arguments, context_below("/tmp")))
    assert (answer.status, answer.error_kind, answer.error_message) == ("error", kind, message)


def test_arguments_that_mcp_forbids_are_bad_arguments(server: Make) -> None:
    candidate = server(env={"REFUSES": "1"})
    candidate.start("/tmp")
    assert candidate.call(Call("list_directory", [1], context_below("/tmp"))).error_kind == "BadArgs"
    assert candidate.call(Call("list_directory", {}, context_below("/tmp"))).error_kind == UNCLASSIFIED


GALLERY = Path(__file__).parents[2] / "gallery"
KINDS_OF_MESSAGES = {
    "server-filesystem": {
        "Access denied - path outside allowed directories: /etc not in /tmp": "SandboxViolation",
        "ENOENT: no such file or directory, scandir '/tmp/x'": "ExecutionFailed",
        "MCP error -32602: Input validation error: Invalid arguments for tool list_directory: …": "BadArgs",
        "MCP error -32602: Tool nope not found": "UnknownTool",
    },
    "fast-filesystem-mcp": {
        "Access denied to path: /etc": "SandboxViolation",
        "Move failed: ENOENT: no such file or directory, stat '/tmp/x'": "ExecutionFailed",
        'The "paths[0]" argument must be of type string. Received type number (5)': "BadArgs",
    },
    "filesystem-mcp": {
        "Error executing tool list_directory: Path not allowed: /etc": "SandboxViolation",
        "Error executing tool list_directory: Not a directory: /tmp/x": "ExecutionFailed",
        "Error executing tool list_directory: 1 validation error for list_directoryArguments": "BadArgs",
    },
    "better-mcps-filesystem": {
        "Error calling tool 'list_dir': Path is not under an allowed root": "SandboxViolation",
        "Error calling tool 'list_dir': /tmp/x": "ExecutionFailed",
        "1 validation error for call[list_dir]": "BadArgs",
    },
}


@pytest.mark.parametrize("name", KINDS_OF_MESSAGES)
def test_manifests_of_the_gallery_derive_kinds_from_the_messages_of_the_servers(name: str) -> None:
    from treeproof.candidate import Target

    target = Target.parse(str(GALLERY / name))
    for message, kind in KINDS_OF_MESSAGES[name].items():
        assert next(kind for pattern, kind in target.error_kinds if pattern.search(message)) == kind
