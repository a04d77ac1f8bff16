"""The zoo of FS.WalkDir: the wrong versions and the null candidates, by id.

Each is a target of its own as well: an id with underscores for its hyphens (`MUT_WD_001`) is an attribute here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .mutant import Mutant
from .walking import cleaning, effects, entries, failures, limits, nulls, reach, starts, times

SUBJECTS = (entries, times, reach, limits, starts, cleaning, failures, effects, nulls)

zoo: Mapping[str, Mutant] = MappingProxyType(
    {mutant.id: mutant for subject in SUBJECTS for mutant in subject.MUTANTS}
)


def __getattr__(name: str) -> Mutant:
    try:
        return zoo[name.replace("_", "-")]
    except KeyError:
        raise AttributeError(f"the zoo has no {name}") from None
