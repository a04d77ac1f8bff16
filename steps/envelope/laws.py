"""Then: the laws of LS. What each law says is in ``properties``, how it is tried in ``steps.laws``."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.search.subject import Samples

from ..laws import Book, Tried, model
from ..words import sentence
from . import properties as law

TREES = ("trees",)
LISTINGS = ("trees", "patterns", "paths")
EVERY = ("trees", "patterns", "paths", "closed", "arguments")

LAWS: Mapping[str, Tried] = {
    "the answer is what the model says of this rule": Tried(model, EVERY),
    "the answer is an envelope": Tried(law.always_an_envelope, EVERY),
    "defaults written out change nothing": Tried(law.defaults_written_out, ("trees", "arguments")),
    "the announced offsets lead through the whole list": Tried(law.announced_offsets, TREES),
    "a page is a slice of the whole list": Tried(law.page_is_a_slice, TREES),
    "the counts are those of the whole list and add up": Tried(law.counts_add_up, TREES),
    "the total is the length of the whole list": Tried(law.filtered_first, TREES),
    "include_hidden shows all the rest as well": Tried(law.hidden_is_more, TREES),
    "a pattern takes away what it matches and nothing else": Tried(law.patterns_take_away, TREES),
    "the order in which the tree was made plays no part": Tried(law.order_of_making, TREES),
    "slashes and dots that say nothing change nothing": Tried(law.spellings, ("paths", "patterns")),
    "the text shows the entries of data": Tried(law.text_of_data, LISTINGS),
    "the tree is left as it was": Tried(law.read_only, ("trees", "closed", "paths"), independent=True),
}
"""The laws by their words in a sentence."""

BOOK = Book(LAWS, law.VIEWS, law.lists)


@then(sentence(rf"for any tree and call, (?P<words>{BOOK.words})"))
def for_any_tree_and_call(world: World, words: str) -> None:
    """Then for any tree and call, the answer is an envelope: tried on random trees and calls.

    Evidence: always
    """
    try:
        BOOK.hold(world, words)
    finally:
        Samples.of(world.session).close()
