"""The wrong implementations of a pack, as the hub sees them: what they say of themselves, and where they are reached.

They are made elsewhere, by candidates' code; nothing here runs one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Protocol, cast

from treeproof.errors import UsageError
from treeproof.spec import Pack
from treeproof.spec.entry_points import check_protocol, import_pack_module, load_entry_point


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


def load_mutants(pack: Pack) -> Mapping[str, Mutant]:
    """Return the zoo of ``pack`` by id; empty where it has none. Raises UsageError for what is none."""
    return {} if pack.mutants is None else _load_mutants(pack.pack_file, pack.mutants)


@cache
def _load_mutants(face: Path, where: str) -> Mapping[str, Mutant]:
    found = load_entry_point(face, "mutants", where)
    if not isinstance(found, Mapping):
        raise UsageError(f"{face}: mutants: {where} is no table of wrong implementations by their ids")
    for id, mutant in found.items():
        check_protocol(mutant, Mutant, f"{face}: mutants: {where}: {id}")
    return found


def requirements_without_mutant(pack: Pack) -> Mapping[str, str]:
    """Return why some requirements have no mutant: they fall with others, whatever is wrong. Stands beside the zoo."""
    if pack.mutants is None:
        return {}
    module = import_pack_module(
        pack.mutants.partition(":")[0], f"{pack.pack_file}: mutants: {pack.mutants}", "leave the key out"
    )
    return cast(Mapping[str, str], vars(module).get("inseparable", {}))


def mutant_target(pack: Pack, id: str) -> str:
    """Return the TARGET of one mutant: an attribute beside the zoo, its id with underscores."""
    module = (pack.mutants or "").partition(":")[0]
    return f"python:{module}:{id.replace('-', '_')}"


def mutants_violating(pack: Pack, requirement: str) -> list[Mutant]:
    """Return the wrong implementations that the scenarios of ``requirement`` are there to catch."""
    return [mutant for mutant in load_mutants(pack).values() if mutant.violates[:1] == (requirement,)]


def select_mutants(packs: Sequence[Pack], ids: Sequence[str]) -> list[tuple[Pack, list[str]]]:
    """Return the packs, each with those of ``ids`` that its zoo has: all packs without ids, else those that have one.

    Raises UsageError for an id that no zoo has.
    """
    if not ids:
        return [(pack, []) for pack in packs]
    zoos = [(pack, load_mutants(pack)) for pack in packs]
    known = {id for _, animals in zoos for id in animals}
    for id in ids:
        if id not in known:
            close = get_close_matches(id, sorted(known), n=1)
            instead = f'write "{close[0]}"' if close else "'treeproof trace' prints them"
            names = ", ".join(pack.name for pack in packs)
            raise UsageError(f"--select {id}: no wrong implementation of {names} has this id; {instead}")
    chosen = [(pack, [id for id in dict.fromkeys(ids) if id in animals]) for pack, animals in zoos]
    return [(pack, own) for pack, own in chosen if own]
