"""When and Then: the growth of a call's time with the tree. The minimum of several times is compared."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from treeproof.api import (
    Call,
    CandidateFault,
    Mismatch,
    NotVerified,
    Tree,
    World,
    parse_tree,
    then,
    when,
)

MAX_ROUNDS = 7
"""The maximum number of measurements of the larger tree; after the last one its time is too long."""

MAX_SLOW_ROUNDS, SLOW_SECONDS = 3, 5.0
"""The same after this number of seconds: a disturbance of the machine does not last that long."""

SMALL_TREE_REPEATS = 2
"""The number of measurements of the smaller tree before each one of the larger tree.

A small time that is too long by chance would hide a bad ratio; a large one leads to another round.
"""

MIN_SECONDS = 0.005
"""A smaller time below this is only overhead, and its ratio has no meaning."""


class ScalingMeasurement:
    """One call on a small and on a large tree, timed alternately."""

    def __init__(self, world: World, tool: str, notations: tuple[str, str], arguments: str) -> None:
        self._world = world
        self._trees = tuple(map(parse_tree, notations))
        self.calls = tuple(self._prepare_call(tool, tree, arguments) for tree in self._trees)
        self.fastest = [float("inf"), float("inf")]

    def _prepare_call(self, tool: str, tree: Tree, arguments: str) -> Call:
        root = self._world.sandbox.add_root("timed")
        self._world.sandbox.build(tree, root)
        path = os.fsdecode(root)
        return self._world.call_builder.build(tool, arguments, extra_context={"roots": [path], "working_dir": path})

    def judge_call(self, tree_index: int) -> None:
        """Make the call once, for the model. Raises NotVerified for a wrong answer: its time shows nothing."""
        self._world.sandbox.tree = self._trees[tree_index]
        with self._no_answer_is_a_result(tree_index):
            self._world.send(self.calls[tree_index])
        if self._world.judgements and self._world.judgements[-1].alternatives:
            raise NotVerified("other_requirement", "the answer to be timed is wrong by another rule")

    def time_call(self, tree_index: int) -> float:
        """Make the call once and return its seconds; the minimum is kept."""
        before = self._read_clock()
        with self._no_answer_is_a_result(tree_index):
            self._world.session.call(self.calls[tree_index], self._world.own_process())
        seconds = self._read_clock() - before
        self.fastest[tree_index] = min(self.fastest[tree_index], seconds)
        return seconds

    @contextlib.contextmanager
    def _no_answer_is_a_result(self, tree_index: int) -> Iterator[None]:
        """Raise Mismatch for a timeout on the larger tree: the call on the smaller one succeeded, so it is no fault."""
        try:
            yield
        except CandidateFault as fault:
            if fault.kind != "timeout" or tree_index == 0:
                raise
            self.show_call(tree_index)
            what = "no answer on the larger tree in time"
            raise Mismatch(f"{what}: {fault.detail}; the call on the smaller tree was answered", kind=what) from fault

    def show_call(self, tree_index: int) -> None:
        """Let evidence show the call on one of the trees; its answer is as long as the tree."""
        self._world.log.add(self.calls[tree_index])

    def _read_clock(self) -> float:
        """Return the processor time of the candidate's own process in seconds; wall time without one."""
        pid = (self._world.own_process() or self._world.session.candidate.adapter).pid
        if pid is None:
            return time.thread_time() if self._world.session.candidate.adapter.kind == "python" else time.perf_counter()
        try:
            spent = [int(task.read_text("ascii").split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat")]
        except (OSError, ValueError, IndexError):
            return time.perf_counter()
        return sum(spent) / 1e9 if spent else time.perf_counter()


@when(
    r'(?P<tool>[\w.]+) is timed on the trees "(?P<small>.+)" and "(?P<large>.+)" with (?P<arguments>\{.*\})',
    example='list_directory is timed on the trees "f000..f999" and "f0000..f3999" with {"max_entries": 10000}',
    role="call",
)
def timed(world: World, tool: str, small: str, large: str, arguments: str) -> None:
    """Make the call on each tree, for which the model judges it. Each tree has its own sandbox."""
    growth = ScalingMeasurement(world, tool, (small, large), arguments)
    for tree_index in (0, 1):
        growth.judge_call(tree_index)
    world.keep(growth)


@then(
    r"the second takes less than (?P<times>\d+) times as long as the first",
    example="the second takes less than 12 times as long as the first",
)
def grows_less(world: World, times: str) -> None:
    """Compare the times: n log n takes less than five times as long, n² sixteen times."""
    growth = world.kept(ScalingMeasurement)
    spent = 0.0
    for number in range(MAX_ROUNDS):
        if number >= MAX_SLOW_ROUNDS and spent > SLOW_SECONDS:
            break
        for tree_index in (*[0] * SMALL_TREE_REPEATS, 1):
            spent += growth.time_call(tree_index)
        if growth.fastest[1] < int(times) * max(growth.fastest[0], MIN_SECONDS):
            return
    small, large = (minimum * 1000 for minimum in growth.fastest)
    growth.show_call(1)
    raise Mismatch(
        f"{large / max(small, 1e-6):.1f} times as long on the larger tree, where less than {times} times is allowed: "
        f"{small:.1f} ms and {large:.1f} ms, the minimum of several measurements",
        kind="the time grows too fast",
    )
