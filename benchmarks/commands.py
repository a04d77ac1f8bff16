"""Measure the commands that a user waits for, as ratios to the start of the interpreter; exit 1 above a budget.

Ratios can be compared between machines, seconds cannot. Processor time varies least on a busy machine.
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
    """Commands that run in order, the number of rounds, the budget in wall seconds and the accepted exit codes."""

    name: str
    commands: tuple[Command, ...]
    rounds: int
    budget: float | None = None
    exit_codes: tuple[int, ...] = (0,)


INTERPRETER_START = Benchmark("the interpreter", (("-c", "pass"),), 10)
BENCHMARKS = (
    Benchmark("treeproof --help", ((*TREEPROOF, "--help"),), 5, 0.3),
    Benchmark("treeproof lint", ((*TREEPROOF, "lint"),), 3),
    # The second process and later ones find the features parsed.
    Benchmark(
        "run reference --select LD-LST-05-01", ((*TREEPROOF, "run", "reference", "--select", "LD-LST-05-01"),), 5
    ),
    # 3 (incomplete): a requirement cannot be verified on this host.
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
"""The runs use ``list_directory``, the largest specification."""


@dataclass(frozen=True)
class Timing:
    """Wall and processor seconds, each the median of several rounds."""

    wall: float
    processor: float


def measure(benchmark: Benchmark, cwd: Path, rounds: int | None = None) -> Timing:
    """Return the medians of ``rounds`` or the benchmark's own rounds. Raises SystemExit if a command fails."""
    timings = [_run_once(benchmark, cwd) for _ in range(rounds or benchmark.rounds)]
    return Timing(
        statistics.median(one.wall for one in timings),
        statistics.median(one.processor for one in timings),
    )


def _run_once(benchmark: Benchmark, cwd: Path) -> Timing:
    wall, processor = time.perf_counter(), _processor_seconds()
    for arguments in benchmark.commands:
        done = subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, check=False)
        if done.returncode not in benchmark.exit_codes:
            output = (done.stderr or done.stdout).decode("utf-8", "backslashreplace")[-500:]
            raise SystemExit(f"{benchmark.name}: exit {done.returncode}\n{output}")
    return Timing(time.perf_counter() - wall, _processor_seconds() - processor)


def _processor_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def format_table(measurements: Sequence[tuple[Benchmark, Timing]]) -> Iterator[str]:
    """Yield the lines of the table; ratios compare with the first measurement."""
    unit = measurements[0][1]
    yield f"{'':24}{'seconds':>9}{'x start':>9}{'processor':>11}{'x start':>9}{'budget':>8}"
    for benchmark, timing in measurements:
        budget = "" if benchmark.budget is None else f"{benchmark.budget:8.1f}"
        note = "  too slow" if exceeds_budget(benchmark, timing) else ""
        yield (
            f"{benchmark.name:24}{timing.wall:9.3f}{timing.wall / unit.wall:9.1f}"
            f"{timing.processor:11.3f}{timing.processor / max(unit.processor, 1e-3):9.1f}{budget}{note}"
        )


def exceeds_budget(benchmark: Benchmark, timing: Timing) -> bool:
    """Return whether the benchmark has a budget and the timing exceeds it."""
    return benchmark.budget is not None and timing.wall > benchmark.budget


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every command and print a table; return 1 when a budget is exceeded, else 0."""
    parser = argparse.ArgumentParser(description="Measure the commands as ratios to the start of the interpreter.")
    parser.add_argument("--no-budget", action="store_true", help="print only; do not fail above a budget")
    parser.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="measure each command N times (default: depends on the command)",
    )
    args = parser.parse_args(arguments)
    measurements = []
    with tempfile.TemporaryDirectory() as folder:
        for benchmark in (INTERPRETER_START, *BENCHMARKS):
            measurements.append((benchmark, measure(benchmark, Path(folder), args.rounds)))
            print(f"measured: {benchmark.name}", file=sys.stderr)
    print("\n".join(format_table(measurements)))
    too_slow = any(exceeds_budget(*measurement) for measurement in measurements)
    return 1 if too_slow and not args.no_budget else 0


if __name__ == "__main__":
    sys.exit(main())
