"""Mutants: errors with entries without metadata and with unreadable directories."""

import errno
import os
from itertools import count

from treeproof.rows.list_directory.listing import Item, Items, ListCall, Rule, Table

from ..shared.mutant import Mutant
from .implied import LENGTH
from .rows import row
from .traversal import counting

NO_METADATA = (
    "FR-LD-LST-04 FR-LD-ERR-04 T-LD-10 EF-05 EF-06 EF-08 EF-09 DOC-06 FR-LD-LST-07 FR-LD-OUT-02 "
    "FR-LD-OUT-02a FR-LD-OUT-02b FR-LD-OUT-05 FR-LD-VAL-06"
)
"""An entry without metadata is listed and counted, has neither size nor time, and passes every switch."""
UNREADABLE = (
    "FR-LD-LST-08 DOC-03 DOC-06 EF-05 EF-06 EF-08 EF-09 FR-LD-DEF-03 FR-LD-OUT-01 FR-LD-OUT-02a FR-LD-OUT-05 T-LD-12"
)
"""An unreadable directory is listed as failed, and so are its siblings."""

STARTS = count()


def lacks_metadata(item: Item) -> bool:
    return item.lacks_metadata


def is_unread(item: Item) -> bool:
    return item.is_unread


def is_unknown(item: Item) -> bool:
    return item.is_unknown


def has_vanished(item: Item) -> bool:
    return item.code == "metadata_unavailable"


def is_without_permission(item: Item) -> bool:
    return item.code == "permission_denied"


def is_left_out(item: Item) -> bool:
    return item.is_unread and not item.sent.effective("include_dirs")


def as_readable(item: Item) -> Table:
    return item.entry | {"type": "dir", "error_code": None, "error": None}


def by_the_record(item: Item) -> Table:
    """Return the entry with the type that the records of its directory have."""
    for record in os.scandir(os.path.dirname(item.place) or b"."):
        if record.name == item.raw_name:
            is_link, is_dir = record.is_symlink(), record.is_dir(follow_symlinks=False)
            return item.entry | {
                "type": "symlink" if is_link else "dir" if is_dir else "file",
                "error_code": None,
                "error": None,
            }
    return item.entry


def up_to_the_first(items: Items, sent: ListCall) -> Items:
    """Return the entries up to the first directory that could not be read."""
    return items[: next((at for at, item in enumerate(items, 1) if item.is_unread), len(items))]


def marked_by_path(items: Items, sent: ListCall) -> Items:
    """Report an unreadable directory in the place of the first entry with its path."""
    firsts: dict[str, Item] = {}
    for item in items:
        first = firsts.setdefault(item.path, item)
        if item.is_unread and first is not item:
            first.entry, item.entry = first.unread(), as_readable(item)
            first.shown, item.shown = first.entry, item.entry
    return items


def is_closed(item: Item) -> bool:
    """Return whether a directory that is not entered could not be read."""
    return item.is_dir and not item.is_entered and not os.access(item.place, os.R_OK, effective_ids=True)


def member(value: object) -> Rule:
    return lambda item: value


def numbered(item: Item) -> str:
    numbers = item.sent.memory.setdefault("numbers", count(1))
    return f"#{next(numbers) % 10}: {item.entry['error']}"


def alternating(item: Item) -> str:
    return ("unknown", "metadata_unavailable")[next(item.sent.memory.setdefault("codes", count())) % 2]


def by_process(item: Item) -> str:
    process = item.sent.memory.setdefault("process", next(STARTS))
    return f"{item.entry['error']} (process {process})"


