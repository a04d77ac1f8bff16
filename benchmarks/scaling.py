"""Print the time of a candidate's listing for trees of growing size.

    python benchmarks/scaling.py TARGET [LARGEST]

LARGEST is the number of entries of the largest tree (default 16000). Columns: entries; entries listed; shortest of five
calls in ms; the time divided by n log n, relative to the first line (1.0: n log n; 4.0 at four times the size:
quadratic); the same call limited to ten entries, which still reads and sorts all names.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from typing import Any

from treeproof.candidate import Adapter, Call, Target, connect
from treeproof.errors import UsageError
from treeproof.run.targets import REFERENCE, own_target
from treeproof.spec import find_pack, load_pack
from treeproof.tree import Workspace, build_tree, parse_tree

CALLS_PER_SIZE = 5
CAPACITY_BYTES = 1 << 26
"""A budget in bytes that truncates no listing."""

MAX_ENTRIES = 10_000
"""The largest permitted value of ``max_entries``."""


def measure_listing(adapter: Adapter, root: str, limit: int) -> tuple[float, int]:
    """Return the shortest time of several calls in ms and the number of entries listed. Raises CandidateFault."""
    context: dict[str, Any] = {
        "roots": [root],
        "working_dir": root,
        "max_output_bytes": CAPACITY_BYTES,
        "available_capacity_bytes": CAPACITY_BYTES,
        "config": {"tools": {"list_directory": {"max_entries": MAX_ENTRIES}}},
    }
    call = Call("list_directory", {"path": ".", "max_entries": limit}, context)
    best, listed = math.inf, 0
    for _ in range(CALLS_PER_SIZE):
        started = time.perf_counter()
        result = adapter.call(call)
        best = min(best, time.perf_counter() - started)
        if result.status != "ok":
            raise SystemExit(f"{result.error_kind}: {result.error_message}")
        listed = len(json.loads(result.content or "{}").get("entries", []))
    return best * 1000, listed


def _parse_size(text: str) -> int:
    if not text.isdecimal() or not 64 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r}: not a number of entries; give 64 to 1000000")
    return int(text)


def main() -> int:
    """Print one line per size; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", metavar="TARGET", help="the candidate, as for treeproof run")
    parser.add_argument(
        "largest",
        metavar="LARGEST",
        type=_parse_size,
        nargs="?",
        default=16_000,
        help="the largest number of entries [%(default)s]",
    )
    args = parser.parse_args()
    pack = load_pack(find_pack("list_directory"))
    try:
        target = own_target(pack) if args.target == REFERENCE else Target.parse(args.target)
    except UsageError as problem:
        parser.error(str(problem))
    sizes = [args.largest >> shift for shift in range(5, -1, -1)]
    print(f"{'entries':>8} {'listed':>7} {'ms':>9} {'n log n':>8} {'ten, ms':>9}")
    with Workspace.create() as workspace:
        adapter = connect(target)
        try:
            adapter.start(str(workspace.path))
            first = 0.0
            for size in sizes:
                root = workspace.create_sandbox(str(size))
                build_tree(parse_tree(f"f00000..f{size - 1:05}"), root)
                milliseconds, listed = measure_listing(adapter, os.fsdecode(root), min(size, MAX_ENTRIES))
                bounded, _ = measure_listing(adapter, os.fsdecode(root), min(size, 10))
                unit = milliseconds / (size * math.log(size))
                first = first or unit
                print(f"{size:8} {listed:7} {milliseconds:9.2f} {unit / first:8.2f} {bounded:9.2f}", flush=True)
                workspace.remove_sandbox(root)
        finally:
            adapter.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
