"""The gates of the kill matrix, each with a matrix that breaks it and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from treeproof.adequacy.drive import adequacy
from treeproof.adequacy.matrix import Result, matrix
from treeproof.adequacy.zoo import caught_by, zoo
from treeproof.errors import UsageError
from treeproof.spec import Requirement, bundled, load
from treeproof.spec.catalogue import Level


@dataclass(frozen=True)
class Animal:
    id: str
    violates: tuple[str, ...]
    kind: str = "wrong"
    summary: str = "It does something wrong."


WRONG = Animal("MUT-1", ("R-1", "R-2"))
NULL = Animal("NULL-1", (), "null")


def result(id: str, *failed: str, passed: tuple[str, ...] = (), whole: bool = True) -> Result:
    return Result(id, frozenset(failed), frozenset(passed), whole)


def requirement(id: str, level: Level = "MUST", restates: str | None = None) -> Requirement:
    return Requirement(id, level, "1", "It is required.", ("scenario",), restates=restates)


def gates(
    *results: Result,
    requirements: Sequence[Requirement] = (),
    verified: Sequence[str] = (),
    reasons: dict[str, str] | None = None,
) -> list[str]:
    zoo = {"MUT-1": WRONG, "NULL-1": NULL}
    return matrix(zoo, results, requirements, verified=verified, inseparable=reasons).broken_gates()


def test_a_mutant_that_its_requirement_catches_breaks_no_gate() -> None:
    assert gates(result("MUT-1", "R-1", "R-2")) == []
    assert gates(result("MUT-1", "R-1", whole=False)) == []


def test_a_survivor_is_named_even_when_another_requirement_fails() -> None:
    assert gates(result("MUT-1", "R-2")) == ["1 is not caught by its requirement: MUT-1"]


def test_a_null_candidate_must_not_earn_a_single_pass() -> None:
    assert gates(result("NULL-1", "R-1")) == []
    assert gates(result("NULL-1", passed=("R-3",))) == ["1 is not caught by its requirement: NULL-1"]


def test_blame_counts_what_fails_beside_the_violated_ones() -> None:
    assert gates(result("MUT-1", "R-1", "R-2", "R-3", "R-4")) == []
    broken = gates(result("MUT-1", "R-1", "R-2", "R-3", "R-4", "R-5"))
    assert broken == ["blame is right for 0.0% of the wrong implementations; 95% is the gate"]


def test_what_fails_beside_is_counted_even_where_it_breaks_no_gate() -> None:
    found = matrix({"MUT-1": WRONG}, [result("MUT-1", "R-1", "R-3")], ())
    assert (found.blame, found.clean) == (1.0, 0.0)
    assert found.lines[0].beside == ("R-3",)


def test_advice_may_fail_beside_anything() -> None:
    assert (
        gates(result("MUT-1", "R-1", "R-3", "R-4", "R-5"), requirements=[requirement("R-3", "SHOULD")]) == []
    )


def test_a_requirement_that_restates_another_falls_with_it() -> None:
    restating = [requirement("R-11", restates="R-1"), requirement("R-12", restates="R-2")]
    assert gates(result("MUT-1", "R-1", "R-2", "R-11", "R-12"), requirements=restating) == []


def test_every_requirement_has_a_mutant_of_its_own_or_a_reason() -> None:
    lacking = "1 has no mutant of its own and no reason why: "
    assert gates(result("MUT-1", "R-1", "R-2"), verified=["R-1"]) == []
    assert gates(result("MUT-1", "R-1"), verified=["R-1", "R-2"]) == [f"{lacking}R-2"]
    assert gates(result("MUT-1", "R-1"), verified=["R-1", "R-2"], reasons={"R-2": "It is R-1."}) == []
    # One that another requirement catches, or that makes others fail as well, shows nothing.
    assert f"{lacking}R-1" in gates(result("MUT-1", "R-2"), verified=["R-1"])
    assert f"{lacking}R-1" in gates(result("MUT-1", "R-1", "R-3", "R-4", "R-5"), verified=["R-1"])


def test_a_reason_that_does_not_hold_is_named() -> None:
    broken = gates(result("MUT-1", "R-1"), verified=["R-1"], reasons={"R-1": "It implies R-2."})
    assert broken == ["1 has a mutant although a reason says otherwise: R-1"]


def test_an_empty_zoo_is_no_proof() -> None:
    assert gates() == ["there is no wrong implementation to try"]


def test_the_bundled_zoos_are_large_and_speak_of_requirements_that_exist() -> None:
    for pack in map(load, bundled()):
        animals = zoo(pack)
        assert sum(animal.kind == "wrong" for animal in animals.values()) >= 30
        known = {requirement.id for requirement in pack.requirements}
        assert {id for animal in animals.values() for id in animal.violates} <= known


def test_some_of_the_zoo_for_real() -> None:
    pack = load(bundled()[0])
    found = adequacy(pack, ids=["MUT-001", "MUT-032", "MUT-061", "MUT-101"])
    assert found.broken_gates() == []
    assert all(line.result.scenarios for line in found.lines)
    assert "MUT-001" in {mutant.id for mutant in caught_by(pack, "FR-LD-LST-05")}


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(UsageError, match="MUT-9999"):
        adequacy(load(bundled()[0]), ids=["MUT-9999"])
