"""The command `lint`: the diagnostics on several packs, also on those whose catalogue cannot be read."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from treeproof.errors import FileError, UsageError
from treeproof.model.input_table import InputTable
from treeproof.processors import usable_processors
from treeproof.run.clean_packs import lint_pack
from treeproof.spec import Pack, bundled_packs, find_pack
from treeproof.spec.catalogue import PACK_FILE
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.lint import find_orphan_features
from treeproof.spec.lint_document import pack_of_document
from treeproof.spec.lint_references import lint_across_packs
from treeproof.spec.pack_file import read_pack
from treeproof.spec.packs import open_versions
from treeproof.spec.step_definitions import load_step_definitions
from treeproof.systems import is_linux


def lint_paths(paths: Sequence[str], document: Path | None = None) -> list[Diagnostic]:
    """Return the diagnostics on the packs at ``paths``. Raises UsageError for a wrong path.

    Without paths: the pack of the working directory, or else the bundled ones. ``document`` is the document that one of
    the packs restates; that pack alone is linted.
    """
    if not paths and Path(PACK_FILE).exists():
        paths = ["."]
    names = [_as_path(path) for path in paths] or [folder.name for folder in bundled_packs()]
    if not names:
        raise UsageError("there is nothing to lint: no bundled specification, and no PATH was given")
    if document is not None:
        pack = pack_of_document([version for name in names for version in open_versions(name)], document)
        return sorted(lint_pack(pack, document))
    folders = [find_pack(name) for name in names]
    found = _lint_all(folders)
    found += lint_across_packs([pack for pack, _ in map(read_pack, folders) if pack is not None])
    for top in {folder.parent for folder in folders}:
        found += find_orphan_features(top)
    return sorted(found)


def lint_folder(folder: Path) -> list[Diagnostic]:
    """Return all diagnostics on the pack of a folder, in all its versions, each once.

    Those on its catalogue hide none on its features. Those on earlier versions alone name the version.
    """
    pack, found = _lint_version(folder, None)
    if pack is not None and (folder / InputTable.file_name).exists():
        try:
            InputTable(pack)
        except FileError as error:
            found.append(Diagnostic(error.file, error.line, "malformed", error.problem))
    for version in pack.versions[:-1] if pack is not None else ():
        known = {(one.file, one.line, one.message) for one in found}
        found += [
            replace(one, message=f"{one.message} (version {version})")
            for one in _lint_version(folder, version)[1]
            if (one.file, one.line, one.message) not in known
        ]
    return found


def _lint_version(folder: Path, version: str | None) -> tuple[Pack | None, list[Diagnostic]]:
    pack, problems = read_pack(folder, version)
    found = [Diagnostic(folder / PACK_FILE, one.line, "malformed", one.problem) for one in problems]
    if pack is None:
        return pack, found
    # With a wrong [spec] it is not known what of the document is to be compared.
    is_comparable = not any(one.problem.startswith("[spec]") for one in problems)
    return pack, [*found, *lint_pack(pack if is_comparable else replace(pack, source=""))]


def _lint_all(folders: Sequence[Path]) -> list[Diagnostic]:
    """Return the diagnostics on all packs. If there are two CPUs, a forked process lints half of the features."""
    if len(folders) < 2 or not is_linux() or usable_processors() < 2:
        return _lint_folders(folders)
    packs = [pack for pack, _ in map(read_pack, folders)]
    sizes = list(accumulate(_feature_bytes(pack) for pack in packs))
    half = 1 + min(range(len(folders) - 1), key=lambda at: abs(2 * sizes[at] - sizes[-1]))
    if packs[0] is not None:
        with contextlib.suppress(UsageError):  # reported by the lint itself
            load_step_definitions(packs[0].steps, packs[0].folder)  # import shared modules before the fork
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as other:
        rest = other.submit(_lint_folders, folders[half:])
        return _lint_folders(folders[:half]) + rest.result()


def _feature_bytes(pack: Pack | None) -> int:
    return sum(path.lstat().st_size for path in pack.feature_files()) if pack is not None else 0


def _lint_folders(folders: Sequence[Path]) -> list[Diagnostic]:
    return [finding for folder in folders for finding in lint_folder(folder)]


def _as_path(path: str) -> str:
    # The arguments of `lint` are paths: a bare name is a folder first, and then the name of a bundled pack.
    is_written_out = Path(path).is_absolute() or path.startswith(".")
    is_bundled_name = not Path(path).exists() and any(path.partition("@")[0] == one.name for one in bundled_packs())
    return path if is_written_out or is_bundled_name else f"./{path}"
