"""The mutants of a specification, collected from the modules of its package. Contains no mutants."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from .mutant import Mutant


def collect_mutants(package: str) -> Mapping[str, Mutant]:
    """Return the ``MUTANTS`` of all modules of ``package``, sorted by id. Raises ValueError for an id used twice."""
    found: dict[str, Mutant] = {}
    for module in iter_modules(import_module(package).__path__):
        for mutant in getattr(import_module(f"{package}.{module.name}"), "MUTANTS", ()):
            if mutant.id in found:
                raise ValueError(f"{package}.{module.name}: {mutant.id} is used twice")
            found[mutant.id] = mutant
    return MappingProxyType(dict(sorted(found.items())))
