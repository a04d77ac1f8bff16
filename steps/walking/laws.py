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

TREES = ("trees",)
EVERYTHING = ("trees", "closed", "starts", "arguments")

LAWS: Mapping[str, Tried] = {
    "the answer is what the model says of this rule": Tried(model, EVERYTHING),
    "a directory by itself has what its parent shows in it": Tried(law.subtree, TREES),
    "no path goes through a link": Tried(law.nothing_behind_links, TREES),
    "the order in which the tree was made plays no part": Tried(law.order_of_making, TREES),
    "the process that is asked plays no part": Tried(law.other_process, TREES),
    "there are as many elements as entries on the disk": Tried(law.everything, TREES),
    "one file more is one element more": Tried(law.one_more, TREES),
    "dots and slashes in a path play no part": Tried(law.spellings, TREES),
    "the tree is left as it was": Tried(law.read_only, ("trees", "closed", "starts"), independent=True),
}
"""The laws by their words in a sentence."""

BOOK = Book(LAWS, {"trees": (None, law.ROOT)}, law.lists, "the candidate gives no list, whatever it is asked")


@then(sentence(rf"for any tree and call, (?P<words>{BOOK.words})"))
def for_any_tree_and_call(world: World, words: str) -> None:
    """Then for any tree and call, no path goes through a link: tried on random trees and calls.

    Evidence: always
    """
    try:
        BOOK.hold(world, words)
    finally:
        Samples.of(world.session).close()


@then(sentence(rf"for any tree, call and file modes, (?P<words>{BOOK.words})"))
def for_any_modes(world: World, words: str) -> None:
    """Then for any tree, call and file modes, the answer is what the model says of this rule: where modes bind.

    Evidence: always
    """
    if not Samples.of(world.session).heeds_modes:
        raise NotVerified("file modes do not bind the candidate here, so no directory can be closed to it")
    BOOK.hold(world, words)
