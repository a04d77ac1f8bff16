"""A run as JUnit XML: one suite per specification, one test case per scenario.

Requirement, level and verdict are properties. Requirements whose verdict is not the outcome of a scenario are in a
second suite. The file is valid for the schema of Jenkins (junit-10.xsd), except for the properties of test cases, which
Jenkins and other programs read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from treeproof.report.escape import shortened, visible
from treeproof.report.formats import cases
from treeproof.report.formats.cases import Case
from treeproof.verdict.run_document import RunDocument

_MAX_MESSAGE = 500  # characters of a message attribute


def dump(run: RunDocument) -> bytes:
    """Return the run as JUnit XML in UTF-8."""
    root = Element("testsuites", name=f"treeproof: {run.conclusion}")
    for spec in run.specs:
        name = spec.label
        _add_suite(root, name, run, cases.scenario_cases(spec, run.profile))
        _add_suite(root, f"{name}: requirements", run, cases.requirement_cases(spec, run.profile))
    for count in ("tests", "failures", "errors"):  # the schema has no `skipped` here
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", _format_seconds(run.seconds))
    ElementTree.indent(root, " ")
    body: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + body + b"\n"


def _add_suite(root: Element, name: str, run: RunDocument, test_cases: Iterable[Case]) -> None:
    suite = SubElement(root, "testsuite", name=visible(name), timestamp=run.started)
    facts: dict[str, Any] = {
        "treeproof": run.treeproof,
        "verdict": run.verdict,
        "reason": run.reason,
        "exit": run.exit,
        "claim": "true" if run.claim else "false: not a conformance claim",
        "profile": run.profile,
        "interrupted": "true" if run.interrupted else "false",
        "seed": run.seed,
        "candidate": run.candidate.label,
        "language": run.candidate.language,
        "adapter": run.candidate.adapter,
    }
    if run.selection is not None:
        facts["selection"] = " ".join(run.selection)
    _add_properties(suite, facts.items())
    for case in test_cases:
        _add_case(suite, case)
    found = suite.findall("testcase")
    suite.set("tests", str(len(found)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in found)))
    suite.set("time", _format_seconds(sum(float(case.get("time", "0")) for case in found)))


def _add_properties(parent: Element, facts: Iterable[tuple[str, Any]]) -> None:
    properties = SubElement(parent, "properties")
    for name, value in facts:
        SubElement(properties, "property", name=name, value=visible(str(value)))


def _add_case(suite: Element, case: Case) -> None:
    element = SubElement(
        suite,
        "testcase",
        classname=visible(f"{case.spec.name}.{case.requirement_id}"),
        name=visible(case.name),
        time=_format_seconds(case.scenario.seconds if case.scenario else 0.0),
    )
    facts: list[tuple[str, Any]] = [("requirement", case.requirement_id)]
    if case.requirement is not None:
        facts += [(name, getattr(case.requirement, name)) for name in ("level", "verdict", "section")]
    if case.scenario is not None:
        facts += [("also", other) for other in case.scenario.also]
        facts += [("reading", f"{entry}={label}") for entry, label in case.scenario.readings.items()]
        facts += [("warning", warning) for warning in case.scenario.warnings]
        if case.scenario.place:
            facts.append(("source", case.scenario.place))
    _add_properties(element, facts)
    match case.state:
        case cases.PASSED:
            return
        case cases.FAILED:
            mark = SubElement(element, "failure", message=_message(case.message or ""), type="failed")
        case cases.FAULT:
            mark = SubElement(element, "error", message=_message(case.message or ""), type="fault")
        case _:
            mark = SubElement(element, "skipped", message=_message(f"{case.state}: {case.message}"))
    text = cases.evidence_text(case.evidence)
    if text and case.state not in (cases.NOT_VERIFIED, cases.NOT_APPLICABLE):
        mark.text = f"\n{text}"


def _message(text: str) -> str:
    return shortened(visible(text), _MAX_MESSAGE)


def _format_seconds(seconds: float) -> str:
    return f"{seconds:.3f}"  # the schema permits three digits
