"""Remember which scenario killed each mutant, from the report of ``make adequacy``.

    python benchmarks/remember_kills.py [REPORT]

Writes ``killed_by.json`` beside the mutants of each specification in REPORT (default: ``report/adequacy.json``). The
next ``treeproof adequacy`` runs that scenario first. An entry that is no longer right costs time and nothing else.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treeproof.spec import find_pack, load_pack
from treeproof.spec.mutants import kills_file, load_kills, load_mutants

REPORT = Path("report/adequacy.json")


def updated_kills(
    known: Mapping[str, str], rows: list[dict[str, Any]], mutants: Mapping[str, object]
) -> dict[str, str]:
    """Return the scenario for each mutant: the known one if it failed again or did not run, else the first that did."""
    failed = {row["id"]: row["scenarios"] for row in rows if row["violates"] and row["killed"] and row["scenarios"]}
    kept = {id: scenario for id, scenario in known.items() if scenario in failed.get(id, [scenario])}
    found = {**{id: scenarios[0] for id, scenarios in failed.items()}, **kept}
    return {id: found[id] for id in sorted(found) if id in mutants}


def main() -> None:
    """Update the file of each specification in the report."""
    parser = argparse.ArgumentParser(description="Remember which scenario killed each mutant.")
    parser.add_argument("report", nargs="?", type=Path, default=REPORT, help=f"of `make adequacy` (default: {REPORT})")
    for spec in json.loads(parser.parse_args().report.read_text("utf-8"))["specs"]:
        pack = load_pack(find_pack(spec["name"]))
        kills = updated_kills(load_kills(pack), spec.get("mutants", []), load_mutants(pack))
        kills_file(pack).write_text(json.dumps(kills, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
