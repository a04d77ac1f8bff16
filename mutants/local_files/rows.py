"""Mutants of LocalFiles that are rows: changes at the adapter. Contains no mutants."""

from functools import partial
from typing import Any

from treeproof.rows.local_files import row as rows
from treeproof.rows.local_files.row import LIST, SEARCH

from ..shared.mutant import Mutant, plant


def row(id: str, summary: str, *violates: str, **change: Any) -> Mutant:
    """Return the mutant with the change of a row."""
    return plant(id, summary, violates, rows.row(**change))


listing, search = partial(row, tool=LIST), partial(row, tool=SEARCH)
"""Mutants of one tool."""
