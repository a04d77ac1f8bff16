"""Converts results of MCP to results of the candidate protocol. JSON values in and out; nothing is sent.

Members without a place in MCP are read from ``_meta``, if a server adds them (``treeproof.candidate.mcp_meta``).
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
from treeproof.candidate.tool_mapping import OutputMapping, select_part
from treeproof.errors import closest_match

# Assumed claim of a server that offers a tool of this name and declares no specification.
DEFAULT_CLAIMS = {"list_directory": "list_directory@1.1"}

_INVALID_PARAMS = -32602
_METHOD_NOT_FOUND = -32601
_UNKNOWN_TOOL = "UnknownTool"
# The server did not understand the request, so the error is not the tool's.
_RPC_ERRORS = {-32700: "not JSON", -32600: "no request", _METHOD_NOT_FOUND: "no such method"}
_MAX_LISTED_TOOLS = 20

Tools = Sequence[Mapping[str, Any]]


def find_declaration(server_info: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the candidate-protocol declaration of a server, None if it has none."""
    for member in ("extensions", "experimental"):
        declaration = (server_info["capabilities"].get(member) or {}).get(DECLARATION_KEY)
        if isinstance(declaration, dict):
            return declaration
    return None


def map_initialize_result(server_info: Mapping[str, Any], tools: Tools, target: Target) -> dict[str, Any]:
    """Return the result of ``initialize``. Raises UsageError if the server offers no tool of a known specification."""
    _require_tools(tools, target)
    server = server_info["serverInfo"]
    declared = find_declaration(server_info) or {}
    names = {tool["name"] for tool in tools}
    claims = declared.get("tools") or {name: claim for name, claim in DEFAULT_CLAIMS.items() if name in names}
    if target.is_unclaimed:
        claims, declared = {}, {**declared, "offered": list(tools)}
    elif not target.tools and not claims:
        raise UsageError(
            f"{_source_of(target)}: the server declares no specification for any of its tools; write a manifest with "
            f'[tools.NAME] spec = "NAME@VERSION" and name = "…" for one of {_format_tool_names(tools)}'
        )
    identity = {
        "name": server.get("name") or "an MCP server without a name",
        "version": server.get("version") or "",
        "language": "",
    }
    identity = declared.get("candidate", identity)
    return {"capabilities": [], **declared, "protocol": PROTOCOL, "tools": claims, "candidate": identity}


def _require_tools(tools: Tools, target: Target) -> None:
    """Raise UsageError for a tool or an argument of the manifest that the server does not have."""
    offered = {tool["name"]: tool for tool in tools}
    for name, tool in target.tools.items():
        remote = tool.remote_name or name
        where = f"{_source_of(target)}: [tools.{name}]"
        if remote not in offered:
            near = closest_match(remote, offered, 0.4)
            hint = f"did you mean name = {json.dumps(format_untrusted(near, 80))}? " if near else ""
            raise UsageError(
                f"{where}: the server has no tool '{format_untrusted(remote, 80)}'; "
                f"{hint}it offers {_format_tool_names(tools)}"
            )
        properties = (offered[remote].get("inputSchema") or {}).get("properties") or {}
        for argument in (place[0] for place in (*map(tool.place_of, tool.arguments), *tool.constants)):
            if properties and argument not in properties:
                known = ", ".join(format_untrusted(each, 40) for each in list(properties)[:_MAX_LISTED_TOOLS])
                near = closest_match(argument, list(properties), 0.4)
                hint = f"; did you mean '{format_untrusted(near, 80)}'?" if near else ""
                raise UsageError(
                    f"{where}: arguments: the tool '{format_untrusted(remote, 80)}' takes no argument "
                    f"'{format_untrusted(argument, 80)}'; it takes {known}{hint}"
                )


def _source_of(target: Target) -> str:
    return str(target.manifest or f"TARGET {format_untrusted(target.text)}")


def _format_tool_names(tools: Tools) -> str:
    names = [format_untrusted(tool["name"], 60) for tool in tools]
    more = f" and {len(names) - _MAX_LISTED_TOOLS} more" if len(names) > _MAX_LISTED_TOOLS else ""
    return ", ".join(names[:_MAX_LISTED_TOOLS]) + more if names else "none at all"


def find_tool(name: str, tools: Tools) -> Mapping[str, Any]:
    """Return the tool with a name or an alias. Raises CandidateFault."""
    for tool in tools:
        if _has_name(tool, name):
            return tool
    raise CandidateFault("inconsistent", f"tools/list has no tool '{format_untrusted(name, 80)}' any more")


