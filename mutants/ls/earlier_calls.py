"""Mutants: errors by what earlier calls have shown."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ..shared.mutant import Mutant
from .answer import Answer, Entry, Refusal
from .filtering import left_out
from .rows import state_row

Change = Callable[[Answer], None]


def not_read_again() -> Change:
    """Keep the entries of each directory from its first listing."""
    seen: dict[bytes, list[Entry]] = {}

    def change(at: Answer) -> None:
        if not at.failed:
            first = seen.setdefault(at.folder, at.unfiltered)
            at.relist([entry for entry in first if not left_out(replace(entry, listing=at))])

    return change


def fails_again(kind: str) -> Change:
    """Let a directory fail again that has failed once in this way."""
    failed: dict[bytes, Refusal] = {}

    def change(at: Answer) -> None:
        if at.is_about_a_place and at.folder in failed:
            at.fail(*failed[at.folder])
        if at.kind == kind:
            failed[at.folder] = at.code, at.message

    return change


def checked_once() -> Change:
    """Do not check a path again that the call before has accepted."""
    accepted: list[str] = []

    def change(at: Answer) -> None:
        if at.kind == "outside" and at.given_path in accepted and os.path.isdir(at.folder):
            at.escape(at.folder)
        elif at.is_about_a_place:
            accepted[:] = [at.given_path] if at.folder != at.root else []

    return change


def every_root() -> Change:
    """Permit what was the root of an earlier call."""
    roots: list[bytes] = []

    def change(at: Answer) -> None:
        if at.kind == "outside" and at.folder in roots:
            at.escape(at.folder)
        roots.append(at.root)

    return change


def first_type() -> Change:
    types: dict[bytes, str] = {}

    def change(at: Answer) -> None:
        if not at.failed:
            first = [replace(entry, type=types.setdefault(entry.place, entry.type)) for entry in at.whole]
            at.relist(sorted(first, key=lambda entry: (not entry.sorts_first, entry.name.lower(), entry.name)))

    return change


def ties_change_places() -> Change:
    """Reverse names that differ in case only in every second call."""
    calls: list[Any] = []

    def change(at: Answer) -> None:
        calls.append(at)
        if not at.failed and len(calls) % 2:
            found = sorted(at.whole, key=lambda entry: entry.name, reverse=True)
            at.relist(sorted(found, key=lambda entry: (not entry.sorts_first, entry.name.lower())))

    return change


def patterns_stay() -> Change:
    """Keep the patterns of a call with all arguments for the next call if that has none."""
    earlier: list[str] = []

    def change(at: Answer) -> None:
        kept = [*earlier]
        earlier.clear()
        if at.arguments == {} and at.has_object and kept:
            at.ask(ignore=kept)
        elif len(at.arguments) == 5:
            earlier.extend(at.arguments.get("ignore") or [])

    return change


MUTANTS: tuple[Mutant, ...] = (
    state_row("MUT-LS-105", "A listed directory is not read again.", "LS-DATA-06", changing=not_read_again),
    state_row(
        *("MUT-LS-318", "The patterns of a call are the default of the next.", "LS-DEF-04 LS-DATA-06"),
        changing=patterns_stay,
    ),
    state_row("MUT-LS-379", "What was the root of an earlier call stays permitted.", "LS-SEC-01", changing=every_root),
    state_row(
        *("MUT-LS-394", "The type of a path is the first one that it had.", "LS-DATA-02 LS-TEXT-06 LS-DATA-05"),
        changing=first_type,
    ),
    state_row(
        *("MUT-LS-430", "A directory that was missing stays missing.", "LS-DATA-06"),
        changing=partial(fails_again, "missing"),
    ),
    state_row(
        "MUT-LS-431", "A directory that was a file stays one.", "LS-DATA-06", changing=partial(fails_again, "file")
    ),
    state_row("MUT-LS-444", "A path is checked once.", "LS-SEC-04", changing=checked_once),
    state_row(
        *("MUT-LS-449", "Names that differ in case only change places from call to call.", "LS-PAGE-04 LS-SORT-05"),
        changing=ties_change_places,
    ),
)
