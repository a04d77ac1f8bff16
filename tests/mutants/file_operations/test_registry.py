"""The zoo of the file operations keeps its promises: ids, what is violated, and that it leaves no trace."""

from __future__ import annotations

import importlib
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import factory
from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.spec import load_pack
from treeproof.tree import build_tree, parse_tree, read_tree, render_tree, without_default_metadata

PROJECT = Path(__file__).parent.parents[2]
MODULE = "treeproof.mutants.file_operations.registry"

module = importlib.import_module(MODULE)
mutants = module.mutants
pack = load_pack(PROJECT / "features" / "file_operations")
wrong = [mutant for mutant in mutants.values() if mutant.kind == "wrong"]
nulls = [mutant for mutant in mutants.values() if mutant.kind == "null"]


def test_the_pack_names_it_and_it_is_large_enough() -> None:
    assert pack.mutants == f"{MODULE}:mutants"
    assert len(wrong) >= 55
    assert len(nulls) >= 7


def test_no_id_and_no_summary_is_given_twice() -> None:
    animals = [mutant for subject in module.FEATURE_MODULES for mutant in subject.MUTANTS]
    for said in (Counter(one.id for one in animals), Counter(one.summary for one in animals)):
        assert [text for text, times in said.items() if times > 1] == []
    assert {one.id for one in animals} == set(mutants)


def test_what_is_violated_is_required() -> None:
    requirements = {requirement.id: requirement for requirement in pack.requirements}
    for mutant in wrong:
        assert mutant.violates, mutant.id
        assert set(mutant.violates) <= set(requirements), mutant.id
        assert requirements[mutant.violates[0]].restates is None, mutant.id
    assert not any(mutant.violates for mutant in nulls)


def test_every_requirement_has_a_wrong_implementation() -> None:
    caught = {mutant.violates[0] for mutant in wrong}
    assert {one.id for one in pack.requirements if not one.restates} == caught


@pytest.mark.parametrize("id", list(mutants))
def test_it_is_a_target_that_introduces_itself(id: str) -> None:
    kind = {"wrong": "MUT", "null": "NULL"}[mutants[id].kind]
    assert re.fullmatch(rf"{kind}-FO-\d{{2,3}}", id)
    assert re.fullmatch(r"[^\n]{1,119}\.", mutants[id].summary)
    candidate: Any = factory.load_candidate(f"{MODULE}:{id.replace('-', '_')}", PROJECT, {})
    hello = candidate.initialize({"protocol": 1, "workspace": "/"})
    assert hello["candidate"]["name"] == id
    assert set(hello["tools"]) == {"move", "copy", "list_directory"}
    assert candidate.describe({"tool": "move"})["name"]


def test_an_unknown_one_is_no_target() -> None:
    with pytest.raises(AttributeError, match="MUT_FO_999"):
        _ = module.MUT_FO_999


CALLS = (
    ("move", "a", "b"),
    ("copy", "b", "d"),
    ("cp", "l", "d"),
    ("mv", "l", "m"),
    ("rename", "b", "$HOME%2f:.X"),
)


def test_none_of_them_leaves_a_trace_in_the_reference(tmp_path: Path) -> None:
    reference = importlib.import_module("treeproof.reference_impl.file_operations.candidate").candidate()
    number = 0

    def ask(candidate: Any) -> str:
        nonlocal number
        number += 1
        root = tmp_path / str(number) / "root"
        root.mkdir(parents=True)
        build_tree(parse_tree('a="A", b="BB", d/{k="K"}, l->b'), os.fsencode(root))
        context = {
            "roots": [str(root)],
            "working_dir": str(root),
            "config": {"tools": {"fileops": {"allow_overwrite": True}}},
        }
        said = []
        with drop_dac_capabilities():
            for tool, source, destination in CALLS:
                arguments = {"source": source, "destination": destination, "overwrite": True}
                try:
                    answer = candidate.call({"tool": tool, "arguments": arguments, "context": context})
                    said.append(answer["status"])
                except RuntimeError as crash:
                    said.append(str(crash))
        return f"{said} {render_tree(without_default_metadata(read_tree(os.fsencode(root))))}"

    before = ask(reference)
    answers = [ask(mutant()) for mutant in mutants.values()]
    assert ask(reference) == before
    assert sum(answer != before for answer in answers) > len(mutants) // 8
