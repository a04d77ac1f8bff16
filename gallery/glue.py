"""Connects functions of a Python package to treeproof: one line of JSON for each message (docs/protocol.md)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Tool = tuple[str, Sequence[str], Callable[..., str]]
"""The specification, the names of the arguments, and a function of the root and the arguments that returns a text."""


def serve(package: str, version: str, tools: Mapping[str, Tool]) -> None:
    """Answer the messages until stdin ends. An exception of a tool is an error of the tool."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a package prints is no answer
    for line in sys.stdin:
        request = json.loads(line)
        params = request["params"]
        result: Any = None
        if request["method"] == "initialize":
            about = {"name": package, "version": version, "language": "python"}
            specs = {name: tool[0] for name, tool in tools.items()}
            result = {"protocol": 1, "candidate": about, "tools": specs, "capabilities": []}
        elif params.get("tool", "") not in tools:
            result = failure("UnknownTool", "no such tool") if request["method"] == "call" else None
        elif request["method"] == "describe":
            properties: dict[str, object] = {name: {} for name in tools[params["tool"]][1]}
            result = {"name": params["tool"], "input_schema": {"type": "object", "properties": properties}}
        elif request["method"] == "call":
            result = call(tools[params["tool"]], params)
        answers.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
        answers.flush()


def call(tool: Tool, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a call."""
    if not isinstance(params["arguments"], dict):
        return failure("BadArgs", "the arguments are no object")
    try:
        return {"status": "ok", "content": tool[2](params["context"]["roots"][0], **params["arguments"])}
    except Exception as error:
        return failure("Unclassified", f"{type(error).__name__}: {error}")


def failure(kind: str, message: str) -> dict[str, Any]:
    """Return the result of a call that failed."""
    return {"status": "error", "error": {"kind": kind, "message": message.encode("utf-8", "replace").decode()}}
