"""Variants: what cannot be read, names that are not UTF-8, and errors."""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.rows.local_files import row as rows
from treeproof.rows.local_files.row import listed

from ..shared.variant import variant

Value = TypeVar("Value")

FEW_NAMES = 100
"""Fewer names than these come from the system at once."""


class ClosedBelowFails(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return _failing_below(below, super().list_names, below)

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        return _failing_below(below, super().lstat, below, name)


def _failing_below(below: tuple[bytes, ...], read: Callable[..., Value], *where: object) -> Value:
    try:
        return read(*where)
    except PermissionError as error:
        if not below:
            raise
        raise ToolError(ErrorKind.EXECUTION_FAILED, "a directory cannot be searched") from error


class VanishedFails(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except FileNotFoundError as error:
            raise ToolError(ErrorKind.EXECUTION_FAILED, "an entry has gone") from error


class EscapedNames(DirectoryScan):
    def decode_name(self, name: bytes) -> str:
        return name.decode("utf-8", "backslashreplace")

    def decode_target(self, target: bytes) -> str:
        return target.decode("utf-8", "backslashreplace")


class StrictNames(DirectoryScan):
    def decode_name(self, name: bytes) -> str:
        return _decode_strictly(name)

    def decode_target(self, target: bytes) -> str:
        return _decode_strictly(target)


def _decode_strictly(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(ErrorKind.EXECUTION_FAILED, f"{text!r} is not UTF-8") from error


class MissesFaults(DirectoryScan):
    """Takes a reading that breaks off after a few names for the end of the directory, as some libraries do."""

    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        found: list[bytes] = []
        try:
            with os.scandir(self.join(*below)) as reading:
                for entry in reading:
                    found.append(entry.name)
        except OSError:
            if not 0 < len(found) < FEW_NAMES:
                raise
        return found


class AsksTwice(DirectoryScan):
    """Asks for the metadata a second time, by another spelling of the path, which no injected fault knows."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except OSError:
            return os.lstat(self.join(*below, b".", name))


WITHOUT_EFFECT = "The injected fault has no effect on the list."


def is_unlisted(message: str | None) -> bool:
    """Return whether the system refuses the requested directory."""
    return "cannot be listed: " in (message or "")


VARIANTS = (
    variant("AMB-LF-15=error", "A directory that cannot be searched fails the search.")(
        directory_scan=ClosedBelowFails
    ),
    variant("AMB-LF-17=other", "Bytes of a name or a target are escaped.")(directory_scan=EscapedNames),
    variant("AMB-LF-17=error", "A name or a target that is not UTF-8 fails the call.")(directory_scan=StrictNames),
    variant(
        "VAR-LF-14",
        "Metadata that a call does not give come from a second one.",
        unverified={"LF-ERR-01": WITHOUT_EFFECT},
        excludes=("VAR-LF-16",),
    )(directory_scan=AsksTwice),
    variant(
        "VAR-LF-15",
        "A reading that breaks off counts as complete.",
        unverified={"LF-ERR-01": WITHOUT_EFFECT},
        excludes=("AMB-LF-15=error",),
    )(directory_scan=MissesFaults),
    variant("VAR-LF-16", "An entry that has gone fails the call.")(directory_scan=VanishedFails),
    variant("VAR-LF-17", "A search finds nothing where there is no directory.")(
        rows.search(failed=lambda sent, answer: listed(sent, []) if is_unlisted(answer.error_message) else answer)
    ),
    variant("VAR-LF-11", "Errors have no message.")(
        rows.listing(message=lambda sent, text: "" if is_unlisted(text) else text)
    ),
)
