"""Run the reference implementation many times, each time in another order, and compare the reports.

    python benchmarks/soak.py [RUNS [FIRST]]

Prints one line per run. Exits with 1 at the first report that differs in more than times, and prints the difference.
The number of a run determines its order; numbers start at FIRST (default 1, the order of the features). Several
processes with different FIRST can share the work; all digests must be equal.
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


def main() -> int:
    """Compare the runs; return the exit code."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    first_number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    first_text = ""
    for number in range(first_number, first_number + runs):
        order = random.Random(number).shuffle if number > 1 else None
        started = time.perf_counter()
        document = run(Options(target="reference", order=order)).document
        text = comparable_text(document)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        print(f"{number:3} {document['verdict']:<12} {digest} {time.perf_counter() - started:6.1f} s", flush=True)
        first_text = first_text or text
        if text != first_text:
            pairs = zip(first_text.splitlines(), text.splitlines(), strict=False)
            for left, right in [(a, b) for a, b in pairs if a != b][:20]:
                print(f"- {left[:400]}\n+ {right[:400]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
