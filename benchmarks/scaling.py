"""How a candidate's listing grows: directories opened and time, against the size of the tree.

    python benchmarks/scaling.py TARGET [LARGEST]

TARGET as for ``treeproof run`` (default LARGEST: 16000 entries). One line a size: entries, least time of five calls in
ms, the time for each entry and log of entries against that of the first line (1.0 is n log n, 4.0 at four times the
size a square), and the same call bounded to ten entries: the names of the one directory are read and sorted all the
same, and nothing is looked at but ten.
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
from treeproof.run.runner import REFERENCE
from treeproof.spec import find_pack, load_pack
from treeproof.tree import Workspace, build_tree, parse_tree

CALLS_PER_SIZE = 5
CAPACITY_BYTES = 1 << 26
"""Bytes: no budget shall cut what is timed."""

MAX_ENTRIES = 10_000
"""More entries than that cannot be asked for."""


def measure_listing(adapter: Adapter, root: str, limit: int) -> tuple[float, int]:
    """Return the least time of some calls in ms, and how many entries were listed. Raises CandidateFault."""
    context: dict[str, Any] = {
        "roots": [root],
        "working_dir": root,
        "max_output_bytes": CAPACITY_BYTES,
        "available_capacity_bytes": CAPACITY_BYTES,
    }
    context["config"] = {"tools": {"list_directory": {"max_entries": MAX_ENTRIES}}}
    call = Call("list_directory", {"path": ".", "max_entries": limit}, context)
    best, listed = math.inf, 0
    for _ in range(CALLS_PER_SIZE):
        began = time.perf_counter()
        answer = adapter.call(call)
        best = min(best, time.perf_counter() - began)
        if answer.status != "ok":
            raise SystemExit(f"{answer.error_kind}: {answer.error_message}")
        listed = len(json.loads(answer.content or "{}").get("entries", []))
    return best * 1000, listed


def _parse_size(word: str) -> int:
    if not word.isdecimal() or not 64 <= int(word) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{word!r} is no number of entries from 64 to 1000000")
    return int(word)


def main() -> int:
    """Print the curve; return the exit code."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("target", metavar="TARGET", help="as for treeproof run")
    words.add_argument(
        "largest", metavar="LARGEST", type=_parse_size, nargs="?", default=16_000, help="entries"
    )
    given = words.parse_args()
    largest: int = given.largest
    pack = load_pack(find_pack("list_directory"))
    try:
        target = Target.parse(given.target, reference=pack.reference if given.target == REFERENCE else None)
    except UsageError as problem:
        words.error(str(problem))
    sizes = [largest >> shift for shift in range(5, -1, -1)]
    print(f"{'entries':>8} {'listed':>7} {'ms':>9} {'n log n':>8} {'ten, ms':>9}")
    with Workspace.create() as workspace:
        adapter = connect(target)
        try:
            adapter.start(str(workspace.path))
            first = 0.0
            for size in sizes:
                root = workspace.create_fixture(str(size))
                build_tree(parse_tree(f"f00000..f{size - 1:05}"), root)
                took, listed = measure_listing(adapter, os.fsdecode(root), min(size, MAX_ENTRIES))
                bounded, _ = measure_listing(adapter, os.fsdecode(root), min(size, 10))
                unit = took / (size * math.log(size))
                first = first or unit
                print(f"{size:8} {listed:7} {took:9.2f} {unit / first:8.2f} {bounded:9.2f}", flush=True)
                workspace.remove_fixture(root)
        finally:
            adapter.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
