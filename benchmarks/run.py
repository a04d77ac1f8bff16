"""How long the verbs take that a person waits for, as ratios to what the interpreter itself takes to start.

Only measuring lives here. A ratio within one run survives a slow or a busy machine, which seconds do not; the
seconds are printed next to it. Exit 1 when a budget is exceeded.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """One command: what it is, how often it runs, the seconds it may take, the exit codes that are right."""

    name: str
    words: tuple[str, ...]
    rounds: int
    budget: float | None
    exits: tuple[int, ...] = (0,)


TREEPROOF = ("-m", "treeproof.cli")
BASELINE = Measured("the interpreter", ("-c", "pass"), 10, None)
COMMANDS = (
    Measured("treeproof --help", (*TREEPROOF, "--help"), 5, 0.3),
    Measured("treeproof lint", (*TREEPROOF, "lint"), 3, 1.0),
    # 3: nothing failed, and not everything is verified yet.
    Measured("treeproof run reference", (*TREEPROOF, "run", "reference"), 3, 3.0, (0, 3)),
)


def seconds(measured: Measured, cwd: str) -> float:
    """Return the median wall time in seconds. Raises SystemExit when the command itself fails."""
    taken = []
    for _ in range(measured.rounds):
        began = time.perf_counter()
        done = subprocess.run([sys.executable, *measured.words], cwd=cwd, capture_output=True, check=False)
        taken.append(time.perf_counter() - began)
        if done.returncode not in measured.exits:
            said = (done.stderr or done.stdout).decode("utf-8", "backslashreplace")[-500:]
            raise SystemExit(f"{measured.name}: exit {done.returncode}\n{said}")
    return statistics.median(taken)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every command and print a table; return 1 when a budget is exceeded, else 0."""
    parser = argparse.ArgumentParser(description="Measure the verbs against the interpreter's own start.")
    parser.add_argument(
        "--no-budget", action="store_true", help="print only; never fail for the time it took"
    )
    words = parser.parse_args(arguments)
    slow = False
    with tempfile.TemporaryDirectory() as elsewhere:
        unit = seconds(BASELINE, elsewhere)
        print(f"{'':26}{'seconds':>9}{'x start':>9}{'budget':>9}")
        print(f"{BASELINE.name:26}{unit:9.3f}{1:9.1f}")
        for command in COMMANDS:
            taken = seconds(command, elsewhere)
            over = command.budget is not None and taken > command.budget
            slow = slow or over
            budget = f"{command.budget:9.1f}" if command.budget is not None else ""
            print(f"{command.name:26}{taken:9.3f}{taken / unit:9.1f}{budget}{'  too slow' if over else ''}")
    return 1 if slow and not words.no_budget else 0


if __name__ == "__main__":
    sys.exit(main())
