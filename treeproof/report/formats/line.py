"""A run as one line of JSON, for logs, chats and scripts: the conclusion, counts, and the most severe cause."""

from __future__ import annotations

from typing import Any

from treeproof.report.causes import causes_of
from treeproof.report.digest import outcome_counts, selected_requirements, verdict_counts
from treeproof.report.document import Document
from treeproof.report.escape import json_text, shortened

_MAX_TEXT = 300  # characters of a reason or a message
_AZURE_COMMANDS = ("##[", "##vso[")


def dump(run: Document) -> bytes:
    """Return one JSON object and a line feed in UTF-8. ``docs/reports.md`` describes its members."""
    candidate, causes = run["candidate"], causes_of(run)
    selected = [one for spec in run["specs"] for one in selected_requirements(run, spec)]
    worst = causes[0] if causes else None
    text = json_text(
        {
            "treeproof": run["treeproof"],
            "candidate": candidate["name"],
            "version": candidate["version"],
            "specs": [f"{spec['name']}@{spec['version']}" for spec in run["specs"]],
            "profile": run["profile"],
            "verdict": run["verdict"],
            "exit": run["exit"],
            "claim": run["claim"],
            "reason": shortened(run["reason"], _MAX_TEXT),
            "started": run["started"],
            "seconds": run["seconds"],
            "requirements": _underscored(verdict_counts(selected)),
            "scenarios": _underscored(outcome_counts(run)),
            "causes": len(causes),
            "worst": worst
            and {
                "severity": str(worst.severity),
                "requirement": worst.requirement["id"],
                "scenario": worst.data["smallest"],
                "message": shortened(worst.message, _MAX_TEXT),
            },
        }
    )
    for command in _AZURE_COMMANDS:  # GitHub's commands begin a line, which begins with a brace here
        text = text.replace(command, command.replace("#", "\\u0023", 1))
    return f"{text}\n".encode()


def _underscored(counts: dict[str, int]) -> dict[str, Any]:
    return {name.lower().replace(" ", "_").replace("-", "_"): count for name, count in counts.items()}
