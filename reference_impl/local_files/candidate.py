"""`LocalFiles` 2: the definitions of its two tools, their steps, and the candidate.

There is no sandbox: a path is absolute. Links in the path are followed, links below it are not.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .. import NAME
from ..shared.candidate import Candidate
from ..shared.context import CallContext
from ..shared.errors import ErrorKind, ToolError
from ..shared.executor import Executor, Tool, ToolDefinition
from ..shared.paths import Flavour
from .directory_scan import DirectoryScan
from .entries import EntryFormatter, EntryMetadata
from .globs import Glob, MalformedGlob

LIST_DIRECTORY_DEFINITION = ToolDefinition(
    name="listDirectory",
    specification="local_files@2",
    aliases=(),
    description="List a directory as structured entries, sorted",
    input_schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    is_side_effecting=False,
    requires_approval=False,
    risk_level="Low",
)
FIND_FILES_DEFINITION = replace(
    LIST_DIRECTORY_DEFINITION,
    name="findFiles",
    description="Find entries by a glob, as structured entries",
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "recursive": {"type": "boolean"},
            "glob": {"type": "string"},
        },
        "required": ["path", "recursive", "glob"],
    },
)
CAPABILITIES: tuple[str, ...] = ()


@dataclass(frozen=True)
class ListDirectory:
    """The tool: its steps. Has no state; each step can be replaced."""

    definition: ToolDefinition = LIST_DIRECTORY_DEFINITION
    directory_scan: type[DirectoryScan] = DirectoryScan
    entry_formatter: type[EntryFormatter] = EntryFormatter

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "LocalFilesPlan":
        return LocalFilesPlan(self, arguments, context)

    def normalise_path(self, path: str, context: CallContext) -> str:
        """Return the requested path without dots and doubled slashes (AMB-LF-05)."""
        if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
            raise ToolError(ErrorKind.BAD_ARGS, f"the path cannot be that of a directory: {path!r}")
        normalised = os.path.normpath(os.path.join(context.working_dir, path))
        return normalised[1:] if normalised.startswith("//") else normalised

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return [item for _, item in reading.children()]

    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> list[dict[str, Any]]:
        """Return the entries. Raises OSError for an unreadable directory, ToolError for invalid arguments."""
        reading = self.directory_scan(self.normalise_path(arguments["path"], context))
        formatter = self.entry_formatter()
        return formatter.sort([formatter.format_entry(item) for item in self.scan(reading, arguments)])

    def listing_failed(self, path: str, error: OSError) -> Any:
        """Return the error for a directory that cannot be listed (LF-ERR-01)."""
        raise ToolError(ErrorKind.EXECUTION_FAILED, f"{path} cannot be listed: {error.strerror}") from error


@dataclass(frozen=True)
class FindFiles(ListDirectory):
    """The same tool with a glob, which selects entries of one level or of all."""

    definition: ToolDefinition = FIND_FILES_DEFINITION
    glob: type[Glob] = Glob

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        glob = self.compile_glob(arguments["glob"])
        found = reading.descendants() if arguments["recursive"] else (item for _, item in reading.children())
        return [item for item in found if self.matches(glob, item)]

    def compile_glob(self, glob: str) -> Glob:
        try:
            return self.glob(glob)
        except (MalformedGlob, ValueError) as error:
            raise ToolError(ErrorKind.BAD_ARGS, f"the glob {glob!r} is malformed: {error}") from error

    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        return glob.matches(self.matched_path(item))

    def matched_path(self, item: EntryMetadata) -> str:
        """Return the path that a glob has to match (AMB-LF-37)."""
        return "/".join((*item.parents, item.name))


@dataclass(frozen=True)
class LocalFilesPlan:
    """A call before its execution; nothing has been read yet."""

    tool: ListDirectory
    arguments: Mapping[str, Any]
    context: CallContext

    @property
    def summary(self) -> str:
        return f"List {self.arguments['path']}"

    def run(self) -> str:
        return json.dumps(self.value(), ensure_ascii=False, separators=(",", ":"))

    def value(self) -> Any:
        try:
            return self.tool.list_entries(self.arguments, self.context)
        except OSError as error:
            return self.tool.listing_failed(self.arguments["path"], error)


def build_candidate(*tools: Tool, name: str = NAME, candidate_class: type[Candidate] = Candidate) -> Candidate:
    """Return a candidate with these tools."""
    return candidate_class(tools, executor=Executor, name=name, capabilities=CAPABILITIES)


def candidate() -> Candidate:
    """Return the reference implementation."""
    return build_candidate(ListDirectory(), FindFiles())
