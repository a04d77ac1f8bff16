"""Construction of the mutants that are classes: the reference with a part of the tool or candidate replaced."""

from collections.abc import Callable
from typing import TypedDict, Unpack

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document
from treeproof.reference_impl.list_directory.walk import Walk
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.directory_reader import DirectoryReader
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place, Sandbox

from ..shared.mutant import Mutant, mutate_reference


class ToolParts(TypedDict, total=False):
    """The parts of the tool that a mutant replaces."""

    sandbox: type[Sandbox]
    open_reader: Callable[[Place, Flavour], DirectoryReader]
    walk: type[Walk]
    document: type[Document]


def build_mutant(
    id: str, summary: str, *violates: str, candidate_class: type[Candidate] = Candidate, **parts: Unpack[ToolParts]
) -> Mutant:
    """Return a mutant of `list_directory`."""
    return mutate_reference(id, summary, violates, [ListDirectory(**parts)], candidate_class=candidate_class)
