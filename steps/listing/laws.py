"""Then: the laws of list_directory. What each law says is in the files beside, how it is tried in ``steps.laws``."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.search.subject import Samples
from treeproof.verdict import NotVerified

from ..laws import Book, Tried, model
from ..words import sentence
from . import limit_properties as limits
from . import properties as law
from . import related_properties as related

TREES = ("trees",)
DOCUMENTS = ("trees", "faults", "paths", "settings")
EVERYTHING = ("trees", "faults", "paths", "escapes", "arguments", "settings")

LAWS: Mapping[str, Tried] = {
    "the answer is what the model says of this rule": Tried(model, EVERYTHING),
    "the document written again is the same": Tried(law.canonical_text, DOCUMENTS),
    "counter, flag and reason agree": Tried(law.counters, DOCUMENTS),
    "returned counts the entries": Tried(law.returned_counts, DOCUMENTS),
    "the reason is null or a documented word": Tried(law.reason_is_a_word, DOCUMENTS),
    "the paths are in ascending order": Tried(law.sorted_paths, DOCUMENTS),
    **{
        f"of every entry, {what}": Tried(law.each_entry(good, what), DOCUMENTS)
        for what, good in law.ENTRIES.items()
    },
    "under every limit the entries are the first of the walk": Tried(limits.first_of_the_walk, TREES),
    "from the limit on it is met, and above it the listing is cut": Tried(limits.flag_above_the_limit, TREES),
    "a flat listing below the limit is not cut": Tried(limits.no_flag_below_the_limit, TREES),
    "the output is no longer than the smaller budget": Tried(limits.within_both_budgets, TREES),
    "the output is measured in bytes": Tried(limits.counted_in_bytes, TREES),
    "the output is JSON whatever the budget": Tried(limits.valid_under_every_budget, TREES),
    "a call that fails for its budget fails for every smaller one": Tried(
        limits.failures_are_a_down_set, TREES
    ),
    "what a budget leaves is the beginning of the whole list": Tried(limits.beginning_of_the_list, TREES),
    "one entry more would not fit": Tried(limits.as_many_as_fit, TREES),
    "what a budget cuts is said to be cut": Tried(limits.cutting_is_told, TREES),
    "exchanging the budgets changes nothing": Tried(limits.budgets_are_alike, TREES),
    "leaving out what is hidden leaves the rest as it is": Tried(related.hidden_are_left_out, TREES),
    "the kinds listed one by one make the whole": Tried(related.kinds_make_the_whole, TREES),
    "special files are the difference that include_other makes": Tried(
        related.other_is_the_difference, TREES
    ),
    "a smaller depth shows the near part of a greater one": Tried(related.depth_cuts_and_nothing_else, TREES),
    "a flat listing is the first level of a deep one": Tried(related.flat_is_depth_one, TREES),
    "a subdirectory by itself has the names that its parent shows in it": Tried(related.subtree_names, TREES),
    "a subdirectory by itself has the paths that its parent shows in it": Tried(related.subtree_paths, TREES),
    "a subdirectory by itself is one level less deep than in its parent": Tried(
        related.subtree_depths, TREES
    ),
    "the order in which the tree was made plays no part": Tried(related.order_of_making, TREES),
    "the process that is asked plays no part": Tried(related.other_process, TREES),
    "there are as many entries as on the disk": Tried(related.nothing_is_merged, TREES),
    "every spelling of a path shows the same": Tried(related.spellings_are_one, TREES),
    "what is listed lies inside the sandbox": Tried(related.stays_inside, ("escapes", "paths")),
    "what the schema refuses is refused": Tried(related.schema_decides, ("arguments", "trees")),
    "defaults written out change nothing": Tried(related.precedence, ("settings",)),
    "the tree is left as it was": Tried(related.read_only, ("trees", "faults", "escapes"), independent=True),
}
"""The laws by their words in a sentence."""

BOOK = Book(LAWS, law.VIEWS, law.lists)


@then(sentence(rf"for any tree and call, (?P<words>{BOOK.words})"))
def for_any_tree_and_call(world: World, words: str) -> None:
    """Then for any tree and call, the paths are in ascending order: tried on random trees and calls.

    Evidence: always
    """
    try:
        BOOK.hold(world, words)
    finally:
        Samples.of(world.session).close()


@then(sentence(rf"for any tree, call and budget, (?P<words>{BOOK.words})"))
def for_any_budget(world: World, words: str) -> None:
    """Then for any tree, call and budget, the output is measured in bytes: where the glue honours budgets.

    Evidence: always
    """
    world.require("budget")
    BOOK.hold(world, words)


@then(sentence(rf"for any tree, call and configuration, (?P<words>{BOOK.words})"))
def for_any_configuration(world: World, words: str) -> None:
    """Then for any tree, call and configuration, defaults written out change nothing: where the glue honours it.

    Evidence: always
    """
    world.require("config")
    BOOK.hold(world, words)


@then(sentence(rf"for any tree, call and file modes, (?P<words>{BOOK.words})"))
def for_any_modes(world: World, words: str) -> None:
    """Then for any tree, call and file modes, the tree is left as it was: directories that may not be read or searched.

    Evidence: always
    """
    if not Samples.of(world.session).heeds_modes:
        raise NotVerified("file modes do not bind the candidate here, so no directory can be closed to it")
    BOOK.hold(world, words)
