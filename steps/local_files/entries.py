"""When, Then: which entries a list has, in which order; and that a call fails where it should."""

from __future__ import annotations

import os

from treeproof.api import Mismatch, World, expand_text, then, when

from ..shared.answers import assert_fails
from ..shared.values import assert_same_names, format_names, parse_name_list
from .view import Listing, parse_answer


def last_listing(world: World) -> Listing:
    """The entries of the last answer; one that has some is positive evidence."""
    found = parse_answer(world.answer, world.log.calls[-1])
    world.evidence.is_positive = world.evidence.is_positive or bool(found.entries)
    return found


def assert_entries(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has exactly these entries, each once, in any order."""
    world.evidence.expected_text = listed
    assert_same_names(
        "the entries", parse_name_list("" if listed == '""' else listed), last_listing(world).relative_paths
    )


@then(r'the entries are "(?P<listed>.*)"', example='the entries are "src, pom.xml"', evidence="listed")
def the_entries_are(world: World, listed: str) -> None:
    """Require exactly these paths below the requested directory, each once, in any order."""
    assert_entries(world, listed)


def assert_order(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has exactly these entries in this order."""
    got, expected = last_listing(world).relative_paths, parse_name_list(listed)
    if got != expected:
        raise Mismatch(
            "the entries or their order differ", expected=format_names(expected), got=format_names(got)
        )


@then(
    r'the entries in order are "(?P<listed>.+)"',
    example='the entries in order are "src, pom.xml, latest_log"',
    evidence="listed",
)
def the_entries_in_order_are(world: World, listed: str) -> None:
    """Require exactly these paths in this order."""
    assert_order(world, listed)


def assert_includes(world: World, listed: str) -> None:
    """Raise Mismatch unless these entries are in the last list."""
    got = last_listing(world).relative_paths
    missing = [name for name in parse_name_list(listed) if name not in got]
    if missing:
        raise Mismatch(f"missing: {format_names(missing)}", expected=listed, got=format_names(got[:40]))


@then(r'the entries include "(?P<listed>.+)"', example='the entries include "a, b"', evidence="listed")
def the_entries_include(world: World, listed: str) -> None:
    """Require these paths; others are permitted."""
    assert_includes(world, listed)


def assert_excludes(world: World, listed: str) -> None:
    """Raise Mismatch if one of these entries is in the last list."""
    got = last_listing(world).relative_paths
    wrong = [name for name in parse_name_list(listed) if name in got]
    if wrong:
        raise Mismatch(
            f"listed although they should not be: {format_names(wrong)}",
            expected=f"without {listed}",
            got=format_names(got),
        )


@then(r'no entry is "(?P<listed>.+)"', example='no entry is "src/x"')
def no_entry_is(world: World, listed: str) -> None:
    """Require that none of these paths is listed."""
    assert_excludes(world, listed)


def assert_count(world: World, number: str) -> None:
    """Raise Mismatch unless the last list has so many entries."""
    got = len(last_listing(world).entries)
    if got != int(number):
        raise Mismatch(f"there are {got} entries", expected=number, got=str(got))


@then(r"there are (?P<number>\d+) entries", example="there are 2000 entries", evidence="number")
def there_are(world: World, number: str) -> None:
    """Count the objects in the list."""
    assert_count(world, number)


@then(r'the call fails and names "(?P<path>.+)"', example='the call fails and names "$ROOT/nope"')
def fails_and_names(world: World, path: str) -> None:
    """Require an error of any kind whose message contains the path."""
    assert_fails(world, "any error")
    due = expand_text(path, world.fixture.placeholders)
    if due not in (world.answer.error_message or ""):
        raise Mismatch(
            "the error does not name the path", expected=path, got=world.answer.error_message or ""
        )


@then("all answers list the same in the same order", evidence="always")
def same_order(world: World) -> None:
    """Require that all calls of the scenario returned the same entries in the same order."""
    orders = [
        parse_answer(answer, call).relative_paths
        for answer, call in zip(world.log.answers, world.log.calls, strict=True)
    ]
    if len(orders) < 2 or not orders[0]:
        raise Mismatch("there are no two lists to compare", expected="several calls that list something")
    world.evidence.is_positive = True
    for number, order in enumerate(orders[1:], start=2):
        if order != orders[0]:
            raise Mismatch(
                f"call {number} lists in another order",
                expected=format_names(orders[0]),
                got=format_names(order),
            )


@when(r'"(?P<name>.+)" has been (?P<deed>added|removed|renamed)', example='"d/new" has been added')
def file_has_been(world: World, name: str, deed: str) -> None:
    """Create, remove or rename a file between two calls. A renamed file gets the suffix `.renamed`."""
    path = os.path.join(world.fixture.root, os.fsencode(parse_name_list(name)[0]))
    if deed == "removed":
        os.unlink(path)
    elif deed == "renamed":
        os.rename(path, path + b".renamed")
    else:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
    world.effects.reset_baseline()
