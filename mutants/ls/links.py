"""Mutants: errors in the order of entries, and in links: their place, their type, and those that dangle or lead out."""

import errno
import os
import re
from collections.abc import Callable
from typing import Any

from treeproof.rows.ls.answer import Answer, Entry

from ..shared.mutant import Mutant
from .filtering import filter_row
from .rows import list_row, row

DROPPED = "LS-ARG-08 LS-DATA-05 LS-DATA-07 LS-STAT-02 LS-SEC-07 LS-TEXT-06 LS-ERR-01 LS-SEC-04 LS-DATA-03"
"""The requirements that fail if links are not listed."""
OTHER_PLACES = "LS-SORT-03 LS-SORT-04 LS-SEC-07 LS-PAGE-01 LS-PAGE-04 LS-TEXT-05"
"""The order of entries differs: links have other places, and pages other entries."""
OTHER_LISTS = f"{OTHER_PLACES} LS-PAGE-02 LS-PAGE-03 LS-ARG-03"
"""The order of most listings differs."""


def alphabetical(entry: Entry) -> Any:
    return entry.name.lower(), entry.name


def natural(entry: Entry) -> Any:
    parts = re.split("([0-9]+)", entry.name.lower())
    return [(part.isdigit(), int(part) if part.isdigit() else part) for part in parts]


def by_stem(entry: Entry) -> Any:
    stem, _, extension = entry.name.lower().rpartition(".")
    return extension if stem else "", stem or extension


def descending(found: list[Entry], at: Answer) -> list[Entry]:
    first = [entry for entry in found if entry.sorts_first]
    return first[::-1] + found[len(first) :][::-1]


def has_link(error: int) -> Callable[[Answer], bool]:
    """Return whether a listing has a link that fails in this way when it is followed."""
    return lambda at: any(entry.is_link and entry.follow_error == error for entry in at.unfiltered)


def is_link_to_link(entry: Entry) -> bool:
    return entry.is_link and os.path.islink(os.path.join(os.path.dirname(entry.place), os.fsencode(entry.target)))


def leads_from_root(entry: Entry) -> bool:
    """Return whether a directory inside is where the target leads from the root."""
    place = os.path.realpath(os.path.join(entry.listing.root, os.fsencode(entry.target)))
    return entry.is_dir or (entry.is_link and entry.listing.is_inside(place) and os.path.isdir(place))


def is_long_chain(entry: Entry) -> bool:
    here = entry.place
    for _ in range(8):
        if os.path.islink(here):
            here = os.path.join(os.path.dirname(here), os.readlink(here))
    return os.path.islink(here)


def followed(entry: Entry) -> str:
    if not entry.is_link or entry.follow_error:
        return entry.type
    return "dir" if os.path.isdir(entry.place) else "file"


def special_is_a_file(entry: Entry) -> str:
    is_known = os.path.isdir(entry.place) or os.path.isfile(entry.place)
    return "file" if entry.is_link and not entry.follow_error and not is_known else entry.type


