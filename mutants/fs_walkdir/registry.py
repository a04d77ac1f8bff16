"""The zoo of FS.WalkDir: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with underscores for its hyphens (`MUT_WD_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..shared.mutant import Mutant
from . import (
    entries,
    failures,
    null_candidates,
    path_normalisation,
    side_effects,
    skipped_entries,
    start_path,
    times,
    traversal,
)

FEATURE_MODULES = (
    entries,
    times,
    traversal,
    skipped_entries,
    start_path,
    path_normalisation,
    failures,
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
