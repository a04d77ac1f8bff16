"""Mistakes that pytest-bdd ignores silently are refused or fail here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.run.runner import Options, run
from treeproof.run.world import World

from ..echoes import FEATURE

RunFeature = Callable[..., dict[str, Any]]

GOOD = (
    FEATURE
    + """
  @EC-R-2
  Rule: it says nothing else

    @EC-2-01
    Scenario: another word
      Given the tree "a"
      When say is called with {"text": "other"}
      Then it says "other"
      And the tree is unchanged
"""
)


def test_the_good_feature_is_conformant(run_feature: RunFeature) -> None:
    run = run_feature(GOOD)
    assert (run["verdict"], run["exit"]) == ("conformant", 0), run["reason"]
    assert [s["id"] for s in run["specs"][0]["scenarios"]] == ["EC-1-01", "EC-2-01"]


@pytest.mark.parametrize(
    ("mistake", "before", "after", "message"),
    [
        ("two scenarios of one name", "Scenario: another word", "Scenario: a word", "title"),
        (
            "a misspelt keyword",
            'Given the tree "a"\n      When say is called with {"text": "other"}',
            'Giben the tree "a"\n      When say is called with {"text": "other"}',
            "Giben",
        ),
        ("a tag that is a mark of pytest", "@EC-2-01", "@EC-2-01 @skip", "skip"),
        ("one id twice", "@EC-2-01", "@EC-1-01", "EC-1-01"),
        ("an unknown requirement", "@EC-R-2", "@EC-R-9", "EC-R-9"),
    ],
)
def test_a_feature_that_would_pass_silently_is_refused(
    run_feature: RunFeature, mistake: str, before: str, after: str, message: str
) -> None:
    assert before in GOOD, mistake
    with pytest.raises(UsageError, match=message):
        run_feature(GOOD.replace(before, after))


def test_a_scenario_without_steps_is_refused(run_feature: RunFeature) -> None:
    with pytest.raises(UsageError, match="step"):
        run_feature(GOOD + "\n    @EC-2-02\n    Scenario: nothing at all\n")


def test_examples_without_rows_are_refused(run_feature: RunFeature) -> None:
    outline = """
    Scenario Outline: many words (<id>)
      Given the tree "a"
      When say is called with {"text": "<word>"}
      Then it says "<word>"
      And the tree is unchanged

      Examples:
        | id | word |
"""
    with pytest.raises(UsageError, match="row"):
        run_feature(GOOD + outline)


def test_an_unknown_tag_on_examples_is_refused(run_feature: RunFeature) -> None:
    outline = """
    Scenario Outline: many words (<id>)
      Given the tree "a"
      When say is called with {"text": "<word>"}
      Then it says "<word>"
      And the tree is unchanged

      @slow
      Examples:
        | id      | word |
        | EC-2-07 | w    |
"""
    with pytest.raises(UsageError, match="the tag @slow is unknown"):
        run_feature(GOOD + outline)


@pytest.mark.usefixtures("unlinted")
def test_an_async_step_is_a_fault_and_not_a_pass(run_feature: RunFeature, plain_steps: str) -> None:
    run = run_feature(GOOD, steps=plain_steps.replace("def it_says", "async def it_says"))
    assert run["verdict"] != "conformant"
    assert {s["outcome"] for s in run["specs"][0]["scenarios"]} == {"fault"}


@pytest.mark.usefixtures("unlinted")
def test_two_definitions_that_match_one_step_are_a_fault(run_feature: RunFeature, plain_steps: str) -> None:
    second = '\n@then("it says .*")\ndef anything(world):\n    pass\n'
    run = run_feature(GOOD, steps=plain_steps + second)
    assert run["verdict"] == "fault"
    assert "several step definitions match" in run["reason"]


@pytest.mark.usefixtures("unlinted")
def test_a_step_without_a_matching_definition_is_a_fault(run_feature: RunFeature) -> None:
    run = run_feature(GOOD.replace('Then it says "other"', 'Then it shouts "other"'))
    outcomes = {s["id"]: s["outcome"] for s in run["specs"][0]["scenarios"]}
    assert outcomes == {"EC-1-01": "passed", "EC-2-01": "fault"}


def test_the_rows_of_an_outline_run_one_by_one_under_their_ids(run_feature: RunFeature) -> None:
    outline = """
    Scenario Outline: many words (<id>)
      Given the tree "a"
      When say is called with {"text": "<word>"}
      Then it says "<expected>"
      And the tree is unchanged

      Examples:
        | id      | word | expected |
        | EC-2-07 | w    | w        |
        | EC-2-08 | v    | w        |
