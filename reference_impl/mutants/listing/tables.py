"""Wrong in what else may stand in the configured table."""

from ..mutant import Mutant
from .configuration import DEFAULTS, configured
from .made import wrong

KEYS = {"max_entries", "max_depth", *DEFAULTS}

MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-743",
        "A table with an unknown key in it is ignored.",
        "CFG-LD-01",
        tool=configured(lambda found: found if found.keys() <= KEYS else {}),
    ),
)
