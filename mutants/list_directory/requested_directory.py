"""Mutants: errors when the requested directory is missing, no directory, or unreadable; effects on the tree."""

import errno
import os
import random
import stat
from contextlib import suppress
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.list_directory.listing import Item, ListCall, Listing, document_of, empty
from treeproof.rows.list_directory.row import Change
from treeproof.rows.shared.row import with_value

from ..shared.mutant import Mutant
from .implied import EMPTY
from .rows import row


def error_of(sent: ListCall) -> int:
    """Return the number of the error with which the directory cannot be listed, 0 for none."""
    try:
        os.listdir(sent.place)
    except OSError as error:
        return error.errno or 0
    except ValueError:
        return errno.EINVAL
    return 0


def after(number: int, change: Any) -> Change:
    """Return the change of a refusal to list a directory, for one reason."""

    def changed(sent: ListCall, answer: CallResult) -> CallResult:
        is_meant = answer.error_kind == "ExecutionFailed" and error_of(sent) == number
        made: CallResult = change(sent, answer) if is_meant else answer
        return made

    return {"result": changed}


def as_kind(kind: str) -> Any:
    return lambda sent, answer: replace(answer, error_kind=kind)


def as_itself(sent: ListCall, answer: CallResult) -> CallResult:
    """List a file as the entry that its directory has for it."""
    above, name = os.path.split(sent.path)
    found = sent.with_arguments({**sent.given, "path": above or ".", "include_hidden": True}).answer()
    value = document_of(found)
    if value is None:
        return answer
    entries = [entry for entry in value["entries"] if entry["path"] == name]
    return with_value(found, value | {"path": sent.path, "entries": entries, "returned": len(entries)})


def created(sent: ListCall, answer: CallResult) -> CallResult:
    os.makedirs(sent.place)
    return sent.answer()


def silent(sent: ListCall, answer: CallResult) -> CallResult:
    is_meant = answer.error_kind == "ExecutionFailed" and error_of(sent)
    return replace(answer, error_message="") if is_meant else answer


def leaving_a_mark(at: Listing) -> bool:
    """Leave a file in an empty directory; a later listing does not show it."""
    if not at.sent.turns(os.fsencode(at.sent.place)):
        with suppress(OSError):
            os.close(os.open(os.path.join(at.sent.place, ".listing"), os.O_CREAT | os.O_WRONLY, 0o600))
    return at.capped


def touching(at: Listing) -> bool:
    """Change the time of a directory that may not be written."""
    with suppress(OSError):
        if stat.S_IMODE(os.stat(at.sent.place).st_mode) == 0o555:
            os.utime(at.sent.place)
    return at.capped


def is_closed(item: Item) -> bool:
    return item.is_file and not item.mode & 0o444 and item.own is not None


def made_readable(item: Item) -> int | None:
    os.chmod(item.place, 0o644)
    return item.stat.st_size


def is_removed(item: Item) -> bool:
    """Remove a hidden link that leads nowhere."""
    if not (item.is_hidden and item.is_link and item.own and item.target is None):
        return False
    with suppress(OSError):
        os.unlink(item.place)
        return True
    return False


def remembering(sent: ListCall) -> CallResult:
    """Return the answer of the first equal call."""
    key = repr((sorted(sent.context.items()), sent.arguments))
    if key not in sent.memory:
        sent.memory[key] = sent.answer()
    answer: CallResult = sent.memory[key]
    return answer


def remembering_failures(sent: ListCall) -> CallResult:
    answer = remembering(sent)
    if answer.error_kind != "ExecutionFailed":
        sent.memory.clear()
    return answer


