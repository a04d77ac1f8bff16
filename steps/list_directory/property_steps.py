"""Then: properties, which hold for any tree and call. The modules named `…properties` contain them."""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import World, then

from ..shared.properties import Property, PropertySuite, matches_model
from ..shared.property_runner import check_property
from . import limit_properties as limits
from . import metamorphic_properties as related
from . import properties

TREE_FAMILIES = ("trees",)
ALL_FAMILIES = (
    "trees",
    "faults",
    "paths",
    "escapes",
    "arguments",
    "settings",
    "earlier calls",
    "pairs",
    "closed pairs",
    "ways",
)

PROPERTIES: Mapping[str, Property] = {
    "the answer is what the model says of this rule": Property(matches_model, ALL_FAMILIES),
    "under every limit the entries are the first of the walk": Property(limits.first_of_the_walk, TREE_FAMILIES),
    "from the limit on it is met, and above it the listing is cut": Property(
        limits.flag_above_the_limit, TREE_FAMILIES
    ),
    "a flat listing below the limit is not cut": Property(limits.no_flag_below_the_limit, TREE_FAMILIES),
    "the output is no longer than the smaller budget": Property(limits.within_both_budgets, TREE_FAMILIES),
    "the output is measured in bytes": Property(limits.counted_in_bytes, TREE_FAMILIES),
    "the output is JSON whatever the budget": Property(limits.valid_under_every_budget, TREE_FAMILIES),
    "a call that fails for its budget fails for every smaller one": Property(
        limits.failures_are_monotonic, TREE_FAMILIES
    ),
    "what a budget leaves is the beginning of the whole list": Property(limits.beginning_of_the_list, TREE_FAMILIES),
    "one entry more would not fit": Property(limits.as_many_as_fit, TREE_FAMILIES),
    "what a budget cuts is said to be cut": Property(limits.truncation_is_reported, TREE_FAMILIES),
    "exchanging the budgets changes nothing": Property(limits.budgets_are_interchangeable, TREE_FAMILIES),
    "leaving out what is hidden leaves the rest as it is": Property(related.hidden_are_left_out, TREE_FAMILIES),
    "the kinds listed one by one make the whole": Property(related.kinds_make_the_whole, TREE_FAMILIES),
    "special files are the difference that include_other makes": Property(
        related.other_is_the_difference, TREE_FAMILIES
    ),
    "a smaller depth shows the near part of a greater one": Property(
        related.depth_cuts_and_nothing_else, TREE_FAMILIES
    ),
    "a flat listing is the first level of a deep one": Property(related.flat_is_depth_one, TREE_FAMILIES),
    "a subdirectory by itself has the names that its parent shows in it": Property(
        related.subtree_names, TREE_FAMILIES
    ),
    "a subdirectory by itself has the paths that its parent shows in it": Property(
        related.subtree_paths, TREE_FAMILIES
    ),
    "a subdirectory by itself is one level less deep than in its parent": Property(
        related.subtree_depths, TREE_FAMILIES
    ),
    "the order in which the tree was made plays no part": Property(
        related.independent_of_creation_order, TREE_FAMILIES
    ),
    "the process that is asked plays no part": Property(related.independent_of_process, TREE_FAMILIES),
    "there are as many entries as on the disk": Property(related.one_entry_per_node, TREE_FAMILIES),
    "every spelling of a path shows the same": Property(related.independent_of_spelling, TREE_FAMILIES),
    "what is listed lies inside the sandbox": Property(related.stays_inside, ("escapes", "paths")),
    "what the schema refuses is refused": Property(related.schema_violations_are_refused, ("arguments", "trees")),
    "defaults written out change nothing": Property(related.explicit_defaults_are_equivalent, ("settings",)),
    "the tree is left as it was": Property(related.read_only, ("trees", "faults", "escapes"), independent=True),
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


@then(
    rf"for any tree, call and budget, (?P<name>{SUITE.names_pattern})",
    example="for any tree, call and budget, the output is measured in bytes",
    capabilities="budget",
)
def for_any_budget(world: World, name: str) -> None:
    """Check the property with random budgets, if the candidate has the capability."""
    world.require_capability("budget")
    check_property(SUITE, world, name)


@then(
    rf"for any tree, call and configuration, (?P<name>{SUITE.names_pattern})",
    example="for any tree, call and configuration, defaults written out change nothing",
    capabilities="config",
)
def for_any_configuration(world: World, name: str) -> None:
    """Check the property with random configurations, if the candidate has the capability."""
    world.require_capability("config")
    check_property(SUITE, world, name)


@then(
    rf"for any tree, call and file modes, (?P<name>{SUITE.names_pattern})",
    example="for any tree, call and file modes, the tree is left as it was",
)
def for_any_modes(world: World, name: str) -> None:
    """Check the property on directories without permission to read or search."""
    check_property(SUITE, world, name, needs_file_modes=True)
