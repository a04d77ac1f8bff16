"""How a wrong list_directory is made: the reference with one piece of the tool, the executor or the face exchanged."""

from ...candidate import Candidate
from ...executor import Executor
from ...list_directory import ListDirectory
from .. import mutant
from ..mutant import Mutant


def wrong(
    id: str,
    summary: str,
    *violates: str,
    tool: ListDirectory | None = None,
    executor: type[Executor] = Executor,
    face: type[Candidate] = Candidate,
    reading: str | None = None,
) -> Mutant:
    """The reference with one piece exchanged: in the tool, in the executor, or in the protocol's face."""
    tools = [tool or ListDirectory()]
    return mutant.wrong(id, summary, *violates, tools=tools, executor=executor, face=face, reading=reading)
