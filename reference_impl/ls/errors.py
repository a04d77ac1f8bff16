"""The codes and messages of the error table of `LS` (section 7)."""

from enum import StrEnum


class ErrorCode(StrEnum):
    """The codes as in the envelope."""

    NOT_FOUND = "NOT_FOUND"
    ACCESS_DENIED = "ACCESS_DENIED"
    INVALID_PARAM = "INVALID_PARAM"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class CallRefused(Exception):
    """A call that returns an error. `components` is the resolved path if it is inside the project."""

    def __init__(self, code: str, message: str, components: tuple[bytes, ...] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.components = components


INVALID_ARGUMENTS = "offset/limit/ignore must be valid types."
OUTSIDE_ROOT = "Access denied. Path must be within the project root."
PATH_NOT_FOUND = "Path '{path}' does not exist."
NOT_A_DIRECTORY = "'{path}' is a file, not a directory. Use 'Read' tool to view its content."
PERMISSION_DENIED = "Permission denied accessing '{path}'."
LISTING_FAILED = "Failed to list directory - {error}"
