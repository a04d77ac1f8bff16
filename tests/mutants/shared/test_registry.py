"""The mutants of every pack: their ids, what they violate, and that none changes the reference implementation."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult, connect
from treeproof.candidate.factory import load_candidate
from treeproof.candidate.messages import parse_call_result
from treeproof.candidate.planted_adapter import PlantedChange
from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.mutants.shared.registry import collect_mutants
from treeproof.run.targets import mutant_target
from treeproof.spec import Pack, open_pack
from treeproof.spec.mutants import load_mutants, mutant_entry_point
from treeproof.tree import build_tree, parse_tree, read_tree, render_tree, without_default_metadata

Calls = tuple[tuple[str, dict[str, Any]], ...]
_numbers = count()


@dataclass
class Planted:
    """The reference with an error at the adapter."""

    reference: Any
    error: PlantedChange

    def call(self, params: dict[str, Any]) -> CallResult:
        return self.error(Call(**params), self._send)

    def _send(self, call: Call) -> CallResult:
        params = {"tool": call.tool, "arguments": call.arguments, "context": dict(call.context)}
        return parse_call_result(self.reference.call(params), b"")


@dataclass
class PackMutants:
    """The mutants of a pack, and calls on a tree whose results differ for many of them."""

    name: str
    prefix: str
    minimum: int
    calls: Calls
    tree: str = r"a/{b=3, .h}, a-b, '\xff', l->a, d/{x=>a/b}, p:fifo, B"
    context: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def pack(self) -> Pack:
        return open_pack(self.name)

    @cached_property
    def mutants(self) -> dict[str, Any]:
        return dict(load_mutants(self.pack))

    def reference(self) -> Any:
        return load_candidate(self.pack.reference or "", self.pack.folder, {})

    def candidate(self, mutant: Any) -> Any:
        """Return the candidate of a mutant: a planted one is the reference behind its error."""
        return mutant() if mutant.plant is None else Planted(self.reference(), mutant.plant())

    def call_results(self, candidate: Any, root: Path) -> str:
        """Return the results of the calls and the tree after them, as text; ``root`` is built and moved away."""
        root.mkdir()
        build_tree(parse_tree(self.tree), os.fsencode(root))
        context = {"roots": [str(root)], "working_dir": str(root), **self.context}
        results = []
        # A mutant that waits at a named pipe would wait for ever: nothing ends a call in this process.
        writers = [os.open(pipe, os.O_RDWR | os.O_NONBLOCK) for pipe in root.rglob("*") if pipe.is_fifo()]
        for tool, arguments in self.calls:
            arguments = {key: str(root) if value == "$ROOT" else value for key, value in arguments.items()}
            try:
                with drop_dac_capabilities():
                    result = candidate.call({"tool": tool, "arguments": arguments, "context": context})
                shown = parse_call_result(result, b"") if isinstance(result, dict) else result
                results.append(re.sub(r'"time_ms": \d+', "", str(shown)))
            except RuntimeError as crash:
                results.append(str(crash))
        for writer in writers:
            os.close(writer)
        for directory in root.glob("*/"):
            directory.chmod(0o700)
        after = render_tree(without_default_metadata(read_tree(os.fsencode(root))))
        root.rename(root.with_name(f"used-{next(_numbers)}"))
        return "\n".join([*results, after])


def transfers(*calls: tuple[str, str, str]) -> Calls:
    return tuple(
        (tool, {"source": source, "destination": destination, "overwrite": True}) for tool, source, destination in calls
    )


PACKS = (
    PackMutants(
        "list_directory",
        "",
        120,
        (("list_directory", {"path": ".", "recursive": True, "include_hidden": True, "max_entries": 9}),),
        tree=r"a/{b=3, .h}, a-b, '\xff', l->a, e/%0000{x}, p:fifo, B",
        context={"max_output_bytes": 1200},
    ),
    PackMutants(
        "file_operations",
        "FO-",
        55,
        transfers(
            ("move", "a", "b"),
            ("copy", "b", "d"),
            ("cp", "l", "d"),
            ("mv", "l", "m"),
            ("rename", "b", "'$HOME%2f#\\:.X'"),
            ("rename", "d/k", "n"),
            ("copy", "n", ".h"),
            ("copy", "N", "o"),
            ("copy", "n", "v1.2"),
            ("move", "n", "v1.2"),
            ("move", "v1.2/n", ".h"),
        ),
        tree='a="A", b="BB", d/{k="K"}, l->b, v1.2/, .h="H"',
        context={"config": {"tools": {"fileops": {"allow_overwrite": True}}}},
    ),
    PackMutants("ls", "LS-", 40, (("LS", {"path": "."}),)),
    PackMutants("fs_walkdir", "WD-", 40, (("FS.WalkDir", {"path": "."}),)),
    PackMutants("local_files", "LF-", 40, (("listDirectory", {"path": "$ROOT"}),)),
)

every_pack = pytest.mark.parametrize("one", PACKS, ids=lambda one: one.name)


@every_pack
def test_there_are_enough_mutants_and_no_summary_is_used_twice(one: PackMutants) -> None:
    kinds = Counter(mutant.kind for mutant in one.mutants.values())
    assert kinds["wrong"] >= one.minimum
    assert kinds["null"] >= 7
    summaries = Counter(mutant.summary for mutant in one.mutants.values())
    assert [summary for summary, count in summaries.items() if count > 1] == []


@every_pack
def test_violated_requirements_are_in_the_catalogue(one: PackMutants) -> None:
    requirements = {requirement.id: requirement for requirement in one.pack.requirements}
    for mutant in one.mutants.values():
        assert bool(mutant.violates) is (mutant.kind == "wrong"), mutant.id
        assert len(set(mutant.violates)) == len(mutant.violates), mutant.id
        assert not [id for id in mutant.violates if requirements[id].excluded], mutant.id
        assert not [id for id in mutant.violates[:1] if requirements[id].restates], mutant.id


def test_every_requirement_of_the_file_operations_has_a_mutant() -> None:
    pack = open_pack("file_operations")
    violated = {mutant.violates[0] for mutant in load_mutants(pack).values() if mutant.violates}
    assert {requirement.id for requirement in pack.requirements if not requirement.restates} == violated


@every_pack
def test_a_mutant_is_a_candidate_that_declares_its_id(one: PackMutants, tmp_path: Path) -> None:
    tools = one.reference().initialize({"protocol": 1, "workspace": "/"})["tools"]
    for id, mutant in one.mutants.items():
        kind = {"wrong": "MUT", "null": "NULL"}[mutant.kind]
        assert re.fullmatch(rf"{kind}-{one.prefix}\d{{2,4}}", id)
        assert re.fullmatch(r"[^\n]{1,119}\.", mutant.summary), id
        if mutant.plant is not None:
            assert connect(mutant_target(one.pack, id)).start(str(tmp_path)).name == id
            continue
        candidate: Any = load_candidate(mutant_entry_point(one.pack, id), one.pack.folder, {})
        declared = candidate.initialize({"protocol": 1, "workspace": "/"})
        assert declared["candidate"]["name"] == id
        assert declared["tools"] == tools, id
        assert candidate.describe({"tool": one.calls[0][0]})["name"], id


@pytest.mark.slow
@every_pack
def test_mutants_differ_from_the_reference_and_do_not_change_it(one: PackMutants, tmp_path: Path) -> None:
    root = tmp_path / "root"
    before = one.call_results(one.reference(), root)
    results = [one.call_results(one.candidate(mutant), root) for mutant in one.mutants.values()]
    assert one.call_results(one.reference(), root) == before
    # A few calls distinguish many mutants from the reference; `make adequacy` distinguishes all.
    assert sum(result != before for result in results) > len(results) // 8


def test_an_id_is_used_once(monkeypatch: pytest.MonkeyPatch) -> None:
    package = "treeproof.mutants.ls"
    first = importlib.import_module(f"{package}.arguments").MUTANTS[0]
    module = ModuleType(f"{package}.entries")
    vars(module).update(MUTANTS=(SimpleNamespace(id=first.id),))
    monkeypatch.setitem(sys.modules, f"{package}.entries", module)
    with pytest.raises(ValueError, match=rf"{package}.entries: {first.id} is used twice"):
        collect_mutants(package)
