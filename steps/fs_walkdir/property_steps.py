"""Then: properties, which hold for any tree and call. The module `properties` contains them."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import World, then

from ..shared.properties import Property, PropertySuite, matches_model
from ..shared.property_runner import check_property
from . import properties

TREE_FAMILIES = ("trees",)
ALL_FAMILIES = (
    *("trees", "closed", "starts", "arguments"),
    *("one entry", "twins", "entries after a call", "closed entries", "targets"),
)

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says of this rule": Property(matches_model, ALL_FAMILIES),
    "a directory by itself has what its parent shows in it": Property(properties.subtree, TREE_FAMILIES),
    "no path goes through a link": Property(properties.nothing_behind_links, TREE_FAMILIES),
    "the order in which the tree was made plays no part": Property(
        properties.independent_of_creation_order, TREE_FAMILIES
    ),
    "the process that is asked plays no part for times": Property(
        properties.times_independent_of_process, TREE_FAMILIES
    ),
    "there are as many elements as entries on the disk": Property(properties.one_element_per_node, TREE_FAMILIES),
    "one file more is one element more": Property(properties.one_more_file, TREE_FAMILIES),
    "dots and slashes in a path play no part": Property(properties.independent_of_spelling, TREE_FAMILIES),
    "the tree is left as it was": Property(properties.read_only, ("trees", "closed", "starts"), independent=True),
}
"""The properties by their names in steps."""

SUITE = PropertySuite(PROPERTIES, {"trees": (None, properties.FROM_ROOT)}, properties.has_entries)


@then(
    rf"for any tree and call, (?P<name>{SUITE.names_pattern})",
    example="for any tree and call, no path goes through a link",
)
def for_any_tree_and_call(world: World, name: str) -> None:
    """Check the property on random trees and calls."""
    check_property(SUITE, world, name)


@then(
    rf"for any tree, call and file modes, (?P<name>{SUITE.names_pattern})",
    example="for any tree, call and file modes, the answer is what the model says of this rule",
)
def for_any_modes(world: World, name: str) -> None:
    """Check the property on trees with file modes, if the modes bind the candidate."""
    check_property(SUITE, world, name, needs_file_modes=True)
