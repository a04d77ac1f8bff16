"""Finds packs: bundled ones by name, others by their folder, which contains a spec.toml."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import treeproof
from treeproof.errors import UsageError, suggest
from treeproof.spec.catalogue import PACK_FILE, Pack
from treeproof.spec.pack_file import load_pack

ORDER_FILE = "order.txt"
"""Beside the bundled packs: their names, one per line, in the order of display. Other packs follow."""


def bundled_packs() -> list[Path]:
    """Return the folders of the bundled packs in order of display. A folder has the name of its pack."""
    features = _find_features(tuple(treeproof.__path__))
    if features is None:
        return []
    order = features / ORDER_FILE
    names = order.read_text("utf-8").split() if order.is_file() else []
    positions = {name: position for position, name in enumerate(names)}
    found = (folder for folder in features.iterdir() if (folder / PACK_FILE).is_file())
    return sorted(found, key=lambda folder: (positions.get(folder.name, len(positions)), folder.name))


def is_bundled(folder: Path) -> bool:
    """Return whether a folder is that of a bundled pack."""
    return folder.parent == _find_features(tuple(treeproof.__path__))


def shortest_folder(folder: Path) -> str:
    """Return the path of a pack's folder for a command: from the working directory, if that is shorter."""
    relative = os.path.relpath(folder)
    if len(relative) >= len(str(folder)):
        return str(folder)
    return relative if _is_path(relative) else f"./{relative}"


def shown_path(pack: Pack, file: Path) -> str:
    """Return the path of a file of a pack for reports: of a bundled one from the folder above the packs.

    Of another one from the working directory, or from the folder above the pack if that is elsewhere.
    """
    if is_bundled(pack.folder):
        return _path_below(pack.folder.parent.parent, file)
    relative = os.path.relpath(file)
    return (Path(relative) if not relative.startswith(os.pardir) else file.relative_to(pack.folder.parent)).as_posix()


@lru_cache(maxsize=1000)  # a feature file has up to hundreds of scenarios
def _path_below(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()


def default_specs() -> tuple[str, ...]:
    """Return what a command uses that names no specification: the pack of the working directory, if that is one."""
    return (".",) if Path(PACK_FILE).is_file() else ()


def find_pack(name_or_path: str) -> Path:
    """Return the folder of a pack: a bundled name (`ls`, `ls@2.0.0`) or the path of a folder with a spec.toml.

    A version can follow both, after an @. The folder of a pack that is not bundled is appended to the import path, for
    the modules that it names.

    Raises UsageError for an unknown name, a version that the pack lacks, and a folder without a spec.toml.
    """
    return _find(name_or_path)[0]


def open_pack(name_or_path: str) -> Pack:
    """Load the pack of a name or path, in the version that follows an @, or else in the newest. Raises UsageError."""
    folder, version = _find(name_or_path)
    return load_pack(folder, version)


def open_versions(name_or_path: str) -> list[Pack]:
    """Load the pack of a name or path in the version that follows an @, or else in all. Raises UsageError."""
    folder, version = _find(name_or_path)
    return [load_pack(folder, one) for one in ([version] if version else load_pack(folder).versions)]


def address_of(pack: Pack) -> str:
    """Return the text with which `open_pack` loads this pack: the absolute folder, with an earlier version."""
    return str(pack.folder) if pack.is_newest else f"{pack.folder}@{pack.version}"


def command_name(pack: Pack) -> str:
    """Return the text that selects this pack after ``--spec``: the name of a bundled one, or the shortest folder."""
    return full_name(pack).removesuffix(f"@{pack.version}") if pack.is_newest else full_name(pack)


def full_name(pack: Pack) -> str:
    """Return the same text with the version, also with the newest."""
    return f"{pack.name if is_bundled(pack.folder) else shortest_folder(pack.folder)}@{pack.version}"


def _find(name_or_path: str) -> tuple[Path, str | None]:
    path, version = _split_version(name_or_path)
    if _is_path(path):
        folder = _external_pack(Path(path))
        if version is not None:
            load_pack(folder, version)
        return folder, version
    folders = {folder.name: folder for folder in bundled_packs()}
    if path not in folders:
        hint = f"; for a folder, write ./{path}" if (Path(path) / PACK_FILE).is_file() else ""
        raise UsageError(f'no specification is named "{path}"; {suggest(path, folders)}{hint}')
    if version is not None and version not in load_pack(folders[path]).versions:
        packs = map(load_pack, folders.values())
        available = ", ".join(f"{pack.name}@{one}" for pack in packs for one in pack.versions)
        raise UsageError(f'{path} is not bundled in version "{version}"; available: {available}')
    return folders[path], version


def _split_version(text: str) -> tuple[str, str | None]:
    """Return a name or path, and the version after its last @. A folder whose own name contains an @ has none."""
    name, at, version = text.rpartition("@")
    if not at or os.sep in version:
        return text, None
    if _is_path(text) and (Path(text) / PACK_FILE).exists():
        if (Path(name) / PACK_FILE).exists() and version in load_pack(Path(name)).versions:
            raise UsageError(f"{text}: can be this folder and version {version} of {name}; rename the folder")
        return text, None
    return name, version


def features_folder() -> Path:
    """Return the folder of the bundled packs. Raises UsageError for an installation without it."""
    folder = _find_features(tuple(treeproof.__path__))
    if folder is None:
        raise UsageError("this installation has no features; install treeproof again")
    return folder


# The content folders are inside the package in a wheel, and beside it in a checkout; __path__ has both.
@lru_cache(maxsize=8)  # each record of a run needs it
def _find_features(bases: tuple[str, ...]) -> Path | None:
    for base in bases:
        features = Path(base) / "features"
        if features.is_dir():
            return features
    return None


def _is_path(text: str) -> bool:
    return text in (".", "..") or os.sep in text or (os.altsep is not None and os.altsep in text)


def _external_pack(folder: Path) -> Path:
    if folder.name == PACK_FILE:
        folder = folder.parent
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; write the folder of a pack, or a bundled name")
    if not (folder / PACK_FILE).exists():
        raise UsageError(f"{folder}: contains no {PACK_FILE}; write the folder of a pack")
    folder = folder.resolve()
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    return folder


def load_packs(names: Sequence[str]) -> list[Pack]:
    """Return the packs in ``names``, each a bundled name or a folder.

    Without names, that of the working directory, or else all bundled ones.
    """
    return [open_pack(name) for name in names or default_specs()] or [load_pack(folder) for folder in bundled_packs()]
