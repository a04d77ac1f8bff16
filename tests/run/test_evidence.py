"""The evidence of a failure: the call that failed, the calls before it, and the step with its table and text block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.report import document
from treeproof.run.scenario_state import CallLog, FaultInjection
from treeproof.verdict import Mismatch

pytestmark = pytest.mark.usefixtures("unlinted")
RunFeature = Callable[..., dict[str, Any]]

STEPS = '''
"""The steps of the echoes."""
from treeproof.api import Mismatch, then

@then(r'answer (?P<number>\\d+) is wrong', example="answer 1 is wrong")
def wrong(world, number):
    """Fail for one of the answers."""
    raise Mismatch("another answer", answer_index=int(number) - 1)

@then("the table holds", columns=("word", "meaning"))
def table(world, datatable):
    """Fail for a table."""
    raise Mismatch("the table does not hold")

@then("the text holds")
def text(world, docstring):
    """Fail for a text block."""
    raise Mismatch("the text does not hold")

@then("the race is lost")
def race(world):
    """Fail after a race."""
    world.faults.race = '"d" becomes a link to "x"'
    world.faults.take_delay_callback()
    raise Mismatch("the race is lost")
'''

FEATURE = """
@echoes
Feature: Echoes

  @EC-R-1
  Rule: it returns its argument

    @EC-1-01
    Scenario: a word
      Given the tree "a"
      STEPS
"""


def evidence(run_feature: RunFeature, *steps: str) -> dict[str, Any]:
    done = run_feature(FEATURE.replace("STEPS", "\n      ".join(steps)), steps=STEPS)
    document.validate(done)
    found: dict[str, Any] = done["specs"][0]["scenarios"][0]["evidence"]
    return found


CALLS = tuple(
    f'{"When" if number == 1 else "And"} say is called with {{"text": "{number}"}}' for number in range(1, 13)
)


@pytest.mark.parametrize("failed", [1, 2, 3])
def test_the_evidence_shows_the_call_that_failed_and_not_the_last_one(run_feature: RunFeature, failed: int) -> None:
    found = evidence(run_feature, *CALLS[:3], f"Then answer {failed} is wrong")
    assert f'"text": "{failed}"' in found["call"]["arguments"]
    assert found["outcome"]["content"] == str(failed)
    assert len(found.get("calls", [0])) == failed
    assert found.get("call_number", 1) == failed


def test_the_listed_calls_end_with_the_one_that_failed(run_feature: RunFeature) -> None:
    found = evidence(run_feature, *CALLS, "Then answer 11 is wrong")
    assert found["calls"][-1] == found["call"]
    assert '"text": "1"' in found["calls"][0]["arguments"]
    assert (len(found["calls"]), found["call_number"]) == (8, 11)


def test_the_table_of_the_failed_step_is_bounded_evidence(run_feature: RunFeature) -> None:
    rows = ("| word | meaning |", f"| {'x' * 500} | long |", *("| a | b |" for _ in range(50)))
    found = evidence(run_feature, CALLS[0], "Then the table holds", *(f"  {row}" for row in rows))
    assert found["table"][0] == ["word", "meaning"]
    assert len(found["table"]) == 30
    assert len(found["table"][1][0]) < 300


def test_the_text_block_of_the_failed_step_is_evidence(run_feature: RunFeature) -> None:
    found = evidence(run_feature, CALLS[0], "Then the text holds", '  """', "  one line", '  """')
    assert found["docstring"] == "one line"
    assert "table" not in found


def test_a_race_is_reported_with_its_rounds(run_feature: RunFeature) -> None:
    found = evidence(run_feature, CALLS[0], "Then the race is lost")
    assert found["race"] == 'This is a race: "d" becomes a link to "x", while the call runs; 1 round ran.'
    assert "race" not in evidence_without_race(run_feature)


def evidence_without_race(run_feature: RunFeature) -> dict[str, Any]:
    return evidence(run_feature, CALLS[0], "Then answer 1 is wrong")


def test_a_call_without_an_answer_has_no_answer_of_another_call() -> None:
    log = CallLog()
    answer = CallResult("ok", "1", None, None, None, None, None, b"")
    first, killed = (Call("say", {"text": text}, {}) for text in ("1", "2"))
    log.add(first, answer)
    log.add(killed)
    assert log.until(None)[-1] == (killed, None)
    assert log.until(0) == [(first, answer)]
    log.show_further(first, answer)
    assert (log.until(None)[-1], len(log.calls)) == ((first, answer), 2)


def test_a_change_without_a_race_counts_no_round() -> None:
    faults = FaultInjection()
    faults.take_delay_callback()
    assert faults.race_rounds == 0


def test_a_mismatch_keeps_its_answer_under_a_condition() -> None:
    mismatch = Mismatch("wrong", expected="a", got="b").at_answer(3).within("the control call: ")
    assert (mismatch.answer_index, mismatch.message) == (3, "the control call: wrong")
    assert mismatch.at_answer(1).answer_index == 3
