"""Mutants: errors in hidden entries and ignored names."""

import os
import re
from collections.abc import Callable

from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES
from treeproof.rows.ls.answer import Answer, Entry

from ..shared.mutant import Mutant
from .filtering import filter_row, hidden, ignored
from .rows import list_row, row

OMITTED = "LS-FILT-09 LS-FILT-07 LS-TEXT-02"
DEBRIS, BACKUPS = (".pyc", ".swp", "~"), (".bak", ".orig", "~")
OBJECT_NAMES = frozenset({"constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"})
PATTERN = re.compile("|".join(DEFAULT_IGNORES))


def is_at_root(entry: Entry) -> bool:
    return "/" not in entry.path


def last_name(entry: Entry) -> str:
    """Return the last name of the listed directory."""
    return os.path.basename(entry.listing.path)


def is_up(entry: Entry) -> bool:
    """Return whether the root is listed from a working directory below."""
    return entry.listing.path == "." and entry.listing.cwd != "."


def is_absolute(entry: Entry) -> bool:
    return entry.listing.given_path.startswith("/")


def shown_if(circumstance: Callable[[Entry], bool]) -> Callable[[Entry], bool]:
    """Return the filter that shows hidden entries in a circumstance, but for ignored names."""
    return lambda entry: hidden(entry) and (not circumstance(entry) or entry.name in DEFAULT_IGNORES)


def refuses_hidden(at: Answer) -> tuple[str, str] | None:
    is_hidden = not at.failed and any(name.startswith(".") for name in at.path.split("/") if at.path != ".")
    return ("NOT_FOUND", f"Path '{at.given_path}' does not exist.") if is_hidden else None


def empty_if_ignored(at: Answer) -> None:
    if at.is_about_a_place and any(name in DEFAULT_IGNORES for name in at.path.split("/")):
        at.relist([])