def without_unknown(document: Table) -> Table:
    return document | {"returned": sum(e["error_code"] in (None, "read_dir_failed") for e in document["entries"])}


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-058", "Entries without metadata are omitted.", NO_METADATA)(drop=lacks_metadata),
    row("MUT-059", "Without metadata, the type is taken from the directory's records.", NO_METADATA)(
        on=lacks_metadata, each=by_the_record
    ),
    row("MUT-061", "An unreadable directory keeps the type of a directory.", UNREADABLE)(
        drop=is_left_out, on=is_unread, each=as_readable
    ),
    # The disk decides which directory comes first, and so what is lost.
    row("MUT-064", "Entries after an unreadable directory are lost.", UNREADABLE, "FR-LD-OUT-02")(
        found=up_to_the_first
    ),
    row(
        *("MUT-065", "Directories that are not entered are opened anyway."),
        "FR-LD-LST-08 NFR-LD-PERF-01 FR-LD-LST-01 FR-LD-LST-06 EF-08 FR-LD-DEF-05 FR-LD-LST-02 FR-LD-VAL-07",
    )(on=is_closed, each=Item.unread),
    row("MUT-067", "Successful entries have empty error texts.", "EF-08 EF-09", LENGTH, "NFR-LD-REL-02")(
        code=lambda item: item.code or "", error=lambda item: item.entry["error"] or ""
    ),
    row("MUT-068", "Error texts contain the process id.", "FR-LD-OUT-02 EF-09")(on=is_unknown, error=by_process),
    row("MUT-481", "Vanished entries are omitted.", NO_METADATA)(drop=has_vanished),
    row("MUT-482", "An entry without metadata fails the call.", "FR-LD-LST-04 FR-LD-ERR-04", NO_METADATA)(
        fails=lacks_metadata
    ),
    row("MUT-484", "Failed entries do not count towards max_entries.", "FR-LD-LST-07 FR-LD-LST-04 FR-LD-LST-08")(
        limit=counting(lambda item: not item.is_unknown)
    ),
    row("MUT-485", "An unreadable directory fails the call.", UNREADABLE, "FR-LD-ERR-04")(fails=is_unread),
    row("MUT-486", "Unreadable directories are omitted.", UNREADABLE)(drop=is_unread),
    row("MUT-490", "The code of an unreadable directory is permission_denied.", UNREADABLE)(
        on=is_unread, code=member("permission_denied")
    ),
    row("MUT-491", "The code of missing metadata is read_dir_failed.", "EF-08 FR-LD-LST-04 T-LD-10")(
        on=lacks_metadata, code=member("read_dir_failed")
    ),
    row("MUT-492", "The code is the name of the system error.", "EF-08 FR-LD-LST-04 FR-LD-LST-08 T-LD-10 T-LD-12")(
        on=is_unknown, code=member("EACCES")
    ),
    row("MUT-493", "There is no error code.", "EF-08 FR-LD-LST-04 FR-LD-LST-08 T-LD-10 T-LD-12")(
        on=is_unknown, code=member(None)
    ),
    row("MUT-923", "An input/output error is a missing permission.", "EF-08")(
        on=lambda item: item.code == "io_error", code=member("permission_denied")
    ),
    row("MUT-924", "The codes of missing metadata alternate.", "FR-LD-OUT-02 EF-08")(
        on=lacks_metadata, code=alternating
    ),
    row("MUT-495", "There is no error text.", "EF-09 FR-LD-LST-04 T-LD-10")(on=is_unknown, error=member(None)),
    row("MUT-496", "The error text is empty.", "EF-09 FR-LD-LST-04 FR-LD-LST-08 T-LD-10")(
        on=is_unknown, error=member("")
    ),
    row("MUT-497", "The error text is a number.", "EF-09 FR-LD-LST-04 FR-LD-LST-08 T-LD-10")(
        on=is_unknown, error=member(errno.EACCES)
    ),
    row("MUT-498", "Error texts are numbered.", "FR-LD-OUT-02 EF-09 FR-LD-OUT-05")(on=is_unknown, error=numbered),
    row("MUT-989", "Entries without metadata are omitted where directories are.", "FR-LD-LST-04 FR-LD-ERR-04")(
        drop=lambda item: item.lacks_metadata and not item.sent.effective("include_dirs")
    ),
    row("MUT-801", "Entries without metadata have the depth 0.", "EF-03 EF-02")(on=lacks_metadata, depth=member(0)),
    row("MUT-802", "returned does not count entries without metadata.", "DOC-04 FR-LD-OUT-02b")(value=without_unknown),
    row("MUT-760", "Vanished entries are omitted in recursive listings.", "FR-LD-LST-04 FR-LD-ERR-04")(
        drop=lambda item: has_vanished(item) and item.sent.levels > 1
    ),
    row(
        *("MUT-761", "Below the first level, only a missing permission to read metadata is tolerated."),
        "FR-LD-LST-04 FR-LD-ERR-04",
    )(fails=lambda item: item.lacks_metadata and item.depth > 1 and not is_without_permission(item)),
    row(
        "MUT-762",
        "On the first level of a recursive listing, only a missing permission to read metadata is tolerated.",
        *("FR-LD-LST-04", NO_METADATA),
    )(
        fails=lambda item: (
            item.lacks_metadata and item.depth == 1 < item.sent.levels and not is_without_permission(item)
        )
    ),
    row(
        "MUT-767", "Of two directories with equal converted names, the first is reported as unreadable.", "FR-LD-LST-08"
    )(found=marked_by_path),
)
