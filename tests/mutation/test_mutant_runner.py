"""A mutant gets the same verdicts as in a run, with fewer scenarios executed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from treeproof.mutation.mutant_runner import MutantRunner
from treeproof.mutation.pack_runner import has_call
from treeproof.run.interrupts import Interrupts
from treeproof.run.runner import Options, run
from treeproof.run.session import StepRegistry
from treeproof.spec import load_pack, open_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.spec.mutants import load_kills
from treeproof.tree import Workspace, probe_host
from treeproof.verdict import Outcome, Profile, ScenarioRecord

PACK = load_pack(Path(__file__).parents[2] / "features" / "list_directory")
CASES = [case for file in PACK.feature_files() for case in parse_feature(file).scenarios]
REQUIREMENTS = ("T-LD-08", "EF-07")


@pytest.fixture(scope="module")
def runner() -> Iterator[MutantRunner]:
    with Workspace.create() as workspace:
        registry = StepRegistry(PACK.steps, PACK.folder)
        yield MutantRunner(PACK, probe_host(os.fsencode(workspace.path)), Interrupts(), registry)


@pytest.mark.slow
def test_the_verdicts_equal_those_of_a_run(runner: MutantRunner) -> None:
    result = runner.run("MUT-474", frozenset(REQUIREMENTS), is_null_candidate=False)
    options = Options("mutant:MUT-474", specs=(str(PACK.folder),), select=REQUIREMENTS)
    verdicts = {v["id"]: v["verdict"] for v in run(options).document.to_json()["specs"][0]["requirements"]}
    assert result.failed == {v for v in verdicts if verdicts[v] == "FAIL"} == {"EF-07"}


def test_the_scenarios_of_a_requirement_stop_at_the_first_failure(runner: MutantRunner) -> None:
    result = runner.run("MUT-474", frozenset(REQUIREMENTS), is_null_candidate=False)
    requirement = {case.id: case.requirement for case in CASES}
    assert sorted(requirement[id] for id in result.scenarios) == sorted(set(result.failed))


def test_the_scenario_that_killed_a_mutant_last_runs_first_and_alone(runner: MutantRunner) -> None:
    known = load_kills(PACK)["MUT-474"]
    result = runner.run("MUT-474", frozenset({"EF-07"}), is_null_candidate=False)
    assert result.scenarios == (known,)
    assert result.failed == {"EF-07"}


def test_a_mutant_whose_known_scenario_passes_is_killed_by_another(
    runner: MutantRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_kills", {"MUT-474": "EF-07-no-such-scenario"})
    assert runner.run("MUT-474", frozenset({"EF-07"}), is_null_candidate=False).failed == {"EF-07"}
    own = next(case.id for case in CASES if case.requirement == "EF-07" and case.id not in load_kills(PACK).values())
    monkeypatch.setattr(runner, "_kills", {"MUT-474": own})
    assert runner.run("MUT-474", frozenset({"EF-07"}), is_null_candidate=False).failed == {"EF-07"}


@pytest.mark.slow
def test_the_findings_of_all_scenarios_decide_the_whole_suite() -> None:
    requirements = ("WD-WALK-01", "WD-WALK-03", "WD-ENT-02")
    pack = open_pack("fs_walkdir")
    with Workspace.create() as workspace:
        host = probe_host(os.fsencode(workspace.path))
        runner = MutantRunner(pack, host, Interrupts(), StepRegistry(pack.steps, pack.folder))
        runner._cases = [case for case in runner._cases if case.requirement in requirements]
        result = runner.run("MUT-WD-047", frozenset(), is_null_candidate=False)
    options = Options("mutant:MUT-WD-047", specs=("fs_walkdir",), select=requirements, profile=Profile.STRICT)
    verdicts = {v["id"]: v["verdict"] for v in run(options).document.to_json()["specs"][0]["requirements"]}
    assert result.failed
    assert result.failed == {v for v in verdicts if verdicts[v] == "FAIL"}


@pytest.mark.slow
def test_a_null_candidate_runs_until_no_pass_is_possible(runner: MutantRunner) -> None:
    result = runner.run("NULL-01", frozenset(REQUIREMENTS), is_null_candidate=True)
    assert result.passed == frozenset()


def test_cheap_scenarios_come_first_and_properties_last(runner: MutantRunner) -> None:
    cases = [case for case in CASES if case.requirement == "EF-07"]
    first, second = (case for case in cases if has_call(case) and case.id in ("LD-FIELDS-43", "LD-FIELDS-107"))
    runner.keep_time(_passed(first, 2.0))
    runner.keep_time(_passed(second, 1.0))
    order = [case.id for case in runner.cheapest_first(cases)]
    assert order.index(second.id) < order.index(first.id)
    assert not has_call(runner.cheapest_first(cases)[-1])


def _passed(row: ScenarioCase, seconds: float) -> ScenarioRecord:
    return ScenarioRecord(row.id, row.requirement, Outcome.PASSED, row.title, row.file.name, row.line, seconds=seconds)
