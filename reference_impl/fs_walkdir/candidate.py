"""`FS.WalkDir` 0.1: the tool's definition, the order of its steps, and the candidate.

Each step is a module: request.py, start.py, walk.py, entries.py. Every failure returns nil and logs a record.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import NAME
from ..shared.candidate import Candidate
from ..shared.context import CallContext
from ..shared.directory_reader import DirectoryReader, open_reader
from ..shared.executor import Executor, Tool, ToolDefinition
from ..shared.paths import Flavour
from ..shared.sandbox import Place
from .entries import EntryFormatter
from .request import SCHEMA, ArgumentParser, CallRefused
from .script import Interpreter
from .start import StartMissing, StartResolver
from .walk import Walk

DEFINITION = ToolDefinition(
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
    """The tool: its steps in their order. Has no state; each step can be replaced."""

    definition: ToolDefinition = DEFINITION
    argument_parser: type[ArgumentParser] = ArgumentParser
    start: type[StartResolver] = StartResolver
    open_reader: Callable[[Place, Flavour], DirectoryReader] = open_reader
    walk: type[Walk] = Walk
    entry_formatter: type[EntryFormatter] = EntryFormatter

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "WalkPlan":
        return WalkPlan(self, arguments, context, flavour)

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> list[dict[str, Any]]:
        """Return the list of a successful walk. Raises CallRefused, StartMissing, OSError, OverflowError."""
        place = self.start(context, flavour).resolve(self.argument_parser().parse_path(arguments))
        if place is None:
            return []
        formatter = self.entry_formatter()
        with self.open_reader(place, flavour) as reader:
            return [formatter.format_entry(item) for item in self.walk(reader, flavour).walk()]

    def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
        """Return nil for a call that fails, and log the details (Behaviour 10)."""
        context.log.append(("error", reason))
        return None

    def nil_for_missing_start(self, context: CallContext) -> Any:
        """Return nil for a missing start path, without an error (special case)."""
        return None


@dataclass(frozen=True)
class WalkPlan:
    """A call before its execution; nothing has been read yet."""

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
        """Return the list, or None for nil."""
        try:
            return self.tool.list_elements(self.arguments, self.context, self.flavour)
        except StartMissing:
            return self.tool.nil_for_missing_start(self.context)
        except CallRefused as refusal:
            return self.tool.nil_with_logged_error(self.context, str(refusal))
        except (OSError, OverflowError) as error:
            return self.tool.nil_with_logged_error(self.context, f"the walk ended: {error}")


class UnvalidatingExecutor(Executor):
    """Leaves the check of arguments to the tools, which return nil for wrong ones (AMB-WD-26 to 29)."""

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        pass


def build_candidate(
    tool: WalkDir,
    *further: Tool,
    name: str = NAME,
    candidate_class: type[Candidate] = Candidate,
    executor: type[Executor] = UnvalidatingExecutor,
) -> Candidate:
    """Return a candidate with this tool and additional ones, including scripts."""
    tools: list[Tool] = [tool, *(further or [Interpreter([tool])])]
    return candidate_class(tools, executor=executor, name=name, capabilities=CAPABILITIES)


def candidate() -> Candidate:
    """Return the reference implementation."""
    return build_candidate(WalkDir())
