"""The zoo of LocalFiles: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with underscores for its hyphens (`MUT_LF_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .finding import (
    children,
    effects,
    kinds,
    letters,
    names,
    nulls,
    numbers,
    order,
    patterns,
    requests,
    searches,
)
from .mutant import Mutant

SUBJECTS = (kinds, names, numbers, children, order, searches, requests, patterns, letters, effects, nulls)

zoo: Mapping[str, Mutant] = MappingProxyType(
    {mutant.id: mutant for subject in SUBJECTS for mutant in subject.MUTANTS}
)


def __getattr__(name: str) -> Mutant:
    try:
        return zoo[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"the zoo has no {name}") from None
