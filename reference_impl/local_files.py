"""`LocalFiles` 2: the definitions of its two tools, their steps, and the candidate that offers them.

There is no sandbox: a path is absolute, and links on its way are followed; below it none is.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from . import NAME
from .candidate import Candidate
from .context import CallContext
from .errors import Kind, ToolError
from .executor import Definition, Executor, Tool
from .finding.entries import Seen, Telling
from .finding.globs import Glob, Malformed
from .finding.reading import Reading
from .paths import Flavour

LISTING = Definition(
    name="listDirectory",
    specification="local_files@2",
    aliases=(),
    description="List a directory as structured entries, sorted",
    input_schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    is_side_effecting=False,
    requires_approval=False,
    risk_level="Low",
)
SEARCHING = replace(
    LISTING,
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
    """The tool: its steps. Has no state; any step can be given in another version."""

    definition: Definition = LISTING
    reading: type[Reading] = Reading
    telling: type[Telling] = Telling

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "Plan":
        return Plan(self, arguments, context)

    def directory(self, path: str, context: CallContext) -> str:
        """The path that was asked for without dots and doubled slashes (AMB-LF-05)."""
        if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
            raise ToolError(Kind.BAD_ARGS, f"the path cannot be that of a directory: {path!r}")
        normalised = os.path.normpath(os.path.join(context.working_dir, path))
        return normalised[1:] if normalised.startswith("//") else normalised

    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        return [seen for _, seen in reading.children()]

    def entries(self, arguments: Mapping[str, Any], context: CallContext) -> list[dict[str, Any]]:
        """Raises OSError where the directory cannot be read, ToolError for arguments that mean nothing."""
        reading = self.reading(self.directory(arguments["path"], context))
        telling = self.telling()
        return telling.ordered([telling.entry(seen) for seen in self.seen(reading, arguments)])

    def failed(self, path: str, error: OSError) -> Any:
        """What a directory that cannot be listed gives (LF-ERR-01)."""
        raise ToolError(Kind.EXECUTION_FAILED, f"{path} cannot be listed: {error.strerror}") from error


@dataclass(frozen=True)
class FindFiles(ListDirectory):
    """The same tool with a glob: what is seen on one level or all of them, and matches."""

    definition: Definition = SEARCHING
    glob: type[Glob] = Glob

    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        glob = self.compiled(arguments["glob"])
        found = reading.everything() if arguments["recursive"] else (seen for _, seen in reading.children())
        return [seen for seen in found if self.is_found(glob, seen)]

    def compiled(self, glob: str) -> Glob:
        try:
            return self.glob(glob)
        except (Malformed, ValueError) as error:
            raise ToolError(Kind.BAD_ARGS, f"the glob {glob!r} is malformed: {error}") from error

    def is_found(self, glob: Glob, seen: Seen) -> bool:
        return glob.matches("/".join((*seen.below, seen.name)))


@dataclass(frozen=True)
class Plan:
    """A call that runs; nothing has been looked at yet."""

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
            return self.tool.entries(self.arguments, self.context)
        except OSError as error:
            return self.tool.failed(self.arguments["path"], error)


def offered(*tools: Tool, name: str = NAME, face: type[Candidate] = Candidate) -> Candidate:
    """A candidate of these tools."""
    return face(tools, executor=Executor, name=name, capabilities=CAPABILITIES)


def candidate() -> Candidate:
    """The entry point of the reference implementation."""
    return offered(ListDirectory(), FindFiles())
