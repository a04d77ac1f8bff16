"""Every mutant through the suite, in a few worker processes: its own requirement alone, or everything."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from treeproof.adequacy.matrix import NULL, Matrix, Result, matrix
from treeproof.adequacy.zoo import Mutant, target, zoo
from treeproof.errors import UsageError
from treeproof.run.runner import Options, run
from treeproof.spec import Pack, load


def adequacy(
    pack: Pack,
    *,
    ids: Sequence[str] = (),
    full: bool = False,
    jobs: int = 2,
    done: Callable[[Result], None] = lambda result: None,
) -> Matrix:
    """Return the kill matrix of ``pack``. Raises UsageError for an unknown id.

    By default a mutant meets the scenarios of the requirement that it violates, which is what can kill it; null
    candidates, and every mutant when ``full`` is set, meet the whole suite.
    """
    animals = zoo(pack)
    for id in ids:
        if id not in animals:
            raise UsageError(f"{id}: no wrong implementation of {pack.name} has this id")
    chosen = [animals[id] for id in ids] if ids else list(animals.values())
    results = {}
    for result in _results(pack, chosen, full, jobs):
        results[result.id] = result
        done(result)
    restates = {r.id: r.restates for r in pack.requirements if r.restates}
    return matrix(animals, [results[mutant.id] for mutant in chosen], restates)


def _results(pack: Pack, chosen: Sequence[Mutant], full: bool, jobs: int) -> Iterator[Result]:
    # Forked, a worker would share our threads and descriptors; spawned, it shares nothing.
    context = multiprocessing.get_context("spawn")
    # The whole suite takes longest, so it begins first.
    asked = sorted((mutant.kind != NULL, mutant.id, mutant.violates) for mutant in chosen)
    with ProcessPoolExecutor(max_workers=max(1, jobs), mp_context=context) as pool:
        futures = [
            pool.submit(_judge, str(pack.folder), id, () if full or not wrong else violates[:1])
            for wrong, id, violates in asked
        ]
        for future in as_completed(futures):
            yield future.result()


def _judge(folder: str, id: str, select: tuple[str, ...]) -> Result:
    from pathlib import Path

    began = time.perf_counter()
    pack = load(Path(folder))
    document = run(Options(target=target(pack, id), specs=(folder,), select=select)).document
    verdicts = {v["id"]: v["verdict"] for v in document["specs"][0]["requirements"]}
    return Result(
        id=id,
        failed=frozenset(v for v, verdict in verdicts.items() if verdict == "FAIL"),
        passed=frozenset(v for v, verdict in verdicts.items() if verdict == "PASS"),
        word=document["verdict"],
        whole=not select,
        seconds=time.perf_counter() - began,
    )
