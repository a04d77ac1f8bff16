"""Operators: what the model does not find, or blames on another requirement, breaks the gate."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.api import Exchange, Operator
from treeproof.errors import UsageError
from treeproof.mutation import operator_runner
from treeproof.mutation.operator_plan import OperatorPlan
from treeproof.mutation.operator_report import Miss, OperatorReport, OperatorResult
from treeproof.mutation.operator_runner import OperatorRunner, load_operators, why_wrong
from treeproof.run.interrupts import Interrupts
from treeproof.run.session import StepRegistry
from treeproof.spec import load_pack
from treeproof.tree import Workspace, probe_host
from treeproof.verdict.finding import CallJudgement

PACK = load_pack(Path(__file__).parents[2] / "features" / "fs_walkdir")
SCENARIO = "WD-ENT-03-01"


@pytest.fixture(scope="module")
def runner() -> Iterator[OperatorRunner]:
    with Workspace.create() as workspace:
        host = probe_host(os.fsencode(workspace.path))
        yield OperatorRunner(PACK, host, Interrupts(), StepRegistry(PACK.steps, PACK.folder))


def result_of(
    runner: OperatorRunner,
    monkeypatch: pytest.MonkeyPatch,
    *operators: Operator,
    scenarios: Sequence[str] = (SCENARIO,),
) -> OperatorResult:
    monkeypatch.setattr(operator_runner, "load_operators", lambda pack: operators)
    return runner.run("some", scenarios)


def flipped(exchange: Exchange) -> Exchange | None:
    text = exchange.answer.content or ""
    return replace(exchange, answer=replace(exchange.answer, content=text.replace("true", "false")))


def spaced(exchange: Exchange) -> Exchange | None:
    return replace(exchange, answer=replace(exchange.answer, content=f" {exchange.answer.content}"))


def unchanged(exchange: Exchange) -> Exchange | None:
    return replace(exchange)


def test_a_change_that_the_model_finds_is_counted(runner: OperatorRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    found = result_of(runner, monkeypatch, Operator("kind", frozenset({"WD-ENT-03"}), flipped))
    assert found.applied == {"kind": 1}
    assert not found.missed


def test_a_change_that_blames_another_requirement_is_a_miss(
    runner: OperatorRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = result_of(runner, monkeypatch, Operator("kind", frozenset({"WD-ENT-04"}), flipped))
    assert found.missed == [Miss("kind", SCENARIO, 1, "names WD-ENT-03")]


def test_a_change_that_is_not_found_is_a_miss_unless_it_has_a_reason(
    runner: OperatorRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = Operator("a blank", frozenset({"WD-RET-01"}), spaced)
    excused = replace(blind, name="JSON", reason=lambda recorded, changed: "JSON permits blanks")
    found = result_of(runner, monkeypatch, blind, excused)
    assert found.missed == [Miss("a blank", SCENARIO, 1, "not found")]
    assert found.reasons == [("JSON", "JSON permits blanks", 1)]


def test_an_answer_that_only_other_readings_explain_is_right() -> None:
    operator = Operator("another reading", frozenset({"WD-ENT-03"}), flipped)
    recorded = CallJudgement(1, explanations=({"AMB-X-01": "a"}, {"AMB-X-01": "b"}))
    assert not why_wrong(operator, recorded, CallJudgement(1, explanations=({"AMB-X-01": "c"},)))
    both = CallJudgement(1, explanations=({"AMB-X-01": "c"}, {"AMB-X-01": "b"}))
    assert why_wrong(operator, recorded, both) == "not found"


def test_an_answer_that_is_not_judged_is_not_found() -> None:
    operator = Operator("odd", frozenset({"WD-ENT-03"}), flipped)
    assert why_wrong(operator, CallJudgement(1), CallJudgement(1, not_modelled="a race")) == "not judged: a race"


def test_a_change_that_changes_nothing_does_not_count(runner: OperatorRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    found = result_of(runner, monkeypatch, Operator("none", frozenset({"WD-RET-01"}), unchanged))
    assert found.applied == {}


def test_misses_and_unused_operators_break_the_gate() -> None:
    result = OperatorResult("some", {"a": 2}, [Miss("a", SCENARIO, 1, "not found")], [])
    assert OperatorReport([result], 1, 5, ["b"]).broken_gates() == [
        "1 changed answers are not found, or blame another requirement (a)",
        "b: an operator that changes no answer",
    ]
    assert not OperatorReport([replace(result, missed=[])], 1, 5).broken_gates()


def test_a_plan_examines_a_fifth_of_the_scenarios_or_all() -> None:
    every, fifth = (
        {id for task in OperatorPlan(PACK, every_scenario=full).tasks for id in task["scenarios"]}
        for full in (True, False)
    )
    assert fifth < every
    assert len(every) // 5 <= len(fifth) <= len(every) // 5 + 1


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("no_table = 5", "is no sequence of operators"),
        ("no_table = (1,)", "is no sequence of operators"),
        ("no_table = (Operator('a', frozenset({'WD-NO-01'}), None),)", "there is no requirement WD-NO-01"),
        ("no_table = (Operator('a', frozenset(), None),)", "no requirements"),
        ("no_table = (Operator('a', frozenset({'WD-RET-01'}), None),) * 2", "two operators have the name 'a'"),
    ],
)
def test_a_wrong_table_is_one_clear_error(tmp_path: Path, table: str, message: str) -> None:
    (tmp_path / "own_operators.py").write_text(f"from treeproof.api import Operator\n{table}\n")
    pack = replace(PACK, folder=tmp_path, operators="own_operators:no_table")
    with pytest.raises(UsageError, match=message):
        load_operators(pack)


def test_a_pack_without_a_table_has_no_operators() -> None:
    assert load_operators(replace(PACK, operators=None)) == ()
