"""`LS` 2.0.0: the tool's definition, the order of its steps, and the candidate.

Each step is a module: request.py, project.py, directory.py, filters.py, page.py, listing_text.py, envelope.py. Every
failure returns an envelope too.
"""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..shared.candidate import Candidate
from ..shared.context import CallContext
from ..shared.executor import ToolDefinition
from ..shared.paths import Flavour
from .directory import Directory, Entry
from .envelope import Envelope, Members
from .errors import LISTING_FAILED, NOT_A_DIRECTORY, PATH_NOT_FOUND, PERMISSION_DENIED, CallRefused, ErrorCode
from .filters import Filters
from .listing_text import ListingText
from .page import EntryOrder, Page
from .project import Project
from .request import SCHEMA, ArgumentParser, Request

DEFINITION = ToolDefinition(
    name="LS",
    specification="ls@2.0.0",
    aliases=(),
    description="List files and directories in a given path with pagination and filters.",
    input_schema=SCHEMA,
    is_side_effecting=False,
    requires_approval=False,
    risk_level="Low",
    checks_own_arguments=True,  # the envelope reports wrong arguments
)

# Section 7; any other errno is a failure of the system.
ERRNO_ERRORS: Mapping[int | None, tuple[ErrorCode, str]] = {
    errno.ENOENT: (ErrorCode.NOT_FOUND, PATH_NOT_FOUND),
    errno.ENAMETOOLONG: (ErrorCode.NOT_FOUND, PATH_NOT_FOUND),
    errno.EACCES: (ErrorCode.ACCESS_DENIED, PERMISSION_DENIED),
    errno.EPERM: (ErrorCode.ACCESS_DENIED, PERMISSION_DENIED),
}


@dataclass(frozen=True)
class ListFiles:
    """The tool: its steps in their order. Has no state; each step can be replaced."""

    definition: ToolDefinition = DEFINITION
    project: type[Project] = Project
    directory: type[Directory] = Directory
    filters: type[Filters] = Filters
    order: type[EntryOrder] = EntryOrder
    text: type[ListingText] = ListingText

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> "LsPlan":
        return LsPlan(self, arguments, context, flavour)

    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        """Return code and message for a directory that cannot be listed; `real_path` is the resolved path."""
        if os.path.islink(real_path):  # a loop of links, or a link since the check (AMB-LS-42)
            return ErrorCode.INTERNAL_ERROR, LISTING_FAILED.format(error=os.strerror(errno.ELOOP))
        if error.errno == errno.ENOTDIR and os.path.lexists(real_path):
            return ErrorCode.INVALID_PARAM, NOT_A_DIRECTORY.format(path=path)
        if error.errno == errno.ENOTDIR:  # a component of the path is a file (AMB-LS-41)
            return ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path)
        code, message = ERRNO_ERRORS.get(error.errno, (ErrorCode.INTERNAL_ERROR, LISTING_FAILED))
        # The system's message without its path, because the location of the project is private (AMB-LS-43).
        return code, message.format(path=path, error=error.strerror)


@dataclass(frozen=True)
class LsPlan:
    """A call before its execution; nothing has been read yet."""

    tool: ListFiles
    sent_arguments: Any
    context: CallContext
    flavour: Flavour

    @property
    def summary(self) -> str:
        path = self.sent_arguments.get("path", ".") if isinstance(self.sent_arguments, dict) else "."
        return f"List {path}"

    def run(self) -> str:
        project = self.tool.project(self.context)
        envelope = Envelope(self.sent_arguments, project.cwd)
        try:
            members = self.list_page(project, envelope)
        except CallRefused as refused:
            path = None if refused.components is None else project.display_path(refused.components)
            members = envelope.failure(refused, path)
        return envelope.to_json(members)

    def list_page(self, project: Project, envelope: Envelope) -> Members:
        """Return the page. Raises CallRefused."""
        request = ArgumentParser(self.sent_arguments).parse()
        components = project.resolve(request.path)
        entries = self.tool.filters(request).apply(self.read_entries(project, components, request))
        ordered = tuple(self.tool.order().sort(entries))
        page = Page(ordered, request.offset, request.limit)
        path = project.display_path(components)
        return envelope.listing(path, page, self.tool.text(path, page).render())

    def read_entries(self, project: Project, components: tuple[bytes, ...], request: Request) -> list[Entry]:
        """Return the entries. Raises CallRefused."""
        try:
            return self.tool.directory(project, components, self.flavour).entries()
        except OSError as error:
            refusal = self.tool.listing_error(error, request.path, project.join_root(components))
            raise CallRefused(*refusal, components) from error


def candidate(flavour: Flavour | None = None) -> Candidate:
    """Return the reference implementation."""
    return Candidate([ListFiles()], flavour, capabilities=("policy", "context"))
