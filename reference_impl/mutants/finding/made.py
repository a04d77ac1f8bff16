"""How a wrong LocalFiles is made of the right one: pieces exchanged in both tools, or their lists changed."""

from collections.abc import Callable
from typing import Any

from ...candidate import Candidate
from ...context import CallContext
from ...finding.entries import Telling
from ...finding.globs import Glob
from ...finding.reading import Reading
from ...local_files import FindFiles, ListDirectory, offered
from ..mutant import Mutant

Entry = dict[str, Any]
Entries = list[Entry]


def wrong(
    id: str,
    summary: str,
    *violates: str,
    telling: type[Telling] = Telling,
    reading: type[Reading] = Reading,
    glob: type[Glob] = Glob,
    listing: type[ListDirectory] = ListDirectory,
    searching: type[FindFiles] = FindFiles,
    face: type[Candidate] = Candidate,
    declares: str | None = None,
) -> Mutant:
    """LocalFiles with some pieces exchanged. `declares` is the reading that would make it right."""

    def make() -> Candidate:
        tools = (
            listing(reading=reading, telling=telling),
            searching(reading=reading, telling=telling, glob=glob),
        )
        return offered(*tools, name=id, face=face)

    return Mutant(id, summary, tuple(dict.fromkeys(violates)), make, declares)


def changing(change: Callable[[Entries], Any]) -> type[ListDirectory]:
    """listDirectory whose list is changed when it is complete."""

    class Changing(ListDirectory):
        def entries(self, arguments: Any, context: CallContext) -> Any:
            return change(super().entries(arguments, context))

    return Changing


def finding(change: Callable[[Entries], Any]) -> type[FindFiles]:
    """findFiles whose list is changed when it is complete."""

    class Changing(FindFiles):
        def entries(self, arguments: Any, context: CallContext) -> Any:
            return change(super().entries(arguments, context))

    return Changing
