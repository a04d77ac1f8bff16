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
from treeproof.spec import Pack, bundled_packs, find_pack, load_pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import StepText
from treeproof.spec.lint import find_orphan_features, lint, lint_across_packs
from treeproof.spec.step_definitions import load_step_definitions
from treeproof.tree import PROBES, NotationError, parse_tree

_TREE_STEP = re.compile(
    r'(?:beside the sandbox |.*, |.* with )?the tree "(?P<notation>.*)"|.* on the tree "(?P<other>.+?)" lists .*'
)


def lint_paths(paths: Sequence[str]) -> list[Diagnostic]:
    """Return the findings on the packs at ``paths`` (none: on the bundled ones). Raises UsageError for a wrong path."""
    folders = [find_pack(_as_path(path)) for path in paths] if paths else bundled_packs()
    if not folders:
        raise UsageError("there is nothing to lint: no bundled specification, and no PATH was given")
    packs = [load_pack(folder) for folder in folders]
    found = _lint_all(packs)
    found += lint_across_packs(packs)
    for top in {folder.parent for folder in folders}:
        found += find_orphan_features(top)
    return sorted(found)


def _lint_all(packs: Sequence[Pack]) -> list[Diagnostic]:
    """Return the findings on every pack; where there are several, and a processor for each of two, in two processes.

    This one takes the first half, by the number of features, while a copy of it takes the rest.
    """
    if len(packs) < 2 or sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return _lint_sequentially(packs)
    sizes = list(accumulate(sum(path.lstat().st_size for path in pack.feature_files()) for pack in packs))
    half = 1 + min(range(len(packs) - 1), key=lambda at: abs(2 * sizes[at] - sizes[-1]))
    with contextlib.suppress(
        UsageError
    ):  # told below; what all packs need is imported before the copy is made
        load_step_definitions(packs[0].steps)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as other:
        rest = other.submit(_lint_folders, [pack.folder for pack in packs[half:]])
        return _lint_sequentially(packs[:half]) + rest.result()


def _lint_folders(folders: Sequence[Path]) -> list[Diagnostic]:
    """The same for packs that are read again: a pack does not travel from process to process, its folder does."""
    return _lint_sequentially([load_pack(folder) for folder in folders])


def _lint_sequentially(packs: Sequence[Pack]) -> list[Diagnostic]:
    return [finding for pack in packs for finding in lint_pack(pack)]


def lint_pack(pack: Pack) -> list[Diagnostic]:
    """Return every finding on one pack, the notation of its trees included."""
    return lint(pack, check_step=notation_error_in_step, needs=PROBES)


def notation_error_in_step(step: StepText) -> str | None:
    """Return what is wrong with the tree that a step names, or None."""
    notation = notation_in_step(step)
    return _notation_error(notation) if notation else None


@lru_cache(maxsize=4096)
def _notation_error(notation: str) -> str | None:
    """What is wrong with a tree; many scenarios have the same."""
    try:
        parse_tree(notation)
    except NotationError as error:
        return str(error)
    return None


def notation_in_step(step: StepText) -> str | None:
    """Return the tree that a step names, as it is written; None when it names none."""
    if step.text == "the tree":
        return " ".join((step.docstring or "").split("\n"))
    match = _TREE_STEP.fullmatch(step.text)
    return (match["notation"] or match["other"]) if match else None


def _as_path(path: str) -> str:
    # The words of `lint` are paths: a bare name is a folder here and not the name of a bundled pack.
    return path if Path(path).is_absolute() or path.startswith(".") else f"./{path}"
