"""What a pack names in its face by `module:attribute`, found when it is needed: somebody's own, as a pack may be."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError


def entry(face: Path, key: str, where: str, like: type | None = None) -> Any:
    """Return what ``where``, the text of ``key`` in a ``face``, names; ``like`` is a protocol that it has to fulfil.

    Raises UsageError for what cannot be imported and for what is something else.
    """
    module, _, attribute = where.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # somebody's own module: whatever it raises
        told = f"{type(error).__name__}: {error}"
        raise UsageError(f"{face}: {key}: {where} cannot be imported: {told}") from error
    if like is not None:
        refuse_unlike(found, like, f"{face}: {key}: {where}")
    return found


def refuse_unlike(found: object, like: type, name: str) -> None:
    """Raise a UsageError that begins with ``name`` where ``found`` lacks a member of the protocol ``like``."""
    lacking = [member for member in vars(like) if not member.startswith("_") and not hasattr(found, member)]
    if lacking:
        raise UsageError(
            f"{name} lacks {', '.join(lacking)}; write what the protocol {like.__module__}.{like.__name__} asks for"
        )