"""
    run = run_feature(GOOD + outline)
    outcomes = {s["id"]: s["outcome"] for s in run["specs"][0]["scenarios"]}
    assert outcomes == {"EC-1-01": "passed", "EC-2-01": "passed", "EC-2-07": "passed", "EC-2-08": "failed"}
    assert run["verdict"] == "non-conformant"


def test_a_run_with_a_selection_is_no_claim(run_feature: RunFeature) -> None:
    run = run_feature(GOOD, select=("EC-R-1",))
    assert (run["verdict"], run["claim"], run["exit"]) == ("partial", False, 0)
    assert [s["id"] for s in run["specs"][0]["scenarios"]] == ["EC-1-01"]


def test_an_unknown_id_is_refused(run_feature: RunFeature) -> None:
    with pytest.raises(UsageError, match="EC-R-7"):
        run_feature(GOOD, select=("EC-R-7",))


def test_the_order_of_execution_does_not_change_the_report(run_feature: RunFeature) -> None:
    def comparable(run: dict[str, Any]) -> object:
        scenarios = [{k: v for k, v in s.items() if k != "seconds"} for s in run["specs"][0]["scenarios"]]
        return scenarios, run["specs"][0]["requirements"], run["verdict"]

    assert comparable(run_feature(GOOD)) == comparable(run_feature(GOOD, order=lambda items: items.reverse()))


def test_pytest_options_of_the_environment_are_ignored(
    run_feature: RunFeature, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only -k nothing")
    assert run_feature(GOOD)["verdict"] == "conformant"


@pytest.mark.parametrize(("word", "outcome"), [("hello", "fault"), ("nothing", "failed")])
def test_evidence_that_cannot_be_built_affects_one_scenario_only(
    run_feature: RunFeature, monkeypatch: pytest.MonkeyPatch, word: str, outcome: str
) -> None:
    def broken(world: World, *arguments: object, **options: object) -> dict[str, Any]:
        if world.case.id == "EC-1-01":
            raise OSError("broken")
        return build_evidence(world, *arguments, **options)

    build_evidence: Callable[..., dict[str, Any]] = World.build_evidence
    monkeypatch.setattr(World, "build_evidence", broken)
    run = run_feature(GOOD.replace('says "hello"', f'says "{word}"'))
    first, second = run["specs"][0]["scenarios"]
    assert (first["outcome"], second["outcome"]) == (outcome, "passed")
    assert "broken" in "\n".join([first["evidence"].get("cause", ""), *first["warnings"]])
    assert run["exit"] == (4 if outcome == "fault" else 1)


@pytest.mark.slow
def test_scenarios_run_in_the_order_of_their_files_and_properties_last() -> None:
    """A timeout on a random tree must not stop the calls before the scenarios that show the cause."""
    executed: list[str] = []
    # The property and the last scenario verify one requirement: the run is not ordered by requirement.
    select = ("WD-P-ARG-01-01", "WD-ARG-01-01", "WD-WALK-01-01")
    options = Options("mutant:MUT-WD-047", specs=("fs_walkdir",), select=select)  # the reference does not hang
    run(options, on_record=lambda record: executed.append(record.id))
    assert executed[-1] == "WD-P-ARG-01-01"
    assert sorted(executed) == sorted(select)
