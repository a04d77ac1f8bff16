"""The run as Markdown, for the summary of a CI job or a comment: the word first, then what a person does next.

Below the megabyte that GitHub takes: what does not fit is left out from the longest part first, and that is said.
Nothing is judged here, and no text goes in but through `markdown_text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from treeproof.report.advice import way_out
from treeproof.report.digest import (
    VERDICTS,
    Json,
    Retelling,
    Share,
    again,
    answered,
    candidate,
    conclusion,
    counted,
    decides,
    failing,
    fallen,
    grown,
    left_out,
    nobody_asked,
    readings,
    sayings,
    sections,
    some,
    totals,
    unverified,
    warnings,
)
from treeproof.report.document import Document
from treeproof.report.markdown_text import block, code, prose

_HEAD, _FAILURES, _TAIL = 200_000, 500_000, 200_000  # bytes; together below GitHub's 1 MiB
_TOLD = 2  # scenarios of a requirement told with their evidence; the others by id
_IDS = 40
_SIGNS = {
    "conformant": "✅",
    "partial": "☑️",
    "non-conformant": "❌",
    "incomplete": "⚠️",
    "fault": "💥",
    "usage": "❌",
}


def dump(run: Document) -> bytes:
    """Return the run as GitHub's Markdown in UTF-8, less than 1 MiB of it."""
    parts = [
        *fitting(_head(run), _HEAD),
        *fitting(_failures(run), _FAILURES),
        *fitting(_tail(run), _TAIL),
        f"treeproof {run['treeproof']}, exit {run['exit']}.",
    ]
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def fitting(parts: Iterable[str], room: int) -> Iterator[str]:
    """Yield the parts as long as there is room, in bytes, and then how many are left out."""
    dropped = 0
    for part in parts:
        size = len(part.encode("utf-8")) + 2
        if dropped or size > room:
            dropped += 1
        else:
            room -= size
            yield part
    if dropped:
        yield f"*{counted(dropped, 'part')} left out here for want of room; the JSON report holds everything.*"


def _head(run: Document) -> Iterator[str]:
    yield f"## {_SIGNS[run['verdict']]} treeproof: {conclusion(run)}"
    yield prose(run["reason"])
    facts = [
        f"candidate {code(candidate(run))} by {code(run['candidate']['adapter'])}",
        f"profile {run['profile']}",
        f"{run['seconds']:.1f} s",
    ]
    if run["selection"] is not None:
        facts.append(f"narrowed to {prose(', '.join(some(run['selection'], _IDS)))}")
    if run["interrupted"]:
        facts.append("interrupted: what did not run is not verified")
    yield ", ".join(facts)
    if nobody_asked(run):
        yield f"How: {prose(way_out(run['reason']) or '')}"
        return
    for spec in run["specs"]:
        yield _table(spec)
    yield from _lines(
        f"- {len(saying.scenarios)} failed scenarios of {counted(len(saying.requirements), 'requirement')} "
        f"say the same: {prose(saying.message)}"
        for saying in sayings(run)
    )


def _table(spec: Json) -> str:
    total = totals(spec)
    shown = [verdict for verdict in VERDICTS if total[verdict]]
    lines = [
        f"### {prose(spec['name'])} {prose(spec['version'])}",
        "",
        " | ".join(["| section", *(verdict.lower() for verdict in shown)]) + " |",
        "|---" + "|---:" * len(shown) + "|",
    ]
    for section, row in sections(spec):
        cells = [str(row[verdict]) if row[verdict] else "" for verdict in shown]
        lines.append(" | ".join([f"| {prose(section, limit=200)}", *cells]) + " |")
    lines.append(" | ".join(["| **all**", *(f"**{total[verdict]}**" for verdict in shown)]) + " |")
    return "\n".join(lines)


def _failures(run: Document) -> Iterator[str]:
    retelling = Retelling(run, _TOLD)
    for spec in run["specs"]:
        failed = failing(spec, run["profile"])
        if failed:
            told = fallen((requirement for requirement, _ in failed), run["profile"])
            yield f"### What failed{_in(run, spec)}: {told}"
        for requirement, scenarios in failed:
            yield _requirement(run, requirement, retelling.share(scenarios))


def _requirement(run: Document, requirement: Json, share: Share) -> str:
    level = requirement["level"] + ("" if decides(requirement, run["profile"]) else ", a warning")
    known = ", known failure" if requirement.get("known") else ""
    lines = [
        f"#### {code(requirement['id'])} {level}{known}",
        f"{prose(requirement['section'], limit=200)}: {prose(requirement['text'])}",
    ]
    if requirement["cause"]:
        lines.append(f"Why: {prose(requirement['cause'])}")
    lines += [_scenario(run, scenario) for scenario in share.full]
    rest = [f"- as above, {prose(same.message, limit=200)}{_of(_ids(same.scenarios))}" for same in share.same]
    if share.others:
        rest.append(f"- also failed{_of(_ids(share.others))}")
    lines += _lines(rest)
    return "\n\n".join(lines)


