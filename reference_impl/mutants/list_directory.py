"""The zoo of `list_directory`: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with an underscore for its hyphen (`MUT_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .listing import (
    absent,
    ahead,
    arguments,
    below,
    budgets,
    configuration,
    cuts,
    definition,
    denied,
    effects,
    entry_types,
    failures,
    hidden,
    kinds,
    limits,
    literal,
    many,
    names,
    nulls,
    order,
    paths,
    policy,
    reach,
    requests,
    roots,
    sandboxes,
    schema,
    seldom,
    sizes,
    spelling,
    tables,
    targets,
    times,
    ways,
)
from .listing.inseparable import INSEPARABLE
from .mutant import Mutant

SUBJECTS = (
    definition,
    policy,
    schema,
    limits,
    arguments,
    configuration,
    tables,
    sandboxes,
    roots,
    denied,
    absent,
    targets,
    ways,
    requests,
    paths,
    reach,
    ahead,
    order,
    names,
    hidden,
    kinds,
    literal,
    entry_types,
    sizes,
    times,
    failures,
    below,
    spelling,
    seldom,
    budgets,
    cuts,
    many,
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

inseparable: Mapping[str, str] = MappingProxyType(INSEPARABLE)
"""Why some requirements have no wrong version of their own, by id."""


def __getattr__(name: str) -> Mutant:
    try:
        return zoo[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"the zoo has no {name}") from None
