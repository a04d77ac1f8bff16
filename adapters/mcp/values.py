"""What MCP says, in the words of the candidate protocol. Plain JSON values in, plain JSON values out: nothing is asked.

A member that MCP has no place for is read from ``_meta`` where a server puts it (``treeproof.candidate.mcp_meta``).
"""

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from treeproof.candidate import ERROR_KINDS, PROTOCOL, UNCLASSIFIED, CandidateFault, Target, UsageError, shown
from treeproof.candidate.mcp_meta import DECLARATION, DEFINITION, DEFINITION_MEMBERS, RESULT

# What a server is taken to claim that offers a tool of this name and says nothing of specifications.
CLAIMS_BY_NAME = {"list_directory": "list_directory@1.1"}

_INVALID_PARAMS = -32602
# The request itself was not understood, which says nothing of the tool: -32700, -32600, -32601.
_NOT_OF_THE_TOOL = {-32700: "not JSON", -32600: "no request", -32601: "no such method"}
_SHOWN_TOOLS = 20

Tools = Sequence[Mapping[str, Any]]


def declaration(greeting: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a server that knows the suite says of itself; None of any other."""
    for place in ("extensions", "experimental"):
        said = (greeting["capabilities"].get(place) or {}).get(DECLARATION)
        if isinstance(said, dict):
            return said
    return None


def hello(greeting: Mapping[str, Any], tools: Tools, target: Target) -> dict[str, Any]:
    """The result of ``initialize``. Raises UsageError where it offers nothing that is to be judged."""
    _require_tools(tools, target)
    server = greeting["serverInfo"]
    declared = declaration(greeting) or {}
    names = {tool["name"] for tool in tools}
    claims = declared.get("tools") or {name: claim for name, claim in CLAIMS_BY_NAME.items() if name in names}
    if not target.tools and not claims:
        raise UsageError(
            f"{_source(target)}: the server says of none of its tools what specification it follows; write a manifest "
            f'with [tools.NAME] spec = "NAME@VERSION" and name = "…" for one of {_listed(tools)}'
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
        remote = wanted.remote or name
        where = f"{_source(target)}: [tools.{name}]"
        if remote not in offered:
            near = get_close_matches(remote, list(offered), 1, 0.4)
            hint = f"did you mean name = {json.dumps(shown(near[0], 80))}? " if near else ""
            raise UsageError(
                f"{where}: the server has no tool '{shown(remote, 80)}'; {hint}it offers {_listed(tools)}"
            )
        takes = (offered[remote].get("inputSchema") or {}).get("properties") or {}
        for argument in wanted.arguments.values():
            if takes and argument not in takes:
                raise UsageError(
                    f"{where}: arguments: the tool '{shown(remote, 80)}' takes no argument '{shown(argument, 80)}', "
                    f"but {', '.join(shown(each, 40) for each in list(takes)[:_SHOWN_TOOLS])}"
                )


def _source(target: Target) -> str:
    return str(target.manifest or f"TARGET {shown(target.text)}")


def _listed(tools: Tools) -> str:
    names = [shown(tool["name"], 60) for tool in tools]
    more = f" and {len(names) - _SHOWN_TOOLS} more" if len(names) > _SHOWN_TOOLS else ""
    return ", ".join(names[:_SHOWN_TOOLS]) + more if names else "none at all"


def found(name: str, tools: Tools) -> Mapping[str, Any]:
    """The tool of a name or an alias. Raises CandidateFault."""
    for tool in tools:
        if name == tool["name"] or name in (_meta(tool, DEFINITION).get("aliases") or ()):
            return tool
    raise CandidateFault("lying", f"tools/list has no tool '{shown(name, 80)}' any more")


def definition(tool: Mapping[str, Any]) -> dict[str, Any]:
    """The result of ``describe``: what MCP has no place for and the server does not add is ``unsaid``."""
    added = _meta(tool, DEFINITION)
    said = {
        "name": tool["name"],
        # Where the hint is absent, MCP's default is false.
        "is_side_effecting": not (tool.get("annotations") or {}).get("readOnlyHint", False),
        "input_schema": tool["inputSchema"],
        **{member: added[member] for member in DEFINITION_MEMBERS if member in added},
        "unsaid": [member for member in DEFINITION_MEMBERS if member not in added],
    }
    return said if tool.get("description") is None else {**said, "description": tool["description"]}


def result(answer: Mapping[str, Any], target: Target) -> dict[str, Any]:
    """The result of ``call`` in that of ``tools/call``: the text of its content, byte for byte.

    Several texts are joined by line breaks; without any, structured content is written as JSON.
    """
    texts = [block["text"] for block in answer.get("content") or () if block.get("type") == "text"]
    structured = answer.get("structuredContent")
    added = _meta(answer, RESULT)
    more = {key: added[key] for key in ("context", "log", "approval_requested") if key in added}
    if not answer.get("isError"):
        content = "\n".join(texts) if texts or structured is None else _as_json(structured)
        return {"status": "ok", "content": content, **more}
    told = [place.get("error") for place in (structured, added) if isinstance(place, dict)]
    error = next((place for place in told if isinstance(place, dict)), {})
    message = "\n".join(texts) or str(error.get("message") or "")
    kind = _kind(error.get("kind"), message, target) or UNCLASSIFIED
    return {"status": "error", "error": {"kind": kind, "message": message}, **more}


def refusal(code: int, message: str, data: Any, target: Target, *, arguments: object) -> dict[str, Any]:
    """The result of ``call`` where ``tools/call`` was answered with a JSON-RPC error. Raises CandidateFault ``glue``.

    The code -32602 stands for an unknown tool as well as for bad arguments, so it tells the kind only where the
    arguments were such as MCP itself forbids.
    """
    if code in _NOT_OF_THE_TOOL:
        what = _NOT_OF_THE_TOOL[code]
        raise CandidateFault("glue", f"it answered with the JSON-RPC error {code} ({what}): {shown(message)}")
    told = data.get("kind") if isinstance(data, dict) else None
    kind = _kind(told, message, target)
    if kind is None and code == _INVALID_PARAMS and not isinstance(arguments, dict):
        kind = "BadArgs"
    return {"status": "error", "error": {"kind": kind or UNCLASSIFIED, "message": message}}


def _kind(told: object, message: str, target: Target) -> str | None:
    """The kind that the server tells, or else the first pattern of the manifest that its message has."""
    if isinstance(told, str) and told in ERROR_KINDS:
        return told
    return next((kind for pattern, kind in target.error_kinds if pattern.search(message)), None)


def _meta(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = (said.get("_meta") or {}).get(name)
    return found if isinstance(found, dict) else {}


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
