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
    build_mutant("MUT-LF-143", "A glob is decoded as ISO-8859-1.", "LF-FIND-02", find_files=Latin1Globs),
    build_mutant("MUT-LF-237", "A comma separates two globs.", "LF-FIND-02", find_files=with_globs_split(",")),
    build_mutant("MUT-LF-238", "A semicolon separates two globs.", "LF-FIND-02", find_files=with_globs_split(";")),
    build_mutant("MUT-LF-239", "A blank separates two globs.", "LF-FIND-02", find_files=with_globs_split(" ")),
)
