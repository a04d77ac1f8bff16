"""The run told to a person: what held, what failed and why, what nobody checked, and last the one word.

A pure function of the document and the console. Nothing here judges; the words come from the document.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from treeproof.report.advice import way_out
from treeproof.report.document import Document, is_advice
from treeproof.report.escape import json_text
from treeproof.report.page import Page, console_for
from treeproof.report.progress import Progress
from treeproof.spec.catalogue import PLATFORMS
from treeproof.verdict.judge import NO_SCENARIO, NOT_SELECTED

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
_FULL_SCENARIOS = 2  # scenarios of one requirement told with their evidence; the others by id
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
    for spec in run["specs"]:
        _summary(page, spec)
    for spec in run["specs"]:
        _failures(page, spec, run["profile"])
        _faults(page, spec)
    for spec in run["specs"]:
        _readings(page, spec)
    for spec in run["specs"]:
        _unverified(page, spec, narrowed=run["selection"] is not None)
    _simulated(page, run)
    _warnings(page, run)
    _conclusion(page, run)


def _head(page: Page, run: Document) -> None:
    candidate = run["candidate"]
    named = " ".join(part for part in (candidate["name"], candidate["version"]) if part)
    speaks = f"{candidate['language']}, " if candidate["language"] else ""
    scenarios = sum(len(spec["scenarios"]) for spec in run["specs"])
    page.say(page.text(f"treeproof {run['treeproof']}", "bold"))
    page.field("candidate", page.text(f"{named} ({speaks}by {candidate['adapter']})"))
    page.field(
        "run",
        page.text(
            f"{_counted(scenarios, 'scenario')} in {run['seconds']:.1f} s · profile {run['profile']}"
            f" · seed {run['seed']}"
        ),
    )
    machine = run["machine"]
    lacking = [name.replace("_", " ") for name, there in machine.items() if there is False and name != "root"]
    user = "root" if machine["root"] else "ordinary user"
    without = f" · without {', '.join(lacking)}" if lacking else ""
    page.field("machine", page.text(f"{machine['system']} · {user}{without}"))
    if run["selection"] is not None:
        page.field("narrowed to", page.bounded(", ".join(run["selection"]), characters=400), column=13)


def _summary(page: Page, spec: Mapping[str, Any]) -> None:
    page.heading(f"{spec['name']} {spec['version']} · {_counted(len(spec['requirements']), 'requirement')}")
    sections: dict[str, dict[str, int]] = {}
    totals = dict.fromkeys((verdict for verdict, _, _ in _VERDICTS), 0)
    for requirement in spec["requirements"]:
        row = sections.setdefault(requirement["section"], dict.fromkeys(totals, 0))
        row[requirement["verdict"]] += 1
        totals[requirement["verdict"]] += 1
    ordered = sorted(sections.items(), key=lambda item: _natural(item[0]))
    shown = [column for column in _VERDICTS if totals[column[0]]]
    if page.narrow:
        for section, row in ordered:
            page.say(section, lead=page.join(_mark(page, row), " "))
            page.say(_counts(page, row, shown), indent=4)
        page.say(page.text("all", "bold"))
        page.say(_counts(page, totals, shown), indent=4)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False, show_footer=True)
    table.add_column("", footer="")
    table.add_column("", footer=page.text("all", "bold"), overflow="fold", max_width=page.width // 2)
    for verdict, label, style in shown:
        table.add_column(
            page.text(label, "dim"),
            footer=page.text(str(totals[verdict]), f"bold {style}"),
            justify="right",
            no_wrap=True,
        )
    for section, row in ordered:
        cells = [
            page.text(str(row[v]) if row[v] else "·", style if row[v] else "dim") for v, _, style in shown
        ]
        table.add_row(_mark(page, row), page.text(section), *cells)
    page.table(table)


def _natural(section: str) -> tuple[bool, list[int], str]:
    """Order sections as a reader counts them: 3.2 before 3.2.1 before 3.10, what has no number last."""
    number = re.match(r"(\d+(?:\.\d+)*)?(.*)", section, re.DOTALL)
    counted, rest = number.groups() if number else (None, section)
    return counted is None, [int(part) for part in (counted or "").split(".") if part], rest


def _mark(page: Page, row: Mapping[str, int]) -> Text:
    if row["FAIL"]:
        return page.text("✗", "red")
    if row["NOT VERIFIED"]:
        return page.text("?", "yellow")
    return page.text("✓", "green") if row["PASS"] else page.text("·", "dim")


def _counts(page: Page, row: Mapping[str, int], columns: Iterable[tuple[str, str, str]]) -> Text:
    told = [page.text(f"{row[verdict]} {label}", style) for verdict, label, style in columns if row[verdict]]
    return page.text(", ").join(told)


def _failures(page: Page, spec: Mapping[str, Any], profile: str) -> None:
    failed = [requirement for requirement in spec["requirements"] if requirement["verdict"] == "FAIL"]
    if not failed:
        return
    scenarios: dict[str, list[Mapping[str, Any]]] = {}
    for scenario in spec["scenarios"]:
        if scenario["outcome"] == "failed" and not is_advice(scenario, profile):
            scenarios.setdefault(scenario["requirement"], []).append(scenario)
    page.heading(f"What failed · {_counted(len(failed), 'requirement')}", "bold red")
    for position, requirement in enumerate(failed):
        page.blank()
        decides = requirement["level"] == "MUST" or (requirement["level"] == "SHOULD" and profile == "strict")
        level = requirement["level"] if decides else f"{requirement['level']}, a warning"
        known = " · known failure" if requirement.get("known") else ""
        page.say(
            page.text(requirement["id"], "bold"),
            page.text(f"  {level} · {requirement['section']}{known}", "dim"),
            lead=page.text("✗ ", "red"),
        )
        page.say(page.bounded(requirement["text"], characters=400), indent=2)
        if requirement["cause"]:
            page.say(page.text(requirement["cause"], "red"), indent=2)
        own = scenarios.get(requirement["id"], [])
        full = _FULL_SCENARIOS if position < _FULL_REQUIREMENTS else 0
        for scenario in own[:full]:
            _failed_scenario(page, scenario)
        if full == 0 and own:
            message = own[0]["evidence"].get("message", "")
            page.say(page.bounded(f"{own[0]['id']}: {message}", characters=200, rows=2), indent=2)
            full = 1
        if own[full:]:
            page.say(
                page.words(s["id"] for s in own[full:]), indent=2, lead=page.text("also failed: ", "dim")
            )
    if any(len(own) > _FULL_SCENARIOS for own in scenarios.values()) or len(failed) > _FULL_REQUIREMENTS:
        page.blank()
        page.say(page.text("The evidence of every scenario: --report json=FILE", "dim"))


def _failed_scenario(page: Page, scenario: Mapping[str, Any]) -> None:
    evidence = scenario["evidence"]
    page.blank()
    page.say(
        page.text(f"{scenario['id']}  ", "bold"), page.bounded(scenario["title"], characters=300), indent=2
    )
    if scenario["file"]:
        page.say(page.text(f"{scenario['file']}:{scenario['line']}", "dim"), indent=4, hang=2)
    for label, value in _told(page, evidence):
        page.field(label, value, indent=4)


def _told(page: Page, evidence: Mapping[str, Any]) -> Iterable[tuple[str, Text]]:
    """Yield label and text of what a person needs to see of a failed scenario, in reading order."""
    if "simulated" in evidence:
        yield "on", page.text(f"a simulated {PLATFORMS[evidence['simulated']]}")
    for label, member in (("tree", "tree"), ("beside", "outside")):
        if member in evidence:
            yield label, page.bounded(evidence[member] or "(empty)")
    for call in evidence.get("calls") or [evidence.get("call")]:
        yield from _call(page, call)
    if evidence.get("step"):
        yield "at", page.bounded(evidence["step"])
    if evidence.get("message"):
        yield "message", page.bounded(evidence["message"], "red")
    # Where the difference is told, nobody reads two long texts to find it.
    longest = 400 if evidence.get("diff") else 1200
    if evidence.get("expected"):
        yield "expected", page.bounded(evidence["expected"], characters=longest)
    got = evidence.get("got") or _answer(evidence.get("outcome"))
    if got:
        yield "got", page.bounded(got, characters=longest)
    if evidence.get("diff"):
        yield "difference", _difference(page, evidence["diff"])
    if evidence.get("scenario"):
        yield "to paste", page.bounded(evidence["scenario"], characters=2400)
    if evidence.get("stderr"):
        yield "stderr", page.bounded(evidence["stderr"], "dim")


def _call(page: Page, call: Mapping[str, Any] | None) -> Iterable[tuple[str, Text]]:
    if call is None:
        return
    yield "call", page.bounded(f"{call['tool']} {call['arguments']}")
    added = {key: value for key, value in call.get("context", {}).items() if key not in _EVERY_CONTEXT}
    if added:
        yield "context", page.bounded(json_text(added))


def _answer(answer: Mapping[str, Any] | None) -> str:
    """Return an answer as a person reads it: the content, or kind and message of an error."""
    if answer is None:
        return ""
    if answer["status"] == "ok":
        return str(answer.get("content", ""))
    return f"{answer.get('kind')}: {answer.get('message') or ''}"


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


def _faults(page: Page, spec: Mapping[str, Any]) -> None:
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
    page.heading(f"What broke · {_counted(count, 'scenario')} without a verdict", "bold magenta")
    for cause, scenarios in groups.items():
        page.blank()
        page.say(page.bounded(cause, characters=600), lead=page.text("! ", "magenta"))
        page.say(page.words(scenario["id"] for scenario in scenarios), indent=2)
        first = scenarios[0]["evidence"]
        for label, value in _call(page, first.get("call")):
            page.field(label, value, indent=2)
        if first.get("stderr"):
            page.field("stderr", page.bounded(first["stderr"], "dim"), indent=2)


def _readings(page: Page, spec: Mapping[str, Any]) -> None:
    seen = [entry for entry in spec["interpretations"] if entry["observed"]]
    if not seen:
        return
    page.heading("Readings seen, where the specification leaves room")
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


def _unverified(page: Page, spec: Mapping[str, Any], *, narrowed: bool) -> None:
    groups: dict[str, list[str]] = {}
    for requirement in spec["requirements"]:
        if requirement["verdict"] == "NOT VERIFIED":
            groups.setdefault(requirement["cause"], []).append(requirement["id"])
    if groups:
        page.heading(
            f"Not verified · {_counted(sum(map(len, groups.values())), 'requirement')}", "bold yellow"
        )
    for cause, ids in groups.items():
        many = page.text(f" ({len(ids)})", "dim")
        page.say(page.bounded(cause, characters=400), many, lead=page.text("? ", "yellow"))
        if narrowed and cause in (NOT_SELECTED, NO_SCENARIO):
            continue  # of a narrowed run nobody wants to read all that it left out
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
            page.heading(f"{label} · {_counted(len(ids), 'requirement')}", "dim")
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
        count = _counted(sum(held.values()), "scenario")
        page.blank()
        page.say(page.text(f"Simulated · {count} held ({where}), which is no evidence of conformance", "dim"))


def _warnings(page: Page, run: Document) -> None:
    groups: dict[str, list[str]] = {warning: [] for warning in run["warnings"]}
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            for warning in scenario["warnings"]:
                groups.setdefault(warning, []).append(scenario["id"])
            if scenario["outcome"] == "failed" and is_advice(scenario, run["profile"]):
                advice = f"{scenario['requirement']}, advisory: {scenario['evidence']['message']}"
                groups.setdefault(advice, []).append(scenario["id"])
    if groups:
        page.heading("Warnings", "bold yellow")
    for warning, ids in groups.items():
        page.say(page.bounded(warning, characters=400), lead=page.text("! ", "yellow"))
        if ids:
            page.say(page.words(ids, "dim"), indent=4)


def _conclusion(page: Page, run: Document) -> None:
    page.blank()
    if run["interrupted"]:
        page.say(page.text("The run was interrupted; what did not run is not verified.", "yellow"))
    reason = run["reason"]
    if not run["claim"] and "not a conformance claim" not in reason:
        page.say(page.text("A narrowed run: not a conformance claim.", "yellow"))
    page.say(page.text(run["verdict"], _WORDS.get(run["verdict"], "bold")), page.text(f": {reason}"))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
