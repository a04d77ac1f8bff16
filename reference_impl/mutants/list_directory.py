"""The zoo of `list_directory`: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with an underscore for its hyphen (`MUT_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .listing import (
    arguments,
    budgets,
    configuration,
    cuts,
    definition,
    effects,
    failures,
    fields,
    hidden,
    kinds,
    names,
    nulls,
    order,
    paths,
    policy,
    reach,
    sandboxes,
    spelling,
    targets,
)
from .mutant import Mutant

SUBJECTS = (
    definition,
    policy,
    arguments,
    configuration,
    sandboxes,
    targets,
    paths,
    reach,
    order,
    names,
    hidden,
    kinds,
    fields,
    failures,
    spelling,
    budgets,
    cuts,
    effects,
    nulls,
)

zoo: Mapping[str, Mutant] = MappingProxyType(
    {
        mutant.id: mutant
        for subject in SUBJECTS
        for mutant in sorted(subject.MUTANTS, key=lambda each: each.id)
    }
)


def __getattr__(name: str) -> Mutant:
    try:
        return zoo[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"the zoo has no {name}") from None
