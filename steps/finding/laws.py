"""Then: laws that hold for any tree and call. What each law says is in the file beside."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.search.subject import Samples
from treeproof.verdict import NotVerified

from ..laws import Book, Tried, model
from ..words import sentence
from . import properties as law

LISTS = ("listings",)
SEARCHES = ("searches",)

LAWS: Mapping[str, Tried] = {
    "the answer is what the model says of this rule": Tried(model, ("listings", "closed", "places")),
    "there is an entry for every child on the disk": Tried(law.every_child, LISTS),
    "sizes are those on the disk": Tried(law.sizes, LISTS),
    "times are those on the disk": Tried(law.times, LISTS),
    "targets are those on the disk": Tried(law.targets, LISTS),
    "kinds are those on the disk": Tried(law.kinds, LISTS),
    "a second call gives the same": Tried(law.again, LISTS),
    "the order in which the tree was made plays no part": Tried(law.order_of_making, LISTS),
    "the process that is asked plays no part": Tried(law.other_process, LISTS),
    "the tree is left as it was": Tried(law.read_only, ("listings", "closed"), independent=True),
}
"""The laws of lists by their words in a sentence."""

FINDING: Mapping[str, Tried] = {
    "what is found is what the model says of this rule": Tried(model, SEARCHES),
    "what a directory lists is found by a star": Tried(law.listed_is_found, LISTS),
    "what is found without recursion is found with it": Tried(law.flat_is_part, SEARCHES),
    "no path that is found goes through a link": Tried(law.nothing_behind_links, SEARCHES),
    "what is found is told as it is listed": Tried(law.told_alike, SEARCHES),
}
"""The laws of searches by their words in a sentence."""

VIEWS = {"listings": (None, law.ROOT)}
BOOK = Book(LAWS, VIEWS, law.lists)
FINDERS = Book({**LAWS, **FINDING}, VIEWS, law.lists)


@then(sentence(rf"for any tree and call, (?P<words>{BOOK.words})"))
def for_any_tree_and_call(world: World, words: str) -> None:
    """Then for any tree and call, sizes are those on the disk: tried on random trees and calls.

    Evidence: always
    """
    try:
        BOOK.hold(world, words)
    finally:
        Samples.of(world.session).close()


@then(sentence(rf"for any tree and search, (?P<words>{'|'.join(FINDING)})"))
def for_any_search(world: World, words: str) -> None:
    """Then for any tree and search, no path that is found goes through a link: where findFiles is offered.

    Evidence: always
    """
    world.session.require_tool("findFiles")
    FINDERS.hold(world, words)


@then(sentence(rf"for any tree, call and file modes, (?P<words>{BOOK.words})"))
def for_any_modes(world: World, words: str) -> None:
    """Then for any tree, call and file modes, the answer is what the model says of this rule: where modes bind.

    Evidence: always
    """
    if not Samples.of(world.session).heeds_modes:
        raise NotVerified("file modes do not bind the candidate here, so no directory can be closed to it")
    BOOK.hold(world, words)
