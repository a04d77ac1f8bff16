"""The properties of LS, which compare the results of a random case and of similar calls. Contains no steps.

A property raises Mismatch if it does not hold, and returns whether the case was evidence: a refusal is none for a
property of listings. No property knows an expected listing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.api import REMOVE_MEMBER, CaseRun, CaseUpdate, Mismatch

from ..shared import common_properties
from ..shared.common_properties import AnswerComparison
from ..shared.properties import PropertyCheck, PropertyFunction
from ..shared.values import entries_kind, format_json, format_names
from .pages import MAX_PAGES, find_hints
from .view import Envelope

UNPAGED: CaseUpdate = {"arguments.offset": REMOVE_MEMBER, "arguments.limit": 200}
"""All entries on one page: no random tree has more."""

EVERYTHING: CaseUpdate = {**UNPAGED, "arguments.include_hidden": True, "arguments.ignore": REMOVE_MEMBER}

DEFAULT_ROOT: CaseUpdate = {
    **EVERYTHING,
    "arguments.include_hidden": False,
    "arguments.path": REMOVE_MEMBER,
    "context.working_dir": REMOVE_MEMBER,
}
"""The listing of the sandbox root without options."""

VARIANTS: Mapping[str, tuple[CaseUpdate | None, ...]] = {
    "trees": (None, UNPAGED, EVERYTHING, DEFAULT_ROOT, {**DEFAULT_ROOT, "arguments.limit": 2}),
    "closed": (None, DEFAULT_ROOT),
}
"""The variants of each case that the model judges: calls that other properties make as well."""

DEFAULT_ARGUMENTS: Mapping[str, Any] = {
    "path": ".",
    "offset": 0,
    "limit": 100,
    "include_hidden": False,
    "ignore": None,
}
COUNTS = ("total_entries", "dirs", "files", "links", "returned")
"""The members of stats that depend on the list alone."""


def listing_or_none(case_run: CaseRun, update: CaseUpdate | None = None) -> Envelope | None:
    """Return the listing of an answer; None for another answer, and for arguments that cannot be updated."""
    if update and not isinstance(case_run.case.arguments, dict):
        return None
    return Envelope.of_case(case_run, update)


def has_entries(case_run: CaseRun) -> bool:
    """Return whether the answer to a case, or to the call for everything, has entries."""
    found = [listing_or_none(case_run, update) for update in (None, EVERYTHING)]  # both, for the attribution
    return any(map(_has_entries, found))


def _has_entries(found: Envelope | None) -> bool:
    return bool(found and found.entries)


def comparable(found: Envelope) -> dict[str, Any]:
    """Return the members that the specification names, without the duration and the echo of the arguments."""
    data = found.object_member("data")
    return {
        **{name: found.members.get(name) for name in ("status", "text")},
        "entries": [_select(entry, ("path", "type")) for entry in found.entries],
        "truncated": data.get("truncated"),
        "stats": _select(found.object_member("stats"), COUNTS),
        "context": _select(found.object_member("context"), ("cwd", "path_resolved")),
    }


def _select(members: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: members[name] for name in names if name in members}


def assert_same_answer(
    what: str, expected: Envelope, got: Envelope, members: Callable[[Envelope], object] = comparable
) -> None:
    """Raise Mismatch unless both envelopes have the same members."""
    one, other = members(expected), members(got)
    if one != other:
        raise Mismatch(what, expected=format_json(one)[:2000], got=format_json(other)[:2000], compares_answers=True)


def assert_same_order(what: str, expected: list[str], got: list[str]) -> None:
    """Raise Mismatch unless both lists have the same names in the same order."""
    if expected != got:
        kind = entries_kind(expected, got)
        kind = kind or "the order of entries differs"
        raise Mismatch(what, expected=format_names(expected), got=format_names(got), kind=kind)


def between_listings(
    first: CaseUpdate | None, second: CaseUpdate
) -> Callable[[Callable[[Envelope, Envelope], None]], PropertyFunction]:
    """Return a decorator that makes a property of a comparison of two listings of one case.

    The first one is judged by the second, so its call is the last one.
    """

    def decorate(compare: Callable[[Envelope, Envelope], None]) -> PropertyFunction:
        def holds(check: PropertyCheck) -> bool:
            other, one = listing_or_none(check.case_run, second), listing_or_none(check.case_run, first)
            if one is None or other is None:
                return False
            compare(one, other)
            return bool(one.entries or other.entries)

        return holds

    return decorate


def explicit_defaults_are_equivalent(check: PropertyCheck) -> bool:
    """Omitting a parameter is the same as passing its default."""
    sent = check.case_run.case.arguments
    if not isinstance(sent, dict):
        return False
    missing = {f"arguments.{name}": value for name, value in DEFAULT_ARGUMENTS.items() if name not in sent}
    first, second = (
        listing_or_none(check.case_run),
        listing_or_none(check.case_run, missing) if missing else None,
    )
    if first is None or second is None:
        return False
    assert_same_answer("defaults that are written out change the answer", first, second)
    return bool(first.entries)


def announced_offsets(check: PropertyCheck) -> bool:
    """The announced offsets lead through all pages of the list, which show each entry once."""
    whole = listing_or_none(check.case_run, UNPAGED)
    if whole is None:
        return False
    limit = max(1, (len(whole.entries) + 2) // 3)
    page: Envelope | None = listing_or_none(check.case_run, {**UNPAGED, "arguments.limit": limit})
    names: list[str] = []
    offset = 0
    for _ in range(MAX_PAGES):
        if page is None:
            return False
        if page.keys != whole.keys[offset : offset + limit]:
            return False  # the page is no slice of the list, which violates another requirement
        names += page.keys
        hints = find_hints(page)
        if page.object_member("data").get("truncated") is True and hints != [offset + len(page.keys)]:
            return False  # the announced offset is wrong, which violates another requirement
        if not hints or not page.keys:
            break
        offset = hints[0]
        page = listing_or_none(check.case_run, {"arguments.offset": offset, "arguments.limit": limit})
    if page is not None and names != whole.keys and page.object_member("data").get("truncated") is False:
        return False  # the page reports that it is not truncated, which violates another requirement
    assert_same_order("the pages together are not the whole list", whole.keys, names)
    return bool(names)


def page_is_a_slice(check: PropertyCheck) -> bool:
    """A page is the slice of the whole list that begins at its offset.

    Where filters leave something out, a difference can violate the requirement that they come before pages.
    """
    whole, everything = (listing_or_none(check.case_run, update) for update in (UNPAGED, EVERYTHING))
    page = listing_or_none(check.case_run)
    if whole is None or page is None or (everything is not None and everything.keys != whole.keys):
        return False
    sent = check.case_run.case.arguments
    offset, limit = int(sent.get("offset") or 0), int(sent.get("limit") or 100)
    assert_same_order("the page is no slice of the whole list", whole.keys[offset : offset + limit], page.keys)
    return bool(whole.entries)


@between_listings({**UNPAGED, "arguments.include_hidden": True}, {**UNPAGED, "arguments.include_hidden": False})
def include_hidden_is_superset(with_them: Envelope, without: Envelope) -> None:
    """With include_hidden all entries that are listed without it are listed in the same order."""
    kept = [name for name in with_them.keys if name in set(without.keys)]
    assert_same_order("include_hidden removes or moves entries", without.keys, kept)


@between_listings({**EVERYTHING, "arguments.ignore": ["*a*"]}, EVERYTHING)
def patterns_take_away(fewer: Envelope, more: Envelope) -> None:
    """A pattern removes the entries that it matches and no others."""
    due = [name for name in more.keys if "a" not in name]
    assert_same_order("a pattern removes other names than it matches", due, fewer.keys)


def _assert_same_names(what: str, first: Envelope | None, second: Envelope | None) -> None:
    if first and second:
        assert_same_order(what, first.keys, second.keys)


def _assert_equal_but_for_line_1(what: str, first: Envelope | None, second: Envelope | None) -> None:
    if first is None:
        return
    if second is None:
        raise Mismatch(f"{what}: the other one gives no listing", compares_answers=True, kind=what)
    assert_same_answer(what, first, second, lambda one: {**comparable(one), "text": one.text_lines[1:]})


independent_of_creation_order = AnswerComparison(
    Envelope.parse_or_none,
    _assert_same_names,
    lambda case_run: _has_entries(listing_or_none(case_run, UNPAGED)),
    UNPAGED,
).independent_of_creation_order
independent_of_spelling = AnswerComparison(
    Envelope.parse_or_none,
    _assert_equal_but_for_line_1,
    lambda case_run: _has_entries(listing_or_none(case_run)),
).independent_of_spelling("{path}/", "{path}/.", "{path}//")
"""The echo, and line 1 of the text where it names the path, may show the spelling."""

read_only = common_properties.read_only(has_entries)
