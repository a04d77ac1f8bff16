"""Mutants: success without effect, or with a partial or different effect."""

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy
from .file_writers import (
    WritesBeside,
    WritesBesideLonger,
)

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-102",
        "A copy overwrites a user's file as if it were unfinished.",
        "DFO-05",
        tools=tools_with_copy(transfer=WritesBeside),
    ),
    build_mutant(
        "MUT-FO-103",
        "The unfinished file has a longer name than the final one.",
        "DFO-02",
        tools=tools_with_copy(transfer=WritesBesideLonger),
    ),
)
