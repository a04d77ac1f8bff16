"""Mutants: errors in what is left out: hidden entries, the type switches, pseudo-entries, special names."""

import os
import stat
import unicodedata
from collections.abc import Callable, Hashable
from typing import Any

from treeproof.rows.list_directory.listing import Item, Items, ListCall, Rule, Table, type_of
from treeproof.rows.list_directory.row import Change
from treeproof.rows.shared.row import lstat

from ..shared.mutant import Mutant
from .entries import epoch_ms
from .implied import KIND, LENGTH
from .rows import row
from .traversal import below

VALUES = (b"true", b"false", b"undefined", b"NaN", b"None", b"nil", b"Infinity")
SYSTEM_NAMES = (b"lost+found", b"Thumbs.db", b"desktop.ini", b"$RECYCLE.BIN", b"NTUSER.DAT", b"aquota.user")
OPERATORS = (b"(", b")", b"!", b"-o", b";", b"{}")
SWITCHES = ("include_files", "include_dirs", "include_symlinks")
EVERYTHING = dict.fromkeys((*SWITCHES, "include_hidden", "include_other"), True)
FAILURES = "FR-LD-LST-04 FR-LD-LST-08 FR-LD-ERR-04 T-LD-10 T-LD-12 EF-06 EF-08 EF-09 FR-LD-OUT-02b FR-LD-VAL-06"
"""An unreadable directory and an entry without metadata are both `unknown`."""


def is_dotted(name: str) -> bool:
    return name.startswith(".")


def hides(sent: ListCall) -> bool:
    return not sent.effective("include_hidden")


def with_hidden(sent: ListCall) -> Table:
    return {"include_hidden": True}


def hiding(rule: Callable[[str], object]) -> Change:
    """Return the change to another rule for hidden names."""
    return {
        "also": with_hidden,
        "lose": lambda item: hides(item.sent) and rule(item.name),
        "hidden": lambda item: bool(rule(item.name)),
    }


def hiding_late(is_left_out: Rule) -> Change:
    """Return the change to another rule for entries that are left out where hidden ones are."""
    return {"where": hides, "also": with_hidden, "lose": is_left_out}


def request_parts(sent: ListCall) -> list[str]:
    return [part for part in sent.path.split("/") if part not in ("", ".")]


def everything(item: Item) -> bool:
    return True


def listed_in(name: bytes) -> Rule:
    """Return whether a file of this name, beside an entry, has its name as a line."""

    def is_listed(item: Item) -> bool:
        if name not in item.siblings:
            return False
        with open(item.place.removesuffix(item.raw_name) + name, "rb") as file:
            return item.raw_name in file.read(100_000).splitlines()

    return is_listed


def filtered_late(items: Items, sent: ListCall) -> Items:
    """Count all entries up to the limit, and leave out some of them."""
    walked = [item for item in items if not (hides(sent) and any(map(is_dotted, item.parts[:-1])))]
    shown = [item for item in walked if sent.shows(item.type) and not (hides(sent) and item.is_hidden)]
    met = walked[: sent.effective("max_entries")]
    sent.memory["more"] = any(item not in met for item in shown)
    return [item for item in shown if item in met]


def has_a_kind(sent: ListCall) -> bool:
    return any(map(sent.effective, SWITCHES))


def ignoring(switch: str) -> Change:
    """Return the change to a switch without effect, where others let the call pass."""
    others = [name for name in SWITCHES if name != switch]
    return {"where": lambda sent: any(map(sent.effective, others)), "also": lambda sent: {switch: True}}


def with_pseudo_entries(items: Items, sent: ListCall) -> Items:
    """Add `.` and `..` to each directory that is listed."""
    start = items[0].start if items else sent.place.encode()
    listed = [(b"", "", 0), *((item.raw + b"/", item.path + "/", item.depth) for item in items if item.is_entered)]
    added = [
        Item(pseudo_entry(name, path, depth, start + b"/" + raw), raw + name.encode(), start, sent)
        for raw, path, depth in listed
        for name in (".", "..")
    ]
    return sorted([*items, *added], key=lambda item: item.parts)


def pseudo_entry(name: str, path: str, depth: int, directory: bytes) -> Table:
    found = lstat(directory.decode("utf-8", "surrogateescape") + name)
    members = {"name": name, "path": path + name, "depth": depth + 1, "type": "dir", "size_bytes": None}
    time = epoch_ms(found.st_mtime_ns) if found else None
    return members | {"modified_epoch_ms": time, "is_hidden": True, "error_code": None, "error": None}


