"""Finds packs: bundled ones by name, others by their folder, which contains a spec.toml."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import treeproof
from treeproof.errors import UsageError
from treeproof.spec.catalogue import PACK_FILE, Pack
from treeproof.spec.pack_file import load_pack
from treeproof.spec.toml_table import suggest

ORDER_FILE = "order.txt"
"""Beside the bundled packs: their names, one per line, in the order of display. Other packs follow."""


def bundled_packs() -> list[Path]:
    """Return the folders of the bundled packs in order of display. A folder has the name of its pack."""
    features = _features_folder()
    if features is None:
        return []
    order = features / ORDER_FILE
    names = order.read_text("utf-8").split() if order.is_file() else []
    positions = {name: position for position, name in enumerate(names)}
    found = (folder for folder in features.iterdir() if (folder / PACK_FILE).is_file())
    return sorted(found, key=lambda folder: (positions.get(folder.name, len(positions)), folder.name))


def is_bundled(folder: Path) -> bool:
    """Return whether a folder is that of a bundled pack."""
    return folder.parent == _features_folder()


def shortest_folder(folder: Path) -> str:
    """Return the path of a pack's folder for a command: from the working directory, if that is shorter."""
    relative = os.path.relpath(folder)
    if len(relative) >= len(str(folder)):
        return str(folder)
    return relative if _is_path(relative) else f"./{relative}"


def find_pack(name_or_path: str) -> Path:
    """Return the folder of a pack: a bundled name (`ls`, `ls@2.0.0`) or the path of a folder with a spec.toml.

    The folder of a pack that is not bundled is appended to the import path, for the modules that it names.

    Raises UsageError for an unknown name, a version that is not bundled, and a folder without a spec.toml.
    """
    if _is_path(name_or_path):
        return _external_pack(Path(name_or_path))
    name, at, version = name_or_path.partition("@")
    folders = {folder.name: folder for folder in bundled_packs()}
    if name not in folders:
        hint = f"; for a folder, write ./{name}" if (Path(name) / PACK_FILE).is_file() else ""
        raise UsageError(f'no specification is named "{name}"; {suggest(name, folders)}{hint}')
    if at and load_pack(folders[name]).version != version:
        available = ", ".join(f"{pack.name}@{pack.version}" for pack in map(load_pack, folders.values()))
        raise UsageError(f'{name} is not bundled in version "{version}"; available: {available}')
    return folders[name]


def open_pack(name_or_path: str) -> Pack:
    """Load the pack of a name or path. Raises UsageError."""
    return load_pack(find_pack(name_or_path))


def _features_folder() -> Path | None:
    # The content folders are inside the package in a wheel, and beside it in a checkout; __path__ has both.
    for base in treeproof.__path__:
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
