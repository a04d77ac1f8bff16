"""Construction of the mutants of LS that are candidates of their own: the reference with parts of the tool replaced."""

from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles

from ..shared.mutant import Mutant, mutate_reference


def build_mutant(id: str, summary: str, violates: str, **parts: Any) -> Mutant:
    """Return a mutant of LS; `parts` are those of the tool."""
    return mutate_reference(id, summary, (violates,), [ListFiles(**parts)])
