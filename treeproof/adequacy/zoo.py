"""The wrong implementations of a pack, as the hub sees them: what they say of themselves, and where they are reached.

They are made elsewhere, by candidates' code; nothing here runs one.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol, cast

from treeproof.errors import UsageError
from treeproof.spec import Pack
from treeproof.spec.entries import entry, refuse_unlike


class Mutant(Protocol):
    """A wrong implementation, or a null candidate.

    ``violates`` holds requirement ids: first the one that must be blamed, then those that may fail with it.
    """

    @property
    def id(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def violates(self) -> tuple[str, ...]: ...
    @property
    def kind(self) -> str: ...


def zoo(pack: Pack) -> Mapping[str, Mutant]:
    """Return the zoo of ``pack`` by id; empty where it has none. Raises UsageError for what is none."""
    return {} if pack.mutants is None else _found(pack.face, pack.mutants)


@cache
def _found(face: Path, where: str) -> Mapping[str, Mutant]:
    found = entry(face, "mutants", where)
    if not isinstance(found, Mapping):
        raise UsageError(f"{face}: mutants: {where} is no table of wrong implementations by their ids")
    for id, mutant in found.items():
        refuse_unlike(mutant, Mutant, f"{face}: mutants: {where}: {id}")
    return found


def inseparable(pack: Pack) -> Mapping[str, str]:
    """Return why some requirements have no mutant: they fall with others, whatever is wrong. Stands beside the zoo."""
    if pack.mutants is None:
        return {}
    module = importlib.import_module(pack.mutants.partition(":")[0])
    return cast(Mapping[str, str], vars(module).get("inseparable", {}))


def target(pack: Pack, id: str) -> str:
    """Return the TARGET of one mutant: an attribute beside the zoo, its id with underscores."""
    module = (pack.mutants or "").partition(":")[0]
    return f"python:{module}:{id.replace('-', '_')}"


def caught_by(pack: Pack, requirement: str) -> list[Mutant]:
    """Return the wrong implementations that the scenarios of ``requirement`` are there to catch."""
    return [mutant for mutant in zoo(pack).values() if mutant.violates[:1] == (requirement,)]
