"""The zoo of LS: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with underscores for its hyphens (`MUT_LS_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..shared.mutant import Mutant
from . import (
    arguments,
    entries,
    envelope_members,
    errors,
    hidden,
    ignore_pattern_syntax,
    ignore_patterns,
    links,
    listing_text,
    null_candidates,
    order,
    pagination,
    path_resolution,
)

FEATURE_MODULES = (
    arguments,
    envelope_members,
    entries,
    pagination,
    hidden,
    ignore_patterns,
    ignore_pattern_syntax,
    order,
    links,
    path_resolution,
    errors,
    listing_text,
    null_candidates,
)

mutants: Mapping[str, Mutant] = MappingProxyType(
    {mutant.id: mutant for subject in FEATURE_MODULES for mutant in subject.MUTANTS}
)


def __getattr__(name: str) -> Mutant:
    try:
        return mutants[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"no mutant is named {name}") from None
