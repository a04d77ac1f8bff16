"""The argument schema of `move` and `copy`, and the request of a call. No I/O."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..shared.errors import ErrorKind, ToolError
from ..shared.paths import Flavour
from .settings import Settings

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "source": {"type": "string"},
        "destination": {"type": "string"},
        "overwrite": {"type": "boolean", "default": False},
    },
    "required": ["source", "destination"],
}


@dataclass(frozen=True)
class RequestedPath:
    """A requested path: its normalised text, and whether the caller's text marked it as a directory."""

    text: str
    has_trailing_separator: bool  # a separator at its end

    @property
    def name(self) -> str:
        """Return the last component; "" if the path names a root or the working directory."""
        return "" if self.text in (".", "/") else self.text.rpartition("/")[2]

    @property
    def parent(self) -> str:
        """Return the path of the parent."""
        parent, slash, _ = self.text.rpartition("/")
        return parent or (slash or ".")


@dataclass(frozen=True)
class Request:
    """A call with complete arguments."""

    source: RequestedPath
    destination: RequestedPath
    overwrite: bool  # as requested
    overwrite_allowed: bool  # as configured


class ArgumentParser:
    """Parses arguments that fit the schema, with one method for each argument."""

    def __init__(self, arguments: Mapping[str, Any], settings: Settings, flavour: Flavour) -> None:
        self.arguments = arguments
        self.settings = settings
        self.flavour = flavour

    def parse(self) -> Request:
        """Return the request. Raises ToolError (BadArgs) for what a schema cannot express."""
        return Request(
            self.parse_path("source"),
            self.parse_path("destination"),
            bool(self.arguments.get("overwrite", False)),  # the configuration permits it (AMB-FO-01)
            self.settings.allow_overwrite,
        )

    def parse_path(self, key: str) -> RequestedPath:
        text: str = self.arguments[key]
        if not text:
            raise bad_arguments(f"{key} must not be empty")
        if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
            raise bad_arguments(f"{key} must not hold NUL or unpaired surrogates")
        if self.flavour.drives:
            text = text.replace("\\", "/")
        # Blanks are part of a name.
        segments = [segment for segment in text.split("/") if segment not in ("", ".")]
        normalised = ("/" if text.startswith("/") else "") + "/".join(segments)
        return RequestedPath(normalised or ".", has_trailing_separator=text.endswith(("/", "/.")))


def bad_arguments(message: str) -> ToolError:
    return ToolError(ErrorKind.BAD_ARGS, message)
