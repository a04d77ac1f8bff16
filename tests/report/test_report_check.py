"""A run document is held against its own records and against the installed catalogue."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.report.merging import RunReport, judge_again
from treeproof.report.report_check import check_report
from treeproof.run.plan import Options
from treeproof.run.runner import run
from treeproof.spec.contract import find_installed
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
SELECTED = ("LD-LST-05-01", "LD-LST-05-03", "FR-LD-DEF-02")


@pytest.fixture(scope="module")
def failing() -> Json:
    return run(Options(target="mutant:MUT-001", specs=("list_directory",), select=SELECTED)).document.to_json()


@pytest.fixture(scope="module")
def passing() -> Json:
    return run(Options(target="reference", specs=("list_directory",), select=SELECTED)).document.to_json()


def check(document: Json) -> Sequence[str]:
    return check_report(RunReport(Path("run.json"), document), find_installed)


def test_honest_documents_are_accepted_without_a_note(failing: Json, passing: Json) -> None:
    assert (failing["verdict"], passing["verdict"]) == ("non-conformant", "partial")
    assert list(check(failing)) == list(check(passing)) == []


def test_what_an_interpretation_affects_is_judged_again_as_in_the_run(failing: Json) -> None:
    """A reading that is not accepted blocks the requirements that the interpretation does not affect."""
    pack = find_installed("list_directory")
    assert pack is not None
    (judgement,), _ = judge_again(RunDocument.from_json(failing), [pack])
    affects = {one.id: one.affects for one in pack.interpretations}
    assert {one.id: one.affects for one in judgement.pack.interpretations} == affects and any(affects.values())
    changed = copy.deepcopy(failing)
    one = next(one for one in changed["specs"][0]["interpretations"] if one["affects"])
    one["affects"] = []
    with pytest.raises(UsageError, match=f"{one['id']} affects other requirements"):
        check(changed)


@pytest.mark.parametrize("word", ["conformant", "partial", "incomplete"])
def test_a_conclusion_that_the_records_contradict_is_refused(failing: Json, word: str) -> None:
    changed = {**failing, "verdict": word, "exit": 0}
    with pytest.raises(UsageError, match=rf"run\.json: its conclusion is {word}, and its own records show non-conf"):
        check(changed)


def test_verdicts_of_requirements_are_not_believed(failing: Json) -> None:
    changed = copy.deepcopy(failing)
    for requirement in changed["specs"][0]["requirements"]:
        requirement["verdict"] = "PASS"
    with pytest.raises(UsageError, match="its own records show non-conformant"):
        check({**changed, "verdict": "partial", "exit": 0})


def test_a_verdict_that_the_records_contradict_is_refused(failing: Json) -> None:
    changed = copy.deepcopy(failing)
    [one] = [one for one in changed["specs"][0]["requirements"] if one["verdict"] == "FAIL"]
    one["verdict"] = "PASS"
    with pytest.raises(UsageError, match=f"the verdict of {one['id']} is PASS, and its own records show FAIL"):
        check(changed)


@pytest.mark.parametrize("noun", ["requirement", "interpretation", "scenario"])
def test_what_is_listed_twice_is_refused(failing: Json, noun: str) -> None:
    changed = copy.deepcopy(failing)
    ones = changed["specs"][0][f"{noun}s"]
    ones.append({**ones[0], "outcome": "passed"})
    with pytest.raises(UsageError, match=rf"run\.json: it contains the {noun} {ones[0]['id']} more than once"):
        check(changed)


def test_a_specification_that_is_listed_twice_is_refused(passing: Json) -> None:
    with pytest.raises(UsageError, match="it contains the specification list_directory more than once"):
        check({**passing, "specs": passing["specs"] * 2})


def test_a_cut_catalogue_is_refused(passing: Json) -> None:
    changed = copy.deepcopy(passing)
    [spec] = changed["specs"]
    spec["requirements"] = [one for one in spec["requirements"] if one["id"] == "FR-LD-LST-05"]
    with pytest.raises(UsageError, match=r"is not that of treeproof .*requirements are missing: A-01, A-02, A-03, …"):
        check(changed)


def test_a_scenario_that_was_removed_is_refused(failing: Json) -> None:
    changed = copy.deepcopy(failing)
    [spec] = changed["specs"]
    lost = {one["id"] for one in spec["scenarios"] if one["outcome"] == "failed"}
    spec["scenarios"] = [one for one in spec["scenarios"] if one["id"] not in lost]
    for requirement in spec["requirements"]:
        requirement["scenarios"] = [id for id in requirement["scenarios"] if id not in lost]
    with pytest.raises(UsageError, match=r"scenario(s are| is) missing: LD-"):
        check({**changed, "verdict": "partial", "exit": 0})


@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("level", "SHOULD", "FR-LD-LST-05 has another level"),
        ("basis", "prudent", "FR-LD-LST-05 has another basis"),
        ("verdict", "EXCLUDED", "FR-LD-LST-05 has another verdict EXCLUDED"),
    ],
)
def test_a_requirement_that_decides_less_is_refused(failing: Json, member: str, value: str, message: str) -> None:
    changed = copy.deepcopy(failing)
    [one] = [one for one in changed["specs"][0]["requirements"] if one["id"] == "FR-LD-LST-05"]
    one.update({member: value, "cause": "no"})
    with pytest.raises(UsageError, match=message):
        check(changed)


def test_a_scenario_of_another_basis_is_refused(failing: Json) -> None:
    changed = copy.deepcopy(failing)
    changed["specs"][0]["scenarios"][0]["basis"] = "prudent"
    with pytest.raises(UsageError, match="verifies another requirement or has another basis"):
        check({**changed, "verdict": "non-conformant"})


def test_another_document_is_refused(passing: Json) -> None:
    changed = copy.deepcopy(passing)
    changed["specs"][0]["sha256"] = "0" * 64
    with pytest.raises(UsageError, match="it is of another document"):
        check(changed)


def test_what_cannot_be_checked_is_noted(passing: Json) -> None:
    assert check({**passing, "treeproof": "9.9"}) == [
        "run.json: the catalogue of list_directory 1.1 cannot be checked: it is of treeproof 9.9"
    ]
    changed = copy.deepcopy(passing)
    changed["specs"][0]["name"] = "read_text"
    assert check(changed) == [
        "run.json: the catalogue of read_text 1.1 cannot be checked: this installation does not contain it"
    ]
