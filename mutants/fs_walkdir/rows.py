"""Mutants of FS.WalkDir that are rows: changes at the adapter. Contains no mutants."""

from collections.abc import Callable
from typing import Unpack

from treeproof.rows.fs_walkdir import row as rows

from ..shared.mutant import Mutant, plant


def row(id: str, summary: str, *violates: str) -> Callable[..., Mutant]:
    """Return the function from a change, as that of a row, to the mutant that makes it."""

    def changing(**change: Unpack[rows.Change]) -> Mutant:
        return plant(id, summary, violates, rows.row(**change))

    return changing
