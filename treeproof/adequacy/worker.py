"""A process that judges mutants: tasks as JSON on stdin, a result a line on stdout. ``drive`` starts it."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from treeproof.adequacy.matrix import Result
from treeproof.adequacy.zoo import target
from treeproof.run.runner import Options, run
from treeproof.spec import Pack, load


def judge(pack: Pack, id: str, select: tuple[str, ...]) -> Result:
    """Return what the suite, or the requirements of ``select``, say of one mutant."""
    began = time.perf_counter()
    options = Options(target=target(pack, id), specs=(str(pack.folder),), select=select)
    document = run(options).document
    verdicts = {v["id"]: v["verdict"] for v in document["specs"][0]["requirements"]}
    return Result(
        id=id,
        failed=frozenset(v for v, verdict in verdicts.items() if verdict == "FAIL"),
        passed=frozenset(v for v, verdict in verdicts.items() if verdict == "PASS"),
        word=document["verdict"],
        whole=not select,
        seconds=time.perf_counter() - began,
    )


def main() -> int:
    """Judge every task; stdout carries results and nothing else."""
    tasks = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a mutant prints goes to stderr
    pack = load(Path(sys.argv[1]))
    for id, select in tasks:
        answers.write(json.dumps(judge(pack, id, tuple(select)).to_json()) + "\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
