"""Construction of the mutants of LS: the reference with parts of the tool or candidate replaced."""

from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant, mutate_reference


def build_mutant(
    id: str,
    summary: str,
    *violates: str,
    tool: type[ListFiles] = ListFiles,
    candidate_class: type[Candidate] = Candidate,
    **parts: Any,
) -> Mutant:
    """Return a mutant of LS; `parts` are those of the tool."""
    return mutate_reference(id, summary, violates, [tool(**parts)], candidate_class=candidate_class)
