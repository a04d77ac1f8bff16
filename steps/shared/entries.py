"""Then: the entries of a call result, their order and their members. All specifications share these steps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from treeproof.api import (
    ANY_COLUMN,
    MISSING_ENTRIES,
    UNEXPECTED_ENTRIES,
    Call,
    CallResult,
    Fault,
    Mismatch,
    World,
    then,
)

from .entry_view import OTHER_KEYS, Entry, EntryView, entry_view, last_entries
from .values import (
    assert_same_names,
    entries_kind,
    first_difference,
    format_json,
    format_names,
    matches,
    parse_json,
    parse_name_list,
    parse_rows,
)

ANY_ORDER = "any order"
"""The member that contains the members of several entries of one key whose order is open."""


def parse_entry_list(text: str) -> list[str]:
    """Return the keys of a list; both nothing and a pair of quotes mean the empty list."""
    return parse_name_list("" if text == '""' else text)


def assert_entries(world: World, listed: str) -> None:
    """Raise Mismatch unless the last answer has exactly these entries, each as often, in any order."""
    world.evidence.expected_text = listed
    assert_same_keys(last_entries(world), parse_entry_list(listed))


def assert_same_keys(found: EntryView, expected: Sequence[str], what: str = "the entries") -> None:
    """Raise Mismatch unless an answer has exactly these keys; keys of another form are a matter of the output."""
    try:
        assert_same_names(what, list(expected), found.keys)
    except Mismatch as why:
        found.refine(why, expected)
        raise


@then(r'the entries are "(?P<listed>.*)"', example='the entries are "a, a/b"', paths="listed")
def the_entries_are(world: World, listed: str) -> None:
    """Require exactly these entries, in any order."""
    assert_entries(world, listed)


def assert_order(expected: list[str], got: list[str]) -> None:
    """Raise Mismatch unless both lists are equal."""
    if got != expected:
        texts = format_names(expected), format_names(got)
        diff = first_difference(*texts)
        what = "the entries or their order differ"
        kind = entries_kind(expected, got)
        raise Mismatch(what, expected=texts[0], got=texts[1], diff=diff, kind=kind or "the order of entries differs")


def assert_entries_in_order(world: World, listed: str) -> None:
    """Raise Mismatch unless the last answer has exactly these entries in this order."""
    world.evidence.expected_text = listed
    found, expected = last_entries(world), parse_entry_list(listed)
    try:
        assert_order(expected, found.keys)
    except Mismatch as why:
        found.refine(why, expected)
        raise


@then(
    r'the entries in order are "(?P<listed>.*)"',
    example='the entries in order are "a, a-b, a/b"',
    paths="listed",
)
def the_entries_in_order_are(world: World, listed: str) -> None:
    """Require exactly these entries in this order."""
    assert_entries_in_order(world, listed)


def assert_includes(world: World, listed: str) -> None:
    """Raise Mismatch unless these entries are in the last answer."""
    found = last_entries(world)
    got = found.keys
    missing = [name for name in parse_name_list(listed) if name not in got]
    if missing:
        is_other = found.has_other_form(missing)
        raise Mismatch(
            f"missing: {format_names(missing)}",
            got=format_names(got[:40]),
            kind=OTHER_KEYS if is_other else MISSING_ENTRIES,
        )


@then(r'the entries include "(?P<listed>.+)"', example='the entries include "a, b"', paths="listed")
def the_entries_include(world: World, listed: str) -> None:
    """Require these entries; others are permitted."""
    assert_includes(world, listed)


def assert_excludes(world: World, listed: str) -> None:
    """Raise Mismatch if one of these entries is in the last answer."""
    found = last_entries(world)
    got = found.keys
    wrong = [name for name in parse_name_list(listed) if name in got]
    if wrong:
        what = f"listed although they should not be: {format_names(wrong)}"
        kind = found.surplus_kind([name for name in got if name not in wrong]) or UNEXPECTED_ENTRIES
        raise Mismatch(what, got=format_names(got), kind=kind)


@then(r'no entry is "(?P<listed>.+)"', example='no entry is ".h"', paths="listed")
def no_entry_is(world: World, listed: str) -> None:
    """Require that none of these is an entry."""
    assert_excludes(world, listed)


def assert_count(world: World, number: str) -> None:
    """Raise Mismatch unless the last answer has this number of entries; a JSON list contains several right ones."""
    got = last_entries(world).keys
    if not matches(parse_json(number), len(got)):
        what = f"there are {len(got)} entries; it should be {number}"
        raise Mismatch(what, got=format_names(got[:40]), kind="another number of entries")


@then(
    r"(?:there are|the listing has) (?P<number>\d+) (?:entries|elements)",
    example="there are 2000 entries",
)
def there_are(world: World, number: str) -> None:
    """Count the entries, independent of any counter in the answer."""
    assert_count(world, number)


def assert_members(got: Entry, expected: dict[str, Any], what: str, found: EntryView | None = None) -> None:
    """Raise Mismatch unless ``got`` has every member of ``expected`` with its value and type.

    ``found``, if ``got`` is one of its entries, decides whether 9.0 is 9.
    """
    by_value = found is not None and found.numbers_by_value
    for key, wanted in expected.items():
        if key not in got or not matches(wanted, got[key], by_value=by_value):
            problem = f"{what} has another {key!r}" if key in got else f"{what} has no member {key!r}"
            shown = format_json({key: got[key]} if key in got else got)[:2000]
            kind = f"another {key}" if key in got else f"no {key}"
            if found is not None:
                kind = found.member_kind(got, key) if key in got else found.missing_member_kind(key)
            raise Mismatch(problem, expected=format_json({key: wanted}), got=shown, kind=kind)


def assert_entry_members(found: EntryView, key: str, expected: Any) -> None:
    """Raise Mismatch unless the entries with this key have these members; a list has one item for each entry.

    ``{"any order": [...]}`` is such a list whose items may belong to the entries in any order.
    """
    entries = found.entries_at(key)
    what = f"the entry {format_names([key])}"
    is_ordered = not (isinstance(expected, dict) and expected.keys() == {ANY_ORDER})
    if not is_ordered:
        expected = expected[ANY_ORDER]
    due = expected if isinstance(expected, list) else [expected] * len(entries)
    if len(entries) != len(due):
        message = f"{what} occurs {len(entries)} times; it should occur {len(due)} times"
        raise Mismatch(message, got=format_json(entries)[:2000])
    if not is_ordered:
        due = next((list(order) for order in permutations(due) if _all_match(entries, order)), due)
    for entry, members in zip(entries, due, strict=True):
        assert_members(entry, members, what, found)


def _all_match(entries: Sequence[dict[str, Any]], due: Sequence[dict[str, Any]]) -> bool:
    pairs = zip(entries, due, strict=True)
    return all(
        name in entry and matches(value, entry[name]) for entry, members in pairs for name, value in members.items()
    )


def assert_fields(world: World, cell: str) -> None:
    """Raise Mismatch unless the last answer has the entries of a JSON object, with these members."""
    found = last_entries(world)
    for place, members in parse_json(cell, world.sandbox.placeholders).items():
        assert_entry_members(found, parse_name_list(place)[0], members)


@then(
    r'the entry "(?P<name>.*?)" has (?P<members>[{\[].*[}\]])',
    example='the entry "a" has {"type": "dir", "size_bytes": null}',
)
def the_entry_has(world: World, name: str, members: str) -> None:
    """Compare members by value and type. A list as a value permits each of its members."""
    expected = parse_json(members, world.sandbox.placeholders)
    assert_entry_members(last_entries(world), parse_name_list(name)[0], expected)


@then("the entries have", columns=ANY_COLUMN)
def the_entries_have(world: World, datatable: list[list[str]]) -> None:
    """Compare members, one entry for each row: its key, then any members. Empty cells assert nothing."""
    found = last_entries(world)
    for row in parse_rows(datatable):
        if found.key_column not in row:
            raise Fault("harness", f"the table has no column {found.key_column} for the entry; write one")
        (key,) = parse_name_list(row.pop(found.key_column))
        members = {name: found.parse_cell(cell, world.sandbox.placeholders) for name, cell in row.items() if cell}
        assert_entry_members(found, key, members)


@then(r"every entry has (?P<members>\{.*\})", example='every entry has {"depth": 1}')
def every_entry_has(world: World, members: str) -> None:
    """Require at least one entry, and these members in each."""
    found, expected = last_entries(world, nonempty=True), parse_json(members, world.sandbox.placeholders)
    for entry in found.entries:
        assert_members(entry, expected, f"the entry {found.label(entry)}", found)


@then("every name is the last component of its path")
def names_are_last(world: World) -> None:
    """Require at least one entry, and in each the last component of its path as the name."""
    found = last_entries(world, nonempty=True)
    for entry in found.entries:
        name = str(entry.get("path")).rpartition("/")[2]
        assert_members(entry, {"name": name}, f"the entry {found.label(entry)}", found)


def _keys_of_answer(world: World, index: int, answer: CallResult, call: Call) -> list[str]:
    try:
        return entry_view(world).parse(answer, call).keys
    except Mismatch as why:
        raise why.at_answer(index) from why


@then(
    "(?P<which>all|the last two) answers list the same (?:entries|in the same order)",
    example="all answers list the same entries",
)
def all_answers_list_the_same(world: World, which: str) -> None:
    """Require that all calls of the scenario, or the last two, list equal entries in one order, and at least one."""
    pairs = list(enumerate(zip(world.log.answers, world.log.calls, strict=True)))
    compared = pairs if which == "all" else pairs[-2:]
    first, *others = [_keys_of_answer(world, number, *pair) for number, pair in compared]
    if not others or not first:
        what = "there are no two lists to compare: several calls should list something"
        raise Mismatch(what, kind=MISSING_ENTRIES)
    for number, other in enumerate(others, start=compared[0][0] + 2):
        try:
            assert_order(first, other)
        except Mismatch as why:
            before = "first" if which == "all" else "one before"
            raise why.at_answer(number - 1).within(f"call {number} lists otherwise than the {before}: ") from why
