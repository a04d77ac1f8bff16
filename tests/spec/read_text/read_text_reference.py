"""The reference implementation of read_text."""

import os
from typing import Any


def error(kind: str, message: str) -> dict[str, Any]:
    return {"status": "error", "error": {"kind": kind, "message": message}}


class Candidate:
    """A candidate with the methods of the candidate protocol."""

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return {
            "protocol": 1,
            "candidate": {"name": "read_text reference", "version": "1.1", "language": "python"},
            "tools": {"read_text": "read_text@1.1"},
            "capabilities": [],
        }

    def describe(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"name": params["tool"]}

    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        arguments = params["arguments"]
        path = os.path.join(params["context"]["working_dir"], arguments["path"])
        if not os.path.exists(path):
            return error("NotFound", f"{path} does not exist")
        if os.path.isdir(path):
            return error("NotAFile", f"{path} is a directory")
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        return {"status": "ok", "content": "\n".join(lines[: arguments.get("max_lines")])}
