"""Mutants: what exists, or what is one file, is judged by the text of a name where the file system folds names."""

import os

from treeproof.rows.file_operations.row import At, write
from treeproof.rows.shared.row import lstat
from treeproof.rows.shared.stored_names import is_other_spelling

from ..shared.mutant import Mutant
from .rows import row


def is_another_file(at: At) -> bool:
    return is_other_spelling(at.final) and not at.is_same


def is_own_name(at: At) -> bool:
    return is_other_spelling(at.final) and at.is_same


def runs_away(at: At) -> None:
    """Copy into a directory what was just copied into it, thirty directories deep."""
    above = lstat(at.final.parent)
    is_inside = at.found is not None and above is not None and os.path.samestat(at.found, above)
    if is_inside and is_other_spelling(at.final.parent):
        os.makedirs(at.final.joinpath(*[at.final.name] * 30))


MUTANTS: tuple[Mutant, ...] = (
    row(
        "MUT-FO-501",
        "A move takes the place of a file whose name is spelt otherwise in its directory.",
        "FR-FOPS-MV-03",
    )(on="move", force=is_another_file),
    row(
        "MUT-FO-502",
        "A copy takes the place of a file whose name is spelt otherwise in its directory.",
        "FR-FOPS-CP-03",
    )(on="copy", force=is_another_file),
    row("MUT-FO-503", "A copy onto another spelling of its own name empties the file.", "DFO-06")(
        on="copy", where=is_own_name, failing=lambda at: write(at.source, b"")
    ),
    row("MUT-FO-504", "A move onto another spelling of its own name removes the file.", "DFO-06")(
        on="move", where=lambda at: is_own_name(at) and at.overwrites, failing=lambda at: at.final.unlink()
    ),
    row("MUT-FO-505", "A change of case alone, without overwrite, removes the file.", "DFO-06")(
        on="move", where=lambda at: is_own_name(at) and not at.overwrites, failing=lambda at: at.final.unlink()
    ),
    row("MUT-FO-506", "A directory that is copied into itself by another spelling of its name runs away.", "DFO-06")(
        on="copy", failing=runs_away
    ),
)
