"""The comparison of two runs as JSON."""

from __future__ import annotations

from typing import Any

from treeproof.report.comparison import Group, RunComparison, ScenarioChange, message_of
from treeproof.report.document import Document
from treeproof.report.escape import json_text


def dump_json(found: RunComparison) -> bytes:
    """Return the comparison as JSON in UTF-8."""
    value = {
        "result": str(found.result),
        "reason": found.reason,
        "exit": found.exit,
        "old": _run_json(found.old, found.names[0]),
        "new": _run_json(found.new, found.names[1]),
        "notes": list(found.notes),
        "compared": found.compared,
        "unchanged": found.unchanged,
        "scenarios": {str(group): [_change_json(one) for one in found.of_group(group)] for group in Group},
        "missing": [
            {"reason": one.reason, "decides": one.decides, "failed": list(one.failed), "passed": list(one.passed)}
            for one in found.missing
        ],
        "requirements": [
            {
                "spec": one.spec,
                "id": one.requirement["id"],
                "level": one.requirement["level"],
                "before": one.before,
                "now": one.now,
                "change": one.change,
                "decides": one.decides,
            }
            for one in found.requirements
        ],
        "readings": [
            {"spec": one.spec, "id": one.id, "before": list(one.before), "now": list(one.now)} for one in found.readings
        ],
        "slower": [{"spec": one.spec, "id": one.id, "before": one.before, "now": one.now} for one in found.slower],
    }
    return (json_text(value, indent=1) + "\n").encode("utf-8")


def _run_json(run: Document, name: str) -> dict[str, Any]:
    return {
        "file": name,
        "candidate": run["candidate"]["name"],
        "version": run["candidate"]["version"],
        "verdict": run["verdict"],
        "claim": run["claim"],
        "profile": run["profile"],
        "treeproof": run["treeproof"],
        "started": run["started"],
        "specs": [f"{spec['name']}@{spec['version']}" for spec in run["specs"]],
    }


def _change_json(change: ScenarioChange) -> dict[str, Any]:
    members = {
        "spec": change.spec,
        "id": change.now["id"],
        "requirement": change.requirement["id"],
        "level": change.requirement["level"],
        "title": change.now["title"],
        "decides": change.decides,
        "before": change.before["outcome"] if change.before is not None else None,
        "now": change.now["outcome"],
    }
    if change.now["outcome"] != "passed":
        members["message"] = message_of(change.now)
    if change.before is not None and change.before["outcome"] != "passed":
        members["message_before"] = message_of(change.before)
    return members | ({"why": change.why} if change.why else {})
