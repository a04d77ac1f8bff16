"""What a pack names in its face by `module:attribute`, found when it is needed: somebody's own, as a pack may be."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from treeproof.errors import UsageError, raised


def own_module(name: str, called: str, instead: str) -> ModuleType:
    """Import a module that a pack names. Raises UsageError that begins with ``called``, whatever the module raises.

    An end of the process (``raise SystemExit(0)``) is no exception: it would look like a verdict.
    """
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = raised(error, name)
        raise UsageError(f"{called} cannot be imported: {told}; correct it, or {instead}") from error


def entry(face: Path, key: str, where: str, like: type | None = None) -> Any:
    """Return what ``where``, the text of ``key`` in a ``face``, names; ``like`` is a protocol that it has to fulfil.

    Raises UsageError for what cannot be imported and for what is something else.
    """
    module, _, attribute = where.partition(":")
    called = f"{face}: {key}: {where}"
    own = own_module(module, called, "write another module:attribute")
    try:
        found = getattr(own, attribute)
    except AttributeError as error:
        raise UsageError(
            f"{called} cannot be imported: AttributeError: {error}; write an attribute that it has"
        ) from error
    if like is not None:
        refuse_unlike(found, like, called)
    return found


def refuse_unlike(found: object, like: type, name: str) -> None:
    """Raise a UsageError that begins with ``name`` where ``found`` lacks a member of the protocol ``like``."""
    lacking = [member for member in vars(like) if not member.startswith("_") and not hasattr(found, member)]
    if lacking:
        raise UsageError(
            f"{name} lacks {', '.join(lacking)}; write what the protocol {like.__module__}.{like.__name__} asks for"
        )
