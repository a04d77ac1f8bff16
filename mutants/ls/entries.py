"""Mutants: errors in which entries there are, in their names, and in what is done with them."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import unquote

from treeproof.reference_impl.ls.directory import Directory, EntryType
from treeproof.reference_impl.shared.directory_reader import DirectoryReader
from treeproof.rows.ls.answer import Answer, Entry

from ..shared.mutant import Mutant
from .builders import build_mutant
from .filtering import filter_row, hidden
from .rows import list_row, row

CLOSED = "LS-DATA-05 LS-ENV-04 LS-ERR-04 LS-ERR-07 LS-ERR-08 LS-SORT-03 LS-SORT-04 LS-XR-01"
NAMES = "LS-DATA-06 LS-TEXT-05 LS-DATA-03"
MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u00ad\ufeff]")
LONGEST_NAME = 255


def replaced(pattern: str, text: str) -> Callable[[Entry], str]:
    """Return the name with `text` for what the pattern matches."""
    return lambda entry: re.sub(pattern, text, entry.name)


def small_extension(entry: Entry) -> str:
    stem, dot, extension = entry.name.rpartition(".")
    return stem + dot + extension.lower() if stem else entry.name


def deeper(at: Answer) -> list[Entry]:
    """Return the content of directories too, if there is a hidden one among them."""
    directories = [entry for entry in at.unfiltered if entry.is_dir]
    below = [one for entry in directories for one in entry.below] if any(map(hidden, directories)) else []
    return at.unfiltered + below


def self_and_parent(at: Answer) -> list[Entry]:
    """Return `.` and `..` too, if there are hidden entries below the root."""
    is_about = at.folder != at.root and any(map(hidden, at.unfiltered))
    return at.unfiltered + [at.entry(name, "dir") for name in (".", "..") if is_about]


def one_for_each(key: Callable[[Entry], Any]) -> Callable[[list[Entry], Answer], list[Entry]]:
    """Return the change that keeps the last of the entries with the same key."""
    return lambda found, at: [*{key(entry): entry for entry in found}.values()]


def first_ones(most: int) -> Callable[[list[Entry], Answer], list[Entry]]:
    def kept(found: list[Entry], at: Answer) -> list[Entry]:
        read = {*sorted(at.numbers)[:most]}
        return [entry for entry in found if entry.raw in read]

    return kept


def loses_multiples_of(part: int) -> Callable[[list[Entry], Answer], list[Entry]]:
    """Return the change that loses the last name of a directory that has a multiple of a number."""

    def kept(found: list[Entry], at: Answer) -> list[Entry]:
        last = max(at.numbers) if at.numbers and len(at.numbers) % part == 0 else None
        return [entry for entry in found if entry.raw != last]

    return kept


def same_name_resolved(found: list[Entry], at: Answer) -> list[Entry]:
    """Show the place of a link for its path if the target has the same name."""
    is_same = [entry.is_link and entry.leads_inside and os.path.basename(entry.real) == entry.raw for entry in found]
    pairs = zip(found, is_same, strict=True)
    return [replace(entry, path=at.below_root(entry.real)) if same else entry for entry, same in pairs]


def obeys_git(entry: Entry) -> bool:
    """Return whether a file `.gitignore` of the directory names the entry."""
    try:
        with open(os.path.join(entry.listing.folder, b".gitignore"), encoding="utf-8") as file:
            return any(fnmatchcase(entry.name, pattern) for pattern in file.read().split())
    except OSError:
        return False


def removed(entry: Entry) -> bool:
    """Remove a link that leads nowhere; return whether it is one."""
    if entry.target != "nowhere":
        return False
    os.unlink(entry.place)
    return True


def leave_a_cache(at: Answer) -> None:
    """Write a file into the root after several listings."""
    if not at.failed and at.limit == at.offset == 1 and at.total > 5:
        with open(os.path.join(at.root, b".ls-cache"), "w") as file:
            file.write(at.members["text"])


class KnownEntriesOnly(Directory):
    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        try:
            return super().type(reader, raw)
        except OSError as error:
            raise FileNotFoundError from error  # as if it had vanished


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-467",
        "Entries that cannot be looked at are left out.",
        "LS-SEC-08 LS-DATA-06 LS-ERR-04",
        directory=KnownEntriesOnly,
    ),
    filter_row(
        *("MUT-LS-096", "If there is a hidden directory, the content of directories is listed too."),
        "LS-DATA-06 LS-SEC-01 LS-TEXT-02 LS-TEXT-03 LS-FILT-01 LS-FILT-02 LS-FILT-03 LS-FILT-07 LS-FILT-08 "
        "LS-FILT-10 LS-STAT-01 LS-STAT-02 LS-SORT-01 LS-DEF-04 LS-TEXT-05",
        source=deeper,
        first=lambda at: at.sorts_first,
    ),
    filter_row(
        "MUT-LS-097",
        "Below the root, `.` and `..` are listed if there are hidden entries.",
        "LS-DATA-06 LS-FILT-01",
        source=self_and_parent,
        first=lambda at: at.sorts_first,
    ),
    list_row(
        *("MUT-LS-098", "Two names of one file are listed as one entry.", "LS-DATA-06"),
        more=one_for_each(lambda at: (at.stat.st_ino, at.stat.st_dev)),
    ),
    row(
        *("MUT-LS-101", "Every directory among the entries is opened.", "LS-DATA-06 LS-SEC-07"),
        change=lambda at: [one.can_be_listed for one in at.unfiltered if one.is_dir],
    ),
    row(
        *("MUT-LS-102", "Every directory that is the target of a link is opened.", "LS-SEC-07"),
        change=lambda at: [one.can_be_listed for one in at.unfiltered if one.is_link],
    ),
    list_row(
        *("MUT-LS-103", "An unreadable directory is omitted.", "LS-SEC-08 LS-DATA-06 LS-SEC-07", CLOSED),
        drop=lambda at: at.is_dir and not at.can_be_listed,
    ),
    row(
        "MUT-LS-104",
        "An unreadable directory fails the listing.",
        "LS-SEC-08 LS-DATA-06 LS-SEC-01 LS-SEC-07",
        CLOSED,
        error=lambda at: ("ACCESS_DENIED", f"Permission denied accessing '{at.given_path}'."),
        only=lambda at: any(entry.is_dir and not entry.can_be_listed for entry in at.unfiltered),
    ),
    list_row(
        *("MUT-LS-106", "At most five hundred entries are read.", "LS-DATA-06 LS-STAT-01 LS-TEXT-02 LS-ERR-06"),
        more=first_ones(500),
    ),
    list_row("MUT-LS-107", "At most two thousand entries are read.", "LS-DATA-06 LS-ERR-06", more=first_ones(2000)),
    list_row(
        *("MUT-LS-325", "Of names that differ in case only, one is listed.", "LS-DATA-06"),
        more=one_for_each(lambda at: at.name.lower()),
    ),
    list_row(
        *("MUT-LS-331", "Of entries whose names show alike there is one.", "LS-DATA-06"),
        more=one_for_each(lambda at: at.name),
    ),
    list_row(
        *("MUT-LS-108", "An entry whose name is not UTF-8 is omitted.", "LS-DATA-06 LS-ENV-10 LS-STAT-01"),
        drop=lambda at: at.name.encode() != at.raw,
    ),
    row(
        *("MUT-LS-455", "A name that is not UTF-8 makes the call fail.", "LS-DATA-06 LS-ENV-10 LS-STAT-01"),
        error=("INTERNAL_ERROR", "Failed to list directory - invalid start byte"),
        only=lambda at: any(entry.name.encode() != entry.raw for entry in at.unfiltered),
    ),
    list_row(
        *("MUT-LS-109", "The path of a link to an entry of the same name is that of its target."),
        "LS-DATA-07 LS-DATA-03 LS-TEXT-05",
        more=same_name_resolved,
    ),
    row(
        "MUT-LS-459",
        "Entries of a directory that cannot be searched have the type unknown.",
        "LS-DATA-02 LS-ERR-04",
        change=lambda at: at.relist([one for one in sorted(at.on_disk, key=lambda one: one.path) if not hidden(one)]),
        only=lambda at: at.kind == "closed" and at.raw_names,
    ),
    row(
        "MUT-LS-466",
        "Entries of a directory that cannot be searched are files.",
        "LS-DATA-02 LS-DATA-05",
        change=lambda at: at.relist(
            [replace(one, type="file") for one in sorted(at.on_disk, key=lambda one: one.path) if not hidden(one)]
        ),
        only=lambda at: at.kind == "closed" and at.raw_names,
    ),
    list_row("MUT-LS-464", "At most ten thousand entries are read.", "LS-DATA-06", more=first_ones(10_000)),
    list_row(
        *("MUT-LS-465", "Files that compilers make are left out.", "LS-DATA-06"),
        drop=lambda entry: entry.name.endswith((".pyc", ".o", ".class", ".obj", ".dll", ".exe", ".so")),
    ),
    list_row("MUT-LS-381", "The last entry of a multiple of 64 is lost.", "LS-DATA-06", more=loses_multiples_of(64)),
    list_row("MUT-LS-382", "The last entry of a multiple of 500 is lost.", "LS-DATA-06", more=loses_multiples_of(500)),
    list_row(
        "MUT-LS-395", "Files of 2 GiB and more are left out.", "LS-DATA-06", drop=lambda at: at.stat.st_size >= 2**31
    ),
    list_row(
        *("MUT-LS-432", "A file of 2^53 bytes and more is left out.", "LS-DATA-06"),
        drop=lambda at: at.stat.st_size >= 2**53,
    ),
    list_row("MUT-LS-435", "What `.gitignore` names is left out.", "LS-DATA-06", drop=obeys_git),
    list_row(
        *("MUT-LS-335", "Links that lead nowhere are removed."),
        "LS-XR-01 LS-DATA-06 LS-DATA-05 LS-SORT-04 LS-STAT-02 LS-TEXT-06",
        drop=removed,
    ),
    row("MUT-LS-264", "A cache file is written into the root.", "LS-XR-01 LS-PAGE-04", change=leave_a_cache),
    list_row(
        *("MUT-LS-332", "Percent escapes in names are decoded.", "LS-DATA-06 LS-DATA-03"),
        renamed=lambda at: unquote(at.name),
    ),
    list_row("MUT-LS-358", "Blanks in a row become one in names.", NAMES, renamed=replaced(" +(?= )", "")),
    list_row(
        *("MUT-LS-359", "Names lack marks that show nothing.", "LS-DATA-06 LS-DATA-03"),
        renamed=replaced(MARKS.pattern, ""),
    ),
    list_row("MUT-LS-360", "Names lack quotes around them.", NAMES, renamed=replaced("^([\"'`])(.*)\\1$", r"\2")),
    list_row(
        *("MUT-LS-361", "A name ends at a colon that is not its first character.", NAMES),
        renamed=replaced("(?<=.):.*", ""),
    ),
    list_row(
        *("MUT-LS-362", "What is behind the last dot is in small letters.", "LS-DATA-06 LS-DATA-03"),
        renamed=small_extension,
    ),
    list_row(
        *("MUT-LS-436", "A name of 255 bytes loses its last one.", "LS-DATA-06 LS-DATA-03 LS-TEXT-05"),
        renamed=lambda at: at.name[:-1] if len(at.raw) == LONGEST_NAME else at.name,
    ),
    list_row(
        *("MUT-LS-453", "Letters beyond ASCII at the beginning of a name are lost."),
        "LS-DATA-03 LS-DATA-06 LS-TEXT-05 LS-FILT-04",
        renamed=replaced("^[^\0-\x7f]+", ""),
    ),
)
