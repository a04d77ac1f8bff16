"""The mutants of a pack: a wrong entry point is reported as a mistake of the pack; mutants are found by id."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from types import ModuleType

import pytest

from treeproof.errors import UsageError
from treeproof.spec import open_pack
from treeproof.spec.mutants import find_mutant, load_mutants, mutants_violating

PACK = open_pack("ls")


@pytest.mark.parametrize(
    ("entry_point", "message"),
    [
        ("nowhere_at_all:mutants", "nowhere_at_all:mutants cannot be imported: ModuleNotFoundError"),
        ("odd_mutants:missing", "odd_mutants:missing cannot be imported: AttributeError"),
        ("odd_mutants:number", "odd_mutants:number is no mapping of ids to mutants"),
        ("odd_mutants:numbers", "odd_mutants:numbers: M-1 lacks id, summary, violates, kind; implement the protocol"),
    ],
)
def test_a_wrong_entry_point_is_refused_in_one_line(
    entry_point: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("odd_mutants")
    vars(module).update(number=7, numbers={"M-1": 7})
    monkeypatch.setitem(sys.modules, "odd_mutants", module)
    with pytest.raises(UsageError) as refused:
        load_mutants(replace(PACK, mutants=entry_point))
    assert str(refused.value).startswith(f"{PACK.pack_file}: mutants: {message}")


def test_a_pack_may_register_no_mutants() -> None:
    assert load_mutants(replace(PACK, mutants=None)) == {}
    assert mutants_violating(replace(PACK, mutants=None), PACK.requirements[0].id) == []


def test_a_mutant_belongs_to_the_requirement_that_it_violates_first() -> None:
    requirement = next(iter(load_mutants(PACK).values())).violates[0]
    found = mutants_violating(PACK, requirement)
    assert found and all(mutant.violates[0] == requirement for mutant in found)


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("mut-ls-0001", "no mutant of list_directory, ls has this id; did you mean MUT-LS-001 or MUT-"),
        ("LS-ARG-01", "no mutant of list_directory, ls has this id; 'treeproof trace' prints the ids"),
    ],
)
def test_an_unknown_id_is_refused_with_near_ids(id: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"TARGET: {message}")):
        find_mutant([open_pack("list_directory"), PACK], id, "TARGET")
