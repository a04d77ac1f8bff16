"""What a pack names in its face by `module:attribute`, found when it is needed: somebody's own, as a pack may be."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from treeproof.errors import UsageError, format_exception


def import_pack_module(name: str, description: str, remedy: str) -> ModuleType:
    """Import a module that a pack names. Raises UsageError that begins with ``called``, whatever the module raises.

    An end of the process (``raise SystemExit(0)``) is no exception: it would look like a verdict.
    """
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = format_exception(error, name)
        raise UsageError(f"{description} cannot be imported: {told}; correct it, or {remedy}") from error


def load_entry_point(pack_file: Path, key: str, entry_point: str, protocol: type | None = None) -> Any:
    """Return what ``where``, the text of ``key`` in a ``face``, names; ``like`` is a protocol that it has to fulfil.

    Raises UsageError for what cannot be imported and for what is something else.
    """
    module, _, attribute = entry_point.partition(":")
    called = f"{pack_file}: {key}: {entry_point}"
    own = import_pack_module(module, called, "write another module:attribute")
    try:
        found = getattr(own, attribute)
    except AttributeError as error:
        raise UsageError(
            f"{called} cannot be imported: AttributeError: {error}; write an attribute that it has"
        ) from error
    if protocol is not None:
        check_protocol(found, protocol, called)
    return found


def check_protocol(value: object, protocol: type, name: str) -> None:
    """Raise a UsageError that begins with ``name`` where ``found`` lacks a member of the protocol ``like``."""
    lacking = [
        member for member in vars(protocol) if not member.startswith("_") and not hasattr(value, member)
    ]
    if lacking:
        raise UsageError(
            f"{name} lacks {', '.join(lacking)}; write what the protocol {protocol.__module__}.{protocol.__name__} asks for"
        )
