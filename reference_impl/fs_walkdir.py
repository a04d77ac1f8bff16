"""`FS.WalkDir` 0.1: the tool's definition, the order of its steps, and the candidate that offers it.

Each step is a file of its own: walking/argument.py, walking/start.py, walking/walk.py, walking/entries.py. Whatever
goes wrong in one of them is nil for the caller and a record in the log.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import NAME
from .candidate import Candidate
from .context import CallContext
from .directories import Directories, directories
from .executor import Definition, Executor, Tool
from .paths import Flavour
from .sandbox import Place
from .walking.argument import SCHEMA, Argument, Refused
from .walking.entries import Describing
from .walking.script import Interpreter
from .walking.start import Missing, Start
from .walking.walk import Walk

DEFINITION = Definition(
    name="FS.WalkDir",
    specification="fs_walkdir@0.1",
    aliases=(),
    description="List every file and subdirectory below a directory of the sandbox",
    input_schema=SCHEMA,
    is_side_effecting=False,
    requires_approval=False,
    risk_level="Low",
)
CAPABILITIES = ("log",)


@dataclass(frozen=True)
class WalkDir:
    """The tool: its steps in their order. Has no state; any step can be given in another version."""

    definition: Definition = DEFINITION
    argument: type[Argument] = Argument
    start: type[Start] = Start
    directories: Callable[[Place, Flavour], Directories] = directories
    walk: type[Walk] = Walk
    describing: type[Describing] = Describing

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "WalkPlan":
        return WalkPlan(self, arguments, context, flavour)

    def elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> list[dict[str, Any]]:
        """The list of a walk that succeeds. Raises Missing, Refused, OSError, OverflowError."""
        place = self.start(context, flavour).place(self.argument().path(arguments))
        if place is None:
            return []
        describing = self.describing()
        with self.directories(place, flavour) as reach:
            return [describing.element(item) for item in self.walk(reach, flavour).items()]

    def failed(self, context: CallContext, why: str) -> Any:
        """What a call gives that cannot be walked: nil, and the details in the log (Behaviour 10)."""
        context.log.append(("error", why))
        return None

    def missing(self, context: CallContext) -> Any:
        """What a start path gives that is not there: nil, and no error (special case)."""
        return None


@dataclass(frozen=True)
class WalkPlan:
    """A call that runs; nothing has been looked at yet."""

    tool: WalkDir
    arguments: Any
    context: CallContext
    flavour: Flavour

    @property
    def summary(self) -> str:
        return "Walk a directory"

    def run(self) -> str:
        return json.dumps(self.value(), ensure_ascii=False, separators=(",", ":"))

    def value(self) -> Any:
        """The list, or None for nil."""
        try:
            return self.tool.elements(self.arguments, self.context, self.flavour)
        except Missing:
            return self.tool.missing(self.context)
        except Refused as refusal:
            return self.tool.failed(self.context, str(refusal))
        except (OSError, OverflowError) as error:
            return self.tool.failed(self.context, f"the walk ended: {error}")


class Unchecking(Executor):
    """Leaves the check of arguments to the tools, whose answer to wrong ones is nil (AMB-WD-09)."""

    def _check(self, definition: Definition, arguments: Any) -> None:
        pass


def offered(tool: WalkDir, *further: Tool, name: str = NAME, face: type[Candidate] = Candidate) -> Candidate:
    """A candidate of this tool and further ones, scripts included."""
    tools: list[Tool] = [tool, *(further or [Interpreter([tool])])]
    return face(tools, executor=Unchecking, name=name, capabilities=CAPABILITIES)


def candidate() -> Candidate:
    """The entry point of the reference implementation."""
    return offered(WalkDir())
