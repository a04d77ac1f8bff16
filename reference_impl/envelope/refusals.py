"""What a call of `LS` can fail with: the codes and sentences of the error table (section 7)."""

from enum import StrEnum


class Code(StrEnum):
    """The codes, spelled as they stand in the envelope."""

    NOT_FOUND = "NOT_FOUND"
    ACCESS_DENIED = "ACCESS_DENIED"
    INVALID_PARAM = "INVALID_PARAM"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class Refused(Exception):
    """A call that ends in an envelope with an error. `below` is where its path leads, if that lies inside."""

    def __init__(self, code: str, message: str, below: tuple[bytes, ...] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.below = below


WRONG_ARGUMENTS = "offset/limit/ignore must be valid types."
OUTSIDE = "Access denied. Path must be within the project root."
MISSING = "Path '{path}' does not exist."
NO_DIRECTORY = "'{path}' is a file, not a directory. Use 'Read' tool to view its content."
NO_PERMISSION = "Permission denied accessing '{path}'."
FAILED = "Failed to list directory - {error}"
