"""The zoo of `list_directory`: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with an underscore for its hyphen (`MUT_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..shared.mutant import Mutant
from . import (
    arguments,
    configuration,
    definition,
    denied_missing_paths,
    denied_patterns,
    entry_types,
    hidden,
    json_encoding,
    large_inputs,
    limit_lookahead,
    limits,
    link_resolution,
    names,
    nested_failures,
    null_candidates,
    order,
    output_budget,
    path_normalisation,
    policy,
    rare_inputs,
    requested_directory,
    requested_paths,
    roots,
    sandbox,
    schema,
    side_effects,
    sizes,
    special_names,
    times,
    traversal,
    truncation,
    type_switches,
    unknown_config_keys,
    unreadable_entries,
)
from .inseparable import INSEPARABLE

FEATURE_MODULES = (
    definition,
    policy,
    schema,
    limits,
    arguments,
    configuration,
    unknown_config_keys,
    sandbox,
    roots,
    denied_patterns,
    denied_missing_paths,
    requested_directory,
    link_resolution,
    requested_paths,
    path_normalisation,
    traversal,
    limit_lookahead,
    order,
    names,
    hidden,
    type_switches,
    special_names,
    entry_types,
    sizes,
    times,
    unreadable_entries,
    nested_failures,
    json_encoding,
    rare_inputs,
    output_budget,
    truncation,
    large_inputs,
    side_effects,
    null_candidates,
)

mutants: Mapping[str, Mutant] = MappingProxyType(
    {
        mutant.id: mutant
        for subject in FEATURE_MODULES
        for mutant in sorted(subject.MUTANTS, key=lambda each: each.id)
    }
)

inseparable: Mapping[str, str] = MappingProxyType(INSEPARABLE)
"""Why some requirements have no wrong version of their own, by id."""


def __getattr__(name: str) -> Mutant:
    try:
        return mutants[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"no mutant is named {name}") from None
