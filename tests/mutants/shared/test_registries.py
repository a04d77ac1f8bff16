"""The zoos of the tools whose value is structured keep their promises: ids, what is violated, and that each bites."""

from __future__ import annotations

import importlib
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import factory
from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.spec import Pack, load_pack
from treeproof.tree import build_tree, parse_tree

PROJECT = Path(__file__).parent.parents[2]
TREE = r"a/{b=3, .h}, a-b, '\xff', l->a, d/{x=>a/b}, p:fifo, B"


@dataclass(frozen=True)
class PackMutants:
    """A zoo, with a call that tells a good part of its animals from the right one."""

    name: str
    prefix: str
    tool: str
    arguments: dict[str, Any]

    @property
    def module(self) -> str:
        return f"treeproof.mutants.{self.name}.registry"

    @property
    def mutants(self) -> dict[str, Any]:
        return dict(importlib.import_module(self.module).mutants)

    @property
    def pack(self) -> Pack:
        return load_pack(PROJECT / "features" / self.name)

    def reference(self) -> Any:
        return importlib.import_module(f"treeproof.reference_impl.{self.name}.candidate").candidate()


PACKS = (
    PackMutants("ls", "LS", "LS", {"path": "."}),
    PackMutants("fs_walkdir", "WD", "FS.WalkDir", {"path": "."}),
    PackMutants("local_files", "LF", "listDirectory", {"path": "$ROOT"}),
)

every_pack = pytest.mark.parametrize("zoo", PACKS, ids=lambda zoo: zoo.name)
every_mutant = pytest.mark.parametrize(
    ("zoo", "id"), [pytest.param(zoo, id, id=id) for zoo in PACKS for id in zoo.mutants]
)


@every_pack
def test_the_pack_names_it_and_it_is_large_enough(zoo: PackMutants) -> None:
    kinds = Counter(animal.kind for animal in zoo.mutants.values())
    assert zoo.pack.mutants == f"{zoo.module}:mutants"
    assert kinds["wrong"] >= 40
    assert kinds["null"] >= 7


@every_pack
def test_no_id_and_no_summary_is_given_twice(zoo: PackMutants) -> None:
    animals = [
        animal
        for subject in importlib.import_module(zoo.module).FEATURE_MODULES
        for animal in subject.MUTANTS
    ]
    for said in (Counter(one.id for one in animals), Counter(one.summary for one in animals)):
        assert [text for text, times in said.items() if times > 1] == []
    assert {one.id for one in animals} == set(zoo.mutants)


@every_pack
def test_what_is_violated_is_required_and_a_reading_is_in_the_register(zoo: PackMutants) -> None:
    requirements = {requirement.id: requirement for requirement in zoo.pack.requirements}
    register = {entry.id: entry for entry in zoo.pack.interpretations}
    for animal in zoo.mutants.values():
        assert bool(animal.violates) is (animal.kind == "wrong"), animal.id
        assert len(set(animal.violates)) == len(animal.violates), animal.id
        assert not [id for id in animal.violates if requirements[id].excluded], animal.id
        if animal.reading is not None:
            entry, label = animal.reading.split(" ")
            assert label in register[entry].labels, animal.id
            assert label != register[entry].recommended, animal.id
            assert register[entry].treatment == "declared", animal.id


@every_mutant
def test_it_is_a_target_that_introduces_itself(zoo: PackMutants, id: str) -> None:
    animal = zoo.mutants[id]
    kind = {"wrong": "MUT", "null": "NULL"}[animal.kind]
    assert re.fullmatch(rf"{kind}-{zoo.prefix}-\d{{2,3}}", id)
    assert re.fullmatch(r"[^\n]{1,119}\.", animal.summary)
    candidate: Any = factory.load_candidate(f"{zoo.module}:{id.replace('-', '_')}", PROJECT, {})
    hello = candidate.initialize({"protocol": 1, "workspace": "/"})
    assert hello["candidate"]["name"] == id
    assert hello["tools"] == zoo.reference().initialize({"protocol": 1, "workspace": "/"})["tools"]
    assert candidate.describe({"tool": zoo.tool})["name"]


@every_pack
def test_an_unknown_one_is_no_target(zoo: PackMutants) -> None:
    with pytest.raises(AttributeError, match="MUT_XX_999"):
        _ = importlib.import_module(zoo.module).MUT_XX_999


@every_pack
def test_none_of_them_leaves_a_trace_in_the_reference(zoo: PackMutants, tmp_path: Path) -> None:
    root = tmp_path / "root"

    def ask(candidate: Any) -> str:
        root.mkdir()
        build_tree(parse_tree(TREE), os.fsencode(root))
        context = {"roots": [str(root)], "working_dir": str(root)}
        arguments = {key: str(value).replace("$ROOT", str(root)) for key, value in zoo.arguments.items()}
        try:
            with drop_dac_capabilities():
                answer = str(candidate.call({"tool": zoo.tool, "arguments": arguments, "context": context}))
                return re.sub(r'"time_ms": \d+', "", answer)
        except RuntimeError as crash:
            return str(crash)
        finally:
            root.rename(tmp_path / f"used-{len(list(tmp_path.iterdir()))}")

    before = ask(zoo.reference())
    answers = [ask(animal()) for animal in zoo.mutants.values()]
    assert ask(zoo.reference()) == before
    assert sum(answer != before for answer in answers) > len(answers) // 5
