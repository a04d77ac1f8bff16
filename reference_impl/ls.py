"""`LS` 2.0.0: the tool's definition, the order of its steps, and the candidate that offers it.

Each step is a file of its own in envelope/: request.py, project.py, directory.py, filters.py, page.py, text.py,
answer.py. Whatever goes wrong ends in an envelope as well.
"""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .candidate import Candidate
from .context import CallContext
from .envelope.answer import Answer, Members
from .envelope.directory import Directory, Entry
from .envelope.filters import Filters
from .envelope.page import Order, Page
from .envelope.project import Project
from .envelope.refusals import FAILED, MISSING, NO_DIRECTORY, NO_PERMISSION, Code, Refused
from .envelope.request import SCHEMA, Arguments, Request
from .envelope.text import Text
from .executor import Definition
from .paths import Flavour

DEFINITION = Definition(
    name="LS",
    specification="ls@2.0.0",
    aliases=(),
    description="List files and directories in a given path with pagination and filters.",
    input_schema=SCHEMA,
    is_side_effecting=False,
    requires_approval=False,
    risk_level="Low",
    checks_arguments=True,  # what is wrong with them stands in the envelope
)

# Section 7; any other errno is a failure of the system.
FAILURES: Mapping[int | None, tuple[Code, str]] = {
    errno.ENOENT: (Code.NOT_FOUND, MISSING),
    errno.ENAMETOOLONG: (Code.NOT_FOUND, MISSING),
    errno.EACCES: (Code.ACCESS_DENIED, NO_PERMISSION),
    errno.EPERM: (Code.ACCESS_DENIED, NO_PERMISSION),
}


@dataclass(frozen=True)
class ListFiles:
    """The tool: its steps in their order. Has no state; any step can be given in another version."""

    definition: Definition = DEFINITION
    arguments: type[Arguments] = Arguments
    project: type[Project] = Project
    directory: type[Directory] = Directory
    filters: type[Filters] = Filters
    order: type[Order] = Order
    page: type[Page] = Page
    text: type[Text] = Text
    answer: type[Answer] = Answer

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> "Plan":
        return Plan(self, arguments, context, flavour)

    def refusal(self, error: OSError, path: str, here: bytes) -> tuple[str, str]:
        """Code and message for a directory that cannot be listed; `here` is where its path leads."""
        if os.path.islink(here):  # in a circle, or it has become one meanwhile (AMB-LS-42)
            return Code.INTERNAL_ERROR, FAILED.format(error=os.strerror(errno.ELOOP))
        if error.errno == errno.ENOTDIR and os.path.lexists(here):
            return Code.INVALID_PARAM, NO_DIRECTORY.format(path=path)
        if error.errno == errno.ENOTDIR:  # something on the way is a file (AMB-LS-41)
            return Code.NOT_FOUND, MISSING.format(path=path)
        code, message = FAILURES.get(error.errno, (Code.INTERNAL_ERROR, FAILED))
        # The system's words without its path: where the project lies is nobody's business (AMB-LS-43).
        return code, message.format(path=path, error=error.strerror)


@dataclass(frozen=True)
class Plan:
    """One call, nothing of it looked at yet."""

    tool: ListFiles
    sent: Any
    context: CallContext
    flavour: Flavour

    @property
    def summary(self) -> str:
        path = self.sent.get("path", ".") if isinstance(self.sent, dict) else "."
        return f"List {path}"

    def run(self) -> str:
        project = self.tool.project(self.context)
        answer = self.tool.answer(self.sent, project.cwd)
        try:
            members = self.listing(project, answer)
        except Refused as refused:
            path = None if refused.below is None else project.shown(refused.below)
            members = answer.failure(refused, path)
        return answer.written(members)

    def listing(self, project: Project, answer: Answer) -> Members:
        """Raises Refused."""
        request = self.tool.arguments(self.sent).request()
        below = project.place(request.path)
        entries = self.tool.filters(request).kept(self.entries(project, below, request))
        whole = tuple(self.tool.order().ordered(entries))
        page = self.tool.page(whole, request.offset, request.limit)
        path = project.shown(below)
        return answer.listing(path, page, self.tool.text(path, page).text())

    def entries(self, project: Project, below: tuple[bytes, ...], request: Request) -> list[Entry]:
        """Raises Refused."""
        try:
            return self.tool.directory(project, below, self.flavour).entries()
        except OSError as error:
            refusal = self.tool.refusal(error, request.path, project.joined(below))
            raise Refused(*refusal, below) from error


def candidate(flavour: Flavour | None = None) -> Candidate:
    """The entry point of the reference implementation."""
    return Candidate([ListFiles()], flavour, capabilities=("policy", "context"))
