"""The gates of the kill matrix, each with a matrix that breaks it and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from treeproof.adequacy.drive import adequacy
from treeproof.adequacy.matrix import Result, matrix
from treeproof.adequacy.zoo import caught_by, zoo
from treeproof.errors import UsageError
from treeproof.spec import bundled, load


@dataclass(frozen=True)
class Animal:
    id: str
    violates: tuple[str, ...]
    kind: str = "wrong"
    summary: str = "It does something wrong."


WRONG = Animal("MUT-1", ("R-1", "R-2"))
NULL = Animal("NULL-1", (), "null")


def result(id: str, *failed: str, passed: tuple[str, ...] = (), whole: bool = True) -> Result:
    return Result(id, frozenset(failed), frozenset(passed), "non-conformant", whole)


def gates(*results: Result, restates: dict[str, str] | None = None) -> list[str]:
    return matrix({"MUT-1": WRONG, "NULL-1": NULL}, results, restates or {}).broken_gates()


def test_a_mutant_that_its_requirement_catches_breaks_no_gate() -> None:
    assert gates(result("MUT-1", "R-1", "R-2", "R-3", "R-4")) == []
    assert gates(result("MUT-1", "R-1", whole=False)) == []


def test_a_survivor_is_named_even_when_another_requirement_fails() -> None:
    assert gates(result("MUT-1", "R-2")) == ["1 is not caught by its requirement: MUT-1"]


def test_a_null_candidate_must_not_earn_a_single_pass() -> None:
    assert gates(result("NULL-1", "R-1")) == []
    assert gates(result("NULL-1", passed=("R-3",))) == ["1 is not caught by its requirement: NULL-1"]


def test_blame_counts_what_fails_beside_the_violated_ones() -> None:
    broken = gates(result("MUT-1", "R-1", "R-3", "R-4", "R-5"))
    assert broken == ["blame is right for 0.0% of the wrong implementations; 95% is the gate"]


def test_a_requirement_that_restates_another_falls_with_it() -> None:
    failed = result("MUT-1", "R-1", "R-3", "R-4", "R-11", "R-12", "R-13")
    assert gates(failed, restates={"R-11": "R-1", "R-12": "R-1", "R-13": "R-3"}) == []


def test_an_empty_zoo_is_no_proof() -> None:
    assert gates() == ["there is no wrong implementation to try"]


def test_the_bundled_zoos_are_large_and_speak_of_requirements_that_exist() -> None:
    for pack in map(load, bundled()):
        animals = zoo(pack)
        assert sum(animal.kind == "wrong" for animal in animals.values()) >= 120
        known = {requirement.id for requirement in pack.requirements}
        assert {id for animal in animals.values() for id in animal.violates} <= known


def test_some_of_the_zoo_for_real() -> None:
    pack = load(bundled()[0])
    found = adequacy(pack, ids=["MUT-001", "MUT-032", "MUT-061", "MUT-101"])
    assert found.broken_gates() == []
    assert [line.result.word for line in found.lines] == ["non-conformant"] * 4
    assert "MUT-001" in {mutant.id for mutant in caught_by(pack, "FR-LD-LST-05")}


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(UsageError, match="MUT-9999"):
        adequacy(load(bundled()[0]), ids=["MUT-9999"])
