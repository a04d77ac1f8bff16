"""Where packs are: the bundled ones by name, any other one by its folder.

Only finding lives here. A pack is a folder with a face; what is in the face is the catalogue's business.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import treeproof
from treeproof.errors import UsageError
from treeproof.spec.catalogue import PACK_FILE, Pack, load_pack
from treeproof.spec.toml_table import suggest

ORDER_FILE = "order.txt"
"""Beside the bundled packs: their names, a line each, in the order in which people read them. Others come after."""


def bundled_packs() -> list[Path]:
    """The folders of the packs that come with treeproof, in their order. Their folder is named after the pack."""
    features = _features_folder()
    if features is None:
        return []
    order = features / ORDER_FILE
    named = order.read_text("utf-8").split() if order.is_file() else []
    places = {name: place for place, name in enumerate(named)}
    found = (folder for folder in features.iterdir() if (folder / PACK_FILE).is_file())
    return sorted(found, key=lambda folder: (places.get(folder.name, len(places)), folder.name))


def find_pack(name_or_path: str) -> Path:
    """The folder of a pack: a bundled name (`ls`, `ls@2.0.0`) or the path of a folder with a face.

    The modules that a pack of one's own names may lie in its folder, which comes last on the import path.

    Raises UsageError for an unknown name, for a version that is not bundled, and for a folder without a face.
    """
    if _is_path(name_or_path):
        return _external_pack(Path(name_or_path))
    name, at, version = name_or_path.partition("@")
    folders = {folder.name: folder for folder in bundled_packs()}
    if name not in folders:
        hint = f"; for a folder of your own write ./{name}" if (Path(name) / PACK_FILE).is_file() else ""
        raise UsageError(f'no specification is named "{name}"; {suggest(name, folders)}{hint}')
    if at and load_pack(folders[name]).version != version:
        available = ", ".join(f"{pack.name}@{pack.version}" for pack in map(load_pack, folders.values()))
        raise UsageError(f'{name} is not bundled in version "{version}"; available: {available}')
    return folders[name]


def open_pack(name_or_path: str) -> Pack:
    """The loaded pack of a name or path. Raises UsageError as `find` and `load` do."""
    return load_pack(find_pack(name_or_path))


def _features_folder() -> Path | None:
    # In a wheel the content folders lie inside the package, in a checkout beside it: both are in __path__.
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
        raise UsageError(f"{folder}: no such folder; write the folder of a pack, or one of the bundled names")
    if not (folder / PACK_FILE).exists():
        raise UsageError(f"{folder}: holds no {PACK_FILE}; a pack is a folder with that file")
    folder = folder.resolve()
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    return folder
