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
from treeproof.candidate.privileges import without_dac
from treeproof.spec import Pack, load
from treeproof.tree import build, parse

HOUSE = Path(__file__).parents[2]
TREE = r"a/{b=3, .h}, a-b, '\xff', l->a, d/{x=>a/b}, p:fifo, B"


@dataclass(frozen=True)
class Zoo:
    """A zoo, with a call that tells a good part of its animals from the right one."""

    name: str
    prefix: str
    tool: str
    arguments: dict[str, Any]

    @property
    def module(self) -> str:
        return f"treeproof.reference_impl.mutants.{self.name}"

    @property
    def animals(self) -> dict[str, Any]:
        return dict(importlib.import_module(self.module).zoo)

    @property
    def pack(self) -> Pack:
        return load(HOUSE / "features" / self.name)

    def right(self) -> Any:
        return importlib.import_module(f"treeproof.reference_impl.{self.name}").candidate()


ZOOS = (
    Zoo("ls", "LS", "LS", {"path": "."}),
    Zoo("fs_walkdir", "WD", "FS.WalkDir", {"path": "."}),
    Zoo("local_files", "LF", "listDirectory", {"path": "$ROOT"}),
)

every_zoo = pytest.mark.parametrize("zoo", ZOOS, ids=lambda zoo: zoo.name)
every_animal = pytest.mark.parametrize(
    ("zoo", "id"), [pytest.param(zoo, id, id=id) for zoo in ZOOS for id in zoo.animals]
)


@every_zoo
def test_the_pack_names_it_and_it_is_large_enough(zoo: Zoo) -> None:
    kinds = Counter(animal.kind for animal in zoo.animals.values())
    assert zoo.pack.mutants == f"{zoo.module}:zoo"
    assert kinds["wrong"] >= 40
    assert kinds["null"] >= 7


@every_zoo
def test_no_id_and_no_summary_is_given_twice(zoo: Zoo) -> None:
    animals = [
        animal for subject in importlib.import_module(zoo.module).SUBJECTS for animal in subject.MUTANTS
    ]
    for said in (Counter(one.id for one in animals), Counter(one.summary for one in animals)):
        assert [text for text, times in said.items() if times > 1] == []
    assert {one.id for one in animals} == set(zoo.animals)


@every_zoo
def test_what_is_violated_is_required_and_a_reading_is_in_the_register(zoo: Zoo) -> None:
    requirements = {requirement.id: requirement for requirement in zoo.pack.requirements}
    register = {entry.id: entry for entry in zoo.pack.interpretations}
    for animal in zoo.animals.values():
        assert bool(animal.violates) is (animal.kind == "wrong"), animal.id
        assert len(set(animal.violates)) == len(animal.violates), animal.id
        assert not [id for id in animal.violates if requirements[id].excluded], animal.id
        if animal.reading is not None:
            entry, label = animal.reading.split(" ")
            assert label in register[entry].labels, animal.id
            assert label != register[entry].recommended, animal.id
            assert register[entry].treatment == "declared", animal.id


@every_animal
def test_it_is_a_target_that_introduces_itself(zoo: Zoo, id: str) -> None:
    animal = zoo.animals[id]
    kind = {"wrong": "MUT", "null": "NULL"}[animal.kind]
    assert re.fullmatch(rf"{kind}-{zoo.prefix}-\d{{2,3}}", id)
    assert re.fullmatch(r"[^\n]{1,119}\.", animal.summary)
    candidate: Any = factory.load(f"{zoo.module}:{id.replace('-', '_')}", HOUSE, {})
    hello = candidate.initialize({"protocol": 1, "workspace": "/"})
    assert hello["candidate"]["name"] == id
    assert hello["tools"] == zoo.right().initialize({"protocol": 1, "workspace": "/"})["tools"]
    assert candidate.describe({"tool": zoo.tool})["name"]


@every_zoo
def test_an_unknown_one_is_no_target(zoo: Zoo) -> None:
    with pytest.raises(AttributeError, match="MUT_XX_999"):
        _ = importlib.import_module(zoo.module).MUT_XX_999


@every_zoo
def test_none_of_them_leaves_a_trace_in_the_reference(zoo: Zoo, tmp_path: Path) -> None:
    root = tmp_path / "root"

    def ask(candidate: Any) -> str:
        root.mkdir()
        build(parse(TREE), os.fsencode(root))
        context = {"roots": [str(root)], "working_dir": str(root)}
        arguments = {key: str(value).replace("$ROOT", str(root)) for key, value in zoo.arguments.items()}
        try:
            with without_dac():
                answer = str(candidate.call({"tool": zoo.tool, "arguments": arguments, "context": context}))
                return re.sub(r'"time_ms": \d+', "", answer)
        except RuntimeError as crash:
            return str(crash)
        finally:
            root.rename(tmp_path / f"used-{len(list(tmp_path.iterdir()))}")

    before = ask(zoo.right())
    answers = [ask(animal()) for animal in zoo.animals.values()]
    assert ask(zoo.right()) == before
    assert sum(answer != before for answer in answers) > len(answers) // 5
