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

Command = tuple[str, ...]

TREEPROOF = ("-m", "treeproof")
RUN = (*TREEPROOF, "run", "reference", "--spec", "list_directory")
SHARDS = 4


@dataclass(frozen=True)
class Benchmark:
    """Something a person waits for: commands that run one after the other, how often, the wall seconds they may take.

    ``exits`` are the exit codes that are right.
    """

    name: str
    commands: tuple[Command, ...]
    rounds: int
    budget: float | None = None
    exit_codes: tuple[int, ...] = (0,)


INTERPRETER_START = Benchmark("the interpreter", (("-c", "pass"),), 10)
BENCHMARKS = (
    Benchmark("treeproof --help", ((*TREEPROOF, "--help"),), 5, 0.3),
    Benchmark("treeproof lint", ((*TREEPROOF, "lint"),), 3),
    # 3: nothing failed, and something cannot be verified on this machine.
    Benchmark("run reference", (RUN,), 3, 10.0, (0, 3)),
    Benchmark("run reference --jobs 1", ((*RUN, "--jobs", "1"),), 3, None, (0, 3)),
    Benchmark("run reference --jobs 2", ((*RUN, "--jobs", "2"),), 3, None, (0, 3)),
    Benchmark(
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
class Timing:
    """Wall and processor seconds: the medians of some rounds."""

    wall: float
    processor: float


def measure(measured: Benchmark, cwd: Path, rounds: int | None = None) -> Timing:
    """Run it as often as it says, or ``rounds`` times. Raises SystemExit when a command itself fails."""
    taken = [_run_once(measured, cwd) for _ in range(rounds or measured.rounds)]
    return Timing(
        statistics.median(one.wall for one in taken),
        statistics.median(one.processor for one in taken),
    )


def _run_once(measured: Benchmark, cwd: Path) -> Timing:
    wall, processor = time.perf_counter(), _processor_seconds()
    for words in measured.commands:
        done = subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, check=False)
        if done.returncode not in measured.exit_codes:
            said = (done.stderr or done.stdout).decode("utf-8", "backslashreplace")[-500:]
            raise SystemExit(f"{measured.name}: exit {done.returncode}\n{said}")
    return Timing(time.perf_counter() - wall, _processor_seconds() - processor)


def _processor_seconds() -> float:
    spent = os.times()
    return spent.children_user + spent.children_system


def format_table(measurements: Sequence[tuple[Benchmark, Timing]]) -> Iterator[str]:
    """Yield the lines that are printed: the first measurement is what the others are compared with."""
    unit = measurements[0][1]
    yield f"{'':24}{'seconds':>9}{'x start':>9}{'processor':>11}{'x start':>9}{'budget':>8}"
    for measured, taken in measurements:
        budget = "" if measured.budget is None else f"{measured.budget:8.1f}"
        late = "  too slow" if exceeds_budget(measured, taken) else ""
        yield (
            f"{measured.name:24}{taken.wall:9.3f}{taken.wall / unit.wall:9.1f}"
            f"{taken.processor:11.3f}{taken.processor / max(unit.processor, 1e-3):9.1f}{budget}{late}"
        )


def exceeds_budget(measured: Benchmark, taken: Timing) -> bool:
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
        for measured in (INTERPRETER_START, *BENCHMARKS):
            measurements.append((measured, measure(measured, Path(elsewhere), words.rounds)))
            print(f"measured: {measured.name}", file=sys.stderr)
    print("\n".join(format_table(measurements)))
    late = any(exceeds_budget(measured, taken) for measured, taken in measurements)
    return 1 if late and not words.no_budget else 0


if __name__ == "__main__":
    sys.exit(main())
