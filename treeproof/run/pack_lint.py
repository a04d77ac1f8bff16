"""The lint of packs, including the tree notations in steps, which `treeproof.spec` does not know."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec import Pack, bundled_packs, find_pack, load_pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.lint import find_orphan_features, lint, lint_across_packs
from treeproof.spec.lint_document import find_document, pack_of_document
from treeproof.spec.step_definitions import load_step_definitions
from treeproof.tree import PROBES, NotationError, parse_tree


def lint_paths(paths: Sequence[str], document: Path | None = None) -> list[Diagnostic]:
    """Return the diagnostics on the packs at ``paths`` [the bundled ones]. Raises UsageError for a wrong path.

    ``document`` is the document that one of the packs restates; that pack alone is linted.
    """
    folders = [find_pack(_as_path(path)) for path in paths] if paths else bundled_packs()
    if not folders:
        raise UsageError("there is nothing to lint: no bundled specification, and no PATH was given")
    packs = [load_pack(folder) for folder in folders]
    if document is not None:
        packs = [pack_of_document(packs, document)]
        folders = [packs[0].folder]
    found = _lint_all(packs) if document is None else lint_pack(packs[0], document)
    found += lint_across_packs(packs)
    for top in {folder.parent for folder in folders}:
        found += find_orphan_features(top)
    return sorted(found)


def _lint_all(packs: Sequence[Pack]) -> list[Diagnostic]:
    """Return the diagnostics on all packs. If there are two CPUs, a forked process lints half of the features."""
    if len(packs) < 2 or sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return _lint_sequentially(packs)
    sizes = list(accumulate(sum(path.lstat().st_size for path in pack.feature_files()) for pack in packs))
    half = 1 + min(range(len(packs) - 1), key=lambda at: abs(2 * sizes[at] - sizes[-1]))
    with contextlib.suppress(UsageError):  # reported by the lint itself
        load_step_definitions(packs[0].steps, packs[0].folder)  # import shared modules before the fork
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as other:
        rest = other.submit(_lint_folders, [pack.folder for pack in packs[half:]])
        return _lint_sequentially(packs[:half]) + rest.result()


def _lint_folders(folders: Sequence[Path]) -> list[Diagnostic]:
    """Return the diagnostics on packs that are loaded here, because a Pack cannot be pickled."""
    return _lint_sequentially([load_pack(folder) for folder in folders])


def _lint_sequentially(packs: Sequence[Pack]) -> list[Diagnostic]:
    return [finding for pack in packs for finding in lint_pack(pack)]


def lint_pack(pack: Pack, document: Path | None = None) -> list[Diagnostic]:
    """Return all diagnostics on one pack, including those on tree notations.

    ``document`` None: the one beside the pack, if there is one.
    """
    return lint(pack, check_tree=notation_error, needs=PROBES, document=document or find_document(pack))


@lru_cache(maxsize=4096)
def notation_error(notation: str) -> str | None:
    """Return the problem of a tree notation, or None. The result is kept: many scenarios share a tree."""
    try:
        parse_tree(notation)
    except NotationError as error:
        return str(error)
    return None


def _as_path(path: str) -> str:
    # The arguments of `lint` are paths: a bare name is a folder and not the name of a bundled pack.
    return path if Path(path).is_absolute() or path.startswith(".") else f"./{path}"
