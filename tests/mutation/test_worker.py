"""A mutant before its scenarios: the same verdicts as in a run, with fewer scenarios performed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from treeproof.mutation.mutant_session import ScenarioCosts
from treeproof.mutation.worker import MutantRunner
from treeproof.run.interrupts import Interrupts
from treeproof.run.runner import Options, run
from treeproof.spec import load_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.tree import Workspace, probe_host
from treeproof.verdict import Outcome, ScenarioRecord

PACK = load_pack(Path(__file__).parents[2] / "features" / "list_directory")
ROWS = [row for file in PACK.feature_files() for row in parse_feature(file).scenarios]
FEW = ("T-LD-08", "EF-07")


@pytest.fixture(scope="module")
def judge() -> Iterator[MutantRunner]:
    with Workspace.create() as place:
        yield MutantRunner(PACK, probe_host(os.fsencode(place.path)), Interrupts())


def test_the_verdicts_are_those_of_a_run(judge: MutantRunner) -> None:
    result = judge.run_mutant("MUT-474", frozenset(FEW), is_null_candidate=False)
    options = Options("mutant:MUT-474", specs=(str(PACK.folder),), select=FEW)
    verdicts = {v["id"]: v["verdict"] for v in run(options).document["specs"][0]["requirements"]}
    assert result.failed == {v for v in verdicts if verdicts[v] == "FAIL"}
    assert result.passed == {v for v in verdicts if verdicts[v] == "PASS"}
    assert result.failed == {"EF-07"}


def test_a_requirement_is_asked_until_one_of_its_scenarios_fails(judge: MutantRunner) -> None:
    result = judge.run_mutant("MUT-474", frozenset(FEW), is_null_candidate=False)
    requirement = {row.id: row.requirement for row in ROWS}
    assert sorted(requirement[id] for id in result.scenarios) == sorted(set(result.failed))


def test_a_null_candidate_is_asked_until_nothing_can_be_earned(judge: MutantRunner) -> None:
    result = judge.run_mutant("NULL-01", frozenset(FEW), is_null_candidate=True)
    assert result.passed == frozenset()


def test_the_cheap_come_first_and_laws_last() -> None:
    costs = ScenarioCosts()
    rows = [row for row in ROWS if row.requirement == "EF-07"]
    first, second = (row for row in rows if _has_call(row) and row.id in ("LD-FIELDS-43", "LD-FIELDS-107"))
    costs.add(_passed(first, 2.0))
    costs.add(_passed(second, 1.0))
    order = [row.id for row in costs.cheapest_first(rows)]
    assert order.index(second.id) < order.index(first.id)
    assert not _has_call(costs.cheapest_first(rows)[-1])


def _has_call(row: ScenarioCase) -> bool:
    return any(step.keyword_type == "when" for step in row.steps)


def _passed(row: ScenarioCase, seconds: float) -> ScenarioRecord:
    return ScenarioRecord(row.id, row.requirement, Outcome.PASSED, row.title, row.file.name, row.line, seconds=seconds)
