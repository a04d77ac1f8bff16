"""How a wrong LocalFiles is made of the right one: pieces exchanged in both tools, or their lists changed."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory, build_candidate
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant

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
    reading: str | None = None,
) -> Mutant:
    """LocalFiles with some pieces exchanged. `declares` is the reading that would make it right."""

    def make() -> Candidate:
        tools = (
            list_directory(directory_scan=directory_scan, entry_formatter=entry_formatter),
            find_files(directory_scan=directory_scan, entry_formatter=entry_formatter, glob=glob),
        )
        return build_candidate(*tools, name=id, candidate_class=candidate_class)

    return Mutant(id, summary, tuple(dict.fromkeys(violates)), make, reading)


def with_list_changed(change: Callable[[Entries], Any]) -> type[ListDirectory]:
    """listDirectory whose list is changed when it is complete."""

    class Changing(ListDirectory):
        def list_entries(self, arguments: Any, context: CallContext) -> Any:
            return change(super().list_entries(arguments, context))

    return Changing


def with_search_changed(change: Callable[[Entries], Any]) -> type[FindFiles]:
    """findFiles whose list is changed when it is complete."""

    class Changing(FindFiles):
        def list_entries(self, arguments: Any, context: CallContext) -> Any:
            return change(super().list_entries(arguments, context))

    return Changing
