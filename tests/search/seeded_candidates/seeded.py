"""Reference implementations with errors that occur only for some trees or after some calls."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
from pathlib import Path
from typing import Any, ClassVar

Json = dict[str, Any]
COPIES, MOVES = ("copy", "cp"), ("move", "mv", "rename")


class Unchanged:
    """The reference implementation without an error."""

    reference: ClassVar[str] = "file_operations"

    def __init__(self) -> None:
        module = importlib.import_module(f"treeproof.reference_impl.{self.reference}.candidate")
        self._inner = module.candidate()

    def initialize(self, params: Json) -> Json:
        result: Json = self._inner.initialize(params)
        return result

    def describe(self, params: Json) -> Json:
        described: Json = self._inner.describe(params)
        return described

    def call(self, params: Json) -> Json:
        answer: Json = self._inner.call(params)
        return answer


class LeavesAFile(Unchanged):
    """Leaves a file beside the sandbox; each answer is right."""

    reference = "local_files"

    def call(self, params: Json) -> Json:
        answer = super().call(params)
        with open(os.path.join(os.path.dirname(params["context"]["roots"][0]), "left"), "w"):
            pass
        return answer


class OmitsFiles(Unchanged):
    """Omits files of 4097 bytes in subdirectories."""

    reference = "list_directory"

    def call(self, params: Json) -> Json:
        answer = super().call(params)
        if answer["status"] != "ok":
            return answer
        document = json.loads(answer["content"])
        document["entries"] = [e for e in document["entries"] if e["depth"] == 1 or e["size_bytes"] != 4097]
        document["returned"] = len(document["entries"])
        return {**answer, "content": json.dumps(document, ensure_ascii=False, separators=(",", ":"))}


class AlwaysCrashes(Unchanged):
    reference = "list_directory"

    def call(self, params: Json) -> Json:
        raise RuntimeError("always")


class NoCapabilities(Unchanged):
    """Declares no capabilities."""

    reference = "list_directory"

    def initialize(self, params: Json) -> Json:
        return {**super().initialize(params), "capabilities": []}


class NoCapabilitiesOfMoves(NoCapabilities):
    reference = "file_operations"


class OnlyListDirectory(Unchanged):
    """Offers the only tool of local_files that is not optional."""

    reference = "local_files"

    def initialize(self, params: Json) -> Json:
        result = super().initialize(params)
        return {**result, "tools": {"listDirectory": result["tools"]["listDirectory"]}}


class AppendsOldContent(Unchanged):
    """Appends the replaced content to a copy, if it may read and write it."""

    def call(self, params: Json) -> Json:
        path = _path(params, "destination")
        old = b""
        with contextlib.suppress(OSError):
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    old = file.read()
        answer = super().call(params)
        if params["tool"] in COPIES and answer["status"] == "ok" and old:
            with contextlib.suppress(OSError), open(path, "ab") as file:
                file.write(old)
        return answer


class RefusesSecondMove(NoCapabilitiesOfMoves):
    """Refuses to move an entry that it has moved before.

    Not in a tree with a special file: a right tool may refuse to move it, and no scenario fits both outcomes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._moved: set[str] = set()

    def call(self, params: Json) -> Json:
        source, destination = (_path(params, end) for end in ("source", "destination"))
        entries = Path(params["context"]["working_dir"]).rglob("*")
        if source in self._moved and all(one.is_file() or one.is_dir() for one in entries):
            return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "moved already"}}
        answer = super().call(params)
        if params["tool"] in MOVES and answer["status"] == "ok":
            self._moved.add(destination)
        return answer


class FailsTwice(Unchanged):
    """Fails the third call and the fifth."""

    def __init__(self) -> None:
        super().__init__()
        self._calls = 0

    def call(self, params: Json) -> Json:
        self._calls += 1
        if self._calls in (3, 5):
            return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "not now"}}
        return super().call(params)


def _path(params: Json, end: str) -> str:
    return os.path.normpath(os.path.join(params["context"]["working_dir"], str(params["arguments"].get(end))))
