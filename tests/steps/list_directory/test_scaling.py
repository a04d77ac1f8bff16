"""Only the listing that the step names is timed: a complete one, or one that is truncated by its size."""

from __future__ import annotations

import json

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.run.world import World
from treeproof.steps.list_directory import scaling
from treeproof.verdict import Mismatch


class FakeWorld:
    """A world in which every call returns the same document."""

    def __init__(self, listed: int, reason: str | None) -> None:
        document: dict[str, object] = {"entries": [{} for _ in range(listed)], "truncated_reason": reason}
        self.answer = CallResult("ok", json.dumps(document), None, None, None, None, None, b"")
        self.sandbox = self
        self.call_builder = self
        self.session = self
        self.candidate = self
        self.adapter = self
        self.log = self
        self.shown: list[Call] = []
        self.pid, self.kind = None, "python"

    def own_process(self) -> None:
        return None

    def call(self, call: Call, adapter: None) -> CallResult:
        return self.answer

    def show_further(self, call: Call, answer: CallResult) -> None:
        self.shown.append(call)

    def add_root(self, name: str) -> bytes:
        return b"/nowhere"

    def build(self, *arguments: object, **keywords: object) -> Call:
        return Call("list_directory", {}, {})


def time_call(listed: int, reason: str | None, *, cut: bool) -> None:
    world: World = FakeWorld(listed, reason)  # type: ignore[assignment]
    scaling.ScalingMeasurement(world, "list_directory", ("f0..f3", "f0..f9"), "{}", cut=cut).time_call(0)


@pytest.mark.parametrize(("listed", "reason", "cut"), [(4, None, False), (1, "max_output_bytes", True)])
def test_the_named_listing_is_timed(listed: int, reason: str | None, cut: bool) -> None:
    time_call(listed, reason, cut=cut)


@pytest.mark.parametrize(
    ("listed", "reason", "cut", "message"),
    [
        (3, None, False, "not whole"),
        (3, "max_output_bytes", False, "not whole"),
        (4, None, True, "not cut"),
        (4, "max_output_bytes", True, "not cut"),
        (0, "max_output_bytes", True, "not cut"),
        (2, "max_entries", True, "not cut"),
        (2, None, True, "not cut"),
    ],
)
def test_another_listing_is_not_timed(listed: int, reason: str | None, cut: bool, message: str) -> None:
    with pytest.raises(Mismatch, match=message):
        time_call(listed, reason, cut=cut)
