"""The example of a call that `treeproof doctor` prints: the call, and what a mapping of the manifest makes of it.

Pure functions on one call and its result. Every line is bounded; the root of the call is written as $ROOT.
"""

from __future__ import annotations

import json
from typing import Any

from treeproof.candidate import Call, CallResult, Target, ToolConfig, UnsupportedByAdapter, format_untrusted
from treeproof.candidate.tool_mapping import map_arguments, map_output, remote_name, tool_of

_MAX_LINES = 3
_MAX_CHARACTERS = 300


def is_mapped(tool: ToolConfig | None) -> bool:
    """Return whether the manifest changes anything of a tool's calls."""
    return tool is not None and tool != ToolConfig(tool.claimed_spec)


def describe_call(call: Call, tree: str) -> list[str]:
    """Return the lines about a call: the tree, and the tool with its arguments."""
    return [f"tree: {tree}", _line(f"call: {call.tool} {_json(call.arguments)}", call)]


def describe_mapping(target: Target, call: Call, answer: CallResult) -> tuple[list[str], str]:
    """Return the lines about the mapping of a call and its result, and its problem; "" if there is none."""
    tool = tool_of(target.tools, call.tool)
    if tool is None or not is_mapped(tool) or not isinstance(call.arguments, dict):
        return [], ""
    try:
        arguments = map_arguments(tool, call.arguments, str(call.context["working_dir"]))
    except UnsupportedByAdapter as problem:
        return [], str(problem)
    lines = [_line(f"sent: {remote_name(target.tools, call.tool)} {_json(arguments)}", call)]
    output = own_output(answer)
    if answer.status != "ok":
        return [*lines, _line(f"error: {answer.error_kind}: {answer.error_message}", call)], ""
    found = output.split("\n")
    lines += [_line(f"output: {text}", call) for text in found[:_MAX_LINES]]
    if len(found) > _MAX_LINES:
        lines.append(f"output: … ({len(found) - _MAX_LINES} more lines)")
    if tool.output is None:
        return lines, ""
    mapped = map_output(tool.output, output, _root(call))
    if mapped.content is None:
        return lines, format_untrusted(mapped.problem.replace(_root(call), "$ROOT"), _MAX_CHARACTERS)
    return [*lines, _line(f"document: {mapped.content}", call)], ""


def own_output(answer: CallResult) -> str:
    """Return the text of an answer as the tool gave it, before any mapping."""
    message = json.loads(answer.raw)
    result = message["result"] if isinstance(message, dict) and "jsonrpc" in message else message
    content = result.get("content") if isinstance(result, dict) else None
    return content if isinstance(content, str) else ""


def _root(call: Call) -> str:
    roots = call.context["roots"]
    return str(roots[0]) if isinstance(roots, list) and roots else ""


def _line(text: str, call: Call) -> str:
    return format_untrusted(text.replace(_root(call), "$ROOT"), _MAX_CHARACTERS)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
