"""The run told to a person: what held, what failed and why, what nobody checked, and last the one word.

A pure function of the document and the console. Nothing here judges; the words come from the document.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from treeproof.report.advice import way_out
from treeproof.report.digest import (
    Retelling,
    Saying,
    again,
    answered,
    candidate,
    counted,
    decides,
    failing,
    fallen,
    grown,
    lacking,
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
from treeproof.report.escape import json_text
from treeproof.report.page import Page, console_for
from treeproof.report.progress import Progress
from treeproof.spec.catalogue import PLATFORMS

__all__ = ["Progress", "print_run", "render"]

_VERDICTS: tuple[tuple[str, str, str], ...] = (
    ("PASS", "pass", "green"),
    ("FAIL", "fail", "red"),
    ("NOT VERIFIED", "not verified", "yellow"),
    ("NOT APPLICABLE", "not applicable", "dim"),
    ("EXCLUDED", "excluded", "dim"),
)
_WORDS: Mapping[str, str] = {
    "conformant": "bold green",
    "partial": "bold green",
    "non-conformant": "bold red",
    "usage": "bold red",
    "incomplete": "bold yellow",
    "fault": "bold magenta",
}
_DIFFERENCE = (("-", "red"), ("missing", "red"), ("+", "green"), ("not expected", "green"))
_FULL_REQUIREMENTS = 20  # failed requirements told with their evidence; the others in two lines each
_FULL_SCENARIOS = (
    2  # scenarios of one requirement, and of one saying, told with their evidence; the others by id
)
_IDS = 12  # ids of one line of such; in the JSON report are all
_EVERY_CONTEXT = frozenset(
    {"roots", "working_dir"}
)  # in each call; only what a scenario adds is worth a line


def print_run(run: Document, stream: TextIO | None = None) -> None:
    """Write the report to ``stream`` (standard output). Raises BrokenPipeError when nobody reads it."""
    target = sys.stdout if stream is None else stream
    render(run, console_for(target))
    target.flush()


def render(run: Document, console: Console) -> None:
    """Write the whole report of ``run`` on ``console``; the last line is the one word and its reason."""
    page = Page(console)
    _head(page, run)
    if not nobody_asked(run):
        _found(page, run)
    _warnings(page, run)
    _conclusion(page, run)


def _found(page: Page, run: Document) -> None:
    """Write what was found requirement by requirement."""
    for spec in run["specs"]:
        _summary(page, spec)
    _sayings(page, run)
    retelling = Retelling(run, _FULL_SCENARIOS)
    for spec in run["specs"]:
        _failures(page, run, spec, retelling)
        _faults(page, run, spec)
    _again(page, run)
    for spec in run["specs"]:
        _readings(page, run, spec)
    for spec in run["specs"]:
        _unverified(page, run, spec)
    _simulated(page, run)


def _head(page: Page, run: Document) -> None:
    asked = run["candidate"]
    speaks = f"{asked['language']}, " if asked["language"] else ""
    scenarios = sum(len(spec["scenarios"]) for spec in run["specs"])
    page.say(page.text(f"treeproof {run['treeproof']}", "bold"))
    page.field("candidate", page.text(f"{candidate(run)} ({speaks}by {asked['adapter']})"))
    page.field(
        "run",
        page.text(
            f"{counted(scenarios, 'scenario')} in {run['seconds']:.1f} s · profile {run['profile']}"
            f" · seed {run['seed']}"
        ),
    )
    machine = run["machine"]
    user = "root" if machine["root"] else "ordinary user"
    without = f" · without {', '.join(lacking(run))}" if lacking(run) else ""
    page.field("machine", page.text(f"{machine['system']} · {user}{without}"))
    if run["selection"] is not None:
        page.field("narrowed to", page.bounded(", ".join(run["selection"]), characters=400), column=13)


def _summary(page: Page, spec: Mapping[str, Any]) -> None:
    page.heading(f"{spec['name']} {spec['version']} · {counted(len(spec['requirements']), 'requirement')}")
    total = totals(spec)
    shown = [column for column in _VERDICTS if total[column[0]]]
    ordered = sections(spec)
    if page.narrow:
        for section, row in ordered:
            page.say(section, lead=page.join(_mark(page, row), " "))
            page.say(_counts(page, row, shown), indent=4)
        page.say(page.text("all", "bold"))
        page.say(_counts(page, total, shown), indent=4)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False, show_footer=True)
    table.add_column("", footer="")
    table.add_column("", footer=page.text("all", "bold"), overflow="fold", max_width=page.width // 2)
    for verdict, label, style in shown:
        table.add_column(
            page.text(label, "dim"),
            footer=page.text(str(total[verdict]), f"bold {style}"),
            justify="right",
            no_wrap=True,
        )
    for section, row in ordered:
        cells = [
            page.text(str(row[v]) if row[v] else "·", style if row[v] else "dim") for v, _, style in shown
        ]
        table.add_row(_mark(page, row), page.text(section), *cells)
    page.table(table)


def _mark(page: Page, row: Mapping[str, int]) -> Text:
    if row["FAIL"]:
        return page.text("✗", "red")
    if row["NOT VERIFIED"]:
        return page.text("?", "yellow")
    return page.text("✓", "green") if row["PASS"] else page.text("·", "dim")


def _counts(page: Page, row: Mapping[str, int], columns: Iterable[tuple[str, str, str]]) -> Text:
    told = [page.text(f"{row[verdict]} {label}", style) for verdict, label, style in columns if row[verdict]]
    return page.text(", ").join(told)


def _sayings(page: Page, run: Document) -> None:
    found = sayings(run)
    if found:
        page.heading("What many failures say alike", "bold red")
    for saying in found:
        where = f"{len(saying.scenarios)} scenarios of {counted(len(saying.requirements), 'requirement')}: "
        page.say(where, page.bounded(saying.message, characters=300, rows=3), lead=page.text("✗ ", "red"))


def _of(run: Document, spec: Mapping[str, Any]) -> str:
    """Return what a heading adds where it stands once for each specification."""
    return f", {spec['name']}" if len(run["specs"]) > 1 else ""


def _failures(page: Page, run: Document, spec: Mapping[str, Any], retelling: Retelling) -> None:
    profile = run["profile"]
    failed = failing(spec, profile)
    if not failed:
        return
    count = fallen((requirement for requirement, _ in failed), profile)
    page.heading(f"What failed{_of(run, spec)} · {count}", "bold red")
    for position, (requirement, own) in enumerate(failed):
        page.blank()
        level = (
            requirement["level"] if decides(requirement, profile) else f"{requirement['level']}, a warning"
        )
        known = " · known failure" if requirement.get("known") else ""
        page.say(
            page.text(requirement["id"], "bold"),
            page.text(f"  {level} · {requirement['section']}{known}", "dim"),
            lead=page.text("✗ ", "red"),
        )
        page.say(page.bounded(requirement["text"], characters=400), indent=2)
        if requirement["cause"]:
            page.say(page.text(requirement["cause"], "red"), indent=2)
        if position < _FULL_REQUIREMENTS:
            share = retelling.share(own)
            for scenario in share.full:
                print_scenario(page, scenario)
            _retold(page, share.same, share.others)
        elif own:
            message = own[0]["evidence"].get("message", "")
            page.say(page.bounded(f"{own[0]['id']}: {message}", characters=200, rows=2), indent=2)
            _retold(page, (), own[1:])


def _again(page: Page, run: Document) -> None:
    """Say how one failure is seen again, and where the evidence is that was not told."""
    failed = [own for spec in run["specs"] for _, own in failing(spec, run["profile"]) if own]
    if not failed:
        return
    page.blank()
    page.say(page.text("To see one of them again:", "dim"))
    page.line("  ", again(run, failed[0][0]["id"]))
    if any(len(own) > _FULL_SCENARIOS for own in failed) or len(failed) > _FULL_REQUIREMENTS:
        page.say(page.text("The evidence of every failure: --report html=FILE", "dim"))


def _retold(page: Page, same: Sequence[Saying], others: Sequence[Mapping[str, Any]]) -> None:
    """Name the scenarios that are not told in full: those that say what was told before, and the others."""
    for saying in same:
        page.say(
            page.bounded(saying.message, characters=200, rows=2),
            page.text(" · ", "dim"),
            _some(page, saying.scenarios),
            indent=2,
            lead=page.text("as above: ", "dim"),
        )
    if others:
        page.say(_some(page, others), indent=2, lead=page.text("also failed: ", "dim"))


def _some(page: Page, scenarios: Iterable[Mapping[str, Any]]) -> Text:
    return page.words(some((scenario["id"] for scenario in scenarios), _IDS))


def print_scenario(page: Page, scenario: Mapping[str, Any]) -> None:
    """Write what a person needs to see of one scenario of a run document that failed or broke."""
    evidence = scenario["evidence"]
    page.blank()
    page.say(
        page.text(f"{scenario['id']}  ", "bold"), page.bounded(scenario["title"], characters=300), indent=2
    )
    if scenario["file"]:
        page.say(page.text(f"{scenario['file']}:{scenario['line']}", "dim"), indent=4, hang=2)
    for label, value in _told(page, evidence):
        page.field(label, value, indent=4)
    if evidence.get("scenario"):
        page.field("to paste", page.text("into a feature file"), indent=4)
        for line in page.bounded(evidence["scenario"], characters=2400).split("\n", allow_blank=True):
            page.line("      ", line)  # as it is, however long: what is folded cannot be pasted


def _told(page: Page, evidence: Mapping[str, Any]) -> Iterable[tuple[str, Text]]:
    """Yield label and text of what a person needs to see of a failed scenario, in reading order."""
    if "simulated" in evidence:
        yield "on", page.text(f"a simulated {PLATFORMS[evidence['simulated']]}")
    for label, tree in grown(evidence):
        yield label, page.bounded(tree)
    for call in evidence.get("calls") or [evidence.get("call")]:
        yield from _call(page, call)
    if "after" in evidence:
        yield "after", page.bounded(evidence["after"] or "(empty)")
    if evidence.get("step"):
        yield "at", page.bounded(evidence["step"])
    if evidence.get("message"):
        yield "message", page.bounded(evidence["message"], "red")
    # Where the difference is told, nobody reads two long texts to find it.
    longest = 400 if evidence.get("diff") else 1200
    if evidence.get("expected"):
        yield "expected", page.bounded(evidence["expected"], characters=longest)
    if answered(evidence):
        yield "got", page.bounded(answered(evidence), characters=longest)
    if evidence.get("diff"):
        yield "difference", _difference(page, evidence["diff"])
    if evidence.get("stderr"):
        yield "stderr", page.bounded(evidence["stderr"], "dim")


def _call(page: Page, call: Mapping[str, Any] | None) -> Iterable[tuple[str, Text]]:
    if call is None:
        return
    yield "call", page.bounded(f"{call['tool']} {call['arguments']}")
    added = {key: value for key, value in call.get("context", {}).items() if key not in _EVERY_CONTEXT}
    if added:
        yield "context", page.bounded(json_text(added))


def _difference(page: Page, diff: str) -> Text:
    shown = page.bounded(diff, rows=24, characters=2400)
    told = [
        Text(
            line.plain,
            style=next((style for start, style in _DIFFERENCE if line.plain.startswith(start)), ""),
        )
        for line in shown.split("\n", allow_blank=True)
    ]
    whole = Text("\n", overflow="fold").join(told)
    whole.overflow = "fold"
    return whole


def _faults(page: Page, run: Document, spec: Mapping[str, Any]) -> None:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for scenario in spec["scenarios"]:
        if scenario["outcome"] == "fault":
            evidence = scenario["evidence"]
            groups.setdefault(evidence.get("message") or evidence.get("cause") or "fault", []).append(
                scenario
            )
    if not groups:
        return
    count = sum(map(len, groups.values()))
    page.heading(
        f"What broke{_of(run, spec)} · {counted(count, 'scenario')} without a verdict", "bold magenta"
    )
    for cause, scenarios in groups.items():
        page.blank()
        page.say(page.bounded(cause, characters=600), lead=page.text("! ", "magenta"))
        page.say(_some(page, scenarios), indent=2)
        first = scenarios[0]["evidence"]
        for label, value in _call(page, first.get("call")):
            page.field(label, value, indent=2)
        if first.get("stderr"):
            page.field("stderr", page.bounded(first["stderr"], "dim"), indent=2)


def _readings(page: Page, run: Document, spec: Mapping[str, Any]) -> None:
    seen = readings(spec)
    if not seen:
        return
    of = spec["name"] if len(run["specs"]) > 1 else "the specification"
    page.heading(f"Readings seen, where {of} leaves room")
    for entry in seen:
        if not entry["consistent"]:
            page.say(
                page.text(entry["id"], "bold"),
                page.text(f" inconsistent: {', '.join(entry['observed'])}", "red"),
                indent=2,
                lead=page.text("✗ ", "red"),
            )
    told = [f"{entry['id']}={entry['observed'][0]}" for entry in seen if entry["consistent"]]
    if told:
        page.say(page.words(told), indent=2)


def _unverified(page: Page, run: Document, spec: Mapping[str, Any]) -> None:
    groups = unverified(spec)
    if groups:
        page.heading(
            f"Not verified{_of(run, spec)} · {counted(sum(map(len, groups.values())), 'requirement')}",
            "bold yellow",
        )
    for cause, ids in groups.items():
        many = page.text(f" ({len(ids)})", "dim")
        page.say(page.bounded(cause, characters=400), many, lead=page.text("? ", "yellow"))
        if left_out(run, cause):
            continue
        page.say(page.words(ids), indent=4)
        way = way_out(cause)
        if way:
            page.say(way, indent=4, lead=page.text("how: ", "dim"))
    for verdict, label in (
        ("NOT APPLICABLE", "Not applicable here"),
        ("EXCLUDED", "Excluded by the catalogue"),
    ):
        ids = [requirement["id"] for requirement in spec["requirements"] if requirement["verdict"] == verdict]
        if ids:
            page.heading(f"{label}{_of(run, spec)} · {counted(len(ids), 'requirement')}", "dim")
            page.say(page.words(ids, "dim"), indent=2)
            page.say(page.text("`treeproof explain ID` says why", "dim"), indent=2)


def _simulated(page: Page, run: Document) -> None:
    held = dict.fromkeys(PLATFORMS, 0)
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            if scenario["outcome"] == "not-applicable" and "simulated" in scenario["evidence"]:
                held[scenario["evidence"]["simulated"]] += 1
    where = " and ".join(f"{count} on {PLATFORMS[name]}" for name, count in held.items() if count)
    if where:
        count = counted(sum(held.values()), "scenario")
        page.blank()
        page.say(page.text(f"Simulated · {count} held ({where}), which is no evidence of conformance", "dim"))


def _warnings(page: Page, run: Document) -> None:
    groups = warnings(run)
    if groups:
        page.heading("Warnings", "bold yellow")
    for warning, ids in groups.items():
        page.say(page.bounded(warning, characters=400), lead=page.text("! ", "yellow"))
        if ids:
            page.say(page.words(some(ids, _IDS), "dim"), indent=4)


def _conclusion(page: Page, run: Document) -> None:
    page.blank()
    if run["interrupted"]:
        page.say(page.text("The run was interrupted; what did not run is not verified.", "yellow"))
    if nobody_asked(run):
        page.say(page.text(way_out(run["reason"]) or "", "dim"))
    reason = run["reason"]
    if not run["claim"] and "not a conformance claim" not in reason:
        page.say(page.text("A narrowed run: not a conformance claim.", "yellow"))
    page.say(page.text(run["verdict"], _WORDS.get(run["verdict"], "bold")), page.text(f": {reason}"))
