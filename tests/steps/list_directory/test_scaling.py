"""The answer to be timed is judged by the model: the time of a wrong one shows nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from treeproof.candidate import Call
from treeproof.run.world import World
from treeproof.steps.list_directory import scaling
from treeproof.verdict import NotVerified


class FakeWorld:
    """A world in which every call has the same judgement."""

    def __init__(self, *alternatives: str) -> None:
        self.judgements = [SimpleNamespace(alternatives=alternatives)]
        self.sandbox = self.call_builder = self.log = self
        self.judged: list[Any] = []
        self.tree: Any = None

    def send(self, call: Call) -> None:
        self.judged.append(self.tree)

    def add_root(self, name: str) -> bytes:
        return b"/nowhere"

    def build(self, *arguments: object, **keywords: object) -> Call:
        return Call("list_directory", {}, {})


def judge_calls(world: Any) -> None:
    given: World = world
    scaling.timed(given, "list_directory", "f0..f3", "f0..f9", "{}")


def test_the_call_is_judged_on_both_trees() -> None:
    world = FakeWorld()
    world.keep = lambda growth: None  # type: ignore[attr-defined]
    judge_calls(world)
    assert [len(tree.entries) for tree in world.judged] == [4, 10]


def test_a_wrong_answer_is_not_timed() -> None:
    with pytest.raises(NotVerified, match="wrong by another rule"):
        judge_calls(FakeWorld("a finding"))
