"""Mutants: errors with unknown keys of the configuration table."""

from ..shared.mutant import Mutant
from .builders import build_mutant
from .configuration import DEFAULTS, with_table_changed

KEYS = {"max_entries", "max_depth", *DEFAULTS}

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-743",
        "A table with an unknown key is ignored.",
        "CFG-LD-01",
        tool=with_table_changed(lambda found: found if found.keys() <= KEYS else {}),
    ),
)
