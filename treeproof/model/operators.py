"""Operators: small changes of recorded calls that the model of a pack must find. A table of each pack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treeproof.errors import UsageError
from treeproof.model.case import Exchange
from treeproof.spec import Pack
from treeproof.spec.entry_points import load_entry_point


@dataclass(frozen=True)
class Operator:
    """A change of one recorded call, as one error of an implementation makes it.

    `change` returns the call with another answer, or another tree after it; None where the change is not possible.
    Each finding on the changed call must name one of `requirements`. `reason` says of the recorded call and the changed
    one why the model need not find it: an empty text if it must.
    """

    name: str
    requirements: frozenset[str]
    change: Callable[[Exchange], Exchange | None]
    reason: Callable[[Exchange, Exchange], str] = lambda recorded, changed: ""


def load_operators(pack: Pack) -> Sequence[Operator]:
    """Return the table of a pack, empty without one. Raises UsageError for what is no table."""
    if pack.operators is None:
        return ()
    place = f"{pack.pack_file}: operators: {pack.operators}"
    found = load_entry_point(pack.pack_file, "operators", pack.operators)
    if not isinstance(found, Sequence) or not all(isinstance(one, Operator) for one in found):
        raise UsageError(f"{place} is no sequence of operators; write a tuple of treeproof.api.Operator")
    known, names = {one.id for one in pack.requirements} | pack.ids_of_other_versions, set[str]()
    for operator in found:
        if operator.name in names:
            raise UsageError(f"{place}: two operators have the name {operator.name!r}; name one of them otherwise")
        names.add(operator.name)
        if unknown := sorted(operator.requirements - known):
            raise UsageError(f"{place}: {operator.name}: there is no requirement {unknown[0]}; name one of the pack")
        if not operator.requirements:
            raise UsageError(f"{place}: {operator.name}: no requirements; name those that the change breaks")
    return found
