"""`list_directory` 1.1: the tool's definition, the order of its steps, and the candidate.

Each step is a module: request, walk and document here, sandbox and directory_reader in `shared`.
"""

import errno
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..shared.candidate import Candidate
from ..shared.context import CallContext
from ..shared.directory_reader import DirectoryReader, open_reader
from ..shared.errors import ErrorKind, ToolError
from ..shared.executor import ToolDefinition
from ..shared.paths import MACOS, WINDOWS, Flavour
from ..shared.sandbox import Place, Sandbox
from .document import BudgetTooSmall, Document
from .request import SCHEMA, ArgumentParser, Request
from .settings import Settings, read_settings
from .walk import Listing, Walk

DEFINITION = ToolDefinition(
    name="list_directory",  # FR-LD-DEF-01
    specification="list_directory@1.1",
    aliases=("listdir", "ls", "dir"),  # FR-FOPS-01
    description="List directory entries",  # FR-LD-DEF-02
    input_schema=SCHEMA,
    is_side_effecting=False,  # FR-LD-DEF-03
    requires_approval=False,  # FR-LD-DEF-04
    risk_level="Low",
)

# FR-LD-VAL-08; any other errno means that the directory exists and cannot be read (AMB-LD-10).
ERRNO_MESSAGES: Mapping[int | None, str] = {
    errno.ENOENT: "path does not exist",
    errno.ENOTDIR: "path is not a directory",
    errno.ELOOP: "path is not a directory: too many symbolic links",
    errno.ENAMETOOLONG: "path does not exist: a name is too long",
    errno.EACCES: "directory cannot be read: permission denied",
}


@dataclass(frozen=True)
class ListDirectory:
    """The tool: its steps in their order. Has no state; each step can be replaced."""

    definition: ToolDefinition = DEFINITION
    settings: Callable[[Any], Settings] = read_settings
    argument_parser: type[ArgumentParser] = ArgumentParser
    sandbox: type[Sandbox] = Sandbox
    open_reader: Callable[[Place, Flavour], DirectoryReader] = open_reader
    walk: type[Walk] = Walk
    document: type[Document] = Document

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "ListingPlan":
        context.allow_truncation = False  # FR-LD-OUT-04: truncated JSON is invalid (AMB-LD-41)
        request = self.argument_parser(arguments, self.settings(context.config), flavour).parse()
        # FR-LD-VAL-07: before this line, only the sandbox has accessed the file system.
        place = self.sandbox(context, flavour).resolve(request.path)
        return ListingPlan(self, request, place, context.effective_max, flavour)


@dataclass(frozen=True)
class ListingPlan:
    """A checked call: the request, its place, and the budget in bytes."""

    tool: ListDirectory
    request: Request
    place: Place
    budget: int
    flavour: Flavour

    @property
    def summary(self) -> str:
        depth = f" depth {self.request.max_depth}" if self.request.max_depth > 1 else ""
        return f"List {self.request.path}{depth}"

    def run(self) -> str:
        request = self.request
        listing = self._walk()
        try:
            return self.tool.document(
                request.path, listing.entries, request.max_entries, capped=listing.capped, budget=self.budget
            ).render()
        except BudgetTooSmall as error:
            raise execution_failed("output budget too small") from error

    def _walk(self) -> Listing:
        try:
            with self.tool.open_reader(self.place, self.flavour) as reader:
                return self.tool.walk(reader, self.request, self.flavour).run()
        except OSError as error:
            raise execution_failed(ERRNO_MESSAGES.get(error.errno, "directory cannot be read")) from error  # AMB-LD-10


def execution_failed(message: str) -> ToolError:
    return ToolError(ErrorKind.EXECUTION_FAILED, message)


def candidate(flavour: Flavour | None = None) -> Candidate:
    """Return the reference implementation."""
    return Candidate([ListDirectory()], flavour)


def on_windows() -> Candidate:
    """Return the reference with the path rules of Windows, for a simulated Windows."""
    return candidate(WINDOWS)


def on_macos() -> Candidate:
    """Return the reference with the path rules of macOS, for a simulated macOS."""
    return candidate(MACOS)
