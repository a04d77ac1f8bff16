"""Then: laws that hold for any tree and call. What each law says is in the file beside."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import CaseSamples, NotVerified, World, then

from ..shared.properties import Property, PropertySuite, matches_model
from . import properties as law

TREE_FAMILIES = ("trees",)
ALL_FAMILIES = ("trees", "closed", "starts", "arguments")

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says of this rule": Property(matches_model, ALL_FAMILIES),
    "a directory by itself has what its parent shows in it": Property(law.subtree, TREE_FAMILIES),
    "no path goes through a link": Property(law.nothing_behind_links, TREE_FAMILIES),
    "the order in which the tree was made plays no part": Property(
        law.independent_of_creation_order, TREE_FAMILIES
    ),
    "the process that is asked plays no part": Property(law.independent_of_process, TREE_FAMILIES),
    "there are as many elements as entries on the disk": Property(law.one_element_per_node, TREE_FAMILIES),
    "one file more is one element more": Property(law.one_more_file, TREE_FAMILIES),
    "dots and slashes in a path play no part": Property(law.independent_of_spelling, TREE_FAMILIES),
    "the tree is left as it was": Property(law.read_only, ("trees", "closed", "starts"), independent=True),
}
"""The laws by their words in a sentence."""

SUITE = PropertySuite(
    PROPERTIES,
    {"trees": (None, law.FROM_ROOT)},
    law.has_entries,
    "the candidate gives no list, whatever it is asked",
)


@then(
    rf"for any tree and call, (?P<words>{SUITE.names_pattern})",
    example="for any tree and call, no path goes through a link",
    evidence="always",
)
def for_any_tree_and_call(world: World, words: str) -> None:
    """Check the property on random trees and calls."""
    try:
        SUITE.check(world, words)
    finally:
        CaseSamples.for_session(world.session).close()


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
