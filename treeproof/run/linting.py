"""The lint of packs with everything the house knows: catalogue, features, sentences, and the trees in them.

The room of the specifications knows no trees; here the two meet, without a candidate and without a disk.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec import Pack, bundled, find, load
from treeproof.spec.findings import Finding
from treeproof.spec.gherkin import StepText
from treeproof.spec.lint import lint, lint_together, strays
from treeproof.spec.vocabulary import vocabulary
from treeproof.tree import PROBES, NotationError, parse

_TREE = re.compile(
    r'(?:beside the sandbox |.*, |.* with )?the tree "(?P<notation>.*)"|.* on the tree "(?P<other>.+?)" lists .*'
)


def findings_of(paths: Sequence[str]) -> list[Finding]:
    """Return the findings on the packs at ``paths`` (none: on the bundled ones). Raises UsageError for a wrong path."""
    folders = [find(_as_path(path)) for path in paths] if paths else bundled()
    if not folders:
        raise UsageError("there is nothing to lint: no bundled specification, and no PATH was given")
    packs = [load(folder) for folder in folders]
    found = _of_all(packs)
    found += lint_together(packs)
    for top in {folder.parent for folder in folders}:
        found += strays(top)
    return sorted(found)


def _of_all(packs: Sequence[Pack]) -> list[Finding]:
    """Return the findings on every pack; where there are several, and a processor for each of two, in two processes.

    This one takes the first half, by the number of features, while a copy of it takes the rest.
    """
    if len(packs) < 2 or sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return _one_by_one(packs)
    sizes = list(accumulate(sum(path.lstat().st_size for path in pack.features()) for pack in packs))
    half = 1 + min(range(len(packs) - 1), key=lambda at: abs(2 * sizes[at] - sizes[-1]))
    with contextlib.suppress(
        UsageError
    ):  # told below; what all packs need is imported before the copy is made
        vocabulary(packs[0].steps)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as other:
        rest = other.submit(_of_folders, [pack.folder for pack in packs[half:]])
        return _one_by_one(packs[:half]) + rest.result()


def _of_folders(folders: Sequence[Path]) -> list[Finding]:
    """The same for packs that are read again: a pack does not travel from process to process, its folder does."""
    return _one_by_one([load(folder) for folder in folders])


def _one_by_one(packs: Sequence[Pack]) -> list[Finding]:
    return [finding for pack in packs for finding in findings_of_pack(pack)]


def findings_of_pack(pack: Pack) -> list[Finding]:
    """Return every finding on one pack, the notation of its trees included."""
    return lint(pack, check_step=what_is_wrong, needs=PROBES)


def what_is_wrong(step: StepText) -> str | None:
    """Return what is wrong with the tree that a step names, or None."""
    notation = notation_of(step)
    return _wrong(notation) if notation else None


@lru_cache(maxsize=4096)
def _wrong(notation: str) -> str | None:
    """What is wrong with a tree; many scenarios have the same."""
    try:
        parse(notation)
    except NotationError as error:
        return str(error)
    return None


def notation_of(step: StepText) -> str | None:
    """Return the tree that a step names, as it is written; None when it names none."""
    if step.text == "the tree":
        return " ".join((step.docstring or "").split("\n"))
    match = _TREE.fullmatch(step.text)
    return (match["notation"] or match["other"]) if match else None


def _as_path(path: str) -> str:
    # The words of `lint` are paths: a bare name is a folder here and not the name of a bundled pack.
    return path if Path(path).is_absolute() or path.startswith(".") else f"./{path}"
