"""The zoo of the file operations: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with an underscore for each hyphen (`MUT_FO_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .moving import (
    arguments,
    arriving,
    crossing,
    crossing_links,
    directories,
    effects,
    links,
    names,
    nulls,
    overwriting,
    policy,
    same,
    sandboxes,
    spelling,
)
from .mutant import Mutant

SUBJECTS = (
    names,
    arguments,
    directories,
    overwriting,
    effects,
    same,
    links,
    crossing,
    crossing_links,
    arriving,
    spelling,
    sandboxes,
    policy,
    nulls,
)

zoo: Mapping[str, Mutant] = MappingProxyType(
    {mutant.id: mutant for subject in SUBJECTS for mutant in subject.MUTANTS}
)


def __getattr__(name: str) -> Mutant:
    try:
        return zoo[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"the zoo has no {name}") from None
