"""The modules that a pack names are those of its own folder, not others that the import path has first."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Pack


def check_modules(pack: Pack) -> None:
    """Raise UsageError if a module in the pack's folder would be imported from elsewhere, such as a candidate's folder.

    A module that the folder does not contain can be any installed one.
    """
    for key, name in _modules_of(pack):
        own, found = _own_file(pack.folder, name), _imported_file(name)
        if own is not None and found is not None and not found.is_relative_to(pack.folder):
            raise UsageError(
                f'{pack.pack_file}: {key}: "{name}" would be imported from {found} instead of {own}; '
                "rename one of the two, or remove the other folder from the import path"
            )


def _modules_of(pack: Pack) -> Iterator[tuple[str, str]]:
    """Yield the keys of a spec.toml and the first components of the modules that they name."""
    yield from (("steps", module.partition(".")[0]) for module in pack.steps)
    for key in ("reference", "oracle", "state_machine", "mutants", "variants"):
        entry_point: str | None = getattr(pack, key)
        if entry_point is not None:
            yield key, entry_point.partition(":")[0].partition(".")[0]


def _own_file(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.py") if path.exists()), None)


def _imported_file(name: str) -> Path | None:
    """Return the file or folder that an import of a top-level module uses; None if there is none."""
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # ValueError: a module without a spec, such as __main__
        return None
    if found is None:
        return None
    places = [found.origin] if found.has_location else list(found.submodule_search_locations or ())
    return Path(places[0]).resolve() if places and places[0] else None
