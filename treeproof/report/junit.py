"""The run document as JUnit XML, for the CI that reads nothing else.

A suite a specification, a case a scenario; requirement, level and verdict are properties. A verdict that no
case of its own shows (a requirement without scenarios, readings that contradict each other) becomes a case of
a second suite, so that an incomplete run never looks like a complete green one. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from treeproof.report.document import Document, is_advice
from treeproof.report.escape import json_text, shortened, visible
from treeproof.verdict.judge import NOT_SELECTED

_TEXT = 16_384  # characters of one evidence member
_MESSAGE = 500  # characters of a message attribute


def dump(run: Document) -> bytes:
    """Return the run as JUnit XML in UTF-8. What XML 1.0 forbids in a text is a visible escape."""
    root = Element("testsuites", name=f"treeproof: {_conclusion(run)}")
    for spec in run["specs"]:
        suite = _suite(root, f"{spec['name']} {spec['version']}", run)
        verdicts = {requirement["id"]: requirement for requirement in spec["requirements"]}
        for scenario in spec["scenarios"]:
            _scenario_case(suite, spec, scenario, verdicts.get(scenario["requirement"]), run["profile"])
        _tally(suite)
        rest = _suite(root, f"{spec['name']} {spec['version']}: requirements", run)
        for requirement in unshown(spec, run["profile"]):
            _requirement_case(rest, spec, requirement)
        _tally(rest)
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", _seconds(run["seconds"]))
    ElementTree.indent(root, " ")
    body: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + body + b"\n"


def unshown(spec: Mapping[str, Any], profile: str) -> list[Mapping[str, Any]]:
    """Return the requirements whose verdict no scenario's own outcome shows, in the catalogue's order.

    Those that a narrowed run was not asked for are left out.
    """
    outcomes: dict[str, set[str]] = {}
    for scenario in spec["scenarios"]:
        if not is_advice(scenario, profile):
            outcomes.setdefault(scenario["requirement"], set()).add(scenario["outcome"])
    shown_by = {
        "PASS": {"passed"},
        "FAIL": {"failed"},
        "NOT VERIFIED": {"not-verified", "fault"},
        "NOT APPLICABLE": {"not-applicable"},
    }
    return [
        requirement
        for requirement in spec["requirements"]
        if not shown_by.get(requirement["verdict"], set()) & outcomes.get(requirement["id"], set())
        and not (requirement["verdict"] == "PASS" and requirement["scenarios"])
        and requirement["cause"] != NOT_SELECTED
    ]


def _conclusion(run: Document) -> str:
    claim = "" if run["claim"] else " (not a conformance claim)"
    return f"{run['verdict']}{claim}"


def _suite(root: Element, name: str, run: Document) -> Element:
    suite = SubElement(root, "testsuite", name=visible(name), timestamp=run["started"])
    candidate = run["candidate"]
    facts = {
        "treeproof": run["treeproof"],
        "verdict": run["verdict"],
        "reason": run["reason"],
        "exit": run["exit"],
        "claim": "true" if run["claim"] else "false: not a conformance claim",
        "profile": run["profile"],
        "interrupted": "true" if run["interrupted"] else "false",
        "seed": run["seed"],
        "candidate": f"{candidate['name']} {candidate['version']}".strip(),
        "language": candidate["language"],
        "adapter": candidate["adapter"],
    }
    if run["selection"] is not None:
        facts["selection"] = " ".join(run["selection"])
    _properties(suite, facts.items())
    return suite


def _properties(parent: Element, facts: Iterable[tuple[str, Any]]) -> None:
    properties = SubElement(parent, "properties")
    for name, value in facts:
        SubElement(properties, "property", name=name, value=visible(str(value)))


def _tally(suite: Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", _seconds(sum(float(case.get("time", "0")) for case in cases)))


def _scenario_case(
    suite: Element,
    spec: Mapping[str, Any],
    scenario: Mapping[str, Any],
    requirement: Mapping[str, Any] | None,
    profile: str,
) -> None:
    case = SubElement(
        suite,
        "testcase",
        classname=visible(f"{spec['name']}.{scenario['requirement']}"),
        name=visible(f"{scenario['id']} {scenario['title']}".strip()),
        time=_seconds(scenario["seconds"]),
    )
    facts: list[tuple[str, Any]] = [("requirement", scenario["requirement"])]
    if requirement is not None:
        facts += [("level", requirement["level"]), ("verdict", requirement["verdict"])]
    facts += [("also", other) for other in scenario["also"]]
    facts += [("reading", f"{entry}={label}") for entry, label in scenario["readings"].items()]
    facts += [("warning", warning) for warning in scenario["warnings"]]
    if scenario["file"]:
        facts.append(("source", f"{scenario['file']}:{scenario['line']}"))
    _properties(case, facts)
    evidence = scenario["evidence"]
    message = evidence.get("message") or evidence.get("cause") or scenario["outcome"]
    match scenario["outcome"]:
        case "passed":
            pass
        case "failed" if is_advice(scenario, profile):
            _mark(case, "skipped", f"advisory: {message}", evidence=evidence)
        case "failed" if requirement is not None and requirement.get("known"):
            _mark(case, "skipped", f"known failure: {message}", evidence=evidence)
        case "failed":
            _mark(case, "failure", message, type_="failed", evidence=evidence)
        case "fault":
            _mark(case, "error", message, type_="fault", evidence=evidence)
        case "not-verified":
            _mark(case, "skipped", f"not verified: {message}")
        case "not-applicable":
            _mark(case, "skipped", f"not applicable: {message}")
        case unknown:
            raise ValueError(f"unknown outcome {unknown!r}")


def _requirement_case(suite: Element, spec: Mapping[str, Any], requirement: Mapping[str, Any]) -> None:
    case = SubElement(
        suite,
        "testcase",
        classname=visible(f"{spec['name']}.{requirement['id']}"),
        name=visible(requirement["id"]),
        time=_seconds(0),
    )
    facts = [(name, requirement[name]) for name in ("id", "level", "verdict", "section")]
    _properties(case, [("requirement", facts[0][1]), *facts[1:]])
    cause = requirement["cause"] or "no scenario shows why"
    match requirement["verdict"]:
        case "PASS":  # shown elsewhere: it restates another requirement
            pass
        case "FAIL" if not requirement.get("known"):
            _mark(case, "failure", cause, type_="failed")
        case verdict:
            _mark(case, "skipped", f"{'known failure' if verdict == 'FAIL' else verdict.lower()}: {cause}")


def _mark(
    case: Element, tag: str, message: str, *, type_: str = "", evidence: Mapping[str, Any] | None = None
) -> None:
    mark = SubElement(case, tag, message=shortened(visible(message), _MESSAGE))
    if type_:
        mark.set("type", type_)
    if evidence:
        mark.text = "\n" + "".join(
            _member(name, value) for name, value in evidence.items() if value not in ("", None)
        )


def _member(name: str, value: Any) -> str:
    whole = "\n".join(value) if name == "steps" else value if isinstance(value, str) else json_text(value)
    text = shortened(visible(whole, lines=True), _TEXT)
    lines = text.split("\n")
    return f"{name}: {text}\n" if len(lines) == 1 else "\n  ".join([f"{name}:", *lines]) + "\n"


def _seconds(seconds: float) -> str:
    return f"{seconds:.4f}"
