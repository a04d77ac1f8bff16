"""The zoo keeps its own promises: ids, what is violated, and that every animal can be asked and bites nobody else."""

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
from treeproof.tree import build_tree, parse_tree

PROJECT = Path(__file__).parent.parents[2]
MODULE = "treeproof.mutants.list_directory.registry"

module = importlib.import_module(MODULE)
mutants = module.mutants
pack = load_pack(PROJECT / "features" / "list_directory")
wrong = [mutant for mutant in mutants.values() if mutant.kind == "wrong"]
nulls = [mutant for mutant in mutants.values() if mutant.kind == "null"]
by_id = pytest.mark.parametrize("mutant", mutants.values(), ids=lambda mutant: mutant.id)


def test_the_pack_names_it() -> None:
    assert pack.mutants == f"{MODULE}:mutants"


def test_it_is_large_enough() -> None:
    assert len(wrong) >= 120
    assert len(nulls) >= 7


def test_no_id_is_given_twice() -> None:
    ids = Counter(mutant.id for subject in module.FEATURE_MODULES for mutant in subject.MUTANTS)
    assert [id for id, count in ids.items() if count > 1] == []
    assert set(ids) == set(mutants)


def test_no_two_say_the_same() -> None:
    summaries = Counter(mutant.summary for mutant in mutants.values())
    assert [summary for summary, count in summaries.items() if count > 1] == []


@by_id
def test_an_id_says_the_kind_and_a_summary_is_one_sentence(mutant: Any) -> None:
    pattern = {"wrong": r"MUT-\d{3}", "null": r"NULL-\d{2}"}[mutant.kind]
    assert re.fullmatch(pattern, mutant.id)
    assert mutant.summary.endswith(".")
    assert "\n" not in mutant.summary
    assert len(mutant.summary) <= 120


def test_what_is_violated_is_required_and_can_be_verified() -> None:
    requirements = {requirement.id: requirement for requirement in pack.requirements}
    for mutant in wrong:
        assert mutant.violates, mutant.id
        assert len(set(mutant.violates)) == len(mutant.violates), mutant.id
        for id in mutant.violates:
            assert id in requirements, (mutant.id, id)
            assert not requirements[id].excluded, (mutant.id, id)
        declared = requirements[mutant.violates[0]]
        assert declared.restates is None, (
            f"{mutant.id}: blame {declared.restates}, which {declared.id} restates"
        )
    assert all(not mutant.violates for mutant in nulls)


def test_a_reading_that_would_make_it_right_is_in_the_register_and_not_the_default() -> None:
    register = {entry.id: entry for entry in pack.interpretations}
    for mutant in wrong:
        if mutant.reading is not None:
            entry, label = mutant.reading.split(" ")
            assert label in [reading.label for reading in register[entry].readings], mutant.id
            assert label != register[entry].recommended, mutant.id
            assert register[entry].treatment == "declared", mutant.id


@by_id
def test_it_is_a_target_that_introduces_itself(mutant: Any) -> None:
    candidate: Any = factory.load_candidate(f"{MODULE}:{mutant.id.replace('-', '_')}", PROJECT, {})
    hello = candidate.initialize({"protocol": 1, "workspace": "/"})
    assert hello["candidate"]["name"] == mutant.id
    assert hello["tools"] == {"list_directory": "list_directory@1.1"}
    assert candidate.describe({"tool": "list_directory"})["name"]


def test_an_unknown_one_is_no_target() -> None:
    with pytest.raises(AttributeError, match="MUT_999"):
        _ = module.MUT_999


def test_none_of_them_leaves_a_trace_in_the_reference(tmp_path: Path) -> None:
    root = tmp_path / "root"
    tree = parse_tree(r"a/{b=3, .h}, a-b, '\xff', l->a, e/%0000{x}, p:fifo, B")
    reference = importlib.import_module("treeproof.reference_impl.list_directory.candidate").candidate()

    def ask(candidate: Any) -> Any:
        root.mkdir()
        build_tree(tree, os.fsencode(root))
        context = {"roots": [str(root)], "working_dir": str(root), "max_output_bytes": 1200}
        arguments = {"path": ".", "recursive": True, "include_hidden": True, "max_entries": 9}
        try:
            with drop_dac_capabilities():
                return candidate.call({"tool": "list_directory", "arguments": arguments, "context": context})
        except RuntimeError as crash:
            return str(crash)
        finally:
            os.chmod(root / "e", 0o700)
            root.rename(tmp_path / f"used-{len(list(tmp_path.iterdir()))}")

    before = ask(reference)
    answers = {mutant.id: ask(mutant()) for mutant in mutants.values()}
    assert ask(reference) == before
    # One call is enough to tell a good part of them from the reference.
    assert sum(answer != before for answer in answers.values()) > len(mutants) // 6
