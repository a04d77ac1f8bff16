"""Imports the modules and the objects `module:attribute` that a spec.toml names; checks the types of members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from treeproof.errors import UsageError, abbreviated_json, format_exception
from treeproof.pack_modules import full_module_name
from treeproof.spec.catalogue import Pack


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


MemberKind = Literal["text", "texts", "readings", "reasons"]

_EXPECTED: Mapping[MemberKind, str] = {
    "text": "a text",
    "texts": 'a tuple such as ("PETS-OUT-01",)',
    "readings": 'a mapping such as {"AMB-PETS-01": "label"}',
    "reasons": 'a mapping of requirements to reasons, such as {"PETS-OUT-01": "why"}',
}


def wrong_members(registered: Mapping[str, object], members: Mapping[str, MemberKind]) -> Iterator[tuple[str, str]]:
    """Yield the key and a message for each member of another type: what it is, and what to write."""
    for key, one in registered.items():
        if not isinstance(key, str):
            yield str(key), "its key is no text; write its id"
        for name, kind in members.items():
            value = getattr(one, name)
            if kind == "texts" and isinstance(value, str):
                yield str(key), f'{name} is a text; write a tuple such as ("{value}",)'
            elif not _has_kind(value, kind):
                yield str(key), f"{name} is {_shown(value)}; write {_EXPECTED[kind]}"


def load_registered(pack_file: Path, entry_point: str, protocol: type, members: Mapping[str, MemberKind]) -> Any:
    """Return the mapping that an entry point names. Raises UsageError for another object, and for wrong members."""
    what = f"{protocol.__name__.lower()}s"
    place = f"{pack_file}: {what}: {entry_point}"
    found = load_entry_point(pack_file, what, entry_point)
    if not isinstance(found, Mapping):
        raise UsageError(f"{place} is no mapping of ids to {what}")
    for id, one in found.items():
        check_protocol(one, protocol, f"{place}: {id}")
    for id, message in wrong_members(found, members):
        raise UsageError(f"{place}: {id}: {message}")
    return found


def registering_module(pack: Pack, key: Literal["mutants", "variants"]) -> ModuleType | None:
    """Return the module in which a pack registers its mutants or variants; None if it registers none."""
    entry_point: str | None = getattr(pack, key)
    if entry_point is None:
        return None
    place = f"{pack.pack_file}: {key}: {entry_point}"
    return import_pack_module(entry_point.partition(":")[0], pack.folder, place, "leave the key out")


def _has_kind(value: object, kind: MemberKind) -> bool:
    if kind == "text":
        return isinstance(value, str)
    if kind == "texts":
        return isinstance(value, (tuple, list)) and all(isinstance(one, str) for one in value)
    return isinstance(value, Mapping) and all(isinstance(one, str) for item in value.items() for one in item)


def _shown(value: object) -> str:
    return "missing" if value is None else abbreviated_json(value)
