"""From TARGET on the command line to a Target. Resolves ``mutant:ID`` and ``variant:ID``, which need the packs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from treeproof.candidate import Target
from treeproof.candidate.isolation import Isolation, isolation_problem
from treeproof.candidate.planted_adapter import PlantedEntry
from treeproof.candidate.wine import examined
from treeproof.errors import UsageError
from treeproof.spec import Pack, bundled_packs, load_pack, open_pack
from treeproof.spec.mutants import find_mutant, is_plantable, load_mutants, mutant_entry_point
from treeproof.spec.variants import find_variant, load_variants, variant_entry_point
from treeproof.verdict.outcome import FACILITY_REMEDIES

MUTANT_PREFIX, VARIANT_PREFIX = "mutant:", "variant:"
"""The beginnings of targets that belong to a specification: implementations with one error, and with other readings."""


REFERENCE = "reference"
"""The target that stands for the reference implementation of each specification."""


def resolve_target(text: str, specs: Sequence[str] = (), *, folder: Path | None = None) -> Target:
    """Return the target that ``text`` names, but for `reference`; ``folder`` is that of :meth:`Target.parse`.

    Mutants and variants are looked up in the packs of ``specs``, then in the bundled ones. Raises UsageError.
    """
    if not text.startswith((MUTANT_PREFIX, VARIANT_PREFIX)):
        target = examined(Target.parse(text, folder=folder))
        selected = [open_pack(spec) for spec in specs or target.specs] if target.kind == "python" else []
        return replace(target, function_tools={name: claim for one in selected for name, claim in one.claims.items()})
    packs = chain(map(open_pack, specs), map(load_pack, bundled_packs()))
    id = text.partition(":")[2]
    if text.startswith(VARIANT_PREFIX):
        return variant_target(find_variant(packs, id, f"TARGET {text}"), id)
    return mutant_target(find_mutant(packs, id, f"TARGET {text}"), id)


def own_target(pack: Pack, text: str = REFERENCE, entry_point: str | None = None) -> Target:
    """Return the target of an implementation that a pack names, by default of its reference. Raises UsageError."""
    entry_point = entry_point or pack.reference
    if entry_point is None:
        raise UsageError(f"TARGET {text}: the specification {pack.name} names no reference implementation")
    return replace(Target.for_entry_point(text, entry_point, pack.folder), function_tools=pack.claims)


def isolated(target: Target) -> Target:
    """Return the target with processes that are confined. Raises UsageError where that is impossible."""
    if target.kind == "mcp+http":
        raise UsageError(
            "--isolate: treeproof does not start a server at a URL; use the adapter kind mcp with the server's command "
            "line, or isolate the server yourself"
        )
    if target.platform is not None:
        raise UsageError(f"--isolate: Wine cannot be confined; run the candidate of {target.manifest} without it")
    if target.image is not None:
        raise UsageError("--isolate: a container is isolated already; leave --isolate out")
    problem = isolation_problem()
    if problem is not None:
        raise UsageError(f"--isolate: {problem}; {FACILITY_REMEDIES['isolation']}")
    return replace(target, isolation=Isolation())


def variant_target(pack: Pack, id: str) -> Target:
    """Return the target of a variant of ``pack``; unless other packs are selected, only ``pack`` runs."""
    target = own_target(pack, VARIANT_PREFIX + id, variant_entry_point(pack, id))
    has_rows = is_plantable(load_variants(pack)[id])
    entry = PlantedEntry(pack.variants or "", pack.folder, id, is_own=True) if has_rows else None
    return replace(target, specs=(pack.name,), planted=entry)


def mutant_target(pack: Pack, id: str) -> Target:
    """Return the target of a mutant of ``pack``; unless other packs are selected, only ``pack`` runs."""
    if is_plantable(load_mutants(pack)[id]):
        target = own_target(pack, MUTANT_PREFIX + id)
        return replace(target, specs=(pack.name,), planted=_mutant_entry(pack, id, is_own=True))
    target = own_target(pack, MUTANT_PREFIX + id, mutant_entry_point(pack, id))
    return replace(target, specs=(pack.name,))


def with_mutant(target: Target, id: str, specs: Sequence[str]) -> Target:
    """Return a target with a mutant planted into it. Raises UsageError for one that changes the reference's inside."""
    pack = find_mutant(chain(map(open_pack, specs), map(load_pack, bundled_packs())), id, f"--mutant {id}")
    if not is_plantable(load_mutants(pack)[id]):
        others = ", ".join([id for id, one in load_mutants(pack).items() if is_plantable(one)][:3])
        raise UsageError(
            f"--mutant {id}: it changes the inside of the reference implementation, and cannot be planted into another "
            f"candidate; run {MUTANT_PREFIX}{id}{f', or plant another one, such as {others}' if others else ''}"
        )
    return replace(target, planted=_mutant_entry(pack, id, is_own=False))


def _mutant_entry(pack: Pack, id: str, *, is_own: bool) -> PlantedEntry:
    return PlantedEntry(pack.mutants or "", pack.folder, id, is_own)
