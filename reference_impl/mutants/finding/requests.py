"""Wrong in how a request is read: its letters, and the steps of its path."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...context import CallContext
from ...finding.globs import Glob
from ...local_files import FindFiles, ListDirectory
from ..mutant import Mutant
from .made import wrong


def as_latin_1(text: str) -> str:
    """What becomes of a text that is sent in UTF-8 and read as ISO-8859-1."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


class Latin1Paths(ListDirectory):
    def directory(self, path: str, context: CallContext) -> str:
        return super().directory(as_latin_1(path), context)


class Latin1Roots(FindFiles):
    def directory(self, path: str, context: CallContext) -> str:
        return super().directory(as_latin_1(path), context)


class Latin1Globs(FindFiles):
    def compiled(self, glob: str) -> Glob:
        return super().compiled(as_latin_1(glob))


class NothingBeyond16Bits(ListDirectory):
    """Each half of a pair that stands for one character becomes a character of its own."""

    def directory(self, path: str, context: CallContext) -> str:
        halves = ("\ufffd\ufffd" if character > "\uffff" else character for character in path)
        return super().directory("".join(halves), context)


class StaysBelow(ListDirectory):
    """Passes over steps up as over dots."""

    def directory(self, path: str, context: CallContext) -> str:
        return super().directory("/".join(part for part in path.split("/") if part != ".."), context)


class TwoDirectories(ListDirectory):
    """Opens the path as it was spelt, and tells of it as of the shorter one."""

    def entries(self, arguments: Mapping[str, Any], context: CallContext) -> list[dict[str, Any]]:
        directory, telling = self.directory(arguments["path"], context), self.telling()
        found = (seen for _, seen in self.reading(arguments["path"]).children())
        return telling.ordered([telling.entry(replace(seen, directory=directory)) for seen in found])


MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-LF-141", "The path of a list is read as ISO-8859-1.", "LF-LIST-01", listing=Latin1Paths),
    wrong("MUT-LF-142", "The path of a search is read as ISO-8859-1.", "LF-FIND-01", searching=Latin1Roots),
    wrong("MUT-LF-143", "A glob is read as ISO-8859-1.", "LF-FIND-02", searching=Latin1Globs),
    wrong(
        "MUT-LF-154",
        "A character beyond 16 bits in a path is two.",
        "LF-LIST-01",
        listing=NothingBeyond16Bits,
    ),
    wrong("MUT-LF-147", "A step up in a path is passed over.", "LF-FIELD-02", listing=StaysBelow),
    wrong(
        "MUT-LF-148",
        "A path is shortened for what is told, and not for what is opened.",
        "LF-FIELD-02",
        listing=TwoDirectories,
    ),
)
