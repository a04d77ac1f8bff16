"""Names as their directory lists them, where a file system finds an entry by other spellings of its name too."""

import os
from pathlib import Path


def stored_path(directory: Path, path: str) -> str:
    """Return a path below a directory with each name as it is listed; names that are not there stay."""
    found = []
    for name in path.split("/"):
        found.append(_stored_name(directory, name))
        directory /= name
    return "/".join(found)


def is_other_spelling(path: Path) -> bool:
    """Return whether an entry is there, and its directory lists it by another name than that of the path."""
    return _stored_name(path.parent, path.name) != path.name


def _stored_name(directory: Path, name: str) -> str:
    try:
        own = os.lstat(directory / name)
        listed = os.listdir(directory)
    except (OSError, ValueError):
        return name
    if name in listed or name in ("", ".", ".."):
        return name
    return next((each for each in listed if os.path.samestat(os.lstat(directory / each), own)), name)
