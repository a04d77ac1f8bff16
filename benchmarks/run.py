"""How long the verbs take that a person waits for, as ratios to what the interpreter itself takes to start.

Only measuring lives here. A ratio within one run survives a slow machine, which seconds do not; processor time nearly
survives a busy one. Both stand next to the seconds. Exit 1 when a budget is exceeded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

Words = tuple[str, ...]

TREEPROOF = ("-m", "treeproof")
RUN = (*TREEPROOF, "run", "reference", "--spec", "list_directory")
SHARDS = 4


@dataclass(frozen=True)
class Measured:
    """Something a person waits for: commands that run one after the other, how often, the wall seconds they may take.

    ``exits`` are the exit codes that are right.
    """

    name: str
    commands: tuple[Words, ...]
    rounds: int
    budget: float | None = None
    exits: tuple[int, ...] = (0,)


START = Measured("the interpreter", (("-c", "pass"),), 10)
VERBS = (
    Measured("treeproof --help", ((*TREEPROOF, "--help"),), 5, 0.3),
    Measured("treeproof lint", ((*TREEPROOF, "lint"),), 3),
    # 3: nothing failed, and something cannot be verified on this machine.
    Measured("run reference", (RUN,), 3, 10.0, (0, 3)),
    Measured("run reference --jobs 1", ((*RUN, "--jobs", "1"),), 3, None, (0, 3)),
    Measured("run reference --jobs 2", ((*RUN, "--jobs", "2"),), 3, None, (0, 3)),
    Measured(
        f"{SHARDS} shards, and merge",
        (
            *(
                (*RUN, "--jobs", "1", "--shard", f"{n}/{SHARDS}", "--report", f"json={n}.json")
                for n in range(1, SHARDS + 1)
            ),
            (*TREEPROOF, "merge", *(f"{n}.json" for n in range(1, SHARDS + 1))),
        ),
        1,
        None,
        (0, 3),
    ),
)
"""Runs are those of ``list_directory``, the largest specification; one of all of them takes what they take together."""


@dataclass(frozen=True)
class Taken:
    """Wall and processor seconds: the medians of some rounds."""

    wall: float
    processor: float


def measure(measured: Measured, cwd: Path, rounds: int | None = None) -> Taken:
    """Run it as often as it says, or ``rounds`` times. Raises SystemExit when a command itself fails."""
    taken = [_once(measured, cwd) for _ in range(rounds or measured.rounds)]
    return Taken(
        statistics.median(one.wall for one in taken),
        statistics.median(one.processor for one in taken),
    )


def _once(measured: Measured, cwd: Path) -> Taken:
    wall, processor = time.perf_counter(), _processor_seconds()
    for words in measured.commands:
        done = subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, check=False)
        if done.returncode not in measured.exits:
            said = (done.stderr or done.stdout).decode("utf-8", "backslashreplace")[-500:]
            raise SystemExit(f"{measured.name}: exit {done.returncode}\n{said}")
    return Taken(time.perf_counter() - wall, _processor_seconds() - processor)


def _processor_seconds() -> float:
    spent = os.times()
    return spent.children_user + spent.children_system


def table(measurements: Sequence[tuple[Measured, Taken]]) -> Iterator[str]:
    """Yield the lines that are printed: the first measurement is what the others are compared with."""
    unit = measurements[0][1]
    yield f"{'':24}{'seconds':>9}{'x start':>9}{'processor':>11}{'x start':>9}{'budget':>8}"
    for measured, taken in measurements:
        budget = "" if measured.budget is None else f"{measured.budget:8.1f}"
        late = "  too slow" if is_late(measured, taken) else ""
        yield (
            f"{measured.name:24}{taken.wall:9.3f}{taken.wall / unit.wall:9.1f}"
            f"{taken.processor:11.3f}{taken.processor / max(unit.processor, 1e-3):9.1f}{budget}{late}"
        )


def is_late(measured: Measured, taken: Taken) -> bool:
    """Whether a budget is exceeded."""
    return measured.budget is not None and taken.wall > measured.budget


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every command and print a table; return 1 when a budget is exceeded, else 0."""
    parser = argparse.ArgumentParser(description="Measure the verbs against the interpreter's own start.")
    parser.add_argument(
        "--no-budget", action="store_true", help="print only; never fail for the time it took"
    )
    parser.add_argument(
        "--rounds", type=int, metavar="N", help="how often each is measured (default: as it pays)"
    )
    words = parser.parse_args(arguments)
    measurements = []
    with tempfile.TemporaryDirectory() as elsewhere:
        for measured in (START, *VERBS):
            measurements.append((measured, measure(measured, Path(elsewhere), words.rounds)))
            print(f"measured: {measured.name}", file=sys.stderr)
    print("\n".join(table(measurements)))
    late = any(is_late(measured, taken) for measured, taken in measurements)
    return 1 if late and not words.no_budget else 0


if __name__ == "__main__":
    sys.exit(main())
