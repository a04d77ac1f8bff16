"""Calls of LocalFiles and what the model says of their results."""

from __future__ import annotations

import json
from typing import Any

from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange
from treeproof.oracles.local_files.model import model
from treeproof.spec import find_pack, load_pack
from treeproof.tree import parse_tree

PACK = load_pack(find_pack("local_files"))
ANY = {
    one.id: frozenset(reading.label for reading in one.readings if reading.accepted)
    for one in PACK.interpretations
    if one.readings
}
"""All accepted readings."""
TIME = 1700000000000
ROOT = "$ROOT"
TREE = "d/{x}, f=3, l->f"


def listing(tree: str, path: str = "$ROOT") -> Case:
    return Case("listDirectory", parse_tree(tree), {"path": path})


def search(tree: str, glob: str, recursive: bool = True, path: str = "$ROOT") -> Case:
    return Case("findFiles", parse_tree(tree), {"path": path, "recursive": recursive, "glob": glob})


def ok(value: Any) -> CallResult:
    return CallResult("ok", json.dumps(value), None, None, None, None, None, b"")


def entry(kind: str, path: str, size: int = 0, **members: Any) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    return {
        **{"@type": f"{kind}Entry", "name": name, "path": f"{ROOT}/{path}", "size": size},
        **{"lastModified": TIME, **members},
    }


def violated(value: Any, case: Case | None = None) -> set[str]:
    findings = model.judge(Exchange(case or listing(TREE), ok(value)), ANY).findings
    return {finding.requirement for finding in findings}


def file(name: str) -> dict[str, Any]:
    return entry("File", name)