def _ids(scenarios: Iterable[Json]) -> list[str]:
    return [scenario["id"] for scenario in scenarios]


def _scenario(run: Document, scenario: Json) -> str:
    evidence = scenario["evidence"]
    parts = [
        f"<details><summary>Scenario <code>{scenario['id']}</code></summary>",
        prose(scenario["title"], limit=300)
        + (f" ({code(scenario['file'] + ':' + str(scenario['line']))})" if scenario["file"] else ""),
    ]
    if evidence.get("message"):
        parts.append(f"Message: {prose(evidence['message'])}")
    told = list(_told(evidence))
    parts += _lines(f"- {name}: {code(text)}" for name, text, _ in told if _short(text))
    for name, text, limit in told:
        if not _short(text):
            parts += [f"{name}:", block(text, limit=limit, info="diff" if name == "difference" else "")]
    parts += ["again:", block(again(run, scenario["id"]), info="sh"), "</details>"]
    return "\n\n".join(parts)


def _short(text: str) -> bool:
    return "\n" not in text and len(text) <= 200


def _told(evidence: Json) -> Iterator[tuple[str, str, int]]:
    """Yield name, text and the most characters of what a person needs to see, in reading order."""
    longest = 400 if evidence.get("diff") else 1200
    yield from ((name, tree, 1200) for name, tree in grown(evidence))
    call = evidence.get("call")
    if call:
        yield "call", f"{call['tool']} {call['arguments']}", 1200
    if "after" in evidence:
        yield "after", evidence["after"] or "(empty)", 1200
    if evidence.get("step"):
        yield "at", evidence["step"], 1200
    if evidence.get("expected"):
        yield "expected", evidence["expected"], longest
    if answered(evidence):
        yield "got", answered(evidence), longest
    if evidence.get("diff"):
        yield "difference", evidence["diff"], 2400


def _tail(run: Document) -> Iterator[str]:
    yield from _faults(run)
    if not nobody_asked(run):
        for spec in run["specs"]:
            yield from _unverified(run, spec)
    for spec in run["specs"]:
        seen = [f"- {_reading(entry)}" for entry in readings(spec)]
        if seen:
            yield f"### Readings seen{_in(run, spec)}, where the specification leaves room"
            yield from _lines(seen)
    told = [f"- {prose(warning)}{_of(ids)}" for warning, ids in warnings(run).items()]
    if told:
        yield "### Warnings"
        yield from _lines(told)


def _faults(run: Document) -> Iterator[str]:
    groups: dict[str, list[Any]] = {}
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            if scenario["outcome"] == "fault":
                groups.setdefault(scenario["evidence"].get("cause", "fault"), []).append(scenario)
    if groups:
        yield f"### What broke: {counted(sum(map(len, groups.values())), 'scenario')} without a verdict"
    for cause, scenarios in groups.items():
        yield f"{prose(cause)}{_of([scenario['id'] for scenario in scenarios])}"
        if scenarios[0]["evidence"].get("stderr"):
            yield block(scenarios[0]["evidence"]["stderr"])


def _unverified(run: Document, spec: Json) -> Iterator[str]:
    groups = unverified(spec)
    if groups:
        yield f"### Not verified{_in(run, spec)}: {counted(sum(map(len, groups.values())), 'requirement')}"
    lines = []
    for cause, ids in groups.items():
        way = way_out(cause)
        shown = f" ({len(ids)})" if left_out(run, cause) else _of(ids)
        lines.append(f"- {prose(cause)}{shown}" + (f"\n  - How: {prose(way)}" if way else ""))
    yield from _lines(lines)


def _in(run: Document, spec: Json) -> str:
    """Which specification a part is of; it goes without saying where there is one."""
    return f" in {prose(spec['name'])}" if len(run["specs"]) > 1 else ""


def _reading(entry: Json) -> str:
    label = ", ".join(code(label) for label in entry["observed"])
    return f"{code(entry['id'])}: {label}" + ("" if entry["consistent"] else " **inconsistent**")


def _of(ids: Sequence[str]) -> str:
    return f": {prose(', '.join(some(ids, _IDS)))}" if ids else ""


def _lines(items: Iterable[str]) -> Iterator[str]:
    """Yield the items of a list in portions, each short enough to be left out alone."""
    lines = list(items)
    for start in range(0, len(lines), 10):
        yield "\n".join(lines[start : start + 10])
