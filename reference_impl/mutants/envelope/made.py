"""How a wrong LS is made: the reference with some of its pieces exchanged. No wrongness lives here."""

from typing import Any

from ...candidate import Candidate
from ...ls import ListFiles
from .. import mutant
from ..mutant import Mutant


def wrong(
    number: int,
    summary: str,
    *violates: str,
    face: type[Candidate] = Candidate,
    reading: str | None = None,
    tool: type[ListFiles] = ListFiles,
    **pieces: Any,
) -> Mutant:
    """A mutant of LS. Requirements are named without their prefix: `ARG-03`."""
    ids = [f"LS-{each}" for each in violates]
    id = f"MUT-LS-{number:03}"
    return mutant.wrong(id, summary, *ids, tools=[tool(**pieces)], face=face, reading=reading)
