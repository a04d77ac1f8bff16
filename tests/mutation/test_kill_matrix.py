"""The gates of the kill matrix, each with a matrix that breaks it and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from treeproof.errors import UsageError
from treeproof.mutation.kill_matrix import MutantResult, build_kill_matrix
from treeproof.mutation.runner import run_mutation_tests
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
    zoo = {"MUT-1": WRONG, "NULL-1": NULL}
    return build_kill_matrix(zoo, results, requirements, verified=verified, without_mutant=reasons).broken_gates()


def test_a_mutant_that_its_requirement_catches_breaks_no_gate() -> None:
    assert failed_gates(result("MUT-1", "R-1", "R-2")) == []
    assert failed_gates(result("MUT-1", "R-1", whole=False)) == []


def test_a_survivor_is_named_even_when_another_requirement_fails() -> None:
    assert failed_gates(result("MUT-1", "R-2")) == ["1 is not caught by its requirement: MUT-1"]


def test_a_null_candidate_must_not_earn_a_single_pass() -> None:
    assert failed_gates(result("NULL-1", "R-1")) == []
    assert failed_gates(result("NULL-1", passed=("R-3",))) == ["1 is not caught by its requirement: NULL-1"]


def test_blame_counts_what_fails_beside_the_violated_ones() -> None:
    assert failed_gates(result("MUT-1", "R-1", "R-2", "R-3", "R-4")) == []
    broken = failed_gates(result("MUT-1", "R-1", "R-2", "R-3", "R-4", "R-5"))
    assert broken == ["attribution is right for 0.0% of the mutants; the gate is 95%"]


def test_what_fails_beside_is_counted_even_where_it_breaks_no_gate() -> None:
    found = build_kill_matrix({"MUT-1": WRONG}, [result("MUT-1", "R-1", "R-3")], ())
    assert (found.attribution_rate, found.isolated_kills) == (1.0, 0.0)
    assert found.rows[0].collateral_failures == ("R-3",)


def test_advice_may_fail_beside_anything() -> None:
    assert failed_gates(result("MUT-1", "R-1", "R-3", "R-4", "R-5"), requirements=[requirement("R-3", "SHOULD")]) == []


def test_a_requirement_that_restates_another_falls_with_it() -> None:
    restating = [requirement("R-11", restates="R-1"), requirement("R-12", restates="R-2")]
    assert failed_gates(result("MUT-1", "R-1", "R-2", "R-11", "R-12"), requirements=restating) == []


def test_every_requirement_has_a_mutant_of_its_own_or_a_reason() -> None:
    lacking = "1 has no mutant of its own and no reason why: "
    assert failed_gates(result("MUT-1", "R-1", "R-2"), verified=["R-1"]) == []
    assert failed_gates(result("MUT-1", "R-1"), verified=["R-1", "R-2"]) == [f"{lacking}R-2"]
    assert failed_gates(result("MUT-1", "R-1"), verified=["R-1", "R-2"], reasons={"R-2": "It is R-1."}) == []
    # One that another requirement catches, or that makes others fail as well, shows nothing.
    assert f"{lacking}R-1" in failed_gates(result("MUT-1", "R-2"), verified=["R-1"])
    assert f"{lacking}R-1" in failed_gates(result("MUT-1", "R-1", "R-3", "R-4", "R-5"), verified=["R-1"])


def test_a_reason_that_does_not_hold_is_named() -> None:
    broken = failed_gates(result("MUT-1", "R-1"), verified=["R-1"], reasons={"R-1": "It implies R-2."})
    assert broken == ["1 has a mutant although a reason says otherwise: R-1"]


def test_an_empty_zoo_is_no_proof() -> None:
    assert failed_gates() == ["there is no wrong implementation to try"]


def test_the_bundled_zoos_are_large_and_speak_of_requirements_that_exist() -> None:
    for pack in map(load_pack, bundled_packs()):
        animals = load_mutants(pack)
        assert sum(animal.kind == "wrong" for animal in animals.values()) >= 30
        known = {requirement.id for requirement in pack.requirements}
        assert {id for animal in animals.values() for id in animal.violates} <= known


def test_some_of_the_zoo_for_real() -> None:
    pack = load_pack(bundled_packs()[0])
    found = run_mutation_tests(pack, ids=["MUT-001", "MUT-032", "MUT-061", "MUT-101"])
    assert found.broken_gates() == []
    assert all(line.result.scenarios for line in found.rows)
    assert "MUT-001" in {mutant.id for mutant in mutants_violating(pack, "FR-LD-LST-05")}


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(UsageError, match="MUT-9999"):
        run_mutation_tests(load_pack(bundled_packs()[0]), ids=["MUT-9999"])
