"""Then: properties, which hold for any tree and call. The module `properties` contains them."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import World, then

from ..shared.properties import Property, PropertySuite, matches_model
from . import properties

LISTING_FAMILIES = ("listings",)
SEARCH_FAMILIES = ("searches",)

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says of this rule": Property(matches_model, ("listings", "closed", "places")),
    "there is an entry for every child on the disk": Property(properties.one_entry_per_child, LISTING_FAMILIES),
    "sizes are those on the disk": Property(properties.sizes, LISTING_FAMILIES),
    "times are those on the disk": Property(properties.times, LISTING_FAMILIES),
    "targets are those on the disk": Property(properties.targets, LISTING_FAMILIES),
    "kinds are those on the disk": Property(properties.kinds, LISTING_FAMILIES),
    "a second call gives the same": Property(properties.second_call_is_equal, LISTING_FAMILIES),
    "the order in which the tree was made plays no part": Property(
        properties.independent_of_creation_order, LISTING_FAMILIES
    ),
    "the process that is asked plays no part for times": Property(
        properties.times_independent_of_process, LISTING_FAMILIES
    ),
    "the process that is asked plays no part for the order": Property(
        properties.order_independent_of_process, LISTING_FAMILIES
    ),
    "the tree is left as it was": Property(properties.read_only, ("listings", "closed"), independent=True),
}
"""The properties of lists by their names in steps."""

SEARCH_PROPERTIES: Mapping[str, Property] = {
    "what is found is what the model says of this rule": Property(matches_model, SEARCH_FAMILIES),
    "what a directory lists is found by two stars": Property(properties.listed_is_found, LISTING_FAMILIES),
    "what a directory lists is found by two stars beside links": Property(
        properties.listed_is_found_beside_links, SEARCH_FAMILIES
    ),
    "what is found without recursion is found with it": Property(properties.flat_is_subset, SEARCH_FAMILIES),
    "what is found is told as it is listed": Property(properties.search_agrees_with_listing, SEARCH_FAMILIES),
}
"""The properties of searches by their names in steps."""

VARIANTS = {"listings": (None, properties.LIST_ROOT), "searches": (None, {"arguments.recursive": True})}
SUITE = PropertySuite(PROPERTIES, VARIANTS, properties.has_entries)
SEARCH_SUITE = PropertySuite({**PROPERTIES, **SEARCH_PROPERTIES}, VARIANTS, properties.has_entries)


@then(
    rf"for any tree and call, (?P<name>{SUITE.names_pattern})",
    example="for any tree and call, sizes are those on the disk",
    evidence="always",
)
def for_any_tree_and_call(world: World, name: str) -> None:
    """Check the property on random trees and calls."""
    SUITE.check(world, name)


@then(
    rf"for any tree and search, (?P<name>{'|'.join(SEARCH_PROPERTIES)})",
    example="for any tree and search, what is found is told as it is listed",
    evidence="always",
)
def for_any_search(world: World, name: str) -> None:
    """Check the property on random searches, if the candidate offers findFiles."""
    world.session.require_tool("findFiles")
    SEARCH_SUITE.check(world, name)


@then(
    rf"for any tree, call and file modes, (?P<name>{SUITE.names_pattern})",
    example="for any tree, call and file modes, the answer is what the model says of this rule",
    evidence="always",
)
def for_any_modes(world: World, name: str) -> None:
    """Check the property on trees with file modes, if the modes bind the candidate."""
    SUITE.check(world, name, needs_file_modes=True)
