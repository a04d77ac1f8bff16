"""When and Then: how the time of a call grows with the tree. Noise only adds, so the least of several times counts."""

from __future__ import annotations

import os
import time
from pathlib import Path

from pytest_bdd import then, when

from treeproof.candidate import Call, CandidateFault
from treeproof.run.world import World
from treeproof.tree import parse
from treeproof.verdict import Mismatch

from .documents import read
from .words import sentence

PAIRS = 7
FLOOR_SECONDS = 0.005
"""Below this the smaller time is all overhead, and a ratio would say nothing."""


class Growth:
    """One call on a small and on a large tree, timed in pairs."""

    def __init__(self, world: World, tool: str, notations: tuple[str, str], arguments: str) -> None:
        self._world = world
        self.calls = tuple(self._call(tool, notation, arguments) for notation in notations)
        self.entries = tuple(sum(1 for _ in parse(notation).walk()) for notation in notations)
        self.least = [float("inf"), float("inf")]

    def _call(self, tool: str, notation: str, arguments: str) -> Call:
        root = self._world.another(notation.partition(" ")[0][:20])
        self._world.build(parse(notation), root)
        place = os.fsdecode(root)
        return self._world.prepare(tool, arguments, extra={"roots": [place], "working_dir": place})

    def ask(self, side: int) -> None:
        """Make the call once; keeps the least time. Raises Mismatch when the listing is not the whole tree."""
        before = self._clock()
        try:
            answer = self._world.session.call(self.calls[side], self._world.process())
        except CandidateFault as fault:
            if fault.fault != "hang" or side == 0:
                raise
            # It answered on the smaller tree: this is the very thing that is asked here, and no fault of the glue.
            smaller = f"{self.least[0] * 1000:.0f} ms on the smaller tree"
            raise Mismatch(
                "no answer on the larger tree in time", expected="an answer", got=f"{fault.detail}; {smaller}"
            ) from fault
        took = self._clock() - before
        listed = len(read(answer).entries)
        if listed < self.entries[side]:
            raise Mismatch(
                "the listing to be timed is not whole",
                expected=f"{self.entries[side]} entries",
                got=str(listed),
            )
        self.least[side] = min(self.least[side], took)

    def _clock(self) -> float:
        """Return processor time of the candidate's process in seconds where it is its own, else wall time."""
        pid = (self._world.process() or self._world.session.adapter).pid
        if pid is None:
            return time.thread_time() if self._world.session.adapter.kind == "python" else time.perf_counter()
        try:
            spent = [
                int(task.read_text("ascii").split()[0])
                for task in Path(f"/proc/{pid}/task").glob("*/schedstat")
            ]
        except (OSError, ValueError, IndexError):
            return time.perf_counter()
        return sum(spent) / 1e9 if spent else time.perf_counter()


@when(
    sentence(
        r'(?P<tool>[\w.]+) is timed on the trees "(?P<small>.+)" and "(?P<large>.+)" with (?P<arguments>\{.*\})'
    )
)
def timed(world: World, tool: str, small: str, large: str, arguments: str) -> None:
    """When list_directory is timed on the trees "f000..f999" and "f0000..f3999" with {"max_entries": 10000}: each
    tree in a sandbox of its own; the first call of each is not measured.

    Role: call
    """
    world.begin()
    growth = Growth(world, tool, (small, large), arguments)
    growth.ask(0)
    growth.ask(1)
    growth.least = [float("inf"), float("inf")]
    world.growth = growth


@then(sentence(r"the second takes less than (?P<times>\d+) times as long as the first"))
def grows_less(world: World, times: str) -> None:
    """Then the second takes less than 12 times as long as the first: n log n takes less than five, a square sixteen.

    Evidence: always
    """
    growth = world.growth
    if not isinstance(growth, Growth):
        raise Mismatch("nothing was timed before this sentence")
    world.positive = True
    for pair in range(PAIRS):
        growth.ask(0)
        growth.ask(1)
        if pair and growth.least[1] < int(times) * max(growth.least[0], FLOOR_SECONDS):
            return
    small, large = (least * 1000 for least in growth.least)
    raise Mismatch(
        f"{large / max(small, 1e-6):.1f} times as long on the larger tree",
        expected=f"less than {times} times",
        got=f"{small:.1f} ms and {large:.1f} ms, the least of {PAIRS}",
    )
