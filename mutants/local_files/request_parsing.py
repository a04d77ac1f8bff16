"""Mutants: errors in the interpretation of a request: encodings and components of paths."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.reference_impl.local_files.candidate import LIST_DIRECTORY_DEFINITION, FindFiles, ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryMetadata
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


class Addresses(ListDirectory):
    """A path ends where an address does."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(re.split("[#?;]", path)[0], context)


class AddressesAsRoots(FindFiles):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(re.split("[#?;]", path)[0], context)


class PlusIsBlank(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(path.replace("+", " "), context)


class OtherCase(ListDirectory):
    """Lists a sibling of a missing directory whose name differs in case only."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        normalised = super().normalise_path(path, context)
        parent, name = os.path.split(normalised)
        if os.path.lexists(normalised) or not os.path.isdir(parent):
            return normalised
        alike = [one for one in os.listdir(parent) if one.lower() == name.lower()]
        return os.path.join(parent, alike[0]) if alike else normalised


def with_globs_split(separator: str) -> type[FindFiles]:
    """Return findFiles that takes a glob for a list of globs with this separator."""

    class Several(FindFiles):
        def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
            glob = arguments["glob"]
            if "{" in glob or not glob.strip(separator):
                return super().scan(reading, arguments)
            found: list[EntryMetadata] = []
            for one in filter(None, glob.split(separator)):
                found += super().scan(reading, {**arguments, "glob": one})
            return found

    return Several


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


class AsciiErrors(ListDirectory):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return super().listing_failed(path.encode("ascii", "replace").decode(), error)


class TwoDirectories(ListDirectory):
    """Opens the requested path and reports the normalised one."""

    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> list[dict[str, Any]]:
        directory, formatter = self.normalise_path(arguments["path"], context), self.entry_formatter()
        found = (item for _, item in self.directory_scan(arguments["path"]).children())
        return formatter.sort([formatter.format_entry(item._replace(directory=directory)) for item in found])


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-141", "The path of a list is decoded as ISO-8859-1.", "LF-LIST-01", list_directory=Latin1Paths
    ),
    build_mutant("MUT-LF-142", "The path of a search is decoded as ISO-8859-1.", "LF-FIND-01", find_files=Latin1Roots),
    build_mutant("MUT-LF-143", "A glob is decoded as ISO-8859-1.", "LF-FIND-02", find_files=Latin1Globs),
    build_mutant(
        "MUT-LF-233",
        "The path of a list ends at a hash, a question mark or a semicolon, as an address does.",
        "LF-LIST-01",
        list_directory=Addresses,
    ),
    build_mutant(
        "MUT-LF-234",
        "The path of a search ends at a hash or a question mark, as an address does.",
        "LF-FIND-01",
        find_files=AddressesAsRoots,
    ),
    build_mutant("MUT-LF-235", "A plus in a path is a blank.", "LF-LIST-01", list_directory=PlusIsBlank),
    build_mutant(
        "MUT-LF-236",
        "For a missing directory, one whose name differs in case is listed.",
        "LF-ERR-01",
        list_directory=OtherCase,
    ),
    build_mutant("MUT-LF-237", "A comma separates two globs.", "LF-FIND-02", find_files=with_globs_split(",")),
    build_mutant("MUT-LF-238", "A semicolon separates two globs.", "LF-FIND-02", find_files=with_globs_split(";")),
    build_mutant("MUT-LF-239", "A blank separates two globs.", "LF-FIND-02", find_files=with_globs_split(" ")),
    build_mutant("MUT-LF-217", "A number as path is a text.", "LF-ERR-01", list_directory=NumbersAsTexts),
    build_mutant("MUT-LF-216", "The error of a search does not name its path.", "LF-ERR-03", find_files=NamelessErrors),
    build_mutant("MUT-LF-243", "Errors are written in ASCII.", "LF-ERR-03", list_directory=AsciiErrors),
    build_mutant(
        "MUT-LF-154",
        "A character beyond 16 bits in a path becomes two.",
        "LF-LIST-01",
        list_directory=NothingBeyond16Bits,
    ),
    build_mutant("MUT-LF-147", "A step up in a path is ignored.", "LF-LIST-01 LF-FIELD-02", list_directory=StaysBelow),
    build_mutant(
        "MUT-LF-148",
        "A path is normalised in the result, but not for opening.",
        "LF-FIELD-02",
        list_directory=TwoDirectories,
    ),
)
