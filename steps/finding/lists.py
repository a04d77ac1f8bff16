"""When, Then: which entries a list has, in which order; and that a call fails where it should."""

from __future__ import annotations

import os

from pytest_bdd import then, when

from treeproof.run.placeholders import expand_text
from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..answers import fails
from ..words import equal_lists, names, sentence, spell
from .entries import Entries, read


def told(world: World) -> Entries:
    """The entries of the last answer; one that has some is positive evidence."""
    found = read(world.answer, world.calls[-1])
    world.positive = world.positive or bool(found.found)
    return found


def entries_are(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has exactly these entries, each once, in any order."""
    world.expecting(listed)
    equal_lists("the entries", names("" if listed == '""' else listed), told(world).places)


@then(sentence(r'the entries are "(?P<listed>.*)"'))
def the_entries_are(world: World, listed: str) -> None:
    """Then the entries are "src, pom.xml": exactly these, each once; by their paths below the requested directory.

    Evidence: listed
    """
    entries_are(world, listed)


def in_order(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has exactly these entries in this order."""
    got, expected = told(world).places, names(listed)
    if got != expected:
        raise Mismatch("the entries or their order differ", expected=spell(expected), got=spell(got))


@then(sentence(r'the entries in order are "(?P<listed>.+)"'))
def the_entries_in_order_are(world: World, listed: str) -> None:
    """Then the entries in order are "src, pom.xml, latest_log": exactly these in exactly this order.

    Evidence: listed
    """
    in_order(world, listed)


def include(world: World, listed: str) -> None:
    """Raise Mismatch unless these entries are in the last list."""
    got = told(world).places
    missing = [name for name in names(listed) if name not in got]
    if missing:
        raise Mismatch(f"missing: {spell(missing)}", expected=listed, got=spell(got[:40]))


@then(sentence(r'the entries include "(?P<listed>.+)"'))
def the_entries_include(world: World, listed: str) -> None:
    """Then the entries include "a, b": these and perhaps others.

    Evidence: listed
    """
    include(world, listed)


def without(world: World, listed: str) -> None:
    """Raise Mismatch if one of these entries is in the last list."""
    got = told(world).places
    wrong = [name for name in names(listed) if name in got]
    if wrong:
        raise Mismatch(
            f"listed although they should not be: {spell(wrong)}",
            expected=f"without {listed}",
            got=spell(got),
        )


@then(sentence(r'no entry is "(?P<listed>.+)"'))
def no_entry_is(world: World, listed: str) -> None:
    """Then no entry is "src/x": none of these is in the list."""
    without(world, listed)


def count(world: World, number: str) -> None:
    """Raise Mismatch unless the last list has so many entries."""
    got = len(told(world).found)
    if got != int(number):
        raise Mismatch(f"there are {got} entries", expected=number, got=str(got))


@then(sentence(r"there are (?P<number>\d+) entries"))
def there_are(world: World, number: str) -> None:
    """Then there are 2000 entries: so many objects are in the list.

    Evidence: number
    """
    count(world, number)


@then(sentence(r'the call fails and names "(?P<path>.+)"'))
def fails_and_names(world: World, path: str) -> None:
    """Then the call fails and names "$ROOT/nope": an error of any kind, with a message that holds the path."""
    fails(world, "any error")
    due = expand_text(path, world.names)
    if due not in (world.answer.message or ""):
        raise Mismatch("the error does not name the path", expected=path, got=world.answer.message or "")


@then("all answers list the same in the same order")
def same_order(world: World) -> None:
    """Then all answers list the same in the same order: every call of this scenario, entry by entry.

    Evidence: always
    """
    orders = [read(answer, call).places for answer, call in zip(world.answers, world.calls, strict=True)]
    if len(orders) < 2 or not orders[0]:
        raise Mismatch("there are no two lists to compare", expected="several calls that list something")
    world.positive = True
    for number, order in enumerate(orders[1:], start=2):
        if order != orders[0]:
            raise Mismatch(
                f"call {number} lists in another order", expected=spell(orders[0]), got=spell(order)
            )


@when(sentence(r'"(?P<name>.+)" has been (?P<deed>added|removed|renamed)'))
def has_been(world: World, name: str, deed: str) -> None:
    """When "d/new" has been added: an empty file is made, or a file removed or renamed, by the suite between two calls.

    A renamed file gets the ending `.renamed`.
    """
    path = os.path.join(world.root, os.fsencode(names(name)[0]))
    if deed == "removed":
        os.unlink(path)
    elif deed == "renamed":
        os.rename(path, path + b".renamed")
    else:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
    world.disturbed()
