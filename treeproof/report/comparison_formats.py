"""The comparison of two runs as JSON, and as Markdown of at most 60 lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treeproof.report.comparison import GROUP_TITLES, Group, Result, RunComparison, ScenarioChange, message_of
from treeproof.report.digest import candidate_label, conclusion, pluralize
from treeproof.report.document import Document
from treeproof.report.escape import json_text
from treeproof.report.markdown_parts import fit_to_lines, id_list_suffix
from treeproof.report.markdown_text import code_span, prose

_EMOJI = {Result.WORSE: "❌", Result.FAULT: "💥", Result.INCOMPLETE: "⚠️", Result.NOT_WORSE: "✅"}
_MAX_LINES = 60
_MAX_NOTES, _MAX_ENTRIES, _MAX_MISSING, _MAX_REQUIREMENTS, _MAX_OTHERS = 5, 3, 2, 3, 1  # lines of each part
_MAX_IDS = 10


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


def dump_markdown(found: RunComparison) -> bytes:
    """Return the comparison as GitHub's Markdown in UTF-8, at most 60 lines."""
    text = "\n\n".join(_parts(found, 0)) + "\n"
    spare = _MAX_LINES - text.count("\n")  # the first and most urgent group has the lines that are left
    return ("\n\n".join(_parts(found, spare)) + "\n").encode("utf-8")


def _parts(found: RunComparison, spare: int) -> Iterator[str]:
    yield f"## {_EMOJI[found.result]} treeproof compare: {found.result}"
    yield prose(found.reason)
    yield "\n".join(
        f"- {label}: {code_span(candidate_label(run), limit=120)}, {conclusion(run)}, profile {run['profile']}, "
        f"{code_span(run['started'])}"
        for label, run in (("OLD", found.old), ("NEW", found.new))
    )
    if found.notes:
        yield "\n".join(fit_to_lines([f"- {prose(note, limit=400)}" for note in found.notes], _MAX_NOTES, "note"))
    for group in Group:
        changes = found.of_group(group)
        if changes:
            lines = fit_to_lines([_change_line(one) for one in changes], _MAX_ENTRIES + spare, "scenario")
            spare = 0
            yield "\n".join([f"**{GROUP_TITLES[group]}: {pluralize(len(changes), 'scenario')}**", *lines])
    if found.missing:
        lines = [
            f"- {prose(one.reason, limit=300)}: {len(one.failed)} failed and {len(one.passed)} passed before"
            f"{id_list_suffix([*one.failed, *one.passed], _MAX_IDS)}"
            for one in found.missing
        ]
        yield "\n".join(["**No result in NEW, neither fixed nor worse**", *fit_to_lines(lines, _MAX_MISSING, "reason")])
    if found.requirements:
        lines = [
            f"- {code_span(one.requirement['id'])} {one.requirement['level']}: {one.before} → {one.now}"
            for one in found.requirements
        ]
        title = f"**Changed verdicts: {pluralize(len(found.requirements), 'requirement')}**"
        yield "\n".join([title, *fit_to_lines(lines, _MAX_REQUIREMENTS, "requirement")])
    if found.readings:
        lines = [
            f"- {code_span(one.id)}: {', '.join(map(code_span, one.before))} → {', '.join(map(code_span, one.now))}"
            for one in found.readings
        ]
        yield "\n".join(["**Changed readings**", *fit_to_lines(lines, _MAX_OTHERS, "interpretation")])
    if found.slower:
        lines = [f"- {code_span(one.id)}: {one.before:.2f} s → {one.now:.2f} s" for one in found.slower]
        yield "\n".join(["**Slower, which decides nothing**", *fit_to_lines(lines, _MAX_OTHERS, "scenario")])
    yield f"{found.unchanged} of {pluralize(found.compared, 'scenario')} in both runs have the same result."


def _change_line(change: ScenarioChange) -> str:
    text = f"- {code_span(change.now['id'])} ({code_span(change.requirement['id'])} {change.requirement['level']})"
    if change.now["outcome"] == "passed":
        return f"{text}: {prose(change.now['title'], limit=200)}"
    decides = "" if change.decides else ", which decides nothing"
    before = ""
    if change.why:
        before = f" Before: {prose(change.why, limit=200)}"
    elif change.group is Group.CHANGED_FAILURES and change.before is not None:
        before = f" Before: {prose(message_of(change.before), limit=200)}"
    return f"{text}{decides}: {prose(message_of(change.now), limit=300)}{before}"
