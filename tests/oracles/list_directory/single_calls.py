"""Single cases for the model of list_directory, and the requirements that a call result violates."""

from __future__ import annotations

import json
from typing import Any

from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange
from treeproof.oracles.list_directory.model import model as model
from treeproof.spec import find_pack, load_pack
from treeproof.tree import parse_tree
from treeproof.verdict import Profile, accepted_readings

PACK = load_pack(find_pack("list_directory"))
BY_PROFILE = {
    profile: {
        entry.id: accepted_readings(entry, profile, {})
        for entry in PACK.interpretations
        if entry.id in model.interpretations
    }
    for profile in Profile
}


def make_case(tree: str, arguments: dict[str, Any] | None = None, **context: Any) -> Case:
    return Case("list_directory", parse_tree(tree), {"path": ".", **(arguments or {})}, context)


def listed(tree: str, arguments: Any = None, **context: Any) -> list[str]:
    return [entry["path"] for entry in json.loads(model.expected(make_case(tree, arguments, **context)))["entries"]]


def ok(content: str) -> CallResult:
    return CallResult("ok", content, None, None, None, None, None, b"")


def error(kind: str, message: str = "no") -> CallResult:
    return CallResult("error", None, kind, message, None, None, None, b"")


def violated(case: Case, answer: CallResult, profile: Profile = Profile.DEFAULT) -> list[str]:
    return [finding.requirement for finding in model.judge(Exchange(case, answer), BY_PROFILE[profile]).findings]
