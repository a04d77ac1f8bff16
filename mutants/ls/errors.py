"""Mutants: errors in the codes and messages of failures."""

import errno
import os
from collections.abc import Callable

from treeproof.rows.ls.answer import INVALID, OUTSIDE, Answer, Refusal

from ..shared.mutant import Mutant
from .rows import row

ARGUMENTS = "LS-ARG-01 LS-ARG-02 LS-ARG-03 LS-ARG-04 LS-ARG-05 LS-ARG-06 LS-ARG-08"
MISSING = "LS-SEC-02 LS-ENV-04 LS-ERR-07 LS-ARG-08"
REFUSED = "LS-SEC-01 LS-SEC-04 LS-SEC-05 LS-SEC-06 LS-ERR-02"
CLOSED = "LS-ERR-04 LS-ENV-04 LS-ERR-07 LS-ERR-08 LS-XR-01"
MESSAGE = "LS-ERR-09 LS-ERR-08"
LINE = 80
ONE_READ = 1000
"""The names that one read of a directory returns, at the most."""


def code(kind: str, code: str) -> Callable[[Answer], Refusal | None]:
    """Return the change of the code of failures of a kind."""
    return lambda at: (code, at.message) if at.kind == kind else None


def message(kind: str, change: Callable[[Answer], str]) -> Callable[[Answer], Refusal | None]:
    """Return the change of the message of failures of a kind."""
    return lambda at: (at.code, change(at)) if at.kind == kind else None


def about_path(change: Callable[[Answer], str]) -> Callable[[Answer], Refusal | None]:
    """Return the change of the path in the messages that name it."""
    return lambda at: (at.code, at.message.replace(f"'{at.given_path}'", f"'{change(at)}'")) if at.failed else None


def longest_name(at: Answer) -> int:
    """Return the bytes of the longest name of the requested path."""
    return max(len(name.encode("utf-8", "surrogatepass")) for name in at.given_path.split("/"))


def shortened(at: Answer) -> str:
    return at.message if len(at.message) <= LINE else at.message[: LINE - 1] + "…"


def is_unreadable(at: Answer) -> bool:
    """Return whether the disk has failed, or there is no memory."""
    return any(os.strerror(error) in at.message for error in (errno.EIO, errno.ENOMEM))


def open_by_force(at: Answer) -> None:
    os.chmod(at.folder, 0o755)
    at.request()


