"""Many whole runs of the reference, one after the other, in a different order each: one and the same report.

    python benchmarks/soak.py [RUNS [FIRST]]

Prints a line a run and ends with 1 at the first report that differs in anything but times, with what differs. The order
follows from the number of the run, which begins with FIRST (1, whose order is the usual one): several processes can
share the work, and the digests that they print are to be the same.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from typing import Any

from treeproof.run.runner import Options, run


def comparable_text(document: dict[str, Any]) -> str:
    """Return the run document as text, without what may differ from run to run: when it was and how long it took."""
    rest = {key: value for key, value in document.items() if key not in ("started", "seconds")}
    rest["specs"] = [
        {
            **spec,
            "scenarios": [
                {k: v for k, v in scenario.items() if k != "seconds"} for scenario in spec["scenarios"]
            ],
        }
        for spec in document["specs"]
    ]
    return json.dumps(rest, indent=1, sort_keys=True)


def main() -> int:
    """Run as often as asked (default 50); return the exit code."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    begin = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    first = ""
    for number in range(begin, begin + runs):
        order = random.Random(number).shuffle if number > 1 else None
        began = time.perf_counter()
        document = run(Options(target="reference", order=order)).document
        text = comparable_text(document)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        print(
            f"{number:3} {document['verdict']:<12} {digest} {time.perf_counter() - began:6.1f} s", flush=True
        )
        first = first or text
        if text != first:
            pairs = zip(first.splitlines(), text.splitlines(), strict=False)
            for left, right in [(a, b) for a, b in pairs if a != b][:20]:
                print(f"- {left[:400]}\n+ {right[:400]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
