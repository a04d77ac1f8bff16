"""The variants that packs register: right implementations. Loads them and finds them by id. Runs none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Pack
from treeproof.spec.entry_points import MemberKind, load_registered, registering_module

JOIN = "+"
"""Joins the ids of variants to the id of their combination."""

VARIANT_MEMBERS: Mapping[str, MemberKind] = {
    "id": "text",
    "summary": "text",
    "readings": "readings",
    "unverified": "reasons",
}


class Variant(Protocol):
    """A right implementation; one with a member ``plant`` is planted into the candidate that it makes, like a mutant.

    ``readings`` are the readings that it takes, by the id of the interpretation. ``unverified`` gives, by the id of a
    requirement, the reason why it ends NOT VERIFIED.
    """

    @property
    def id(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def readings(self) -> Mapping[str, str]: ...
    @property
    def unverified(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class CandidateVariant:
    """A variant whose call without arguments returns a new candidate."""

    id: str
    summary: str
    factory: Callable[[], Any]
    readings: Mapping[str, str] = field(default_factory=dict)
    unverified: Mapping[str, str] = field(default_factory=dict)

    def __call__(self) -> Any:
        return self.factory()


def load_variants(pack: Pack) -> Mapping[str, Variant]:
    """Return the variants of ``pack`` by id; ``a+b`` is a combination. Raises UsageError.

    Those with a reading of an interpretation of another version are left out.
    """
    found = {} if pack.variants is None else _load_variants(pack.pack_file, pack.variants)
    others = pack.ids_of_other_versions
    return {id: one for id, one in found.items() if not others.intersection(one.readings)} if others else found


@cache
def _load_variants(pack_file: Path, entry_point: str) -> Mapping[str, Variant]:
    return cast(Mapping[str, Variant], load_registered(pack_file, entry_point, Variant, VARIANT_MEMBERS))


def variant_entry_point(pack: Pack, id: str) -> str:
    """Return the entry point of a variant, ``module:mapping[id]``."""
    return f"{pack.variants}[{id}]"


def unobservable_readings(pack: Pack) -> Mapping[str, str]:
    """Return the reasons why some readings, as ``AMB-LS-01=b``, have no variant: ``unobservable`` in their module."""
    return cast(Mapping[str, str], getattr(registering_module(pack, "variants"), "unobservable", {}))


def find_variant(packs: Iterable[Pack], id: str, source: str) -> Pack:
    """Return the first pack that registers the variant ``id``. Raises UsageError that begins with ``source``."""
    seen = []
    for pack in packs:
        if all(part in load_variants(pack) for part in id.split(JOIN)):
            return pack
        seen.append(pack)
    known = sorted({known for pack in seen for known in load_variants(pack)})
    near = get_close_matches(id, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the ids: {', '.join(known) or 'none'}"
    raise UsageError(f"{source}: no variant of {', '.join(pack.name for pack in seen)} has this id; {hint}")
