"""References between requirements, scenarios and interpretations of a pack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.spec import Interpretation, Requirement, RetiredId, ScenarioCase, load_pack
from treeproof.spec.traceability import TraceabilityIndex, build_traceability_index, format_scenario

FEATURE = r'''
@tiny
Feature: what is there
  Background:
    Given the tree "AMB-TY-02"

  @FR-TY-01
  Rule: it lists what is there

    @TY-01-01 @also:FR-TY-02
    Scenario: plain
      Then the entries are "a"

    Scenario Outline: by <how>
      When tiny is called with <json>
      Then by AMB-TY-01 the answer is one of
        | reading  | entries |
        | exceeded | <json>  |
        | a\|b\\   | \n      |
      And the document is exactly
        """
        {"a":
          1}
        """

      Examples:
        | id       | how | json  |
        | TY-01-02 | one | {}    |
        | TY-01-03 | two | {"a"} |
'''
MORE = """
[[requirement]]
id = "FR-TY-02"
level = "SHOULD"
section = "2"
text = "More."
basis = "stated"
sentences = ["0123456789ab"]
verified_by = ["scenario"]
[[requirement]]
id = "FR-TY-03"
level = "MUST"
section = "3"
text = "Again."
basis = "stated"
sentences = ["0123456789ab"]
restates = "FR-TY-01"
"""


@pytest.fixture
def trace(pack_folder: Callable[..., Path]) -> TraceabilityIndex:
    return build_traceability_index(load_pack(pack_folder(FEATURE, steps="", more=MORE)))


def ids(cases: tuple[ScenarioCase, ...]) -> list[str]:
    return [case.id for case in cases]


def test_a_requirement_leads_to_its_scenarios(trace: TraceabilityIndex) -> None:
    coverage = trace.coverage("FR-TY-01")
    assert ids(coverage.verified_by) == ["TY-01-01", "TY-01-02", "TY-01-03"]
    assert ids(coverage.touched_by) == []
    assert [requirement.id for requirement in coverage.restated_by] == ["FR-TY-03"]


def test_a_touched_requirement_is_not_verified(trace: TraceabilityIndex) -> None:
    coverage = trace.coverage("FR-TY-02")
    assert ids(coverage.verified_by) == []
    assert ids(coverage.touched_by) == ["TY-01-01"]


def test_a_restating_requirement_has_the_scenarios_of_the_other(trace: TraceabilityIndex) -> None:
    assert ids(trace.coverage("FR-TY-03").verified_by) == ["TY-01-01", "TY-01-02", "TY-01-03"]


def test_an_interpretation_leads_to_the_scenarios_that_name_it(trace: TraceabilityIndex) -> None:
    assert ids(trace.scenarios_naming("AMB-TY-01")) == ["TY-01-02", "TY-01-03"]


def test_a_file_named_like_an_interpretation_is_no_reference(trace: TraceabilityIndex) -> None:
    assert trace.scenarios_naming("AMB-TY-02") == ()


@pytest.mark.parametrize(
    ("id", "kind"),
    [("FR-TY-01", Requirement), ("AMB-TY-01", Interpretation), ("TY-01-09", RetiredId), ("TY-01-03", ScenarioCase)],
)
def test_any_id_is_found(trace: TraceabilityIndex, id: str, kind: type) -> None:
    found = trace.find(id)
    assert isinstance(found, kind)
    assert found.id == id


@pytest.mark.parametrize(("id", "hint"), [("TY-01-3", 'write "TY-01-03"'), ("ZZZ", "see: treeproof list")])
def test_an_unknown_id_is_refused_with_a_hint(trace: TraceabilityIndex, id: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f'nothing has the id "{id}" in tiny; {hint}'):
        trace.find(id)


@pytest.mark.parametrize("method", [TraceabilityIndex.coverage, TraceabilityIndex.scenarios_naming])
def test_coverage_and_scenarios_naming_refuse_unknown_ids(
    trace: TraceabilityIndex, method: Callable[[TraceabilityIndex, str], object]
) -> None:
    with pytest.raises(UsageError, match="has the id"):
        method(trace, "XX-1")


def test_a_scenario_is_formatted_with_its_executed_steps(trace: TraceabilityIndex) -> None:
    case = trace.find("TY-01-03")
    assert isinstance(case, ScenarioCase)
    assert format_scenario(case) == (
        "Scenario: by two\n"
        '  Given the tree "AMB-TY-02"\n'
        '  When tiny is called with {"a"}\n'
        "  Then by AMB-TY-01 the answer is one of\n"
        "    | reading  | entries |\n"
        '    | exceeded | {"a"}   |\n'
        "    | a\\|b\\\\   | \\n      |\n"
        "  And the document is exactly\n"
        '    """\n'
        '    {"a":\n'
        "      1}\n"
        '    """'
    )
