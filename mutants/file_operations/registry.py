"""The zoo of the file operations: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with an underscore for each hyphen (`MUT_FO_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..shared.mutant import Mutant
from . import (
    arguments,
    copied_content,
    cross_device,
    cross_device_links,
    definition,
    destination_directories,
    links_and_metadata,
    null_candidates,
    outcomes,
    overwriting,
    path_parsing,
    policy,
    same_file,
    sandbox,
)

FEATURE_MODULES = (
    definition,
    arguments,
    destination_directories,
    overwriting,
    outcomes,
    same_file,
    links_and_metadata,
    cross_device,
    cross_device_links,
    copied_content,
    path_parsing,
    sandbox,
    policy,
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