def paths_to(item: Item) -> list[bytes]:
    return [b"/".join(item.raw_parts[:length]) for length in range(1, item.depth + 1)]


def is_new(item: Item) -> bool:
    """Return whether an entry was not in its directory when that had the same time before."""
    directory = os.path.dirname(item.place)
    found = os.stat(directory)
    known = item.sent.memory.setdefault((directory, found.st_ino, found.st_mtime_ns), set(item.siblings))
    return item.raw_name not in known


def once(key: Callable[[bytes], Hashable]) -> Any:
    """Return the change that lists the first name for each key."""

    def kept(items: Items, sent: ListCall) -> Items:
        firsts: dict[Hashable, bytes] = {}
        lost: set[bytes] = set()
        for item in items:
            if firsts.setdefault((item.raw.removesuffix(item.raw_name), key(item.raw_name)), item.raw) != item.raw:
                lost.add(item.raw)
        return [item for item in items if not lost.intersection(paths_to(item))]

    return kept


def without_ends(name: bytes) -> bytes:
    return name.lstrip(b" ").rstrip(b" .") or name


def composed(name: bytes) -> str:
    return unicodedata.normalize("NFC", name.decode("utf-8", "surrogateescape"))


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-031", "Excluded entries count towards max_entries.", "FR-LD-LST-06")(
        where=has_a_kind, also=lambda sent: EVERYTHING, found=filtered_late, capped=lambda at: at.sent.memory["more"]
    ),
    row("MUT-032", "Hidden directories are omitted and walked anyway.", "FR-LD-LST-06 T-LD-11 FR-LD-LST-06a")(
        where=hides, also=with_hidden, drop=lambda item: item.is_hidden
    ),
    row("MUT-034", "A requested hidden directory is empty.", "FR-LD-LST-06 FR-LD-VAL-07 FR-LD-VAL-10")(
        where=lambda sent: hides(sent) and any(map(is_dotted, request_parts(sent)[-1:])), drop=everything
    ),
    row("MUT-040", "Names in a file named .hidden are omitted.", "FR-LD-LST-06a")(lose=listed_in(b".hidden")),
    row("MUT-411", "Names in a file named .gitignore are omitted.", "FR-LD-LST-06a FR-LD-LST-02")(
        lose=listed_in(b".gitignore")
    ),
    row("MUT-412", "Hidden entries are omitted in the requested directory only.", "FR-LD-LST-06 FR-LD-LST-04 T-LD-11")(
        **hiding_late(lambda item: item.is_hidden and item.depth == 1)
    ),
    row(
        "MUT-413", "Hidden files are omitted, hidden directories are not.", "FR-LD-LST-06 T-LD-11 FR-LD-LST-06a T-LD-07"
    )(**hiding_late(lambda item: item.is_hidden and not (item.is_dir or item.is_unread))),
    row("MUT-414", "A hidden entry without metadata is listed.", "FR-LD-LST-04 FR-LD-LST-06")(
        **hiding_late(lambda item: item.is_hidden and not item.lacks_metadata)
    ),
    row(
        *("MUT-416", "Requested hidden directories are listed and not entered."),
        "FR-LD-LST-06 CFG-LD-04 EF-02 EF-07 FR-LD-LST-03 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-VAL-06a T-LD-11",
    )(drop=below(is_dotted)),
    row(
        *("MUT-417", "Every entry below a hidden directory is hidden, also if that directory is requested."),
        "FR-LD-LST-06 FR-LD-VAL-10 FR-LD-VAL-07",
    )(where=lambda sent: hides(sent) and any(map(is_dotted, request_parts(sent))), drop=everything),
    row("MUT-418", "Backups of editors count as hidden.", "FR-LD-LST-06a EF-07")(
        **hiding(lambda name: is_dotted(name) or name[1:].endswith("~"))
    ),
    row(
        *("MUT-419", "Names that start with two dots are not hidden."),
        "FR-LD-LST-06a EF-07 FR-LD-LST-06 T-LD-07 FR-LD-LST-03",
    )(**hiding(lambda name: is_dotted(name) and not name.startswith(".."))),
    row("MUT-420", "Characters that look like a dot count as one.", "FR-LD-LST-06a EF-07")(
        **hiding(lambda name: is_dotted(unicodedata.normalize("NFKC", name)))
    ),
    row("MUT-421", "White space before the dot does not count.", "FR-LD-LST-06a EF-07")(
        **hiding(lambda name: is_dotted(name.strip()))
    ),
    row("MUT-422", "Only a dot before a letter makes a name hidden.", "FR-LD-LST-06a EF-07 FR-LD-LST-06 T-LD-07")(
        **hiding(lambda name: is_dotted(name) and name[1:2].isalpha())
    ),
    row("MUT-423", "A leading underscore makes a name hidden too.", "FR-LD-LST-06a EF-07 FR-LD-OUT-01 T-LD-01")(
        **hiding(lambda name: name.startswith((".", "_")))
    ),
    row("MUT-1007", "A name is hidden if any line of it begins with a dot.", "FR-LD-LST-06a EF-07")(
        **hiding(lambda name: any(map(is_dotted, name.replace("\r", "\n").split("\n"))))
    ),
    row("MUT-474", "is_hidden is never true.", "EF-07", LENGTH, "FR-LD-LST-04 FR-LD-LST-08")(hidden=lambda item: False),
    row("MUT-475", "is_hidden is true for every entry below a hidden directory.", "EF-07")(
        hidden=lambda item: any(map(is_dotted, item.parts))
    ),
    row("MUT-476", "is_hidden is true for a name with a dot anywhere.", "EF-07 FR-LD-LST-06a")(
        hidden=lambda item: "." in item.name
    ),
    row("MUT-932", "An entry without metadata is never hidden.", "EF-07 FR-LD-LST-04 FR-LD-LST-08")(
        on=lambda item: item.is_unknown, hidden=lambda item: False
    ),
    row(
        *("MUT-035", "With include_dirs off, no directory is entered."),
        "FR-LD-LST-02 FR-LD-LST-07 FR-LD-LST-08 FR-LD-LST-06 FR-LD-VAL-09",
    )(where=lambda sent: sent.is_deep and not sent.effective("include_dirs"), also=lambda sent: {"max_depth": 1}),
    # A recursive listing lacks them.
    row("MUT-038", "Failed entries are listed only with include_other.", FAILURES, "FR-LD-LST-02")(
        where=lambda sent: not sent.effective("include_other"), drop=lambda item: item.is_unknown
    ),
    row("MUT-424", "Failed entries are listed only with include_files.", FAILURES)(
        where=lambda sent: not sent.effective("include_files"), drop=lambda item: item.is_unknown
    ),
    row("MUT-425", "With include_dirs off, an unreadable directory is omitted.", "FR-LD-LST-08")(
        where=lambda sent: not sent.effective("include_dirs"), drop=lambda item: item.is_unread
    ),
    row("MUT-426", "include_other includes files that include_files excludes.", "FR-LD-VAL-06 CFG-LD-04 FR-LD-LST-06")(
        where=lambda sent: has_a_kind(sent) and sent.effective("include_other"),
        also=lambda sent: {"include_files": True},
    ),
    row("MUT-427", "The switches treat a link as its target.", "EF-04 FR-LD-VAL-05 FR-LD-VAL-09", KIND)(
        drop=lambda item: item.target and not item.sent.shows(type_of(item.target))
    ),
    row(
        *("MUT-428", "include_symlinks has no effect.", "FR-LD-VAL-06a FR-LD-VAL-05 FR-LD-VAL-09 CFG-LD-04 CFG-LD-01"),
        *(KIND, "T-LD-08 EF-04 FR-LD-VAL-07"),
    )(**ignoring("include_symlinks")),
    row(
        *("MUT-429", "include_files has no effect."),
        "FR-LD-VAL-06a FR-LD-LST-02 FR-LD-LST-04 FR-LD-VAL-09 FR-LD-VAL-05 FR-LD-VAL-06 FR-LD-LST-06 CFG-LD-04",
        KIND,
    )(**ignoring("include_files")),
    row(
        *("MUT-430", "include_dirs has no effect.", "FR-LD-VAL-06a FR-LD-VAL-05 FR-LD-LST-06 FR-LD-LST-02 CFG-LD-04"),
        *(KIND, "FR-LD-VAL-09 DOC-06 FR-LD-OUT-02b FR-LD-VAL-10"),
    )(**ignoring("include_dirs")),
    # There are fewer entries than on the disk.
    row("MUT-431", "Sockets are never listed.", "FR-LD-VAL-06 EF-04 NFR-LD-REL-02")(
        drop=lambda item: stat.S_ISSOCK(item.mode)
    ),
    row(
        *("MUT-432", "The pseudo-entries are listed among the hidden entries."),
        "FR-LD-LST-03 FR-LD-LST-06 FR-LD-VAL-06a CFG-LD-04 EF-07 FR-LD-LST-06a FR-LD-OUT-02 FR-LD-DEF-03 "
        "DOC-01 DOC-03 EF-02 FR-LD-LST-04 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-05 FR-LD-OUT-08 FR-LD-VAL-09 "
        "SCH-LD T-LD-07 T-LD-11",
    )(where=lambda sent: not hides(sent) and sent.effective("include_dirs"), found=with_pseudo_entries),
    row("MUT-433", "Every name that begins with two dots counts as a pseudo-entry.", "FR-LD-LST-03 FR-LD-LST-06a")(
        lose=lambda item: item.name.startswith("..")
    ),
    row("MUT-434", "Names of dots and blanks count as pseudo-entries.", "FR-LD-LST-03 FR-LD-LST-06a")(
        lose=lambda item: "." in item.name and not item.name.strip(". ")
    ),
    row("MUT-901", "An entry named __proto__ is lost.", "FR-LD-LST-02")(lose=lambda item: item.name == "__proto__"),
    row("MUT-908", "Names that are values of a programming language are lost.", "FR-LD-LST-02")(
        lose=lambda item: item.raw_name in VALUES
    ),
    row("MUT-910", "Names that begin with two dashes are lost.", "FR-LD-LST-02")(
        lose=lambda item: item.name.startswith("--")
    ),
    row("MUT-911", "Names that are operators of find are lost.", "FR-LD-LST-02")(
        lose=lambda item: item.raw_name in OPERATORS
    ),
    # Its trees contain such names.
    row("MUT-912", "Of names that differ in case only, one is listed.", "FR-LD-LST-02 FR-LD-OUT-01 FR-LD-OUT-02")(
        found=once(bytes.lower)
    ),
    # Its trees contain such names.
    row("MUT-913", "Names that are shell patterns are lost.", "FR-LD-LST-02 EF-02 NFR-LD-REL-02")(
        lose=lambda item: item.name in ("*", "?", "[a-z]")
    ),
    row("MUT-914", "Names that begin like format strings are lost.", "FR-LD-LST-02")(
        lose=lambda item: item.name.startswith(("%s", "%n"))
    ),
    row(
        *("MUT-915", "Of names that differ in trailing blanks and dots, one is listed."),
        "FR-LD-LST-02 FR-LD-LST-06a FR-LD-OUT-01",
    )(found=once(without_ends)),
    row(
        "MUT-916", "Of names with the same normal form, one is listed.", "FR-LD-LST-02 EF-01 FR-LD-OUT-01 NFR-LD-REL-02"
    )(found=once(composed)),
    row("MUT-961", "Names with characters that are not seen are lost.", "FR-LD-LST-02 NFR-LD-REL-02")(
        lose=lambda item: any(sign in item.name for sign in "\u200b\u00ad\ufeff")
    ),
    row("MUT-962", "Of names that differ in blanks, one is listed.", "FR-LD-LST-02 FR-LD-LST-06a FR-LD-OUT-01")(
        found=once(lambda name: " ".join(name.decode("utf-8", "surrogateescape").split()) or name)
    ),
    row("MUT-963", "Names with a sign of a shell are lost.", "FR-LD-LST-02")(
        lose=lambda item: any(sign in item.name for sign in "&<>()$")
    ),
    row("MUT-964", "Names with a colon are lost.", "FR-LD-LST-02 FR-LD-VAL-10 EF-02")(
        lose=lambda item: ":" in item.name
    ),
    row("MUT-967", "The longest names are lost.", "FR-LD-LST-02 FR-LD-OUT-06 NFR-LD-REL-02 FR-LD-VAL-08")(
        lose=lambda item: len(item.raw_name) == 255
    ),
    row(
        *("MUT-968", "Names with a line end are lost."),
        "FR-LD-LST-02 FR-LD-LST-01 NFR-LD-SEC-02 NFR-LD-REL-02 FR-LD-LST-06a",
    )(lose=lambda item: "\n" in item.name or "\r" in item.name),
    row("MUT-969", "Names that systems keep for themselves are hidden.", "FR-LD-LST-06a FR-LD-LST-02")(
        lose=lambda item: item.raw_name in SYSTEM_NAMES
    ),
    row("MUT-792", "The content of a nested directory is cached until its time changes.", "FR-LD-OUT-02 FR-LD-LST-02")(
        drop=lambda item: item.depth > 1 and is_new(item)
    ),
)
