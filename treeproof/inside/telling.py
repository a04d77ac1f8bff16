"""What a person reads of scenarios in a pytest run: a failure, and the section at the end.

Everything that a candidate wrote is escaped by the reports' own page; no line of this file goes around it.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console

from treeproof.report.advice import way_out
from treeproof.report.document import Document
from treeproof.report.escape import shortened, visible
from treeproof.report.page import Page
from treeproof.report.terminal import print_scenario
from treeproof.spec import Pack, Requirement
from treeproof.verdict import Record
from treeproof.verdict.judge import INTERRUPTED, NOT_SELECTED

Line = tuple[str, str]
"""A style of pytest's terminal (``red``, ``yellow``, ``green``, ``bold`` or none) and a text."""

_STYLES = {"conformant": "green", "partial": "green", "incomplete": "yellow"}
_FEW = 12  # requirements that passed are named where there are not more


def line(text: str) -> str:
    """Return ``text`` as one short line that cannot act on a terminal."""
    return visible(shortened(text, 300))


def message(record: Record) -> str:
    """Return what is to be said of a record in one line."""
    return line(str(record.evidence.get("message") or record.evidence.get("cause") or record.outcome))


def failure(record: Record, pack: Pack, requirement: Requirement, node: str, target: str, width: int) -> str:
    """Return all that a person needs to see of a scenario that failed or broke, the item ``node``."""
    out = io.StringIO()
    page = Page(Console(file=out, width=width, color_system=None, markup=False, emoji=False, highlight=False))
    page.say(f"{requirement.id}  {requirement.level} · {requirement.section}")
    page.say(page.bounded(requirement.text, characters=600), indent=2)
    cause = record.evidence.get("cause")
    if cause:
        page.say(page.bounded(str(cause)), indent=2)
    print_scenario(page, record.to_json())
    page.blank()
    one = ["--spec", pack.name, "--select", record.id]
    page.field("explain", page.text(f"treeproof explain {record.id}"), indent=4)
    page.field("again", page.text(shlex.join(["pytest", "--treeproof", target, node])), indent=4)
    page.field("alone", page.text(shlex.join(["treeproof", "run", target, *one])), indent=4)
    return out.getvalue()


def summary(
    run: Document, chosen: int, scenarios: int, unseen: Sequence[str], verbosity: int
) -> Iterator[Line]:
    """Yield the section at the end: the verdict of every requirement, and last the word of the run.

    ``chosen`` of ``scenarios`` ran; ``unseen`` are reasons for a failure that no item shows.
    """
    candidate = run["candidate"]
    named = " ".join(part for part in (candidate["name"], candidate["version"]) if part)
    for spec in run["specs"]:
        if not spec["scenarios"]:
            continue
        yield "bold", line(f"{spec['name']} {spec['version']} · {named} · profile {run['profile']}")
        yield from _of(spec, verbosity)
    for said in run["warnings"][:10]:
        yield "yellow", f"! {line(said)}"
    for said in unseen:
        yield "red", f"no single scenario shows it: {line(said)}"
    skipped = sum(s["outcome"] == "not-verified" for spec in run["specs"] for s in spec["scenarios"])
    if skipped:
        yield "yellow", f"{skipped} skipped scenarios were not verified, and none of them passed"
    if chosen < scenarios:
        yield "yellow", f"{chosen} of {scenarios} scenarios were asked for: no conformance claim"
    if run["interrupted"]:
        yield "yellow", "the run was stopped before its end: no conformance claim"
    yield _STYLES.get(run["verdict"], "red"), f"{run['verdict']}: {line(run['reason'])}"


def _of(spec: Mapping[str, Any], verbosity: int) -> Iterator[Line]:
    by_verdict: dict[str, list[Mapping[str, Any]]] = {}
    for requirement in spec["requirements"]:
        by_verdict.setdefault(requirement["verdict"], []).append(requirement)
    yield "", ", ".join(f"{len(own)} {verdict}" for verdict, own in by_verdict.items())
    for requirement in by_verdict.get("FAIL", ()):
        known = ", known" if requirement["known"] else ""
        failed = {s["id"] for s in spec["scenarios"] if s["outcome"] == "failed"}
        why = ", ".join(id for id in requirement["scenarios"] if id in failed) or requirement["cause"] or ""
        yield "red", f"FAIL  {requirement['id']} ({requirement['level']}{known}): {line(why)}"
    causes: dict[str, list[str]] = {}
    for requirement in by_verdict.get("NOT VERIFIED", ()):
        causes.setdefault(requirement["cause"], []).append(requirement["id"])
    for cause, ids in causes.items():
        few = cause in (NOT_SELECTED, INTERRUPTED) and verbosity <= 0
        yield (
            "yellow",
            f"NOT VERIFIED  {line(cause)}: {f'{len(ids)} requirements' if few else ', '.join(ids)}",
        )
        way = None if few else way_out(cause)
        if way:
            yield "", f"  how: {line(way)}"
    passed = [requirement["id"] for requirement in by_verdict.get("PASS", ())]
    if passed and (verbosity > 0 or len(passed) <= _FEW):
        yield "green", f"PASS  {', '.join(passed)}"
