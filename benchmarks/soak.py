"""Run a candidate many times, each time in another order, and compare the reports.

    python benchmarks/soak.py [RUNS [FIRST]] [--target TARGET] [--spec NAME] [--select ID] [--busy N]

Prints one line per run. Exits with 1 at the first report that differs in more than times, and prints the difference.
The number of a run determines its order; numbers start at FIRST (default 1, the order of the features). Several
processes with different FIRST can share the work; all digests must be equal. TARGET is the reference by default;
``--busy`` starts endless loops beside the runs.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from treeproof.run.runner import Options, run


def comparable_text(document: dict[str, Any]) -> str:
    """Return the run document as text without its times."""
    compared = {key: value for key, value in document.items() if key not in ("started", "seconds")}
    compared["specs"] = [
        {
            **spec,
            "scenarios": [{k: v for k, v in scenario.items() if k != "seconds"} for scenario in spec["scenarios"]],
        }
        for spec in document["specs"]
    ]
    return json.dumps(compared, indent=1, sort_keys=True)


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Run endless loops in processes of their own."""
    loops = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=int, nargs="?", default=50)
    parser.add_argument("first", type=int, nargs="?", default=1)
    parser.add_argument("--target", default="reference")
    parser.add_argument("--spec", action="append", default=[])
    parser.add_argument("--select", action="append", default=[])
    parser.add_argument("--busy", type=int, default=0)
    return parser.parse_args()


def main() -> int:
    """Compare the runs; return the exit code."""
    args = parse_arguments()
    with busy_loops(args.busy):
        return compare_runs(args)


def compare_runs(args: argparse.Namespace) -> int:
    """Print a line for each run; return 1 at the first report that differs."""
    first_text = ""
    for number in range(args.first, args.first + args.runs):
        order = random.Random(number).shuffle if number > 1 else None
        started = time.perf_counter()
        options = Options(target=args.target, specs=tuple(args.spec), select=tuple(args.select), order=order)
        document = run(options).document
        text = comparable_text(document.to_json())
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        print(f"{number:3} {document.verdict:<12} {digest} {time.perf_counter() - started:6.1f} s", flush=True)
        first_text = first_text or text
        if text != first_text:
            pairs = zip(first_text.splitlines(), text.splitlines(), strict=False)
            for left, right in [(a, b) for a, b in pairs if a != b][:20]:
                print(f"- {left[:400]}\n+ {right[:400]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
