"""What MCP says, in the words of the candidate protocol. Plain JSON values in, plain JSON values out: nothing is asked.

A member that MCP has no place for is read from ``_meta`` where a server puts it (``treeproof.candidate.mcp_meta``).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.candidate import (
    ERROR_KINDS,
    PROTOCOL,
    UNCLASSIFIED,
    CandidateFault,
    Target,
    UsageError,
    format_untrusted,
)
from treeproof.candidate.mcp_meta import DECLARATION_KEY, DEFINITION_KEY, DEFINITION_MEMBERS, RESULT_KEY
from treeproof.errors import closest_match

# What a server is taken to claim that offers a tool of this name and says nothing of specifications.
DEFAULT_CLAIMS = {"list_directory": "list_directory@1.1"}

_INVALID_PARAMS = -32602
# The request itself was not understood, which says nothing of the tool: -32700, -32600, -32601.
_RPC_ERRORS = {-32700: "not JSON", -32600: "no request", -32601: "no such method"}
_MAX_LISTED_TOOLS = 20

Tools = Sequence[Mapping[str, Any]]


def find_declaration(server_info: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a server that knows the suite says of itself; None of any other."""
    for place in ("extensions", "experimental"):
        said = (server_info["capabilities"].get(place) or {}).get(DECLARATION_KEY)
        if isinstance(said, dict):
            return said
    return None


def map_initialize_result(server_info: Mapping[str, Any], tools: Tools, target: Target) -> dict[str, Any]:
    """The result of ``initialize``. Raises UsageError where it offers nothing that is to be judged."""
    _require_tools(tools, target)
    server = server_info["serverInfo"]
    declared = find_declaration(server_info) or {}
    names = {tool["name"] for tool in tools}
    claims = declared.get("tools") or {name: claim for name, claim in DEFAULT_CLAIMS.items() if name in names}
    if not target.tools and not claims:
        raise UsageError(
            f"{_source_of(target)}: the server says of none of its tools what specification it follows; write a manifest "
            f'with [tools.NAME] spec = "NAME@VERSION" and name = "…" for one of {_format_tool_names(tools)}'
        )
    identity = {
        "name": server.get("name") or "an MCP server without a name",
        "version": server.get("version") or "",
        "language": "",
    }
    said = {"capabilities": [], **declared, "protocol": PROTOCOL, "tools": claims}
    return {**said, "candidate": declared.get("candidate", identity)}


def _require_tools(tools: Tools, target: Target) -> None:
    """Raises UsageError for a tool or an argument of the manifest that the server does not have."""
    offered = {tool["name"]: tool for tool in tools}
    for name, wanted in target.tools.items():
        remote = wanted.remote_name or name
        where = f"{_source_of(target)}: [tools.{name}]"
        if remote not in offered:
            near = closest_match(remote, offered, 0.4)
            hint = f"did you mean name = {json.dumps(format_untrusted(near, 80))}? " if near else ""
            raise UsageError(
                f"{where}: the server has no tool '{format_untrusted(remote, 80)}'; {hint}it offers {_format_tool_names(tools)}"
            )
        takes = (offered[remote].get("inputSchema") or {}).get("properties") or {}
        for argument in wanted.argument_names.values():
            if takes and argument not in takes:
                raise UsageError(
                    f"{where}: arguments: the tool '{format_untrusted(remote, 80)}' takes no argument '{format_untrusted(argument, 80)}', "
                    f"but {', '.join(format_untrusted(each, 40) for each in list(takes)[:_MAX_LISTED_TOOLS])}"
                )


def _source_of(target: Target) -> str:
    return str(target.manifest or f"TARGET {format_untrusted(target.text)}")


def _format_tool_names(tools: Tools) -> str:
    names = [format_untrusted(tool["name"], 60) for tool in tools]
    more = f" and {len(names) - _MAX_LISTED_TOOLS} more" if len(names) > _MAX_LISTED_TOOLS else ""
    return ", ".join(names[:_MAX_LISTED_TOOLS]) + more if names else "none at all"


def find_tool(name: str, tools: Tools) -> Mapping[str, Any]:
    """The tool of a name or an alias. Raises CandidateFault."""
    for tool in tools:
        if name == tool["name"] or name in (_meta_of(tool, DEFINITION_KEY).get("aliases") or ()):
            return tool
    raise CandidateFault("inconsistent", f"tools/list has no tool '{format_untrusted(name, 80)}' any more")


def map_tool_definition(tool: Mapping[str, Any]) -> dict[str, Any]:
    """The result of ``describe``: what MCP has no place for and the server does not add is ``unsaid``."""
    added = _meta_of(tool, DEFINITION_KEY)
    said = {
        "name": tool["name"],
        # Where the hint is absent, MCP's default is false.
        "is_side_effecting": not (tool.get("annotations") or {}).get("readOnlyHint", False),
        "input_schema": tool["inputSchema"],
        **{member: added[member] for member in DEFINITION_MEMBERS if member in added},
        "unsaid": [member for member in DEFINITION_MEMBERS if member not in added],
    }
    return said if tool.get("description") is None else {**said, "description": tool["description"]}


def map_call_result(call_result: Mapping[str, Any], target: Target) -> dict[str, Any]:
    """The result of ``call`` in that of ``tools/call``: the text of its content, byte for byte.

    Several texts are joined by line breaks; without any, structured content is written as JSON.
    """
    texts = [block["text"] for block in call_result.get("content") or () if block.get("type") == "text"]
    structured = call_result.get("structuredContent")
    added = _meta_of(call_result, RESULT_KEY)
    more = {key: added[key] for key in ("context", "log", "approval_requested") if key in added}
    if not call_result.get("isError"):
        content = "\n".join(texts) if texts or structured is None else _as_json(structured)
        return {"status": "ok", "content": content, **more}
    told = [place.get("error") for place in (structured, added) if isinstance(place, dict)]
    error = next((place for place in told if isinstance(place, dict)), {})
    message = "\n".join(texts) or str(error.get("message") or "")
    kind = _error_kind(error.get("kind"), message, target) or UNCLASSIFIED
    return {"status": "error", "error": {"kind": kind, "message": message}, **more}


def map_error_response(
    code: int, message: str, data: Any, target: Target, *, arguments: object
) -> dict[str, Any]:
    """The result of ``call`` where ``tools/call`` was answered with a JSON-RPC error. Raises CandidateFault ``glue``.

    The code -32602 stands for an unknown tool as well as for bad arguments, so it tells the kind only where the
    arguments were such as MCP itself forbids.
    """
    if code in _RPC_ERRORS:
        what = _RPC_ERRORS[code]
        raise CandidateFault(
            "glue", f"it answered with the JSON-RPC error {code} ({what}): {format_untrusted(message)}"
        )
    told = data.get("kind") if isinstance(data, dict) else None
    kind = _error_kind(told, message, target)
    if kind is None and code == _INVALID_PARAMS and not isinstance(arguments, dict):
        kind = "BadArgs"
    return {"status": "error", "error": {"kind": kind or UNCLASSIFIED, "message": message}}


def _error_kind(declared_kind: object, message: str, target: Target) -> str | None:
    """The kind that the server tells, or else the first pattern of the manifest that its message has."""
    if isinstance(declared_kind, str) and declared_kind in ERROR_KINDS:
        return declared_kind
    return next((kind for pattern, kind in target.error_kinds if pattern.search(message)), None)


def _meta_of(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = (said.get("_meta") or {}).get(name)
    return found if isinstance(found, dict) else {}


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