def is_listed(name: str, tools: Tools) -> bool:
    """Return whether a tool has this name or alias."""
    return any(_has_name(tool, name) for tool in tools)


def _has_name(tool: Mapping[str, Any], name: str) -> bool:
    return name == tool["name"] or name in (_meta_of(tool, DEFINITION_KEY).get("aliases") or ())


def map_tool_definition(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of ``describe``; members that neither MCP nor the server provides are listed in ``unsaid``."""
    added = _meta_of(tool, DEFINITION_KEY)
    definition = {
        "name": tool["name"],
        # MCP's default of the hint is false.
        "is_side_effecting": not (tool.get("annotations") or {}).get("readOnlyHint", False),
        "input_schema": tool["inputSchema"],
        **{member: added[member] for member in DEFINITION_MEMBERS if member in added},
        "unsaid": [member for member in DEFINITION_MEMBERS if member not in added],
    }
    if tool.get("description") is not None:
        definition["description"] = tool["description"]
    return definition


def input_schema(name: str, tools: Tools) -> Mapping[str, Any] | None:
    """Return the schema of the arguments of a tool, None if the server does not list the tool."""
    return next((tool["inputSchema"] for tool in tools if _has_name(tool, name)), None)


def map_call_result(
    call_result: Mapping[str, Any], target: Target, output: OutputMapping | None = None
) -> dict[str, Any]:
    """Return the result of ``call`` for one of ``tools/call``: the unchanged text of its content.

    Several texts are joined by line breaks, unless one of them, all as one list, or structured content has the list
    that the mapping of the ``output`` needs. Without a text, structured content is written as JSON.
    """
    texts = [block["text"] for block in call_result.get("content") or () if block.get("type") == "text"]
    structured = call_result.get("structuredContent")
    added = _meta_of(call_result, RESULT_KEY)
    optional = {key: added[key] for key in ("context", "log", "approval_requested") if key in added}
    if not call_result.get("isError"):
        parts = [*texts, f"[{','.join(texts)}]"] if len(texts) > 1 else []
        if structured is not None:
            parts.append(json.dumps(structured, ensure_ascii=False, separators=(",", ":")))
        content = select_part(output, "\n".join(texts or parts), parts)
        return {"status": "ok", "content": content, **optional}
    errors = [part.get("error") for part in (structured, added) if isinstance(part, dict)]
    error = next((error for error in errors if isinstance(error, dict)), {})
    message = "\n".join(texts) or str(error.get("message") or "")
    kind = _error_kind(error.get("kind"), message, target) or UNCLASSIFIED
    return {"status": "error", "error": {"kind": kind, "message": message}, **optional}


def map_error_response(
    code: int, message: str, data: Any, target: Target, *, arguments: object, is_listed: bool = True
) -> dict[str, Any]:
    """Return the result of ``call`` for a JSON-RPC error of ``tools/call``. Raises CandidateFault ``glue``.

    The code -32602 means an unknown tool or bad arguments, so it gives the kind only for arguments that MCP itself
    forbids. If the tool is not listed, -32602 and -32601 are the server's refusal of an unknown tool.
    """
    if not is_listed and code in (_METHOD_NOT_FOUND, _INVALID_PARAMS):
        refusal = _error_kind(data.get("kind") if isinstance(data, dict) else None, message, target)
        return {"status": "error", "error": {"kind": refusal or _UNKNOWN_TOOL, "message": message}}
    if code in _RPC_ERRORS:
        meaning = _RPC_ERRORS[code]
        raise CandidateFault(
            "glue", f"it answered with the JSON-RPC error {code} ({meaning}): {format_untrusted(message)}"
        )
    kind = _error_kind(data.get("kind") if isinstance(data, dict) else None, message, target)
    if kind is None and code == _INVALID_PARAMS and not isinstance(arguments, dict):
        kind = "BadArgs"
    return {"status": "error", "error": {"kind": kind or UNCLASSIFIED, "message": message}}


def _error_kind(declared_kind: object, message: str, target: Target) -> str | None:
    """Return the declared kind, else that of the manifest's first pattern that matches the message."""
    if isinstance(declared_kind, str) and declared_kind in ERROR_KINDS:
        return declared_kind
    return target.kind_of_error(message)


def _meta_of(result: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = (result.get("_meta") or {}).get(key)
    return found if isinstance(found, dict) else {}
