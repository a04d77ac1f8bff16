"""The wrong implementations of a pack, as the hub sees them: what they say of themselves, and where they are reached.

They are made elsewhere, by candidates' code; nothing here runs one.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from treeproof.errors import UsageError
from treeproof.spec import Pack


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
    """Return the zoo of ``pack`` by id; empty where it has none. Raises UsageError for an entry that is not there."""
    if pack.mutants is None:
        return {}
    module, _, attribute = pack.mutants.partition(":")
    try:
        return cast(Mapping[str, Mutant], getattr(importlib.import_module(module), attribute))
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{pack.face}: mutants: {pack.mutants} cannot be found: {error}") from error


def target(pack: Pack, id: str) -> str:
    """Return the TARGET of one mutant: an attribute beside the zoo, its id with underscores."""
    module = (pack.mutants or "").partition(":")[0]
    return f"python:{module}:{id.replace('-', '_')}"


def caught_by(pack: Pack, requirement: str) -> list[Mutant]:
    """Return the wrong implementations that the scenarios of ``requirement`` are there to catch."""
    return [mutant for mutant in zoo(pack).values() if mutant.violates[:1] == (requirement,)]
