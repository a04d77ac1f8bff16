"""FS.WalkDir over stdio with two bugs: an error where nil is due, and links that lead out of the sandbox."""

import json
import os
import sys
from datetime import UTC, datetime
from typing import Any

sys.setrecursionlimit(10_000)  # its errors are two others


def walk_dir(arguments: Any, context: Any) -> str:
    """Return the elements below a directory; raises OSError and ValueError, where the document calls for nil."""
    if not isinstance(arguments, dict) or set(arguments) != {"path"} or not isinstance(arguments["path"], str):
        raise ValueError("FS.WalkDir takes one argument, path")
    if not arguments["path"]:
        raise ValueError("path is empty")
    if arguments["path"].startswith("/"):
        raise ValueError("path is absolute")
    prefix = os.path.normpath(arguments["path"])
    if prefix == ".." or prefix.startswith("../"):
        raise ValueError("path is outside of the sandbox")
    start = os.path.join(context["working_dir"], prefix)  # a link on the way may lead outside
    if not os.path.isdir(start):
        raise NotADirectoryError(20, "no directory", arguments["path"])
    elements: list[Any] = []

    def visit(directory: str, relative: str) -> None:
        for entry in sorted(os.scandir(directory), key=lambda one: one.name):
            path = f"{relative}{entry.name}"
            status = entry.stat(follow_symlinks=False)
            is_directory = entry.is_dir(follow_symlinks=False)
            modified = datetime.fromtimestamp(status.st_mtime_ns // 10**9, UTC)
            elements.append(
                {
                    "name": readable(entry.name),
                    "path": readable(path),
                    "isDir": is_directory,
                    "size": 0 if is_directory else status.st_size,
                    "modTime": modified.isoformat().replace("+00:00", "Z"),
                }
            )
            if is_directory:
                visit(entry.path, f"{path}/")

    visit(start, "")
    return json.dumps(elements)


def readable(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")


def initialize(params: Any) -> Any:
    return {
        "protocol": 1,
        "candidate": {"name": "walkdir with errors", "version": "0.1.0", "language": "python"},
        "tools": {"FS.WalkDir": "fs_walkdir@0.1"},
        "capabilities": [],
    }


def describe(params: Any) -> Any:
    return {"name": "FS.WalkDir"}


def call(params: Any) -> Any:
    try:
        return {"status": "ok", "content": walk_dir(params["arguments"], params["context"])}
    except Exception as error:
        return {"status": "error", "error": {"kind": "ExecutionFailed", "message": str(error)}}


METHODS: dict[str, Any] = {
    "initialize": initialize,
    "describe": describe,
    "call": call,
    "shutdown": lambda params: None,
}

for line in sys.stdin:
    request = json.loads(line)
    result = METHODS[request["method"]](request["params"])
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
