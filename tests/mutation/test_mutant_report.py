"""The gates of the kill matrix: each test builds a matrix that breaks at most one gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from treeproof.errors import UsageError
from treeproof.mutation.measurement import measure
from treeproof.mutation.mutant_plan import MutantPlan
from treeproof.mutation.mutant_report import MutantResult, build_kill_matrix
from treeproof.spec import Requirement, bundled_packs, load_pack
from treeproof.spec.catalogue import Level
from treeproof.spec.mutants import load_mutants, mutants_violating


@dataclass(frozen=True)
class FakeMutant:
    id: str
    violates: tuple[str, ...]
    kind: str = "wrong"
    summary: str = "It does something wrong."


WRONG = FakeMutant("MUT-1", ("R-1", "R-2"))
NULL = FakeMutant("NULL-1", (), "null")


def result(id: str, *failed: str, passed: tuple[str, ...] = (), whole: bool = True) -> MutantResult:
    return MutantResult(id, frozenset(failed), frozenset(passed), whole)


def requirement(id: str, level: Level = "MUST", restates: str | None = None) -> Requirement:
    return Requirement(id, level, "1", "It is required.", ("scenario",), restates=restates)


def failed_gates(
    *results: MutantResult,
    requirements: Sequence[Requirement] = (),
    verified: Sequence[str] = (),
    reasons: dict[str, str] | None = None,
) -> list[str]:
    mutants = {"MUT-1": WRONG, "NULL-1": NULL}
    return build_kill_matrix(mutants, results, requirements, verified=verified, without_mutant=reasons).broken_gates()


def test_a_mutant_killed_by_its_requirement_breaks_no_gate() -> None:
    assert failed_gates(result("MUT-1", "R-1", "R-2")) == []
    assert failed_gates(result("MUT-1", "R-1", whole=False)) == []


def test_a_survivor_is_named_even_when_another_requirement_fails() -> None:
    assert failed_gates(result("MUT-1", "R-3")) == ["1 is not killed by its requirement: MUT-1"]


def test_each_violated_requirement_kills_a_mutant() -> None:
    assert failed_gates(result("MUT-1", "R-2")) == []
    assert failed_gates(result("MUT-1", "R-2", whole=False)) == []


def test_a_null_candidate_with_one_pass_breaks_a_gate() -> None:
    assert failed_gates(result("NULL-1", "R-1")) == []
    assert failed_gates(result("NULL-1", passed=("R-3",))) == ["1 is not killed by its requirement: NULL-1"]


def test_three_collateral_failures_make_the_attribution_wrong() -> None:
    assert failed_gates(result("MUT-1", "R-1", "R-2", "R-3", "R-4")) == []
    broken = failed_gates(result("MUT-1", "R-1", "R-2", "R-3", "R-4", "R-5"))
    assert broken == ["attribution is right for 0.0% of the mutants; the gate is 95%"]


def test_one_collateral_failure_is_counted_and_breaks_no_gate() -> None:
    found = build_kill_matrix({"MUT-1": WRONG}, [result("MUT-1", "R-1", "R-3")], ())
    assert (found.attribution_rate, found.isolated_kills) == (1.0, 0.0)
    assert found.rows[0].collateral_failures == ("R-3",)


def test_failed_should_requirements_are_no_collateral_failures() -> None:
    assert failed_gates(result("MUT-1", "R-1", "R-3", "R-4", "R-5"), requirements=[requirement("R-3", "SHOULD")]) == []


def test_a_requirement_that_restates_a_violated_one_is_no_collateral_failure() -> None:
    restating = [requirement("R-11", restates="R-1"), requirement("R-12", restates="R-2")]
    assert failed_gates(result("MUT-1", "R-1", "R-2", "R-11", "R-12"), requirements=restating) == []


def test_a_requirement_without_its_own_mutant_needs_a_reason() -> None:
    missing = "1 has no mutant and no reason for that: "
    assert failed_gates(result("MUT-1", "R-1", "R-2"), verified=["R-1"]) == []
    assert failed_gates(result("MUT-1", "R-1"), verified=["R-1", "R-2"]) == [f"{missing}R-2"]
    assert failed_gates(result("MUT-1", "R-1"), verified=["R-1", "R-2"], reasons={"R-2": "It is R-1."}) == []
    # A mutant that another requirement kills, or that has many collateral failures, does not count.
    assert f"{missing}R-1" in failed_gates(result("MUT-1", "R-3"), verified=["R-1"])
    assert f"{missing}R-1" in failed_gates(result("MUT-1", "R-1", "R-3", "R-4", "R-5"), verified=["R-1"])


def test_a_reason_for_a_requirement_with_a_mutant_is_reported() -> None:
    broken = failed_gates(result("MUT-1", "R-1"), verified=["R-1"], reasons={"R-1": "It implies R-2."})
    assert broken == ["1 has a mutant although a reason denies it: R-1"]


def test_a_matrix_without_mutants_breaks_a_gate() -> None:
    assert failed_gates() == ["the pack has no mutants"]


def test_each_bundled_pack_has_30_mutants_and_they_violate_known_requirements() -> None:
    for pack in map(load_pack, bundled_packs()):
        mutants = load_mutants(pack)
        assert sum(mutant.kind == "wrong" for mutant in mutants.values()) >= 30
        known = {requirement.id for requirement in pack.requirements}
        assert {id for mutant in mutants.values() for id in mutant.violates} <= known


def test_some_bundled_mutants_are_killed_in_a_real_run() -> None:
    pack = load_pack(bundled_packs()[0])
    found = measure(pack, MutantPlan(pack, ids=["MUT-001", "MUT-032", "MUT-061", "MUT-101"])).matrix
    assert found is not None
    assert found.broken_gates() == []
    assert all(line.result.scenarios for line in found.rows)
    assert "MUT-001" in {mutant.id for mutant in mutants_violating(pack, "FR-LD-LST-05")}


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(UsageError, match="MUT-9999"):
        MutantPlan(load_pack(bundled_packs()[0]), ids=["MUT-9999"])
