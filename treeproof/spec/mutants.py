"""The mutants that packs register: loads them, and finds them by id or requirement. Runs none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, cast

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Pack
from treeproof.spec.entry_points import MemberKind, load_registered, registering_module

KILLS_FILE = "killed_by.json"
"""Beside the module of the mutants: the id of the scenario that killed each of them last."""

MUTANT_MEMBERS: Mapping[str, MemberKind] = {"id": "text", "summary": "text", "violates": "texts", "kind": "text"}


class Mutant(Protocol):
    """A mutant or a null candidate.

    ``violates`` holds requirement ids: first the violated requirement, then those that may fail with it.
    """

    @property
    def id(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def violates(self) -> tuple[str, ...]: ...
    @property
    def kind(self) -> str: ...


@dataclass(frozen=True)
class CandidateMutant:
    """A mutant whose call without arguments returns a new candidate.

    A null candidate ignores the tree: it violates no requirement in particular and must not pass any. ``plant`` returns
    an error at the adapter, for any candidate; without it, the mutant is a candidate of its own.
    """

    id: str
    summary: str
    violates: tuple[str, ...]
    factory: Callable[[], Any]
    kind: Literal["wrong", "null"] = "wrong"
    plant: Callable[[], Any] | None = None

    def __call__(self) -> Any:
        return self.factory()


def load_mutants(pack: Pack) -> Mapping[str, Mutant]:
    """Return the mutants of ``pack`` by id, empty where it registers none. Raises UsageError.

    Those that violate a requirement of another version are left out.
    """
    found = {} if pack.mutants is None else _load_mutants(pack.pack_file, pack.mutants)
    others = pack.ids_of_other_versions
    return {id: one for id, one in found.items() if not others.intersection(one.violates[:1])} if others else found


@cache
def _load_mutants(pack_file: Path, entry_point: str) -> Mapping[str, Mutant]:
    return cast(Mapping[str, Mutant], load_registered(pack_file, entry_point, Mutant, MUTANT_MEMBERS))


def mutant_entry_point(pack: Pack, id: str) -> str:
    """Return the entry point of one mutant, ``module:mapping[id]``."""
    return f"{pack.mutants}[{id}]"


def is_plantable(one: object) -> bool:
    """Return whether a mutant is an error at the adapter, which any candidate can have; so may a variant be."""
    return getattr(one, "plant", None) is not None


def requirements_without_mutant(pack: Pack) -> Mapping[str, str]:
    """Return the reasons why some requirements have no mutant: ``inseparable`` in the module of the mutants."""
    return cast(Mapping[str, str], getattr(registering_module(pack, "mutants"), "inseparable", {}))


def mutants_violating(pack: Pack, requirement: str) -> list[Mutant]:
    """Return the mutants that the scenarios of ``requirement`` must kill."""
    return [mutant for mutant in load_mutants(pack).values() if tuple(mutant.violates[:1]) == (requirement,)]


def load_kills(pack: Pack) -> Mapping[str, str]:
    """Return the scenario that killed each mutant last, by the mutant's id.

    Empty for a pack without the file, or with one that cannot be read: it saves time and decides nothing.
    """
    try:
        data = json.loads(kills_file(pack).read_bytes())
    except (OSError, ValueError):
        return {}
    kept = data.items() if isinstance(data, dict) else ()
    return {id: scenario for id, scenario in kept if isinstance(scenario, str)}


def kills_file(pack: Pack) -> Path:
    """Return the path of `KILLS_FILE`; of a path that does not exist for a pack without mutants."""
    file = getattr(registering_module(pack, "mutants"), "__file__", None)
    return Path(file).with_name(KILLS_FILE) if file else pack.folder / KILLS_FILE


def find_mutant(packs: Iterable[Pack], id: str, source: str) -> Pack:
    """Return the first pack that registers the mutant ``id``. Raises UsageError that begins with ``source``."""
    searched = []
    for pack in packs:
        if id in load_mutants(pack):
            return pack
        searched.append(pack)
    known = sorted({known for pack in searched for known in load_mutants(pack)})
    near = get_close_matches(id.upper(), known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "'treeproof trace' prints the ids"
    raise UsageError(f"{source}: no mutant of {', '.join(pack.name for pack in searched)} has this id; {hint}")
