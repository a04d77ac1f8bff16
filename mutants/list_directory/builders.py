"""How a wrong list_directory is made: the reference with one piece of the tool, the executor or the face exchanged."""

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor

from ..shared import mutant
from ..shared.mutant import Mutant


def build_mutant(
    id: str,
    summary: str,
    *violates: str,
    tool: ListDirectory | None = None,
    executor: type[Executor] = Executor,
    candidate_class: type[Candidate] = Candidate,
    reading: str | None = None,
) -> Mutant:
    """The reference with one piece exchanged: in the tool, in the executor, or in the protocol's face."""
    tools = [tool or ListDirectory()]
    return mutant.mutate_reference(
        id,
        summary,
        *violates,
        tools=tools,
        executor=executor,
        candidate_class=candidate_class,
        reading=reading,
    )
