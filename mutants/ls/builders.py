"""How a wrong LS is made: the reference with some of its pieces exchanged. No wrongness lives here."""

from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared import mutant
from ..shared.mutant import Mutant


def build_mutant(
    number: int,
    summary: str,
    *violates: str,
    candidate_class: type[Candidate] = Candidate,
    reading: str | None = None,
    tool: type[ListFiles] = ListFiles,
    **parts: Any,
) -> Mutant:
    """A mutant of LS. Requirements are named without their prefix: `ARG-03`."""
    ids = [f"LS-{each}" for each in violates]
    id = f"MUT-LS-{number:03}"
    return mutant.mutate_reference(
        id, summary, *ids, tools=[tool(**parts)], candidate_class=candidate_class, reading=reading
    )