MUTANTS: tuple[Mutant, ...] = (
    filter_row(
        *("MUT-LS-141", "Names that begin with two dots are shown.", "LS-FILT-01"),
        hidden=lambda at: hidden(at) and not at.name.startswith(".."),
    ),
    filter_row(
        *("MUT-LS-142", "Names that end in a dot are hidden.", "LS-FILT-01 LS-DATA-06"),
        hidden=lambda at: hidden(at) or at.name.endswith("."),
    ),
    filter_row(
        *("MUT-LS-144", "Names are hidden at the root only.", "LS-FILT-01 LS-STAT-01 LS-TEXT-02 LS-FILT-10"),
        hidden=lambda at: is_at_root(at) and hidden(at),
    ),
    filter_row(
        *("MUT-LS-145", "venv is not among the ignored names.", "LS-FILT-02"),
        ignored=lambda at: at.name != "venv" and ignored(at),
    ),
    filter_row(
        *("MUT-LS-146", "__pycache__ is not among the ignored names.", "LS-FILT-02"),
        ignored=lambda at: at.name != "__pycache__" and ignored(at),
    ),
    filter_row(
        *("MUT-LS-147", "Ignored names are omitted at the root only.", "LS-FILT-02 LS-STAT-01 LS-TEXT-02 LS-FILT-10"),
        ignored=lambda at: is_at_root(at) and ignored(at),
    ),
    list_row(
        *("MUT-LS-148", "include_hidden does not show ignored names.", "LS-FILT-03 LS-STAT-01 LS-FILT-05 LS-FILT-07"),
        drop=ignored,
    ),
    list_row(
        *("MUT-LS-149", "include_hidden shows ignored names and no hidden entries."),
        "LS-FILT-03 LS-FILT-07 LS-FILT-08 LS-ARG-04 LS-DATA-06 LS-STAT-01 LS-SORT-01 LS-TEXT-02 LS-PAGE-04 LS-DATA-02",
        drop=hidden,
    ),
    filter_row(
        *("MUT-LS-150", "Names that begin with an ignored name are omitted.", OMITTED),
        ignored=lambda at: at.is_dir and at.name.startswith(tuple(DEFAULT_IGNORES)),
    ),
    filter_row(
        *("MUT-LS-151", "Names that contain an ignored name are omitted.", OMITTED),
        ignored=lambda at: at.is_dir and any(name in at.name for name in DEFAULT_IGNORES),
    ),
    filter_row(
        *("MUT-LS-349", "The dot of an ignored name stands for any letter.", "LS-FILT-09"),
        ignored=lambda at: at.is_dir and PATTERN.fullmatch(at.name) is not None,
    ),
    filter_row(
        *("MUT-LS-185", "Files of compilers and editors are omitted.", "LS-FILT-09 LS-DATA-06"),
        ignored=lambda at: ignored(at) or at.name.endswith(DEBRIS),
    ),
    filter_row(
        *("MUT-LS-152", "Ignored names are case-insensitive.", "LS-FILT-09"),
        ignored=lambda at: at.is_dir and at.name.lower() in DEFAULT_IGNORES,
    ),
    row(
        *("MUT-LS-178", "A directory with a hidden name cannot be requested.", "LS-FILT-10 LS-SEC-02"),
        error=refuses_hidden,
    ),
    row(
        *("MUT-LS-179", "A directory with an ignored name has no entries."),
        "LS-DATA-06 LS-FILT-10 LS-ERR-01 LS-FILT-02 LS-FILT-07 LS-TEXT-02 LS-STAT-01",
        change=empty_if_ignored,
    ),
    filter_row(
        *("MUT-LS-180", "Every entry in a hidden directory is hidden."),
        "LS-DATA-06 LS-FILT-10 LS-FILT-07 LS-TEXT-02 LS-SEC-02",
        hidden=lambda at: any(name.startswith(".") for name in at.path.split("/")),
    ),
    filter_row(
        *("MUT-LS-186", "Entries that Windows hides are hidden.", "LS-FILT-01 LS-DATA-06"),
        hidden=lambda at: hidden(at) or at.name.lower() in ("desktop.ini", "$recycle.bin"),
    ),
    list_row(
        *("MUT-LS-406", "Names with two leading dots are left out.", "LS-FILT-03 LS-DATA-06"),
        drop=lambda at: at.name.startswith(".."),
    ),
    list_row("MUT-LS-407", "Backup files are left out.", "LS-DATA-06", drop=lambda at: at.name.endswith(BACKUPS)),
    list_row(
        *("MUT-LS-408", "A link to a directory with an ignored name is left out.", "LS-FILT-09 LS-DATA-06"),
        drop=lambda at: os.path.basename(at.target) in DEFAULT_IGNORES and at.sorts_first,
    ),
    list_row(
        *("MUT-LS-409", "A link to a hidden file is left out.", "LS-FILT-01 LS-DATA-06"),
        drop=lambda at: os.path.basename(at.target).startswith(".") and os.path.isfile(at.place),
    ),
    filter_row(
        *("MUT-LS-410", "In a hidden directory hidden entries are shown.", "LS-FILT-01 LS-FILT-10"),
        hidden=shown_if(lambda at: last_name(at).startswith(".") and at.listing.path != "."),
    ),
    filter_row(
        *("MUT-LS-411", "In an ignored directory ignored ones are shown.", "LS-FILT-02 LS-FILT-10"),
        ignored=lambda at: ignored(at) and last_name(at) not in DEFAULT_IGNORES,
    ),
    filter_row(
        *("MUT-LS-412", "With a working directory below, the root shows hidden entries.", "LS-FILT-01"),
        hidden=shown_if(is_up),
    ),
    filter_row(
        *("MUT-LS-413", "With a working directory below, the root shows ignored directories.", "LS-FILT-02"),
        ignored=lambda at: ignored(at) and not is_up(at),
    ),
    filter_row("MUT-LS-414", "An absolute path shows hidden entries.", "LS-FILT-01", hidden=shown_if(is_absolute)),
    filter_row(
        *("MUT-LS-415", "An absolute path shows ignored directories.", "LS-FILT-02"),
        ignored=lambda at: ignored(at) and not is_absolute(at),
    ),
    list_row(
        *("MUT-LS-437", "Directories with a name that objects have are left out.", "LS-FILT-09 LS-DATA-06"),
        drop=lambda at: at.is_dir and at.name in OBJECT_NAMES,
    ),
)
