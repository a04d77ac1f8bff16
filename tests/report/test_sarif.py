"""SARIF: conforms to the standard for every written object (`schemas/sarif.json`) and contains every failure."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from treeproof.report.formats import sarif
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif.json").read_text("utf-8"))


def dump_sarif_run(run: Json) -> Json:
    log = json.loads(sarif.dump(RunDocument.from_json(run)))
    assert list(Draft202012Validator(SCHEMA).iter_errors(log)) == []
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    for result in only["results"]:
        assert "ruleIndex" not in result or rules[result["ruleIndex"]]["id"] == result["ruleId"]
    return only  # type: ignore[no-any-return]


def results_by_case(run: Json) -> dict[str, Json]:
    return {result["message"]["text"].split(" ")[0].rstrip(":"): result for result in dump_sarif_run(run)["results"]}


def test_every_requirement_is_a_rule_with_level_section_and_text(mixed: Json) -> None:
    rules = dump_sarif_run(mixed)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [r["id"] for r in mixed["specs"][0]["requirements"]]
    assert rules[2]["fullDescription"]["text"] == "depth-first pre-order, siblings by ascending lossy name"
    assert rules[2]["properties"]["section"] == "3.4 Traversal semantics"
    assert [rule["defaultConfiguration"]["level"] for rule in rules[-3:]] == ["error", "warning", "note"]
    assert "treeproof explain FR-LD-LST-05" in rules[2]["help"]["text"]


def test_every_failed_scenario_is_a_result_at_its_feature_file_and_line(mixed: Json) -> None:
    result = results_by_case(mixed)["LD-LST-05-01"]
    assert (result["ruleId"], result["kind"], result["level"]) == ("FR-LD-LST-05", "fail", "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "features/list_directory/traversal.feature"
    assert place["region"] == {"startLine": 12}
    assert result["properties"]["evidence"]["tree"] == "a/{b}, a-b"
    assert result["properties"]["again"] == "treeproof run TARGET --select LD-LST-05-01"


def test_an_unverified_or_failed_requirement_without_a_failed_scenario_is_a_result(mixed: Json) -> None:
    found = results_by_case(mixed)
    assert found["FR-LD-VAL-02"]["kind"] == "fail"
    kinds = {id: result["kind"] for id, result in found.items() if result["kind"] == "open"}
    assert list(kinds) == ["FR-LD-LST-06", "FR-LD-LST-07", "FR-LD-LST-08", "FR-LD-LST-09"]
    assert "Remedy: implement this part" in found["FR-LD-LST-07"]["message"]["text"]
    assert found["FR-LD-LST-08"]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == (
        "features/list_directory/spec.toml"
    )


def test_passed_requirements_and_scenarios_are_no_results(mixed: Json, run: Callable[..., Json]) -> None:
    found = results_by_case(mixed)
    assert not {"LD-VAL-01-01", "FR-LD-VAL-01", "LD-LST-10-01", "FR-LD-LST-10", "FR-LD-LST-11"} & set(found)
    assert dump_sarif_run(run([], []))["results"] == []


def test_the_invocation_has_the_exit_code_its_reason_and_the_notifications(mixed: Json) -> None:
    (invocation,) = dump_sarif_run(mixed)["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (1, True)
    assert invocation["exitCodeDescription"].startswith("non-conformant: 2 requirements do not hold")
    assert invocation["endTimeUtc"] == "2001-02-03T04:05:08.440Z"
    broken, warning = invocation["toolExecutionNotifications"]
    assert broken["level"] == "error" and broken["message"]["text"].startswith("LD-LST-06-01")
    assert warning["message"]["text"] == "FR-LD-NAV-01 (SHOULD) does not hold"


def test_a_known_failure_is_suppressed_with_its_reason(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    known = run(
        [requirement("FR-A", "FAIL", known=True)],
        [scenario("A-1", "FR-A", "failed", message="m")],
        baseline={"file": "known.toml", "entries": [{"id": "FR-A", "reason": "next release", "state": "failed"}]},
    )
    assert results_by_case(known)["A-1"]["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "next release"}
    ]


def test_fingerprints_are_equal_in_every_run_and_differ_between_scenarios(mixed: Json) -> None:
    again = copy.deepcopy(mixed)
    again["started"] = "2002-02-03T04:05:06Z"
    again["specs"][0]["scenarios"][0]["line"] = 99
    first = {id: result["partialFingerprints"] for id, result in results_by_case(mixed).items()}
    assert first == {id: result["partialFingerprints"] for id, result in results_by_case(again).items()}
    assert len({json.dumps(prints) for prints in first.values()}) == len(first)


def test_two_specifications_may_have_requirements_with_the_same_id(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    both = run([requirement("C-01", "FAIL")], [scenario("A-1", "C-01", "failed")])
    other = copy.deepcopy(both["specs"][0]) | {"name": "another"}
    both["specs"].append(other)
    assert [rule["id"] for rule in dump_sarif_run(both)["tool"]["driver"]["rules"]] == [
        "list_directory/C-01",
        "another/C-01",
    ]
    assert [result["ruleIndex"] for result in dump_sarif_run(both)["results"]] == [0, 1]


def test_a_text_becomes_no_link_and_no_placeholder(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    failed = scenario("A-1", "FR-A", "failed", message="[x](http://example.invalid) {0} {{1}}")
    (result,) = dump_sarif_run(run([requirement("FR-A", "FAIL")], [failed]))["results"]
    assert "[x] (http" in result["message"]["text"] and " {{0}} {{{{1}}}}" in result["message"]["text"]


def test_results_of_one_cause_share_a_fingerprint_and_breaches_come_first(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    requirements = [requirement("FR-A", "FAIL"), requirement("FR-SEC", "FAIL", harm="escape")]
    scenarios = [
        scenario("A-1", "FR-A", "failed", kind="entries are missing"),
        scenario("A-2", "FR-A", "failed", kind="entries are missing"),
        scenario("S-1", "FR-SEC", "failed", kind="the call succeeded", harm="escape"),
    ]
    written = dump_sarif_run(run(requirements, scenarios))
    results = written["results"]
    assert [(one["properties"]["cause"], one["properties"]["severity"], one["rank"]) for one in results] == [
        (1, "escape", 95.0),
        (2, "answer", 60.0),
        (2, "answer", 60.0),
    ]
    causes = [one["partialFingerprints"]["treeproofCause/v1"] for one in results]
    assert causes[0] != causes[1] == causes[2]
    security = {rule["id"]: rule["properties"].get("security-severity") for rule in written["tool"]["driver"]["rules"]}
    assert security == {"FR-A": None, "FR-SEC": "8.0"}


def test_a_blocked_requirement_is_open_and_names_the_one_that_blocks_it(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    blocked = {"cause": "blocked by FR-A", "code": "blocked", "blocked_by": "FR-A"}
    requirements = [requirement("FR-A", "FAIL"), requirement("FR-B", "NOT VERIFIED", **blocked)]
    scenarios = [
        scenario("A-1", "FR-A", "failed"),
        scenario("B-1", "FR-B", "not-verified", message="the call failed", **blocked),
    ]
    found = results_by_case(run(requirements, scenarios))["FR-B"]
    assert (found["kind"], found["level"]) == ("open", "none")
    assert found["message"]["text"].startswith("FR-B: blocked by FR-A")
