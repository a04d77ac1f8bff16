"""Then: laws that hold for any tree and call. What each law says is in the file beside."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import CaseSamples, NotVerified, World, then

from ..shared.properties import Property, PropertySuite, matches_model
from . import properties as law

LISTING_FAMILIES = ("listings",)
SEARCH_FAMILIES = ("searches",)

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says of this rule": Property(
        matches_model, ("listings", "closed", "places")
    ),
    "there is an entry for every child on the disk": Property(law.one_entry_per_child, LISTING_FAMILIES),
    "sizes are those on the disk": Property(law.sizes, LISTING_FAMILIES),
    "times are those on the disk": Property(law.times, LISTING_FAMILIES),
    "targets are those on the disk": Property(law.targets, LISTING_FAMILIES),
    "kinds are those on the disk": Property(law.kinds, LISTING_FAMILIES),
    "a second call gives the same": Property(law.second_call_is_equal, LISTING_FAMILIES),
    "the order in which the tree was made plays no part": Property(
        law.independent_of_creation_order, LISTING_FAMILIES
    ),
    "the process that is asked plays no part": Property(law.independent_of_process, LISTING_FAMILIES),
    "the tree is left as it was": Property(law.read_only, ("listings", "closed"), independent=True),
}
"""The laws of lists by their words in a sentence."""

SEARCH_PROPERTIES: Mapping[str, Property] = {
    "what is found is what the model says of this rule": Property(matches_model, SEARCH_FAMILIES),
    "what a directory lists is found by a star": Property(law.listed_is_found, LISTING_FAMILIES),
    "what is found without recursion is found with it": Property(law.flat_is_subset, SEARCH_FAMILIES),
    "no path that is found goes through a link": Property(law.nothing_behind_links, SEARCH_FAMILIES),
    "what is found is told as it is listed": Property(law.search_agrees_with_listing, SEARCH_FAMILIES),
}
"""The laws of searches by their words in a sentence."""

VARIANTS = {"listings": (None, law.LIST_ROOT)}
SUITE = PropertySuite(PROPERTIES, VARIANTS, law.has_entries)
SEARCH_SUITE = PropertySuite({**PROPERTIES, **SEARCH_PROPERTIES}, VARIANTS, law.has_entries)


@then(
    rf"for any tree and call, (?P<words>{SUITE.names_pattern})",
    example="for any tree and call, sizes are those on the disk",
    evidence="always",
)
def for_any_tree_and_call(world: World, words: str) -> None:
    """Check the property on random trees and calls."""
    try:
        SUITE.check(world, words)
    finally:
        CaseSamples.for_session(world.session).close()


@then(
    rf"for any tree and search, (?P<words>{'|'.join(SEARCH_PROPERTIES)})",
    example="for any tree and search, no path that is found goes through a link",
    evidence="always",
)
def for_any_search(world: World, words: str) -> None:
    """Check the property on random searches, if the candidate offers findFiles."""
    world.session.require_tool("findFiles")
    SEARCH_SUITE.check(world, words)


@then(
    rf"for any tree, call and file modes, (?P<words>{SUITE.names_pattern})",
    example="for any tree, call and file modes, the answer is what the model says of this rule",
    evidence="always",
)
def for_any_modes(world: World, words: str) -> None:
    """Check the property on trees with file modes, if the modes bind the candidate."""
    if not CaseSamples.for_session(world.session).respects_file_modes:
        raise NotVerified(
            "modes_ignored", "file modes do not bind the candidate here, so no directory can be closed to it"
        )
    SUITE.check(world, words)
