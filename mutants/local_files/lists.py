"""Mutants: errors in which entries a list contains, and in their order."""

import os
import stat
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.local_files.row import KINDS, SEARCH, Entry, FileCall, Item, ItemRule, Items, failure

from ..shared.mutant import Mutant
from .implied import CHILDREN, DEEP, FLAT, LINKS, LISTED, MANY, MEMBERS, NAME, ORDER, SORT, UNFILTERED
from .rows import listing, row, search

PLAIN = "LF-SORT-02 LF-SORT-01"
OF_SYSTEMS = {".DS_Store", "Thumbs.db", "desktop.ini", "lost+found", "__pycache__"}
OF_OBJECTS = {"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"}
"""The names of members that each object of a language has."""
EVERYWHERE = (
    "LF-LIST-01 LF-LIST-02 LF-LINK-01 LF-LINK-02 LF-LINK-03 LF-TYPE-02 LF-MODEL-01 LF-MODEL-02 LF-WHY-01 LF-FIELD-01 "
    "LF-FIELD-02 LF-FIELD-03 LF-FIND-01 LF-FIND-02 LF-FIND-03 LF-FIND-05 LF-SORT-01 LF-SORT-02"
)

Change = Callable[[Items, FileCall], Any]


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def first(number: int) -> Change:
    return lambda found, sent: [at.entry for at in found[:number]]


def one_of_each(key: ItemRule) -> Change:
    """Return the change that keeps one of the entries with the same key."""
    return lambda found, sent: list({key(at): at.entry for at in found}.values())


def lines_of(path: str) -> set[str]:
    """Return the lines of a file; none of one that cannot be read."""
    try:
        with open(path, encoding="utf-8") as lines:
            return set(lines.read().splitlines())
    except (OSError, ValueError):
        return set()


def named_in(file: str) -> ItemRule:
    """Return whether such a file, in a directory on the way to an entry, has a name on that way as a line."""
    return lambda at: any(
        lines_of(os.path.join(at.sent.directory, *at.parents[:level], file)) & set(at.names)
        for level in range(len(at.names))
    )


def leads_out(at: Item) -> bool:
    inside = os.path.realpath(os.path.dirname(at.place)) + "/"
    return at.is_link and not os.path.realpath(at.place).startswith(inside)


def lost_of_each(part: int) -> ItemRule:
    """Return whether an entry is the last one by name of a directory with a multiple of a number."""
    return lambda at: len(names := at.sent.order_in(at.above)) % part == 0 and at.name == max(names)


def with_dots(found: Items, sent: FileCall) -> list[Entry]:
    """Return the list with the directory itself and the one above it, as those contain them."""
    dots = [(sent.directory, "."), (os.path.dirname(sent.directory), "..")]
    added = [
        {**entry, "name": name, "path": f"{sent.directory}/{name}"}
        for path, name in dots
        for entry in sent.entries_of_call(path=os.path.dirname(path))
        if entry["name"] == os.path.basename(path)
    ]
    return [*added, *(at.entry for at in found)]


def recursive(sent: FileCall) -> CallResult:
    everything = {"recursive": True, "glob": "**"}
    return sent.send(replace(sent.call, tool=SEARCH, arguments={**sent.given, **everything}))


def opens_directories(sent: FileCall) -> bool:
    return any(failure(entry["path"]) for entry in sent.entries_of_call() if entry["@type"] == "DirectoryEntry")


def new_ones_last(found: Items, sent: FileCall) -> list[Entry]:
    """Return the list with what the last one of the path did not have behind the rest."""
    known = sent.memory.get(sent.path, [at.name for at in found])
    sorted_ones = sorted(found, key=lambda at: at.name not in known)
    sent.memory[sent.path] = [at.name for at in sorted_ones]
    return [at.entry for at in sorted_ones]


