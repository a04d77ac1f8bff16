"""The zoo of LocalFiles: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with underscores for its hyphens (`MUT_LF_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..shared.mutant import Mutant
from . import (
    entry_metadata,
    entry_types,
    glob_translation,
    listed_entries,
    names,
    null_candidates,
    order,
    request_parsing,
    search_results,
    side_effects,
    text_fidelity,
)

FEATURE_MODULES = (
    entry_types,
    names,
    entry_metadata,
    listed_entries,
    order,
    search_results,
    request_parsing,
    glob_translation,
    text_fidelity,
    side_effects,
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