MUTANTS: tuple[Mutant, ...] = (
    list_row(
        *("MUT-LS-190", "Directories and files are mixed.", "LS-SORT-01", OTHER_LISTS),
        "LS-DATA-01 LS-ENV-01 LS-SORT-02 LS-FILT-07",
        first=lambda at: True,
    ),
    list_row(
        *("MUT-LS-191", "Files come before directories.", "LS-SORT-01", OTHER_LISTS),
        "LS-DATA-01 LS-ENV-01 LS-SORT-02 LS-TEXT-02 LS-TEXT-03 LS-STAT-01 LS-STAT-02 LS-ARG-02 LS-ARG-06",
        first=lambda at: not at.sorts_first,
    ),
    list_row(
        *("MUT-LS-192", "Files are not sorted.", "LS-SORT-02", OTHER_LISTS),
        "LS-SORT-01 LS-SORT-05 LS-TEXT-03 LS-TEXT-04 LS-FILT-07 LS-DEF-04",
        key=lambda at: alphabetical(at) if at.sorts_first else at.number,
    ),
    list_row(
        *("MUT-LS-193", "Nothing is sorted.", "LS-SORT-01", OTHER_LISTS),
        "LS-DATA-01 LS-ENV-01 LS-SORT-02 LS-SORT-05 LS-TEXT-02 LS-TEXT-03 LS-TEXT-04 LS-STAT-01 LS-STAT-02 "
        "LS-STAT-03 LS-FILT-07 LS-DEF-04",
        more=lambda found, at: sorted(found, key=lambda entry: entry.number),
    ),
    list_row(
        *("MUT-LS-194", "Capitals come before small letters."),
        "LS-SORT-02 LS-PAGE-01 LS-SORT-03 LS-SORT-04 LS-TEXT-05 LS-SORT-05",
        key=lambda at: at.name,
    ),
    list_row("MUT-LS-195", "Digits are sorted as numbers.", "LS-SORT-02 LS-SORT-05", key=natural),
    list_row(
        *("MUT-LS-196", "Names are in descending order.", "LS-SORT-02", OTHER_LISTS),
        "LS-DATA-01 LS-ENV-01 LS-SORT-01 LS-SORT-05 LS-TEXT-02 LS-TEXT-03 LS-TEXT-04 LS-STAT-01 LS-STAT-02 "
        "LS-ARG-02 LS-ARG-06 LS-FILT-07 LS-DEF-04",
        more=descending,
    ),
    list_row(
        "MUT-LS-197", "Names are sorted by their last part first.", "LS-SORT-02 LS-PAGE-01 LS-TEXT-05", key=by_stem
    ),
    list_row(
        *("MUT-LS-199", "Shorter names come first.", "LS-SORT-02", OTHER_PLACES),
        "LS-SORT-01 LS-DATA-01 LS-TEXT-02 LS-TEXT-03 LS-STAT-01 LS-STAT-02",
        key=lambda at: (len(at.name), alphabetical(at)),
    ),
    list_row(
        *("MUT-LS-200", "Names that differ in case only keep the system's order.", "LS-SORT-05"),
        key=lambda at: (at.name.lower(), at.number),
    ),
    list_row(
        *("MUT-LS-321", "Only the first 32 characters have an effect on the order.", "LS-SORT-02"),
        key=lambda at: (at.name.lower()[:32], at.name),
    ),
    list_row(
        *("MUT-LS-417", "Directories are compared with a slash behind their names.", "LS-SORT-02"),
        key=lambda at: (at.name.lower() + "/" * at.is_dir, at.name),
    ),
    list_row(
        *("MUT-LS-439", "Files are sorted by the name without extension.", "LS-SORT-02"),
        key=lambda at: (os.path.splitext(at.name.lower()), at.name),
    ),
    list_row(
        *("MUT-LS-201", "Links to directories come after the directories.", "LS-SORT-03 LS-SORT-04 LS-SEC-07"),
        key=lambda at: (at.is_link and at.sorts_first, alphabetical(at)),
    ),
    list_row(
        *("MUT-LS-203", "A link to a directory is sorted among the files.", "LS-SORT-03 LS-SEC-07 LS-PAGE-04"),
        first=lambda at: at.is_dir,
    ),
    list_row(
        *("MUT-LS-204", "Every link is sorted among the directories.", "LS-SORT-04 LS-SEC-07"),
        first=lambda at: at.type != "file",
    ),
    list_row(
        *("MUT-LS-205", "A link to a link is sorted among the files.", "LS-SORT-03"),
        first=lambda at: at.sorts_first and not is_link_to_link(at),
    ),
    list_row(
        *("MUT-LS-206", "A link with an absolute target is sorted among the files.", "LS-SORT-03"),
        first=lambda at: at.sorts_first and not at.target.startswith("/"),
    ),
    list_row(
        "MUT-LS-207", "The targets of links are resolved from the root.", "LS-SORT-03 LS-SEC-07", first=leads_from_root
    ),
    list_row(
        *("MUT-LS-208", "A link to the root is sorted among the files.", "LS-SORT-03"),
        first=lambda at: at.sorts_first and at.real != at.listing.root,
    ),
    list_row(
        *("MUT-LS-209", "A link to an unreadable directory is sorted among the files.", "LS-SORT-03 LS-SEC-07"),
        first=lambda at: at.sorts_first and (at.is_dir or at.can_be_listed),
    ),
    list_row(
        *("MUT-LS-319", "A link to a hidden directory is sorted among the files.", "LS-SORT-03"),
        first=lambda at: at.sorts_first and not (at.is_link and os.path.basename(at.real).startswith(b".")),
    ),
    list_row(
        *("MUT-LS-320", "Chains of more than eight links dangle.", "LS-SORT-03"),
        first=lambda at: at.sorts_first and not is_long_chain(at),
    ),
    list_row(
        *("MUT-LS-461", "A link out to a file is sorted among the directories.", "LS-SEC-07 LS-SORT-04"),
        first=lambda at: at.sorts_first or not at.leads_inside,
    ),
    list_row(
        *("MUT-LS-210", "A dangling link is omitted."),
        "LS-DATA-06 LS-SORT-04 LS-FILT-02 LS-FILT-07 LS-TEXT-02 LS-ENV-09",
        DROPPED,
        drop=lambda at: at.is_link and at.follow_error,
    ),
    list_row(
        *("MUT-LS-218", "A link to a directory inside is omitted."),
        "LS-DATA-06 LS-SORT-03 LS-FILT-02 LS-FILT-07 LS-TEXT-02 LS-ENV-09",
        DROPPED,
        drop=lambda at: at.is_link and at.sorts_first,
    ),
    list_row(
        *("MUT-LS-211", "A link to the outside is omitted."),
        "LS-SEC-07 LS-FILT-07 LS-PAGE-02 LS-TEXT-02 LS-TEXT-03 LS-TEXT-04 LS-SORT-04",
        DROPPED,
        "LS-XR-01 LS-ERR-02",
        drop=lambda at: at.is_link and not at.leads_inside,
    ),
    list_row(
        *("MUT-LS-397", "A link into a closed directory is left out.", "LS-SEC-08 LS-DATA-06"),
        drop=lambda at: at.is_link and at.follow_error == errno.EACCES,
    ),
    row(
        *("MUT-LS-212", "A dangling link fails the listing.", "LS-DATA-06 LS-SORT-04 LS-ENV-09 LS-ERR-06", DROPPED),
        error=("INTERNAL_ERROR", "Failed to list directory - broken link"),
        only=has_link(errno.ENOENT),
    ),
    row(
        *("MUT-LS-213", "A link to itself fails the listing.", "LS-DATA-06 LS-ARG-08 LS-ENV-09 LS-SORT-04 LS-DATA-05"),
        error=("INTERNAL_ERROR", "Failed to list directory - Too many levels of symbolic links"),
        only=has_link(errno.ELOOP),
    ),
    row(
        *("MUT-LS-324", "A directory that has become a link is followed.", "LS-SEC-09"),
        escape=lambda at: os.path.realpath(at.folder),
        only=lambda at: at.failed and os.path.islink(at.folder),
    ),
    filter_row(
        *("MUT-LS-093", "A link has the type of its target."),
        "LS-DATA-05 LS-FILT-07 LS-DATA-02 LS-STAT-02 LS-TEXT-06 LS-SORT-04 LS-SEC-07 LS-TEXT-02 LS-FILT-02",
        retyped=followed,
        first=lambda at: at.sorts_first,
    ),
    filter_row(
        *("MUT-LS-094", "A link to a directory is a directory."),
        "LS-DATA-05 LS-STAT-01 LS-STAT-02 LS-TEXT-06 LS-TEXT-02 LS-FILT-02",
        retyped=lambda at: "dir" if at.sorts_first else at.type,
    ),
    list_row(
        *("MUT-LS-095", "A dangling link is a file.", "LS-DATA-05 LS-TEXT-02 LS-STAT-02 LS-TEXT-06"),
        retyped=lambda at: "file" if at.is_link and at.follow_error else at.type,
    ),
    list_row(
        *("MUT-LS-334", "A file with two names is a link.", "LS-DATA-05"),
        retyped=lambda at: "link" if at.type == "file" and at.stat.st_nlink > 1 else at.type,
    ),
    list_row(
        "MUT-LS-405", "A link to a pipe, a socket or a device is a file.", "LS-DATA-05", retyped=special_is_a_file
    ),
    list_row(
        *("MUT-LS-380", "A directory with further bits in its mode is a file.", "LS-DATA-02 LS-SORT-01 LS-TEXT-06"),
        retyped=lambda at: "file" if at.is_dir and at.stat.st_mode & 0o7000 else at.type,
        first=lambda at: at.sorts_first,
    ),
)
