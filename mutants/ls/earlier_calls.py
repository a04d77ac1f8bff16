"""Mutants: errors by what earlier calls have shown, which each start of a candidate forgets."""

import os
from dataclasses import replace
from typing import Any

from treeproof.rows.ls.answer import Answer

from ..shared.mutant import Mutant
from .filtering import left_out
from .rows import state_row

Known = dict[Any, Any]


def not_read_again(at: Answer, seen: Known) -> None:
    """Keep the entries of each directory from its first listing."""
    if not at.failed:
        first = seen.setdefault(at.folder, at.unfiltered)
        at.relist([entry for entry in first if not left_out(replace(entry, listing=at))])


def fails_again(kind: str, at: Answer, failed: Known) -> None:
    """Let a directory fail again that has failed once in this way."""
    if at.is_about_a_place and at.folder in failed:
        at.fail(*failed[at.folder])
    if at.kind == kind:
        failed[at.folder] = at.code, at.message


def checked_once(at: Answer, accepted: Known) -> None:
    """Do not check a path again that the call before has accepted."""
    if at.kind == "outside" and at.given_path in accepted and os.path.isdir(at.folder):
        at.escape(at.folder)
    elif at.is_about_a_place:
        accepted.clear()
        accepted |= {at.given_path: True} if at.folder != at.root else {}


def every_root(at: Answer, roots: Known) -> None:
    """Permit what was the root of an earlier call."""
    if at.kind == "outside" and at.folder in roots:
        at.escape(at.folder)
    roots[at.root] = True


def first_type(at: Answer, types: Known) -> None:
    if not at.failed:
        first = [replace(entry, type=types.setdefault(entry.place, entry.type)) for entry in at.whole]
        at.relist(sorted(first, key=lambda entry: (not entry.sorts_first, entry.name.lower(), entry.name)))


def ties_change_places(at: Answer, calls: Known) -> None:
    """Reverse names that differ in case only in every second call."""
    calls[len(calls)] = at
    if not at.failed and len(calls) % 2:
        found = sorted(at.whole, key=lambda entry: entry.name, reverse=True)
        at.relist(sorted(found, key=lambda entry: (not entry.sorts_first, entry.name.lower())))


def patterns_stay(at: Answer, earlier: Known) -> None:
    """Keep the patterns of a call with all arguments for the next call if that has none."""
    kept = earlier.pop("ignore", None)
    if at.arguments == {} and at.has_object and kept:
        at.request(ignore=kept)
    elif len(at.arguments) == 5:
        earlier["ignore"] = at.arguments.get("ignore")


MUTANTS: tuple[Mutant, ...] = (
    state_row("MUT-LS-105", "A listed directory is not read again.", "LS-DATA-06", change=not_read_again),
    state_row(
        *("MUT-LS-318", "The patterns of a call are the default of the next.", "LS-DEF-04 LS-DATA-06"),
        change=patterns_stay,
    ),
    state_row("MUT-LS-379", "What was the root of an earlier call stays permitted.", "LS-SEC-01", change=every_root),
    state_row(
        *("MUT-LS-394", "The type of a path is the first one that it had.", "LS-DATA-02 LS-TEXT-06 LS-DATA-05"),
        change=first_type,
    ),
    state_row(
        *("MUT-LS-430", "A directory that was missing stays missing.", "LS-DATA-06"),
        change=lambda at, failed: fails_again("missing", at, failed),
    ),
    state_row(
        *("MUT-LS-431", "A directory that was a file stays one.", "LS-DATA-06"),
        change=lambda at, failed: fails_again("file", at, failed),
    ),
    state_row("MUT-LS-444", "A path is checked once.", "LS-SEC-04", change=checked_once),
    state_row(
        *("MUT-LS-449", "Names that differ in case only change places from call to call.", "LS-PAGE-04 LS-SORT-05"),
        change=ties_change_places,
    ),
)
