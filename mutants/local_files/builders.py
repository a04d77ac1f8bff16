"""Construction of the mutants of LocalFiles: the reference with parts replaced, or with lists changed."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory, build_candidate
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant, create_mutant

Entry = dict[str, Any]
Entries = list[Entry]


def build_mutant(
    id: str,
    summary: str,
    *violates: str,
    entry_formatter: type[EntryFormatter] = EntryFormatter,
    directory_scan: type[DirectoryScan] = DirectoryScan,
    glob: type[Glob] = Glob,
    list_directory: type[ListDirectory] = ListDirectory,
    find_files: type[FindFiles] = FindFiles,
    candidate_class: type[Candidate] = Candidate,
) -> Mutant:
    """Return a mutant of LocalFiles."""

    def factory() -> Candidate:
        tools = (
            list_directory(directory_scan=directory_scan, entry_formatter=entry_formatter),
            find_files(directory_scan=directory_scan, entry_formatter=entry_formatter, glob=glob),
        )
        return build_candidate(*tools, name=id, candidate_class=candidate_class)

    return create_mutant(id, summary, violates, factory)


def with_list_changed(change: Callable[[Entries], Any]) -> type[ListDirectory]:
    """Return listDirectory with its complete list changed."""

    class Changing(ListDirectory):
        def list_entries(self, arguments: Any, context: CallContext) -> Any:
            return change(super().list_entries(arguments, context))

    return Changing


def with_search_changed(change: Callable[[Entries], Any]) -> type[FindFiles]:
    """Return findFiles with its complete list changed."""

    class Changing(FindFiles):
        def list_entries(self, arguments: Any, context: CallContext) -> Any:
            return change(super().list_entries(arguments, context))

    return Changing
