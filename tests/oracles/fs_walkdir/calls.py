"""Calls and answers of FS.WalkDir for the tests of its model, and what the model says of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange
from treeproof.oracles.fs_walkdir.model import model
from treeproof.spec import open_pack
from treeproof.tree import parse_tree
from treeproof.verdict import Profile, accepted_readings
from treeproof.verdict.finding import Finding

TIME = "2023-11-14T22:13:20Z"
ACCEPTED = {
    entry.id: accepted_readings(entry, Profile.DEFAULT, {}) for entry in open_pack("fs_walkdir").interpretations
}
"""The readings that a run without declarations accepts."""

Log = tuple[Mapping[str, Any], ...]


def call(tree: str, path: Any = ".", *, outside: str = "", **context: Any) -> Case:
    return Case("FS.WalkDir", parse_tree(tree), {"path": path}, context, outside=parse_tree(outside))


def script(text: str, tree: str) -> Case:
    return Case("NeuroScript", parse_tree(tree), {"script": text}, outside=parse_tree("outside/{secret}"))


def ok(value: Any, log: Log | None = None) -> CallResult:
    return CallResult("ok", json.dumps(value), None, None, None, log, None, b"")


def failed(kind: str = "ExecutionFailed", log: Log | None = None) -> CallResult:
    return CallResult("error", None, kind, "no", None, log, None, b"")


def element(path: str, **members: Any) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    return {"name": name, "path": path, "isDir": False, "size": 0, "modTime": TIME, **members}


def findings(case: Case, answer: CallResult, accepted: Mapping[str, frozenset[str]] = ACCEPTED) -> tuple[Finding, ...]:
    found = model.judge(Exchange(case, answer), accepted).findings
    assert all(one.kind and one.expected and one.got for one in found)
    return found


def violated(case: Case, answer: CallResult, **pinned: str) -> list[str]:
    """Return the requirements of the findings; `AMB_WD_23="error"` accepts this reading alone."""
    accepted = ACCEPTED | {id.replace("_", "-"): frozenset({label}) for id, label in pinned.items()}
    return [finding.requirement for finding in findings(case, answer, accepted)]
