"""When and Then: the growth of a call's time with the tree. The minimum of several times is compared."""

from __future__ import annotations

import os
import time
from pathlib import Path

from treeproof.api import (
    MISSING_ENTRIES,
    Call,
    CallResult,
    CandidateFault,
    Mismatch,
    NotVerified,
    Tree,
    World,
    parse_tree,
    then,
    when,
)

from ..shared.values import format_json
from .view import CUT_BY_SIZE, parse_answer

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

    def __init__(self, world: World, tool: str, notations: tuple[str, str], arguments: str, *, cut: bool) -> None:
        self._world = world
        self._expects_truncation = cut
        trees = tuple(parse_tree(notation) for notation in notations)
        self.calls = tuple(self._prepare_call(tool, tree, arguments) for tree in trees)
        self.entry_counts = tuple(sum(1 for _ in tree.walk()) for tree in trees)
        self.fastest = [float("inf"), float("inf")]

    def _prepare_call(self, tool: str, tree: Tree, arguments: str) -> Call:
        root = self._world.sandbox.add_root("timed")
        self._world.sandbox.build(tree, root)
        path = os.fsdecode(root)
        return self._world.call_builder.build(tool, arguments, extra_context={"roots": [path], "working_dir": path})

    def time_call(self, tree_index: int) -> float:
        """Make the call once and return its seconds; the minimum is kept.

        Raises Mismatch when the listing is not the whole tree, or not a part of it although the budgets cut it.
        """
        before = self._read_clock()
        try:
            answer = self._world.session.call(self.calls[tree_index], self._world.own_process())
        except CandidateFault as fault:
            if fault.kind != "timeout" or tree_index == 0:
                raise
            # The call on the smaller tree succeeded, so the time is the result of the measurement and not a fault.
            smaller = f"{self.fastest[0] * 1000:.0f} ms on the smaller tree"
            self._world.log.add(self.calls[tree_index])
            raise Mismatch(
                f"no answer on the larger tree in time: {fault.detail}; {smaller}",
                kind="no answer on the larger tree in time",
            ) from fault
        seconds = self._read_clock() - before
        try:
            self._check_answer(tree_index, answer)
        except Mismatch:
            self._world.log.show_further(self.calls[tree_index], answer)
            raise
        self.fastest[tree_index] = min(self.fastest[tree_index], seconds)
        return seconds

    def _check_answer(self, tree_index: int, answer: CallResult) -> None:
        try:
            found = parse_answer(answer)
            listed = len(found.entries)
        except Mismatch as why:  # the judgement of other calls names the rule that this answer breaks
            raise NotVerified("other_requirement", f"the listing to be timed: {why}") from why
        due = self.entry_counts[tree_index]
        if self._expects_truncation:
            if not 0 < listed < due or found.members.get("truncated_reason") != CUT_BY_SIZE:
                reason = format_json(found.members.get("truncated_reason"))
                raise Mismatch(
                    f"the listing to be timed is not cut by {CUT_BY_SIZE}: {listed} of {due} entries, "
                    f"truncated_reason {reason}",
                    kind="the listing to be timed is not cut",
                )
        elif listed < due:
            what = f"the listing to be timed is not whole: {listed} of {due} entries"
            raise Mismatch(what, kind=MISSING_ENTRIES)

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
    r'(?P<tool>[\w.]+) is timed on the trees "(?P<small>.+)" and "(?P<large>.+)" with (?P<arguments>\{.*\})'
    r"(?P<cut>, cut by the budgets)?",
    example='list_directory is timed on the trees "f000..f999" and "f0000..f3999" with {"max_entries": 10000}',
    role="call",
)
def timed(world: World, tool: str, small: str, large: str, arguments: str, cut: str | None) -> None:
    """Time the call on each tree, after a first call that is not measured.

    Each tree has its own sandbox. The listings must be complete or, with `, cut by the budgets`, cut because of their
    size.
    """
    world.begin_observation()
    growth = ScalingMeasurement(world, tool, (small, large), arguments, cut=cut is not None)
    growth.time_call(0)
    growth.fastest = [float("inf"), float("inf")]
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
