"""Imports the modules and the objects `module:attribute` that a spec.toml names."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from treeproof.errors import UsageError, format_exception
from treeproof.pack_modules import full_module_name


def import_pack_module(name: str, folder: Path | None, description: str, remedy: str) -> ModuleType:
    """Import a module that a pack in ``folder`` names. Raises UsageError that begins with ``description``.

    SystemExit is included: the exit code of the module would look like a verdict.
    """
    full_name = name if folder is None else full_module_name(name, folder)
    try:
        return import_module(full_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        cause = format_exception(error, full_name)
        raise UsageError(f"{description} cannot be imported: {cause}; correct it, or {remedy}") from error


def load_entry_point(pack_file: Path, key: str, entry_point: str, protocol: type | None = None) -> Any:
    """Return the object of ``entry_point``, the value of ``key`` in a spec.toml; it must implement ``protocol``.

    Raises UsageError if it cannot be imported or lacks a member of the protocol.
    """
    module, _, attribute = entry_point.partition(":")
    place = f"{pack_file}: {key}: {entry_point}"
    imported = import_pack_module(module, pack_file.parent, place, "write another module:attribute")
    try:
        value = getattr(imported, attribute)
    except AttributeError as error:
        raise UsageError(
            f"{place} cannot be imported: AttributeError: {error}; write an attribute that it has"
        ) from error
    if protocol is not None:
        check_protocol(value, protocol, place)
    return value


def check_protocol(value: object, protocol: type, name: str) -> None:
    """Raise a UsageError that begins with ``name`` if ``value`` lacks a public member of the protocol."""
    members = (member for member in vars(protocol) if not member.startswith("_"))
    missing = [member for member in members if not hasattr(value, member)]
    if missing:
        full_name = f"{protocol.__module__}.{protocol.__name__}"
        raise UsageError(f"{name} lacks {', '.join(missing)}; implement the protocol {full_name}")
