"""Mutants: errors in the sandbox check of missing paths."""

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place, Sandbox

from ..shared.mutant import Mutant
from .builders import build_mutant


class DeniesWhatIsThere(Sandbox):
    def _locate(self, target: CanonicalPath) -> Place:
        denied = self._denied_patterns
        if target.blocking_errno is not None:
            self._denied_patterns = ()
        try:
            return super()._locate(target)
        finally:
            self._denied_patterns = denied


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-683",
        "Denied patterns apply to existing paths only; all others are reported as missing.",
        "FR-LD-VAL-07",
        tool=ListDirectory(sandbox=DeniesWhatIsThere),
    ),
)
