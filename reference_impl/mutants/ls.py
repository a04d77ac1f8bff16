"""The zoo of LS: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with underscores for its hyphens (`MUT_LS_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .envelope import (
    arguments,
    entries,
    errors,
    globs,
    hidden,
    links,
    members,
    nulls,
    order,
    pages,
    patterns,
    places,
    texts,
)
from .mutant import Mutant

SUBJECTS = (
    arguments,
    members,
    entries,
    pages,
    hidden,
    patterns,
    globs,
    order,
    links,
    places,
    errors,
    texts,
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
