"""One entry of a listing: its fields, from its own metadata. No I/O, no JSON."""

import errno
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..shared.directory_reader import is_name_surrogate

EntryType = Literal["file", "dir", "symlink", "other", "unknown"]
ErrorCode = Literal["metadata_unavailable", "permission_denied", "read_dir_failed", "io_error", "unknown"]

# Fixed phrases: short, without paths, independent of the locale (AMB-LD-55).
ERROR_MESSAGES: Mapping[ErrorCode, str] = {
    "metadata_unavailable": "metadata is not available",
    "permission_denied": "permission denied",
    "read_dir_failed": "directory cannot be read",
    "io_error": "input/output error",
    "unknown": "unexpected failure",
}

# AMB-LD-11; every other errno is metadata_unavailable.
ERRNO_CODES: Mapping[int | None, ErrorCode] = {
    errno.EACCES: "permission_denied",
    errno.EPERM: "permission_denied",
    errno.EIO: "io_error",
}

_MAX_EPOCH_MS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Entry:
    """The fields of an entry in the order of the document, and the raw path that breaks ties (AMB-LD-13)."""

    name: str
    path: str
    depth: int
    type: EntryType
    size_bytes: int | None
    modified_epoch_ms: int | None
    is_hidden: bool
    error_code: ErrorCode | None
    raw_path: bytes

    @property
    def error(self) -> str | None:
        return None if self.error_code is None else ERROR_MESSAGES[self.error_code]


def entry_type(found: os.stat_result) -> EntryType:
    """Return the type of an entry; a link is a link, whatever its target (FR-LD-VAL-09)."""
    if stat.S_ISLNK(found.st_mode) or is_name_surrogate(found):
        return "symlink"
    if stat.S_ISREG(found.st_mode):
        return "file"
    if stat.S_ISDIR(found.st_mode):
        return "dir"
    return "other"


def to_epoch_ms(mtime_ns: int) -> int | None:
    """Convert nanoseconds to whole milliseconds, rounded down (AMB-LD-26); None beyond 64 bits (AMB-LD-25)."""
    milliseconds = mtime_ns // 1_000_000
    return milliseconds if -_MAX_EPOCH_MS - 1 <= milliseconds <= _MAX_EPOCH_MS else None


def error_code_of(failure: Exception) -> ErrorCode:
    """Return the error_code for missing metadata."""
    if not isinstance(failure, OSError):
        return "unknown"
    return ERRNO_CODES.get(failure.errno, "metadata_unavailable")
