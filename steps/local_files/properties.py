"""The properties of LocalFiles. Contains no steps; expected values come only from the disk.

A property does not judge a case if a compared call returns no list: the model judges that.
"""

from __future__ import annotations

import os
import stat
from itertools import zip_longest

from treeproof.api import CaseRun, CaseUpdate, Mismatch

from ..shared import common_properties
from ..shared.common_properties import REPLACEMENT_CHARACTER, AnswerComparison
from ..shared.properties import PropertyCheck
from ..shared.values import format_json, format_member, format_names
from .view import Listing

LIST_ROOT: CaseUpdate = {"tool": "listDirectory", "arguments": {"path": "$ROOT"}}


def has_entries(case_run: CaseRun) -> bool:
    """Return whether the answer to a case has entries."""
    found = Listing.of_case(case_run)
    return bool(found and found.entries)


def assert_same_answer(what: str, first: Listing | None, second: Listing | None) -> None:
    """Raise Mismatch unless both lists have equal entries in the same order; paths are relative to the directory."""
    one, other = (None if found is None else _comparable(found) for found in (first, second))
    if one != other:
        if one is None or other is None:
            raise Mismatch(f"{what}; one of the two is no list", compares_answers=True, kind=what)
        number, expected, got = first_differing_entry(one, other)
        raise Mismatch(f"{what}: entry {number}", expected=expected, got=got, compares_answers=True, kind=what)


def _comparable(found: Listing) -> list[str]:
    return [format_json({**entry, "path": found.key(entry)}) for entry in found.entries]


def first_differing_entry(one: list[str], other: list[str]) -> tuple[int, str, str]:
    """Return the number of the first entry that differs between two lists, and the entry as each list has it.

    The entry is empty for a list that has none with this number.
    """
    pairs = enumerate(zip_longest(one, other, fillvalue=""), start=1)
    number, pair = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    return number, pair[0][:400], pair[1][:400]


def directory_sizes(check: PropertyCheck) -> bool:
    """The size of each directory is its own, or its space (AMB-LF-06), which no model can know."""
    found, judged = Listing.of_case(check.case_run), False
    for entry in found.entries if found else ():
        name = entry.get("name")
        if found is None or not isinstance(name, str) or REPLACEMENT_CHARACTER in name or "/" in name:
            continue
        path = os.path.join(os.fsencode(found.directory), name.encode("utf-8", "surrogatepass"))
        own = os.lstat(path) if b"\0" not in path and os.path.lexists(path) else None
        if own is None or not stat.S_ISDIR(own.st_mode):
            continue
        judged = True
        if entry.get("size") not in (own.st_size, own.st_blocks * 512):
            what = f"size of {format_json(name)} is another one; it may be {own.st_size} or {own.st_blocks * 512}"
            raise Mismatch(what, got=format_member(entry, "size"), kind="another size")
    return judged


def _assert_equal_keys(what: str, first: Listing | None, second: Listing | None) -> None:
    one, two = ([] if found is None else found.keys for found in (first, second))
    if one != two:
        raise Mismatch(what, expected=format_names(one), got=format_names(two), compares_answers=True)


def _assert_equal_times(what: str, first: Listing | None, second: Listing | None) -> None:
    """Raise Mismatch unless the entries of both lists have equal times, in whatever order."""
    one, other = (
        sorted(format_json([found.key(entry), entry.get("lastModified")]) for entry in found.entries) if found else []
        for found in (first, second)
    )
    if one != other:
        number, expected, got = first_differing_entry(one, other)
        raise Mismatch(f"{what}: entry {number}", expected=expected, got=got, compares_answers=True, kind=what)


_ANSWERS = AnswerComparison(Listing.parse_or_none, assert_same_answer, has_entries)
_KEYS = AnswerComparison(Listing.parse_or_none, _assert_equal_keys, has_entries)
_TIMES = AnswerComparison(Listing.parse_or_none, _assert_equal_times, has_entries)
second_call_is_equal = _ANSWERS.independent_of_repetition
times_independent_of_process = _TIMES.independent_of_process
order_independent_of_process = _KEYS.independent_of_process
independent_of_creation_order = _KEYS.independent_of_creation_order
read_only = common_properties.read_only(has_entries)
