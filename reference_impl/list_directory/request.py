"""The argument schema of `list_directory`, and the request of a call. No I/O."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..shared.errors import ErrorKind, ToolError
from ..shared.paths import Flavour, tidy_path, trim
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
    """A call with complete arguments."""

    path: str  # normalised; the checked, used and shown path
    max_depth: int  # 1: the children only
    max_entries: int
    include_hidden: bool
    include_files: bool
    include_dirs: bool
    include_symlinks: bool
    include_other: bool


class ArgumentParser:
    """Parses arguments that fit the schema, with one method for each argument.

    All methods raise ToolError (BadArgs) for what a schema cannot express.
    """

    def __init__(self, arguments: Mapping[str, Any], settings: Settings, flavour: Flavour) -> None:
        self.arguments = arguments
        self.settings = settings
        self.flavour = flavour

    def parse(self) -> Request:
        settings = self.settings
        request = Request(
            path=self.parse_path(),
            max_depth=self.parse_max_depth(),
            max_entries=self.parse_max_entries(),
            include_hidden=self.parse_switch("include_hidden", settings.include_hidden_default),
            include_files=self.parse_switch("include_files", settings.include_files_default),
            include_dirs=self.parse_switch("include_dirs", settings.include_dirs_default),
            include_symlinks=self.parse_switch("include_symlinks", settings.include_symlinks_default),
            include_other=self.parse_switch("include_other", settings.include_other_default),
        )
        self.check_switches(request)
        return request

    def parse_path(self) -> str:
        text = self.trim(self.arguments["path"])
        if not text:  # FR-LD-VAL-01
            raise bad_arguments("path must not be blank")
        if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
            raise bad_arguments("path must not hold NUL or unpaired surrogates")  # AMB-LD-34
        return self.tidy(text)

    def trim(self, text: str) -> str:
        return trim(text)

    def tidy(self, text: str) -> str:
        """Return the normalised form of a trimmed path (FR-LD-VAL-10)."""
        return tidy_path(text, self.flavour)

    def parse_max_depth(self) -> int:
        given = self.arguments.get("max_depth")
        if not self.arguments.get("recursive", False):
            if given not in (None, 1):  # FR-LD-VAL-02
                raise bad_arguments("max_depth must be 1 when recursive is false")
            return 1
        if given is None:  # FR-LD-VAL-03
            return self.settings.max_depth
        if given > self.settings.max_depth:  # FR-LD-VAL-06b
            raise bad_arguments(f"max_depth must be at most {self.settings.max_depth}")
        return int(given)

    def parse_max_entries(self) -> int:
        given = self.arguments.get("max_entries", self.settings.max_entries)
        if given > self.settings.max_entries:  # FR-LD-VAL-04: refused, never reduced
            raise bad_arguments(f"max_entries must be at most {self.settings.max_entries}")
        return int(given)

    def parse_switch(self, name: str, configured: bool) -> bool:
        # FR-LD-VAL-06a: the call, the configuration, the built-in value. The schema's defaults have no effect.
        return bool(self.arguments.get(name, configured))

    def check_switches(self, request: Request) -> None:
        # FR-LD-VAL-05: on the effective values (AMB-LD-31); include_other is not sufficient.
        if not (request.include_files or request.include_dirs or request.include_symlinks):
            raise bad_arguments("at least one of include_files, include_dirs and include_symlinks must be true")


def bad_arguments(message: str) -> ToolError:
    return ToolError(ErrorKind.BAD_ARGS, message)
