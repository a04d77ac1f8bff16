"""JUnit XML: the elements of every outcome and verdict."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from treeproof.report.formats import junit
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]


def parse_junit(run: Json) -> Element:
    return ElementTree.fromstring(junit.dump(RunDocument.from_json(run)))


def find_case(root: Element, id: str) -> Element:
    found = [each for each in root.iter("testcase") if each.get("name", "").split(" ")[0] == id]
    assert len(found) == 1
    return found[0]


def case_properties(element: Element) -> dict[str, str]:
    return {p.get("name", ""): p.get("value", "") for p in element.findall("properties/property")}


def test_every_scenario_is_a_case_with_requirement_level_and_verdict(mixed: Json) -> None:
    root = parse_junit(mixed)
    for scenario in mixed["specs"][0]["scenarios"]:
        properties = case_properties(find_case(root, scenario["id"]))
        assert properties["requirement"] == scenario["requirement"]
        assert properties["level"] in ("MUST", "SHOULD", "MAY")
        assert properties["verdict"] in ("PASS", "FAIL", "NOT VERIFIED", "NOT APPLICABLE", "EXCLUDED")


@pytest.mark.parametrize(
    ("id", "tag", "message"),
    [
        ("LD-LST-05-01", "failure", "the entries differ from the expected ones"),
        ("LD-LST-06-01", "error", "candidate fault (exit): it ended with status 139 in the middle of a call"),
        ("LD-LST-07-01", "skipped", "not verified: the candidate does not declare the capability config"),
        ("LD-LST-10-01", "skipped", "not applicable: applies on Windows only"),
        ("FR-LD-LST-08", "skipped", "not verified: no scenario verifies it yet"),
        ("FR-LD-LST-11", "skipped", "excluded: a reason"),
    ],
)
def test_each_outcome_has_its_element(mixed: Json, id: str, tag: str, message: str) -> None:
    marks = [mark for mark in find_case(parse_junit(mixed), id) if mark.tag != "properties"]
    assert [(mark.tag, mark.get("message")) for mark in marks] == [(tag, message)]


def test_a_passed_scenario_has_no_result_element(mixed: Json) -> None:
    assert [mark.tag for mark in find_case(parse_junit(mixed), "LD-VAL-01-01")] == ["properties"]


def test_a_failed_requirement_without_a_failed_scenario_is_a_test_case(mixed: Json) -> None:
    failure = find_case(parse_junit(mixed), "FR-LD-VAL-02").find("failure")
    assert failure is not None
    assert "inconsistent readings of AMB-LD-02" in failure.get("message", "")


def test_a_failure_contains_its_evidence(mixed: Json) -> None:
    failure = find_case(parse_junit(mixed), "LD-LST-05-01").find("failure")
    assert failure is not None and failure.text is not None
    for part in ("tree: a/{b}, a-b\n", "expected: a, a/b\n", "diff:\n  - a/b\n  + a-b\n"):
        assert part in failure.text


def test_the_counts_equal_the_numbers_of_elements(mixed: Json) -> None:
    root = parse_junit(mixed)
    for attribute, tag in (("failures", "failure"), ("errors", "error")):
        assert int(root.get(attribute, "")) == len(list(root.iter(tag)))
    assert sum(int(suite.get("skipped", "")) for suite in root) == len(list(root.iter("skipped")))
    assert int(root.get("tests", "")) == len(list(root.iter("testcase"))) == 12


def test_the_conclusion_and_exit_code_are_properties(mixed: Json) -> None:
    root = parse_junit(mixed)
    assert root.get("name") == "treeproof: non-conformant"
    assert all(case_properties(suite)["verdict"] == "non-conformant" for suite in root)
    assert all(case_properties(suite)["exit"] == "1" for suite in root)


def test_a_partial_run_is_marked_as_no_claim(run: Callable[..., Json]) -> None:
    root = parse_junit(run([], [], verdict="partial", claim=False, selection=["FR-LD-LST-05"], reason="held"))
    assert root.get("name") == "treeproof: partial (not a conformance claim)"
    assert case_properties(root[0])["claim"] == "false: not a conformance claim"
    assert case_properties(root[0])["selection"] == "FR-LD-LST-05"


def test_a_known_failure_is_skipped(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    root = parse_junit(run([requirement("FR-A", "FAIL", known=True)], [scenario("A-1", "FR-A", "failed", message="m")]))
    skipped = find_case(root, "A-1").find("skipped")
    assert skipped is not None and skipped.get("message") == "known failure: m"
    assert root.get("failures") == "0"


def test_equal_documents_give_equal_bytes(mixed: Json) -> None:
    assert junit.dump(RunDocument.from_json(mixed)) == junit.dump(RunDocument.from_json(mixed))


def test_an_advisory_failure_fails_under_the_strict_profile_only(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    advice = scenario("A-1", "FR-A", "failed", message="m") | {"advisory": True}
    skipped = find_case(parse_junit(run([requirement("FR-A", scenarios=["A-1"])], [advice])), "A-1").find("skipped")
    assert skipped is not None and skipped.get("message") == "beyond the document: m"
    strict = run([requirement("FR-A", "FAIL", scenarios=["A-1"])], [advice], profile="strict")
    assert find_case(parse_junit(strict), "A-1").find("failure") is not None


def test_an_unselected_requirement_is_no_test_case(run: Callable[..., Json], requirement: Callable[..., Json]) -> None:
    left_out = requirement("FR-A", "NOT VERIFIED", cause="not selected", code="not_selected", scenarios=["A-1"])
    assert list(parse_junit(run([left_out], [], selection=["FR-B"], claim=False)).iter("testcase")) == []


# The attributes and children that the schema of Jenkins (junit-10.xsd) allows for each element of our reports.
# The only addition to the schema: the properties of a case.
ALLOWED = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}, {"properties", "testcase"}),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "classname", "time"}, {"properties", "failure", "error", "skipped"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message", "type"}, set()),
}
REQUIRED = {"testsuite": {"name", "tests", "failures", "errors"}, "property": {"name", "value"}, "testcase": {"name"}}
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?")


def test_every_element_conforms_to_the_schema_of_jenkins(mixed: Json) -> None:
    for element in parse_junit(mixed).iter():
        attributes, children = ALLOWED[element.tag]
        assert REQUIRED.get(element.tag, set()) <= set(element.attrib) <= attributes
        assert {child.tag for child in element} <= children
        assert TIME.fullmatch(element.get("time", "0"))


def test_a_blocked_scenario_is_skipped_with_the_requirement_that_blocks_it(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    blocked = {"cause": "blocked by FR-A", "code": "blocked", "blocked_by": "FR-A"}
    requirements = [requirement("FR-A", "FAIL"), requirement("FR-B", "NOT VERIFIED", **blocked)]
    scenarios = [
        scenario("A-1", "FR-A", "failed"),
        scenario("B-1", "FR-B", "not-verified", message="the call failed", **blocked),
    ]
    written = junit.dump(RunDocument.from_json(run(requirements, scenarios))).decode("utf-8")
    assert '<skipped message="not verified: blocked by FR-A: the call failed"' in written
