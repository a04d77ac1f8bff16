"""Measure where the processor time of a whole run of the reference goes, as shares within one run.

    python benchmarks/whole_run.py [--spec NAME …] [--write]

The run is in this process, one scenario after the other. Every few milliseconds of processor time the innermost part of
treeproof on the stack is counted. The time of other processes is that of strace, or of fresh processes of the
candidate. `--write` puts the table into README.md beside this file.
"""

from __future__ import annotations

import argparse
import collections
import resource
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from treeproof.candidate.strace import Tracer
from treeproof.run.runner import Options, run
from treeproof.spec import bundled_packs

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- whole run: written by `whole_run.py` -->", "<!-- end of whole run -->"
SAMPLE_SECONDS = 0.002

PARTS = (
    ("the reference itself, in calls and large trees", ("/reference_impl/",)),
    (
        "the way of a call to the candidate and back, with all checks of messages",
        ("/adapters/", "/treeproof/candidate/"),
    ),
    ("building trees", ("/treeproof/tree/builder", "/treeproof/tree/workspace")),
    ("removing trees, and deep walks", ("/treeproof/tree/deep_walk",)),
    ("snapshots before and after the calls", ("/treeproof/tree/snapshot",)),
    ("trees as values: notation, reading, comparison", ("/treeproof/tree/",)),
    ("expected results of random cases, and their generation", ("/oracles/", "/treeproof/search/")),
    ("steps", ("/steps/",)),
    (
        "running scenarios with the test runner, records and evidence",
        ("/treeproof/run/", "/treeproof/spec/", "/treeproof/verdict/"),
    ),
)
"""Each part with the places of its files; the first one that fits counts."""

REST = "the rest"
FRESH, STRACE = "fresh processes of the candidate", "strace"


def part_of(file: str) -> str | None:
    """Return the part of treeproof that a file belongs to; None for libraries and this script."""
    if "/site-packages/" in file:
        return None
    return next((name for name, places in PARTS if any(place in file for place in places)), None)


def measure(specs: Sequence[str]) -> tuple[dict[str, float], int]:
    """Return the processor seconds of each part in one run of the reference, and the number of its scenarios."""
    samples: collections.Counter[str] = collections.Counter()
    strace_seconds = 0.0

    def count(number: int, frame: FrameType | None) -> None:
        while frame is not None:
            part = part_of(frame.f_code.co_filename)
            if part is not None:
                samples[part] += 1
                return
            frame = frame.f_back
        samples[REST] += 1

    stop: Any = Tracer._stop

    def timed_stop(tracer: Tracer) -> bytes | None:
        nonlocal strace_seconds
        before = _seconds(resource.RUSAGE_CHILDREN)
        result: bytes | None = stop(tracer)
        strace_seconds += _seconds(resource.RUSAGE_CHILDREN) - before
        return result

    own, children, scenarios = _seconds(resource.RUSAGE_SELF), _seconds(resource.RUSAGE_CHILDREN), 0
    before = signal.signal(signal.SIGPROF, count)
    setattr(Tracer, "_stop", timed_stop)  # noqa: B010 - the type checker refuses an assignment
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)
    try:
        for spec in specs:
            document = run(Options(target="reference", specs=(spec,), jobs=1)).document
            scenarios += sum(len(one.scenarios) for one in document.specs)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        setattr(Tracer, "_stop", stop)  # noqa: B010
    own = _seconds(resource.RUSAGE_SELF) - own
    children = _seconds(resource.RUSAGE_CHILDREN) - children
    total = max(samples.total(), 1)
    found = {part: own * number / total for part, number in samples.items()}
    return {**found, STRACE: strace_seconds, FRESH: children - strace_seconds}, scenarios


def _seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def format_table(seconds: dict[str, float], scenarios: int) -> str:
    """Return the table of shares in Markdown, the largest first."""
    total = sum(seconds.values())
    lines = [
        f"{scenarios:,} scenarios of the reference in one process: {total:.1f} s of processor time.",
        "",
        "| part | share | ms per scenario |",
        "|---|---:|---:|",
    ]
    for part, spent in sorted(seconds.items(), key=lambda item: -item[1]):
        if spent < total / 200:
            continue
        lines.append(f"| {part} | {spent / total:.0%} | {1000 * spent / max(scenarios, 1):.2f} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print or write the table; return the exit code."""
    parser = argparse.ArgumentParser(description="Measure where the processor time of a whole run goes.")
    parser.add_argument("--spec", action="append", metavar="NAME", help="only this specification; repeatable")
    parser.add_argument("--write", action="store_true", help="write the table into README.md")
    args = parser.parse_args(arguments)
    table = format_table(*measure(args.spec or [folder.name for folder in bundled_packs()]))
    print(table)
    if args.write:
        text = README.read_text("utf-8")
        before, _, rest = text.partition(BEGIN)
        README.write_text(f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
