"""`list_directory` 1.1: the tool's definition, the order of its steps, and the candidate that offers it.

Each step is a file of its own: listing/request.py, sandbox.py, directories.py, listing/walk.py,
listing/document.py.
"""

import errno
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .candidate import Candidate
from .context import CallContext
from .directories import directories
from .errors import Kind, ToolError
from .executor import Definition
from .listing.document import BudgetTooSmall, document
from .listing.request import SCHEMA, Request, read_request
from .listing.settings import read_settings
from .listing.walk import Listing, walk
from .paths import Flavour
from .sandbox import Place, Sandbox

DEFINITION = Definition(
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
REFUSALS: Mapping[int | None, str] = {
    errno.ENOENT: "path does not exist",
    errno.ENOTDIR: "path is not a directory",
    errno.ELOOP: "path is not a directory: too many symbolic links",
    errno.ENAMETOOLONG: "path does not exist: a name is too long",
    errno.EACCES: "directory cannot be read: permission denied",
}


class ListDirectory:
    """The tool. Has no state."""

    definition = DEFINITION

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "ListingPlan":
        context.allow_truncation = False  # FR-LD-OUT-04: cut JSON is no JSON (AMB-LD-41)
        request = read_request(arguments, read_settings(context.config), flavour)
        # FR-LD-VAL-07: nothing but the sandbox has touched the file system yet.
        place = Sandbox(context, flavour).place(request.path)
        return ListingPlan(request, place, context.effective_max, flavour)


@dataclass(frozen=True)
class ListingPlan:
    """A checked call: what to list, where that is, and how many bytes may tell of it."""

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
        listing = self._listing()
        try:
            return document(
                request.path, listing.entries, request.max_entries, capped=listing.capped, budget=self.budget
            )
        except BudgetTooSmall as error:
            raise _failed("output budget too small") from error

    def _listing(self) -> Listing:
        try:
            with directories(self.place, self.flavour) as reach:
                return walk(reach, self.request, self.flavour)
        except OSError as error:
            raise _failed(REFUSALS.get(error.errno, "directory cannot be read")) from error


def _failed(message: str) -> ToolError:
    return ToolError(Kind.EXECUTION_FAILED, message)


def candidate(flavour: Flavour | None = None) -> Candidate:
    """The entry point of the reference implementation."""
    return Candidate([ListDirectory()], flavour)
