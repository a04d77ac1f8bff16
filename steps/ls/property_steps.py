"""Then: the laws of LS. What each law says is in ``properties``, how it is tried in ``steps.laws``."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import CaseSamples, World, then

from ..shared.properties import Property, PropertySuite, matches_model
from . import properties as law

TREE_FAMILIES = ("trees",)
LISTING_FAMILIES = ("trees", "patterns", "paths")
ALL_FAMILIES = ("trees", "patterns", "paths", "closed", "arguments")

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says of this rule": Property(matches_model, ALL_FAMILIES),
    "the answer is an envelope": Property(law.always_an_envelope, ALL_FAMILIES),
    "defaults written out change nothing": Property(
        law.explicit_defaults_are_equivalent, ("trees", "arguments")
    ),
    "the announced offsets lead through the whole list": Property(law.announced_offsets, TREE_FAMILIES),
    "a page is a slice of the whole list": Property(law.page_is_a_slice, TREE_FAMILIES),
    "the counts are those of the whole list and add up": Property(law.counts_add_up, TREE_FAMILIES),
    "the total is the length of the whole list": Property(law.total_counts_filtered, TREE_FAMILIES),
    "include_hidden shows all the rest as well": Property(law.include_hidden_is_superset, TREE_FAMILIES),
    "a pattern takes away what it matches and nothing else": Property(law.patterns_take_away, TREE_FAMILIES),
    "the order in which the tree was made plays no part": Property(
        law.independent_of_creation_order, TREE_FAMILIES
    ),
    "slashes and dots that say nothing change nothing": Property(
        law.independent_of_spelling, ("paths", "patterns")
    ),
    "the text shows the entries of data": Property(law.text_matches_data, LISTING_FAMILIES),
    "the tree is left as it was": Property(law.read_only, ("trees", "closed", "paths"), independent=True),
}
"""The laws by their words in a sentence."""

SUITE = PropertySuite(PROPERTIES, law.VARIANTS, law.has_entries)


@then(
    rf"for any tree and call, (?P<words>{SUITE.names_pattern})",
    example="for any tree and call, the answer is an envelope",
    evidence="always",
)
def for_any_tree_and_call(world: World, words: str) -> None:
    """Check the property on random trees and calls."""
    try:
        SUITE.check(world, words)
    finally:
        CaseSamples.for_session(world.session).close()
