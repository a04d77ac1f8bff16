"""Mutants: errors in the schema and the meaning of arguments."""

import os
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import replace
from typing import Any, ClassVar
from unicodedata import normalize

from treeproof.reference_impl.file_operations.candidate import COPY_DEFINITION, MOVE_DEFINITION
from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import SCHEMA, ArgumentParser, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import Executor, Result, Tool, ToolDefinition
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both, tools_with_copy, tools_with_move


def with_schema_value(definition: ToolDefinition, *path: str, to: Any) -> ToolDefinition:
    """Return the definition with another value in its schema; None removes the key."""
    schema = deepcopy(SCHEMA)
    place = schema
    for step in path[:-1]:
        place = place[step]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return replace(definition, input_schema=schema)


class HereByDefault(ArgumentParser):
    def parse_path(self, key: str) -> RequestedPath:
        self.arguments = {"destination": ".", **self.arguments}
        return super().parse_path(key)


class Spelt(ArgumentParser):
    """Converts values that are no text to text."""

    def parse_path(self, key: str) -> RequestedPath:
        self.arguments = {**self.arguments, key: str(self.arguments[key])}
        return super().parse_path(key)


class Forced(ArgumentParser):
    def parse_overwrite(self) -> bool:
        return super().parse_overwrite() or bool(self.arguments.get("force"))


def with_path_changed(other: Callable[[str], str]) -> type[ArgumentParser]:
    """Return a parser that replaces every path."""

    class TakenFor(ArgumentParser):
        def parse_path(self, key: str) -> RequestedPath:
            self.arguments = {**self.arguments, key: other(self.arguments[key])}
            return super().parse_path(key)

    return TakenFor


class FromTheRoot(LinkSandbox):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(replace(context, working_dir=context.roots[0]), flavour)


class RequestsApprovalFirst(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if context.policy.mode == "prompt" and not context.approves and context.policy.enabled:
            return Result(kind=ErrorKind.APPROVAL_DENIED, message="not approved", approval_requested=True)
        return super().execute(name, arguments, context, flavour)


class FailsForEverything(Executor):
    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        try:
            super()._check_arguments(definition, arguments)
        except ToolError as error:
            raise ToolError(ErrorKind.EXECUTION_FAILED, error.message) from error


class Remembers(Candidate):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._known: dict[str, dict[str, Any]] = {}

    def call(self, params: Any) -> dict[str, Any]:
        key = repr(params)
        if key not in self._known:
            self._known[key] = super().call(params)
        return self._known[key]


class RemembersFailures(Executor):
    def __init__(self, tools: Iterable[Tool]) -> None:
        super().__init__(tools)
        self._failures: dict[str, Result] = {}

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        key = f"{name} {arguments!r} {context!r}"
        if key not in self._failures:
            result = super().execute(name, arguments, context, flavour)
            if result.kind is not ErrorKind.EXECUTION_FAILED:
                return result
            self._failures[key] = result
        return self._failures[key]


class RemembersKinds(Resolution):
    known: ClassVar[dict[tuple[int, bytes], bool]] = {}

    def is_directory(self, destination: NamedPlace) -> bool:
        root = destination.target.root
        path = os.path.join(root, *destination.target.components)
        key = os.stat(root).st_ino, path
        if key not in self.known or not os.path.lexists(path):
            self.known[key] = super().is_directory(destination)
        return self.known[key]


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-021",
        "move needs no destination: it is the working directory.",
        "FR-FOPS-MV-01",
        tools=tools_with_move(
            definition=with_schema_value(MOVE_DEFINITION, "required", to=["source"]),
            argument_parser=HereByDefault,
        ),
    ),
    build_mutant(
        "MUT-FO-022",
        "move takes anything for overwrite.",
        "FR-FOPS-MV-01",
        tools=tools_with_move(definition=with_schema_value(MOVE_DEFINITION, "properties", "overwrite", to=None)),
    ),
    build_mutant(
        "MUT-FO-023",
        "copy takes anything for a path.",
        "FR-FOPS-CP-01 FR-VAL-01",
        tools=tools_with_copy(
            definition=with_schema_value(
                COPY_DEFINITION, "properties", to={"overwrite": {"type": "boolean", "default": False}}
            ),
            argument_parser=Spelt,
        ),
    ),
    build_mutant(
        "MUT-FO-024",
        "An argument `force` permits overwriting too.",
        "FR-FOPS-MV-01 FR-FOPS-MV-03",
        tools=tools_with_move(argument_parser=Forced),
    ),
    build_mutant(
        "MUT-FO-025",
        "Blanks around a path are removed.",
        "DFO-01 DFO-02",
        tools=tools_with_both(argument_parser=with_path_changed(str.strip)),
    ),
    build_mutant(
        "MUT-FO-026",
        "Relative paths start in the first root.",
        "FR-VAL-09",
        tools=tools_with_both(sandbox=FromTheRoot),
    ),
    build_mutant(
        "MUT-FO-027",
        "Approval is requested before the arguments are checked.",
        "FR-VAL-01 FR-APR-05",
        executor=RequestsApprovalFirst,
    ),
    build_mutant(
        "MUT-FO-028",
        "Wrong arguments are ExecutionFailed.",
        "FR-VAL-01 FR-FOPS-LS-01",
        executor=FailsForEverything,
    ),
    build_mutant(
        "MUT-FO-029",
        "A repeated call returns the earlier result.",
        "FR-EXE-01 DFO-01 DFO-02",
        candidate_class=Remembers,
    ),
    build_mutant(
        "MUT-FO-030",
        "Names are normalised to NFC.",
        "DFO-01",
        tools=tools_with_both(argument_parser=with_path_changed(lambda path: normalize("NFC", path))),
    ),
    build_mutant(
        "MUT-FO-031",
        "A tilde is the home directory of the tool, which is its root.",
        "FR-VAL-04",
        tools=tools_with_both(argument_parser=with_path_changed(lambda path: path.removeprefix("~/"))),
    ),
    build_mutant(
        "MUT-FO-032",
        "A backslash separates directories.",
        "DFO-01",
        tools=tools_with_both(argument_parser=with_path_changed(lambda path: path.replace("\\", "/"))),
    ),
    build_mutant(
        "MUT-FO-033",
        "Relative paths of copy start in the first root.",
        "FR-VAL-09",
        tools=tools_with_copy(sandbox=FromTheRoot),
    ),
    build_mutant(
        "MUT-FO-279",
        "move takes anything for a path.",
        "FR-FOPS-MV-01 FR-VAL-01",
        tools=tools_with_move(
            definition=with_schema_value(
                MOVE_DEFINITION, "properties", to={"overwrite": {"type": "boolean", "default": False}}
            ),
            argument_parser=Spelt,
        ),
    ),
    build_mutant(
        "MUT-FO-280",
        "A call that failed once fails again.",
        "FR-EXE-01",
        executor=RemembersFailures,
    ),
    build_mutant(
        "MUT-FO-281",
        "What is no directory at the first look is none for ever.",
        "FR-EXE-01 FR-FOPS-CP-02",
        tools=tools_with_both(resolution=RemembersKinds),
    ),
)
