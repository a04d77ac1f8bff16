"""The zoo that a pack names: somebody's own module, whose mistakes are told as those of the pack."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from treeproof.errors import UsageError
from treeproof.mutation.mutants import load_mutants, mutants_violating
from treeproof.spec import find_pack, load_pack

PACK = load_pack(find_pack("ls"))


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("nowhere_at_all:zoo", "nowhere_at_all:zoo cannot be imported: ModuleNotFoundError"),
        ("odd_zoo:missing", "odd_zoo:missing cannot be imported: AttributeError"),
        ("odd_zoo:number", "odd_zoo:number is no table of wrong implementations by their ids"),
        (
            "odd_zoo:numbers",
            "odd_zoo:numbers: M-1 lacks id, summary, violates, kind; write what the protocol",
        ),
    ],
)
def test_a_zoo_that_is_none_is_refused_in_one_line(
    where: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("odd_zoo")
    vars(module).update(number=7, numbers={"M-1": 7})
    monkeypatch.setitem(sys.modules, "odd_zoo", module)
    with pytest.raises(UsageError) as refused:
        load_mutants(replace(PACK, mutants=where))
    assert str(refused.value).startswith(f"{PACK.pack_file}: mutants: {said}")


def test_a_pack_without_a_zoo_has_an_empty_one() -> None:
    assert load_mutants(replace(PACK, mutants=None)) == {}
    assert mutants_violating(replace(PACK, mutants=None), PACK.requirements[0].id) == []


def test_who_is_caught_violates_the_requirement_first() -> None:
    requirement = next(iter(load_mutants(PACK).values())).violates[0]
    caught = mutants_violating(PACK, requirement)
    assert caught and all(mutant.violates[0] == requirement for mutant in caught)
