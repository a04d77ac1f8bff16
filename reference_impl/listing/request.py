"""What a call of `list_directory` asks for: the argument schema, and the resolved request. No I/O."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import Kind, ToolError
from ..paths import Flavour, cleaned, trimmed
from .settings import Settings

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "recursive": {"type": "boolean", "default": False},
        "max_depth": {"type": "integer", "minimum": 1},
        "max_entries": {"type": "integer", "minimum": 1},
        "include_hidden": {"type": "boolean", "default": False},
        "include_files": {"type": "boolean", "default": True},
        "include_dirs": {"type": "boolean", "default": True},
        "include_symlinks": {"type": "boolean", "default": True},
        "include_other": {"type": "boolean", "default": False},
    },
    "required": ["path"],
}


@dataclass(frozen=True)
class Request:
    """A call whose arguments are complete: every omitted one is resolved."""

    path: str  # cleaned; the one that is checked, used and shown
    max_depth: int  # 1 lists the children only
    max_entries: int
    include_hidden: bool
    include_files: bool
    include_dirs: bool
    include_symlinks: bool
    include_other: bool


def read_request(arguments: Mapping[str, Any], settings: Settings, flavour: Flavour) -> Request:
    """Resolves arguments that fit the schema. Raises ToolError (BadArgs) for what a schema cannot say."""
    request = Request(
        path=_path(arguments["path"], flavour),
        max_depth=_max_depth(arguments, settings),
        max_entries=_max_entries(arguments, settings),
        # FR-LD-VAL-06a: explicit, then configured, then built-in. The schema's defaults only document.
        include_hidden=arguments.get("include_hidden", settings.include_hidden_default),
        include_files=arguments.get("include_files", settings.include_files_default),
        include_dirs=arguments.get("include_dirs", settings.include_dirs_default),
        include_symlinks=arguments.get("include_symlinks", settings.include_symlinks_default),
        include_other=arguments.get("include_other", settings.include_other_default),
    )
    # FR-LD-VAL-05: on the effective values (AMB-LD-31); include_other is no alternative.
    if not (request.include_files or request.include_dirs or request.include_symlinks):
        raise _bad("at least one of include_files, include_dirs and include_symlinks must be true")
    return request


def _path(text: str, flavour: Flavour) -> str:
    if not trimmed(text):  # FR-LD-VAL-01
        raise _bad("path must not be blank")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):  # AMB-LD-34
        raise _bad("path must not hold NUL or unpaired surrogates")
    return cleaned(text, flavour)


def _max_depth(arguments: Mapping[str, Any], settings: Settings) -> int:
    given = arguments.get("max_depth")
    if not arguments.get("recursive", False):
        if given not in (None, 1):  # FR-LD-VAL-02
            raise _bad("max_depth must be 1 when recursive is false")
        return 1
    if given is None:  # FR-LD-VAL-03
        return settings.max_depth
    if given > settings.max_depth:  # FR-LD-VAL-06b
        raise _bad(f"max_depth must be at most {settings.max_depth}")
    return int(given)


def _max_entries(arguments: Mapping[str, Any], settings: Settings) -> int:
    given = arguments.get("max_entries", settings.max_entries)
    if given > settings.max_entries:  # FR-LD-VAL-04: refused, never clamped
        raise _bad(f"max_entries must be at most {settings.max_entries}")
    return int(given)


def _bad(message: str) -> ToolError:
    return ToolError(Kind.BAD_ARGS, message)
