"""Mutants: errors in the interpretation of a request: encodings and components of paths."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.reference_impl.local_files.candidate import LIST_DIRECTORY_DEFINITION, FindFiles, ListDirectory
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import ToolDefinition

from ..shared.mutant import Mutant
from .builders import build_mutant


def as_latin_1(text: str) -> str:
    """Return a UTF-8 text decoded as ISO-8859-1."""
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
    """Each half of a surrogate pair becomes a character."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        halves = ("\ufffd\ufffd" if character > "\uffff" else character for character in path)
        return super().normalise_path("".join(halves), context)


class StaysBelow(ListDirectory):
    """Ignores `..`, like `.`."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path("/".join(part for part in path.split("/") if part != ".."), context)


@dataclass(frozen=True)
class NumbersAsTexts(ListDirectory):
    definition: ToolDefinition = replace(
        LIST_DIRECTORY_DEFINITION, input_schema={"type": "object", "required": ["path"]}
    )

    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(str(path), context)


class NamelessErrors(FindFiles):
    def listing_failed(self, path: str, error: OSError) -> Any:
        raise ToolError(ErrorKind.EXECUTION_FAILED, f"the search failed: {error.strerror}") from error


class TwoDirectories(ListDirectory):
    """Opens the requested path and reports the normalised one."""

    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> list[dict[str, Any]]:
        directory, formatter = self.normalise_path(arguments["path"], context), self.entry_formatter()
        found = (item for _, item in self.directory_scan(arguments["path"]).children())
        return formatter.sort([formatter.format_entry(replace(item, directory=directory)) for item in found])


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-141", "The path of a list is decoded as ISO-8859-1.", "LF-LIST-01", list_directory=Latin1Paths
    ),
    build_mutant("MUT-LF-142", "The path of a search is decoded as ISO-8859-1.", "LF-FIND-01", find_files=Latin1Roots),
    build_mutant("MUT-LF-143", "A glob is decoded as ISO-8859-1.", "LF-FIND-02", find_files=Latin1Globs),
    build_mutant("MUT-LF-217", "A number as path is a text.", "LF-ERR-01", list_directory=NumbersAsTexts),
    build_mutant("MUT-LF-216", "The error of a search does not name its path.", "LF-ERR-03", find_files=NamelessErrors),
    build_mutant(
        "MUT-LF-154",
        "A character beyond 16 bits in a path becomes two.",
        "LF-LIST-01",
        list_directory=NothingBeyond16Bits,
    ),
    build_mutant("MUT-LF-147", "A step up in a path is ignored.", "LF-FIELD-02", list_directory=StaysBelow),
    build_mutant(
        "MUT-LF-148",
        "A path is normalised in the result, but not for opening.",
        "LF-FIELD-02",
        list_directory=TwoDirectories,
    ),
)
