"""Which mutants and variants a command runs. Runs none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeproof.mutation.affected import find_affected
from treeproof.run.clean_packs import require_clean
from treeproof.spec import Pack
from treeproof.spec.mutants import find_mutant, load_mutants
from treeproof.spec.variants import JOIN, load_variants


@dataclass(frozen=True)
class Selection:
    """The ids of a pack's mutants and variants to run. ``is_complete``: all of them.

    ``requirements`` limits null candidates. Against ``scenarios`` all variants run, not only those in ``variants``.
    """

    pack: Pack
    mutants: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    is_complete: bool = False
    requirements: frozenset[str] = frozenset()
    scenarios: tuple[str, ...] | None = None

    @property
    def has_operators(self) -> bool:
        """True if the operators of the pack are tried."""
        return self.is_complete and self.pack.operators is not None

    @property
    def is_empty(self) -> bool:
        return not (self.is_complete or self.mutants or self.variants or self.scenarios)


def select(packs: Sequence[Pack], ids: Sequence[str]) -> list[Selection]:
    """Return the packs that register some of ``ids``, each with those; without ids all packs, complete.

    Raises UsageError for an id that no pack registers, and for a pack with an error of the lint.
    """
    require_clean(packs)
    if not ids:
        return [Selection(pack, is_complete=True) for pack in packs]
    selected = [
        Selection(
            pack,
            tuple(id for id in dict.fromkeys(ids) if id in load_mutants(pack)),
            tuple(id for id in dict.fromkeys(ids) if set(id.split(JOIN)) <= set(load_variants(pack))),
        )
        for pack in packs
    ]
    known = {id for one in selected for id in (*one.mutants, *one.variants)}
    for id in ids:
        if id not in known:
            find_mutant(packs, id, f"--select {id}")
    return [one for one in selected if one.mutants or one.variants]


def select_affected(packs: Sequence[Pack], revision: str) -> list[Selection]:
    """Return for each pack what changes since a revision of git affect. Raises UsageError for an unknown revision."""
    require_clean(packs)
    found = [(pack, find_affected(pack, revision)) for pack in packs]
    return [
        Selection(pack, one.mutants, one.variants, requirements=one.requirements, scenarios=one.scenarios)
        for pack, one in found
    ]
