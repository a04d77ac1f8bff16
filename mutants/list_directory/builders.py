"""Construction of the mutants of `list_directory`: the reference with a part of the tool or candidate replaced."""

from typing import Unpack

from treeproof.reference_impl.list_directory.candidate import ListDirectory

from ..shared.mutant import CandidateParts, Mutant, mutate_reference


def build_mutant(
    id: str, summary: str, *violates: str, tool: ListDirectory | None = None, **parts: Unpack[CandidateParts]
) -> Mutant:
    """Return a mutant of `list_directory`."""
    return mutate_reference(id, summary, violates, [tool or ListDirectory()], **parts)