MUTANTS: tuple[Mutant, ...] = (
    row(
        *("MUT-130", "A missing directory is listed as empty."),
        "FR-LD-VAL-08 FR-LD-ERR-03 C-05 FR-LD-DEF-03 FR-LD-VAL-01 FR-LD-VAL-07 NFR-LD-REL-02",
    )(**after(errno.ENOENT, empty)),
    row(
        *("MUT-131", "A missing directory is reported as BadArgs."),
        "FR-LD-VAL-08 FR-LD-ERR-03 FR-LD-DEF-03 FR-LD-OUT-08 FR-LD-VAL-07",
    )(**after(errno.ENOENT, as_kind("BadArgs"))),
    row("MUT-331", "A path that is no directory is reported as BadArgs.", "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02")(
        **after(errno.ENOTDIR, as_kind("BadArgs"))
    ),
    row(
        *("MUT-332", "A missing directory is reported as SandboxViolation."),
        "FR-LD-VAL-08 FR-LD-ERR-03 FR-LD-DEF-03 FR-LD-OUT-08 FR-LD-VAL-01 FR-LD-VAL-07",
    )(**after(errno.ENOENT, as_kind("SandboxViolation"))),
    row("MUT-333", "A file is listed as itself, as `ls` does.", "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02")(
        **after(errno.ENOTDIR, as_itself)
    ),
    row("MUT-334", "A path that is no directory is listed as empty.", "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02")(
        **after(errno.ENOTDIR, empty)
    ),
    row("MUT-335", "The message for a path that is no directory differs.", "T-LD-02 FR-LD-VAL-08")(
        **after(errno.ENOTDIR, lambda sent, answer: replace(answer, error_message="cannot list a file"))
    ),
    row(
        *("MUT-336", "A directory that cannot be listed is reported without a message."),
        "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02",
    )(result=silent),
    row("MUT-337", "An unreadable requested directory is listed as empty.", "FR-LD-LST-08 FR-LD-VAL-08")(
        **after(errno.EACCES, empty)
    ),
    row("MUT-340", "A path ends at its first NUL.", "FR-LD-VAL-08 FR-LD-ERR-01")(
        requested=lambda path: path.partition("\0")[0]
    ),
    row(
        *("MUT-341", "A missing directory is created."),
        "FR-LD-DEF-03 FR-LD-VAL-08 FR-LD-ERR-03 C-05 FR-LD-LST-01 FR-LD-OUT-08 FR-LD-VAL-01 FR-LD-VAL-07 NFR-LD-REL-02",
    )(**after(errno.ENOENT, created)),
    row("MUT-342", "A loop of links is listed as an empty directory.", "FR-LD-VAL-08 FR-LD-ERR-03")(
        **after(errno.ELOOP, empty)
    ),
    # The directory of MUT-661 has another time afterwards.
    row(
        *("MUT-661", "A call leaves a file in an empty listed directory.", "FR-LD-DEF-03", EMPTY),
        "FR-LD-LST-02 DOC-01 FR-LD-OUT-08 T-LD-13 EF-06",
    )(drop=lambda item: item.name == ".listing", capped=leaving_a_mark),
    row("MUT-662", "A call changes the time of a directory without write permission.", "FR-LD-DEF-03")(capped=touching),
    row("MUT-663", "A file without read permission is made readable.", "FR-LD-DEF-03 EF-04 EF-05 EF-08")(
        on=is_closed, size=made_readable
    ),
    # A later listing of hidden entries lacks what MUT-664 removes.
    row("MUT-664", "Hidden dangling links are removed.", "FR-LD-DEF-03 FR-LD-LST-06")(drop=is_removed),
    row(
        *("MUT-668", "Entries with equal converted names come in random order."),
        "FR-LD-OUT-02 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-VAL-10",
    )(order=lambda item: (item.path, random.random())),
    row("MUT-671", "A repeated call returns the earlier result.", "FR-LD-OUT-02 FR-LD-LST-01 FR-LD-VAL-08 EF-05 EF-06")(
        answer=remembering
    ),
    row("MUT-742", "A missing path stays missing.", "FR-LD-OUT-02 FR-LD-VAL-08")(answer=remembering_failures),
    row("MUT-934", "An equal recursive call has the earlier listing.", "FR-LD-LST-02 FR-LD-OUT-02")(
        where=lambda sent: sent.is_recursive, answer=remembering
    ),
)
