"""The comparison of two runs on a terminal, where the last line is the result and its reason, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from treeproof.report.comparison import GOOD_GROUPS, GROUPS, RESULTS, Group, RunComparison, ScenarioChange, message_of
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import abbreviate, pluralize, rerun_command
from treeproof.report.escape import cut_long_words, json_text
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.run_document import RunDocument

_CHANGE_STYLES = {"better": "green", "worse": "red"}
_MAX_LISTED, _MAX_IN_FULL, _MAX_IDS = 40, 5, 8
_MAX_MESSAGE = 300  # characters


def print_comparison(found: RunComparison, writer: ConsoleWriter) -> None:
    """Print the differences; sections without an entry are left out."""
    writer.paragraph(writer.text("Comparison of two runs", "bold"))
    for label, name, run in (("OLD", found.names[0], found.old), ("NEW", found.names[1], found.new)):
        facts = (run.candidate.label, run.conclusion, f"profile {run.profile}", run.started, name)
        writer.field(label, writer.text(" · ".join(fact for fact in facts if fact)), column=5)
    for note in found.notes:
        writer.paragraph(writer.truncated(note, characters=400), lead=writer.text("! ", "yellow"))
    for group in Group:
        _print_group(found, group, writer)
    _print_missing(found, writer)
    _print_requirements(found, writer)
    if found.readings:
        writer.heading(f"Changed readings · {len(found.readings)}")
        for reading in found.readings:
            change = f"  {', '.join(reading.before)} → {', '.join(reading.now)}"
            writer.paragraph(writer.text(reading.id, "bold"), writer.text(change), indent=2)
    if found.slower:
        writer.heading(f"Slower · {pluralize(len(found.slower), 'scenario')}, which decides nothing")
        for slow in found.slower[:_MAX_LISTED]:
            times = f"  {slow.before:.2f} s → {slow.now:.2f} s  "
            title = writer.truncated(slow.title, "dim", characters=200)
            writer.paragraph(writer.text(slow.id, "bold"), writer.text(times), title, indent=2)
        _print_rest(len(found.slower), writer)
    writer.blank()
    same = f"{found.unchanged} of {pluralize(found.compared, 'scenario')} in both runs have the same result."
    writer.paragraph(writer.text(same, "dim"))
    writer.paragraph(
        writer.text(str(found.result), f"bold {RESULTS[found.result][1].colour}"), writer.text(f": {found.reason}")
    )


def _print_group(found: RunComparison, group: Group, writer: ConsoleWriter) -> None:
    causes, changes = found.causes_of(group), found.of_group(group)
    if not changes:
        return
    heading, sign = GROUPS[group]
    rest = sum(not one.decides for one in changes)
    is_good = group in GOOD_GROUPS
    note = f" ({rest} decide{'s' * (rest == 1)} nothing)" if rest and not is_good else ""
    count = f"{pluralize(len(changes), 'scenario')}, {pluralize(len(causes), 'cause')}"
    writer.heading(f"{heading} · {count}{note}", f"bold {sign.colour}")
    for position, one in enumerate(causes[:_MAX_LISTED]):
        first = one.changes[0]
        facts = f" · {first.requirement.level} · {one.count}: {_ids(change.now.id for change in one.changes)}"
        lead = writer.text(f"{sign.mark} ", sign.colour)
        writer.paragraph(writer.text(one.cause.requirement.id, "bold"), writer.text(facts, "dim"), lead=lead)
        if not is_good:
            _print_change(found.new, first, writer, is_full=position < _MAX_IN_FULL)
    _print_rest(len(causes), writer)


def _print_change(run: RunDocument, change: ScenarioChange, writer: ConsoleWriter, *, is_full: bool) -> None:
    writer.field("case", writer.truncated(change.now.title, characters=200), indent=4)
    before = change.why
    if not before and change.group is Group.CHANGED_FAILURES and change.before is not None:
        before = message_of(change.before)
    for label, text, style in (("before", before, ""), ("now", message_of(change.now), "red")):
        if text:
            writer.field(label, writer.truncated(cut_long_words(text), style, characters=_MAX_MESSAGE), indent=4)
    if is_full:
        writer.line(writer.text("    re-run     ", "dim"), rerun_command(run, change.now.id))


def _print_rest(count: int, writer: ConsoleWriter) -> None:
    if count > _MAX_LISTED:
        writer.paragraph(
            writer.text(f"and {count - _MAX_LISTED} more; all of them: --report html=FILE", "dim"), indent=2
        )


def _print_missing(found: RunComparison, writer: ConsoleWriter) -> None:
    if not found.missing:
        return
    count = sum(len(one.failed) + len(one.passed) for one in found.missing)
    title = f"No result in NEW · {pluralize(count, 'scenario')}, neither fixed nor worse"
    writer.heading(title, "bold yellow" if any(one.decides for one in found.missing) else "bold")
    for one in found.missing:
        writer.paragraph(writer.truncated(one.reason, characters=_MAX_MESSAGE), lead=writer.text("? ", "yellow"))
        for label, ids in (("failed before", one.failed), ("passed before", one.passed)):
            if ids:
                writer.paragraph(_ids(ids), indent=4, lead=writer.text(f"{len(ids)} {label}: ", "dim"))


def _ids(ids: Iterable[str]) -> str:
    return ", ".join(abbreviate(ids, _MAX_IDS))


def _print_requirements(found: RunComparison, writer: ConsoleWriter) -> None:
    if found.requirements:
        writer.heading(f"Changed verdicts · {pluralize(len(found.requirements), 'requirement')}")
    for (before, now), ones in found.verdict_changes.items():
        change = ones[0].change
        lead = writer.text(f"{before} → {now}, {change}: ", _CHANGE_STYLES.get(change, "yellow"))
        writer.paragraph(lead, _ids(one.requirement.id for one in ones), indent=2, hang=4)


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
                "id": one.requirement.id,
                "level": one.requirement.level,
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


def _run_json(run: RunDocument, name: str) -> dict[str, Any]:
    return {
        "file": name,
        "candidate": run.candidate.name,
        "version": run.candidate.version,
        "verdict": run.verdict,
        "claim": run.claim,
        "profile": run.profile,
        "treeproof": run.treeproof,
        "started": run.started,
        "specs": [f"{spec.name}@{spec.version}" for spec in run.specs],
    }


def _change_json(change: ScenarioChange) -> dict[str, Any]:
    members = {
        "spec": change.spec,
        "id": change.now.id,
        "requirement": change.requirement.id,
        "level": change.requirement.level,
        "title": change.now.title,
        "decides": change.decides,
        "before": change.before.outcome if change.before is not None else None,
        "now": change.now.outcome,
    }
    if change.now.outcome is not Outcome.PASSED:
        members["message"] = message_of(change.now)
    if change.before is not None and change.before.outcome is not Outcome.PASSED:
        members["message_before"] = message_of(change.before)
    return members | ({"why": change.why} if change.why else {})
