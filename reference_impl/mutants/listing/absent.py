"""Wrong where the sandbox is asked about what is not there."""

from ...list_directory import ListDirectory
from ...sandbox import Canonical, Place, Sandbox
from ..mutant import Mutant
from .made import wrong


class DeniesWhatIsThere(Sandbox):
    def _place(self, target: Canonical) -> Place:
        denied = self._denied
        if target.obstacle is not None:
            self._denied = ()
        try:
            return super()._place(target)
        finally:
            self._denied = denied


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-683",
        "Denied patterns are held against what is there alone; all else is said to be missing.",
        "FR-LD-VAL-07",
        tool=ListDirectory(sandbox=DeniesWhatIsThere),
    ),
)
