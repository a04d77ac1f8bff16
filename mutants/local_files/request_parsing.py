"""Wrong in how a request is read: its letters, and the steps of its path."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import build_mutant


def as_latin_1(text: str) -> str:
    """What becomes of a text that is sent in UTF-8 and read as ISO-8859-1."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


class Latin1Paths(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(as_latin_1(path), context)


class Latin1Roots(FindFiles):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(as_latin_1(path), context)


class Latin1Globs(FindFiles):
    def compile_glob(self, glob: str) -> Glob:
        return super().compile_glob(as_latin_1(glob))


class NothingBeyond16Bits(ListDirectory):
    """Each half of a pair that stands for one character becomes a character of its own."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        halves = ("\ufffd\ufffd" if character > "\uffff" else character for character in path)
        return super().normalise_path("".join(halves), context)


class StaysBelow(ListDirectory):
    """Passes over steps up as over dots."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path("/".join(part for part in path.split("/") if part != ".."), context)


class TwoDirectories(ListDirectory):
    """Opens the path as it was spelt, and tells of it as of the shorter one."""

    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> list[dict[str, Any]]:
        directory, telling = self.normalise_path(arguments["path"], context), self.entry_formatter()
        found = (seen for _, seen in self.directory_scan(arguments["path"]).children())
        return telling.sort([telling.format_entry(replace(seen, directory=directory)) for seen in found])


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-141", "The path of a list is read as ISO-8859-1.", "LF-LIST-01", list_directory=Latin1Paths
    ),
    build_mutant(
        "MUT-LF-142", "The path of a search is read as ISO-8859-1.", "LF-FIND-01", find_files=Latin1Roots
    ),
    build_mutant("MUT-LF-143", "A glob is read as ISO-8859-1.", "LF-FIND-02", find_files=Latin1Globs),
    build_mutant(
        "MUT-LF-154",
        "A character beyond 16 bits in a path is two.",
        "LF-LIST-01",
        list_directory=NothingBeyond16Bits,
    ),
    build_mutant(
        "MUT-LF-147", "A step up in a path is passed over.", "LF-FIELD-02", list_directory=StaysBelow
    ),
    build_mutant(
        "MUT-LF-148",
        "A path is shortened for what is told, and not for what is opened.",
        "LF-FIELD-02",
        list_directory=TwoDirectories,
    ),
)