MUTANTS: tuple[Mutant, ...] = (
    row(
        "MUT-LS-240", "A missing path is an invalid argument.", "LS-ERR-01", MISSING, error=code("missing", INVALID[0])
    ),
    row(
        *("MUT-LS-241", "The path in a message is quoted like a string of the programming language.", "LS-ERR-09"),
        error=message("missing", lambda at: f"Path {at.given_path!r} does not exist."),
    ),
    row(
        *("MUT-LS-242", "The message about a missing path does not name it.", MESSAGE),
        error=message("missing", lambda at: "Path does not exist."),
    ),
    row(
        *("MUT-LS-243", "A path with braces is expanded as a template.", "LS-ERR-09"),
        error=message("missing", lambda at: at.message.replace("{path}", "missing")),
    ),
    row(
        *("MUT-LS-244", "The message about a path outside contains the path.", "LS-ERR-02"),
        error=message("outside", lambda at: f"Access denied: '{at.given_path}' is outside of the project root."),
    ),
    row(
        "MUT-LS-245", "A path outside is FORBIDDEN.", REFUSED, "LS-ARG-08 LS-ENV-04", error=code("outside", "FORBIDDEN")
    ),
    row(
        "MUT-LS-246", "A path outside is an invalid argument.", REFUSED, "LS-ARG-08", error=code("outside", INVALID[0])
    ),
    row("MUT-LS-247", "A file is reported as missing.", "LS-ERR-03", error=code("file", "NOT_FOUND")),
    row("MUT-LS-248", "A file is an internal error.", "LS-ERR-03", error=code("file", "INTERNAL_ERROR")),
    row(
        *("MUT-LS-249", "The message about a file differs.", MESSAGE),
        error=message("file", lambda at: f"'{at.given_path}' is not a directory."),
    ),
    row(
        "MUT-LS-250", "An unreadable directory is PERMISSION_DENIED.", CLOSED, error=code("closed", "PERMISSION_DENIED")
    ),
    row("MUT-LS-251", "An unreadable directory is an internal error.", CLOSED, error=code("closed", "INTERNAL_ERROR")),
    row(
        *("MUT-LS-252", "An unreadable directory is reported as outside.", MESSAGE),
        error=message("closed", lambda at: OUTSIDE[1]),
    ),
    row("MUT-LS-253", "An unreadable directory is reported as missing.", CLOSED, error=code("closed", "NOT_FOUND")),
    row(
        *("MUT-LS-254", "An unreadable directory is listed as empty.", CLOSED),
        change=lambda at: at.relist([]),
        only=lambda at: at.kind == "closed",
    ),
    row(
        *("MUT-LS-255", "Invalid arguments are an internal error.", "LS-ERR-05", ARGUMENTS),
        failure={"error.code": "INTERNAL_ERROR"},
        only=lambda at: at.kind == "arguments",
    ),
    row(
        *("MUT-LS-256", "Invalid arguments are a VALIDATION_ERROR.", "LS-ERR-05", ARGUMENTS, "LS-ENV-04"),
        failure={"error.code": "VALIDATION_ERROR"},
        only=lambda at: at.kind == "arguments",
    ),
    row(
        *("MUT-LS-257", "A failure of the disk is reported as a missing path.", "LS-ERR-06"),
        error=code("system", "NOT_FOUND"),
    ),
    row(
        *("MUT-LS-258", "A failure of the disk is reported as a missing permission.", "LS-ERR-06"),
        error=code("system", "ACCESS_DENIED"),
    ),
    row(
        *("MUT-LS-259", "A directory that the disk cannot read is listed as empty.", "LS-ERR-06"),
        change=lambda at: at.relist([]),
        only=is_unreadable,
    ),
    row(
        *("MUT-LS-260", "The text of an error contains the code only.", "LS-ERR-07"),
        failure={"text": lambda at: f"Error: {at.code}"},
    ),
    row(
        *("MUT-LS-261", "The text of most errors is general.", "LS-ERR-07"),
        failure={"text": "The directory cannot be listed."},
        only=lambda at: at.code != INVALID[0],
    ),
    row(
        *("MUT-LS-262", "Messages contain the absolute path.", "LS-ERR-08 LS-ERR-09"),
        error=about_path(lambda at: os.fsdecode(at.folder)),
    ),
    row(
        *("MUT-LS-263", "Messages contain the path in capitals.", "LS-ERR-08 LS-ERR-09"),
        error=about_path(lambda at: at.given_path.removeprefix("./").upper()),
    ),
    row(
        *("MUT-LS-265", "An unreadable directory gets new permissions and is opened.", "LS-XR-01", CLOSED),
        change=open_by_force,
        only=lambda at: at.kind == "closed",
    ),
    row(
        *("MUT-LS-267", "The entries read before a disk failure are returned as a complete listing.", "LS-ERR-06"),
        change=lambda at: at.relist(sorted(at.on_disk[:ONE_READ], key=lambda one: (not one.is_dir, one.name.lower()))),
        only=lambda at: is_unreadable(at) and len(at.raw_names) > ONE_READ,
    ),
    row(
        *("MUT-LS-322", "The message of a disk failure contains the absolute path.", "LS-ERR-06"),
        error=message("system", lambda at: f"{at.message}: {os.fsdecode(at.folder)}"),
    ),
    row(
        *("MUT-LS-383", "A missing path with a slash behind it is an empty directory.", "LS-ERR-01"),
        change=lambda at: at.relist([]) if at.kind == "missing" and at.given_path.endswith("/") else None,
    ),
    row(
        *("MUT-LS-404", "A path that is too long is PATH_TOO_LONG.", "LS-ENV-04"),
        error=lambda at: ("PATH_TOO_LONG", "The path is too long.") if longest_name(at) > 255 else None,
    ),
    row(
        *("MUT-LS-445", "A name of 255 bytes in a path fails.", "LS-SEC-02"),
        error=lambda at: (
            ("INTERNAL_ERROR", "Failed to list directory - File name too long") if longest_name(at) == 255 else None
        ),
    ),
    row(
        *("MUT-LS-422", "The text of INTERNAL_ERROR is vague.", "LS-ERR-07"),
        failure={"text": "The directory could not be listed."},
        only=lambda at: at.kind == "system",
    ),
    row(
        *("MUT-LS-423", "Messages are cut to 80 characters.", "LS-ERR-09"),
        error=lambda at: (at.code, shortened(at)) if at.failed else None,
    ),
    row(
        *("MUT-LS-446", "Dollar signs in a message are replaced.", MESSAGE),
        error=about_path(lambda at: at.given_path.replace("$$", "$").replace("$&", "{path}")),
    ),
    row(
        *("MUT-LS-434", "The text is empty if ignore is of the wrong type.", "LS-ERR-07 LS-ENV-11"),
        failure={"text": ""},
        only=lambda at: not isinstance(at.arguments.get("ignore"), list | None),
    ),
)
