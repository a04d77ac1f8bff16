"""`list_directory` 1.1: the tool's definition, the order of its steps, and the candidate that offers it.

Each step is a file of its own: listing/request.py, sandbox.py, directories.py, listing/walk.py,
listing/document.py.
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

# FR-LD-VAL-08; any other errno means that it is there and cannot be read (AMB-LD-10).
ERRNO_MESSAGES: Mapping[int | None, str] = {
    errno.ENOENT: "path does not exist",
    errno.ENOTDIR: "path is not a directory",
    errno.ELOOP: "path is not a directory: too many symbolic links",
    errno.ENAMETOOLONG: "path does not exist: a name is too long",
    errno.EACCES: "directory cannot be read: permission denied",
}


@dataclass(frozen=True)
class ListDirectory:
    """The tool: its steps in their order. Has no state; any step can be given in another version."""

    definition: ToolDefinition = DEFINITION
    settings: Callable[[Any], Settings] = read_settings
    argument_parser: type[ArgumentParser] = ArgumentParser
    sandbox: type[Sandbox] = Sandbox
    open_reader: Callable[[Place, Flavour], DirectoryReader] = open_reader
    walk: type[Walk] = Walk
    document: type[Document] = Document

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "ListingPlan":
        context.allow_truncation = False  # FR-LD-OUT-04: cut JSON is no JSON (AMB-LD-41)
        request = self.argument_parser(arguments, self.settings(context.config), flavour).parse()
        # FR-LD-VAL-07: nothing but the sandbox has touched the file system yet.
        place = self.sandbox(context, flavour).resolve(request.path)
        return ListingPlan(self, request, place, context.effective_max, flavour)

    def listing_error(self, error: OSError) -> ToolError:
        """What is said when the requested directory itself cannot be listed."""
        return execution_failed(ERRNO_MESSAGES.get(error.errno, "directory cannot be read"))


@dataclass(frozen=True)
class ListingPlan:
    """A checked call: what to list, where that is, and how many bytes may tell of it."""

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
            with self.tool.open_reader(self.place, self.flavour) as reach:
                return self.tool.walk(reach, self.request, self.flavour).run()
        except OSError as error:
            raise self.tool.listing_error(error) from error


def execution_failed(message: str) -> ToolError:
    return ToolError(ErrorKind.EXECUTION_FAILED, message)


def candidate(flavour: Flavour | None = None) -> Candidate:
    """The entry point of the reference implementation."""
    return Candidate([ListDirectory()], flavour)


def on_windows() -> Candidate:
    """The entry point under Windows' path rules, for a simulated Windows."""
    return candidate(WINDOWS)


def on_macos() -> Candidate:
    """The entry point under macOS' path rules, for a simulated macOS."""
    return candidate(MACOS)
