"""The glue code: the candidate protocol of treeproof over stdin and stdout. The tool is in list_files.py."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import list_files


def respond(method: str, params: Any) -> Any:
    """Return the result of one message."""
    if method == "initialize":
        return {
            "protocol": 1,
            "candidate": {"name": "treeproof-example-python-ls", "version": "2.0.0", "language": "python"},
            "tools": {list_files.NAME: "ls@2.0.0"},
            "capabilities": [],
        }
    if method == "describe":
        return {
            "name": list_files.NAME,
            "aliases": [],
            "description": list_files.DESCRIPTION,
            "input_schema": list_files.PARAMETERS,
            "is_side_effecting": False,
        }
    if method == "call":
        return call(params["tool"], params["arguments"], params["context"])
    return None  # shutdown


def call(tool: str, arguments: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Run the tool. Its errors are in its envelope; only an unknown tool is an error of the protocol."""
    if tool != list_files.NAME:
        return {"status": "error", "error": {"kind": "UnknownTool", "message": f"there is no tool {tool!r}"}}
    envelope = list_files.ListFilesTool(context["roots"][0], context["working_dir"]).run(arguments)
    return {"status": "ok", "content": json.dumps(readable(envelope), ensure_ascii=False)}


def readable(value: Any) -> Any:
    """Replace the bytes of file names that are not UTF-8; pathlib represents them as lone surrogates."""
    if isinstance(value, dict):
        return {key: child if key == "params_input" else readable(child) for key, child in value.items()}
    if isinstance(value, list):
        return [readable(child) for child in value]
    if isinstance(value, str):
        try:
            return os.fsencode(value).decode("utf-8", "replace")
        except UnicodeEncodeError:
            return value  # a lone surrogate from the arguments
    return value


def main() -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        result = respond(request["method"], request.get("params"))
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
