"""The check of a call's arguments, which returns a request or raises an error. No I/O."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import INVALID_ARGUMENTS, CallRefused, ErrorCode

MIN_LIMIT, MAX_LIMIT = 1, 200

PARAMETERS: Mapping[str, dict[str, Any]] = {
    "path": {
        "type": "string",
        "description": "Directory path to list (relative to project root or absolute within it).",
        "default": ".",
    },
    "offset": {"type": "integer", "description": "Pagination start index (>=0).", "default": 0},
    "limit": {"type": "integer", "description": "Max items to return (1-200).", "default": 100},
    "include_hidden": {
        "type": "boolean",
        "description": "Whether to include hidden files (starting with '.').",
        "default": False,
    },
    "ignore": {
        "type": "array",
        "description": "Optional list of glob patterns to ignore.",
        "default": None,
    },
}
SCHEMA: Mapping[str, Any] = {"type": "object", "properties": dict(PARAMETERS), "required": []}


@dataclass(frozen=True)
class Request:
    """A request with defaults. `limit` is a number of entries, `offset` an index from 0."""

    path: str
    offset: int
    limit: int
    include_hidden: bool
    ignore: tuple[str, ...]


class ArgumentParser:
    """Parses the arguments, which may be any JSON value."""

    def __init__(self, sent: Any) -> None:
        self.sent_arguments = sent

    def parse(self) -> Request:
        """Return the request. Raises CallRefused (INVALID_PARAM). Unknown arguments are ignored (AMB-LS-51)."""
        if not isinstance(self.sent_arguments, dict):
            raise self.invalid_arguments()
        given = {name: member["default"] for name, member in PARAMETERS.items()} | self.sent_arguments
        return Request(
            path=self.parse_path(given["path"]),
            offset=self.parse_offset(given["offset"]),
            limit=self.parse_limit(given["limit"]),
            include_hidden=self.parse_include_hidden(given["include_hidden"]),
            ignore=self.parse_ignore(given["ignore"]),
        )

    def parse_path(self, value: Any) -> str:
        if not isinstance(value, str) or "\0" in value or not _is_encodable(value):
            raise self.invalid_arguments()  # a text that cannot be a path is an invalid argument (AMB-LS-18)
        return value

    def parse_offset(self, value: Any) -> int:
        return self._parse_integer(value, 0, None)

    def parse_limit(self, value: Any) -> int:
        return self._parse_integer(value, MIN_LIMIT, MAX_LIMIT)

    def parse_include_hidden(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.invalid_arguments()
        return value

    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(pattern, str) for pattern in value):
            raise self.invalid_arguments()
        return tuple(value)

    def _parse_integer(self, value: Any, minimum: int, maximum: int | None) -> int:
        # 2.0 is no integer here (AMB-LS-12), and true is never one.
        if type(value) is not int or value < minimum or (maximum is not None and value > maximum):
            raise self.invalid_arguments()
        return value

    def invalid_arguments(self) -> CallRefused:
        return CallRefused(ErrorCode.INVALID_PARAM, INVALID_ARGUMENTS)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
