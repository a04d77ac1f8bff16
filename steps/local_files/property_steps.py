"""Then: properties, which hold for any tree and call. The module `properties` contains them."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import World, then

from ..shared.properties import Property, PropertySuite, matches_model
from ..shared.property_runner import check_property
from . import properties

LISTING_FAMILIES = ("listings",)
SEARCH_FAMILIES = ("searches", "later searches")

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says": Property(matches_model, ("listings", "closed", "places", "later lists")),
    "sizes of directories are those on the disk": Property(properties.directory_sizes, LISTING_FAMILIES),
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
    "what is found is what the model says": Property(matches_model, SEARCH_FAMILIES),
}
"""The properties of searches by their names in steps."""

VARIANTS = {"listings": (None, properties.LIST_ROOT), "searches": (None, {"arguments.recursive": True})}
SUITE = PropertySuite(PROPERTIES, VARIANTS, properties.has_entries)
SEARCH_SUITE = PropertySuite({**PROPERTIES, **SEARCH_PROPERTIES}, VARIANTS, properties.has_entries)


@then(
    rf"for any tree and call, (?P<name>{SUITE.names_pattern})",
    example="for any tree and call, sizes of directories are those on the disk",
)
def for_any_tree_and_call(world: World, name: str) -> None:
    """Check the property on random trees and calls."""
    check_property(SUITE, world, name)


@then(
    rf"for any tree and search, (?P<name>{'|'.join(SEARCH_PROPERTIES)})",
    example="for any tree and search, what is found is what the model says",
)
def for_any_search(world: World, name: str) -> None:
    """Check the property on random searches, if the candidate offers findFiles."""
    world.session.require_tool("findFiles")
    check_property(SEARCH_SUITE, world, name)


@then(
    rf"for any tree, call and file modes, (?P<name>{SUITE.names_pattern})",
    example="for any tree, call and file modes, the answer is what the model says",
)
def for_any_modes(world: World, name: str) -> None:
    """Check the property on trees with file modes, if the modes bind the candidate."""
    check_property(SUITE, world, name, needs_file_modes=True)