def unsorted_within(id: str, summary: str, violates: str, *kinds: str) -> Mutant:
    """Return the mutant that leaves entries of these types in the system's order."""
    return row(id, summary, violates, order=lambda at: (at.rank, at.turn if at.kind in kinds else 0))


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-LF-060", "Hidden entries are omitted.", UNFILTERED, CHILDREN, MEMBERS, hides=is_hidden),
    row(
        *("MUT-LF-061", "Backups and compiled files are omitted.", UNFILTERED, "LF-FIND-02", LISTED),
        hides=lambda name: name.endswith(("~", ".bak", ".class")),
    ),
    row(
        *("MUT-LF-062", "Files that may contain secrets are omitted.", UNFILTERED),
        hides=lambda name: name in ("id_rsa", ".ssh", "a.pem"),
    ),
    row(
        *("MUT-LF-063", "Empty files are omitted.", UNFILTERED, MANY, FLAT, "LF-ERR-01"),
        drop=lambda at: at.is_file and not at.size,
    ),
    row(
        *("MUT-LF-064", "Special files are omitted.", "LF-TYPE-03", MANY),
        drop=lambda at: at.format in (stat.S_IFIFO, stat.S_IFSOCK),
    ),
    row("MUT-LF-065", "Dangling links are omitted.", LINKS, MANY, drop=lambda at: at.is_dangling),
    row(
        *("MUT-LF-145", "Links with a target that is not UTF-8 are omitted.", "LF-LINK-01"),
        drop=lambda at: "\ufffd" in at.target,
    ),
    row("MUT-LF-066", "Names that are not UTF-8 are omitted.", NAME, CHILDREN, hides=lambda name: "\ufffd" in name),
    listing("MUT-LF-067", "The pseudo-entries are in the list.", MANY, FLAT, "LF-ERR-01", found=with_dots),
    row(
        *("MUT-LF-068", "Names that begin with two dots are omitted.", LISTED, CHILDREN),
        hides=lambda name: name.startswith(".."),
    ),
    row("MUT-LF-069", "Names with blanks are omitted.", "LF-WHY-01", CHILDREN, LISTED, hides=lambda name: " " in name),
    row("MUT-LF-070", "A list ends at 1,000 entries.", LISTED, found=first(1000)),
    listing("MUT-LF-382", "A list ends at 10,000 entries.", LISTED, found=first(10_000)),
    listing("MUT-LF-231", "A list ends at 5,000 entries.", LISTED, found=first(5000)),
    row(
        *("MUT-LF-071", "A file with two names is listed once.", LISTED),
        found=one_of_each(lambda at: at.known and (at.known.st_dev, at.known.st_ino)),
    ),
    row(
        *("MUT-LF-072", "Of names that differ in case only, one is listed.", LISTED, CHILDREN),
        found=one_of_each(lambda at: "/".join(at.names).lower()),
    ),
    row(
        *("MUT-LF-073", "Unreadable directories are omitted.", CHILDREN, "LF-FIND-05", FLAT),
        drop=lambda at: at.is_dir and failure(at.place),
    ),
    listing("MUT-LF-074", "A list is recursive.", MANY, FLAT, answer=recursive),
    listing(
        *("MUT-LF-075", "Every directory is opened for its list.", "LF-LIST-03", LISTED, "LF-ERR-01 LF-TYPE-01"),
        refuses=opens_directories,
    ),
    listing(
        *("MUT-LF-076", "The first entry is listed twice.", MANY),
        found=lambda found, sent: [at.entry for at in (*found, *found[:1])],
    ),
    row("MUT-LF-226", "What systems make is left out.", UNFILTERED, DEEP, hides=lambda name: name in OF_SYSTEMS),
    row("MUT-LF-227", "What .gitignore names is left out.", UNFILTERED, DEEP, drop=named_in(".gitignore")),
    search("MUT-LF-224", "A search leaves out what a file named .ignore names.", DEEP, drop=named_in(".ignore")),
    listing(
        *("MUT-LF-240", "Entries whose paths have more than 500 characters are omitted.", LISTED),
        drop=lambda at: len(at.path) > 500,
    ),
    row("MUT-LF-267", "The last entry of a multiple of 64 is lost.", LISTED, drop=lost_of_each(64)),
    row("MUT-LF-268", "The last entry of a multiple of 500 is lost.", LISTED, drop=lost_of_each(500)),
    search(
        *("MUT-LF-269", "A search loses the last entry of a directory with a multiple of 64.", DEEP, "LF-FIND-02"),
        drop=lost_of_each(64),
    ),
    row("MUT-LF-356", "Names that each object has are omitted.", LISTED, hides=lambda name: name in OF_OBJECTS),
    row(
        *("MUT-LF-357", "Of names that are one text once they are decoded, one is listed.", LISTED, NAME),
        found=one_of_each(lambda at: at.path),
    ),
    row("MUT-LF-358", "Links that lead out of their directory are omitted.", LISTED, EVERYWHERE, drop=leads_out),
    # The order.
    row("MUT-LF-084", "The list is not sorted.", PLAIN, order=lambda at: at.turn),
    row(
        *("MUT-LF-085", "The list is in the order of creation.", PLAIN),
        order=lambda at: at.known.st_ino if at.known else 0,
    ),
    row(
        *("MUT-LF-086", "The order depends on the location of the tree.", SORT, ORDER, "LF-FIELD-04"),
        order=lambda at: zlib.crc32(at.path.encode()),
    ),
    row(
        *("MUT-LF-215", "More than a hundred entries are not sorted.", ORDER),
        found=lambda found, sent: [at.entry for at in sorted(found, key=lambda at: at.turn * (len(found) > 100))],
    ),
    row("MUT-LF-228", "Links to directories stand with these.", ORDER, order=lambda at: not os.path.isdir(at.place)),
    row("MUT-LF-087", "The list is sorted by name alone.", ORDER, order=lambda at: at.name),
    unsorted_within("MUT-LF-088", "Within a type, entries keep the system's order.", PLAIN, *KINDS),
    row("MUT-LF-089", "Files come first.", ORDER, order=lambda at: not at.is_file),
    row("MUT-LF-090", "Links come first.", ORDER, order=lambda at: not at.is_link),
    row(
        *("MUT-LF-091", "After directories, the list is sorted by size.", ORDER),
        order=lambda at: (not at.is_dir, at.size),
    ),
    row("MUT-LF-092", "The list is sorted by time, the newest first.", ORDER, order=lambda at: -at.time),
    listing("MUT-LF-272", "What has come since the last list stands at its end.", PLAIN, found=new_ones_last),
    row(
        *("MUT-LF-285", "Names that differ in case only have the order of the directory.", SORT),
        order=lambda at: (at.rank, at.name.lower(), at.turn),
    ),
    unsorted_within("MUT-LF-286", "Special files have the order of the directory.", SORT, "OtherEntry"),
    unsorted_within("MUT-LF-287", "Links have the order of the directory.", SORT, "SymbolicLinkEntry"),
    row(
        *("MUT-LF-288", "Names that differ in blanks only have the order of the directory.", SORT),
        order=lambda at: (at.rank, at.name.replace(" ", ""), at.turn),
    ),
    row("MUT-LF-305", "Hidden entries stand before all others.", "LF-SORT-01", order=lambda at: not is_hidden(at.name)),
    row("MUT-LF-306", "Hidden entries stand behind all others.", "LF-SORT-01", order=lambda at: is_hidden(at.name)),
    row(
        *("MUT-LF-307", "The order does not compare extensions.", PLAIN),
        order=lambda at: (at.rank, os.path.splitext(at.name)[0], at.turn),
    ),
    row("MUT-LF-360", "Special files stand in front.", "LF-SORT-01", SORT, order=lambda at: at.kind != "OtherEntry"),
)
