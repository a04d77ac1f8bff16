"""What a call of `move` or `copy` asks for: the argument schema, and the request that a call comes to. No I/O."""

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
    """A path as a caller wrote it: its text without idle parts, and whether that text claimed a directory."""

    text: str
    has_trailing_separator: bool  # a separator at its end

    @property
    def name(self) -> str:
        """The last component; "" where the path names a root or the working directory."""
        return "" if self.text in (".", "/") else self.text.rpartition("/")[2]

    @property
    def parent(self) -> str:
        """The path of what holds the last component."""
        above, slash, _ = self.text.rpartition("/")
        return above or (slash or ".")


@dataclass(frozen=True)
class Request:
    """A call whose arguments are complete."""

    source: RequestedPath
    destination: RequestedPath
    overwrite: bool  # as asked for
    overwrite_allowed: bool  # as configured


class ArgumentParser:
    """How the arguments of one call are understood: those that fit the schema, one method each."""

    def __init__(self, arguments: Mapping[str, Any], settings: Settings, flavour: Flavour) -> None:
        self.arguments = arguments
        self.settings = settings
        self.flavour = flavour

    def parse(self) -> Request:
        """Raises ToolError (BadArgs) for what a schema cannot say."""
        return Request(
            self.parse_path("source"),
            self.parse_path("destination"),
            self.parse_overwrite(),
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
        # Blanks are part of a name: nothing is trimmed.
        segments = [segment for segment in text.split("/") if segment not in ("", ".")]
        tidy = ("/" if text.startswith("/") else "") + "/".join(segments)
        return RequestedPath(tidy or ".", has_trailing_separator=text.endswith(("/", "/.")))

    def parse_overwrite(self) -> bool:
        # The argument says whether, the configuration says whether that may be said (AMB-FO-01).
        return bool(self.arguments.get("overwrite", False))


def bad_arguments(message: str) -> ToolError:
    return ToolError(ErrorKind.BAD_ARGS, message)
