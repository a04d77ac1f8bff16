"""Then: properties, which hold for any tree and call. The module `properties` contains them."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import World, then

from ..shared.properties import Property, PropertySuite, matches_model
from ..shared.property_runner import check_property
from . import properties

TREE_FAMILIES = ("trees",)
ALL_FAMILIES = ("trees", "patterns", "paths", "closed", "arguments", "earlier calls", "pairs", "ways")

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says of this rule": Property(matches_model, ALL_FAMILIES),
    "defaults written out change nothing": Property(
        properties.explicit_defaults_are_equivalent, ("trees", "arguments")
    ),
    "the announced offsets lead through the whole list": Property(properties.announced_offsets, TREE_FAMILIES),
    "a page is a slice of the whole list": Property(properties.page_is_a_slice, TREE_FAMILIES),
    "include_hidden shows all the rest as well": Property(properties.include_hidden_is_superset, TREE_FAMILIES),
    "a pattern takes away what it matches and nothing else": Property(properties.patterns_take_away, TREE_FAMILIES),
    "the order in which the tree was made plays no part": Property(
        properties.independent_of_creation_order, TREE_FAMILIES
    ),
    "slashes and dots that say nothing change nothing": Property(
        properties.independent_of_spelling, ("paths", "patterns")
    ),
    "the tree is left as it was": Property(properties.read_only, ("trees", "closed", "paths"), independent=True),
}
"""The properties by their names in steps."""

SUITE = PropertySuite(PROPERTIES, properties.VARIANTS, properties.has_entries)


@then(
    rf"for any tree and call, (?P<name>{SUITE.names_pattern})",
    example="for any tree and call, the tree is left as it was",
)
def for_any_tree_and_call(world: World, name: str) -> None:
    """Check the property on random trees and calls."""
    check_property(SUITE, world, name)
