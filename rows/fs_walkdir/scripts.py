"""Scripts of FS.WalkDir: a row changes the calls that they make, too."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from treeproof.api import Call, CallResult, PlantedChange
from treeproof.reference_impl.fs_walkdir.candidate import DEFINITION
from treeproof.reference_impl.fs_walkdir.script import Interpreter
from treeproof.reference_impl.shared.context import read_context
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import POSIX

from ..shared.row import Row, Send


def scripted(row: Row) -> Row:
    """Return a row with a script's calls changed as well: the script runs here, and its calls pass through the row."""

    def create() -> PlantedChange:
        change = row.plant()

        def around(call: Call, send: Send) -> CallResult:
            if call.tool != Interpreter.definition.name:
                return change(call, send)
            return _run(ChangedTool(call, send, change))

        return around

    return replace(row, plant=create)


@dataclass
class ChangedTool:
    """FS.WalkDir as a script calls it, and the records that its calls have logged."""

    call: Call
    send: Send
    change: PlantedChange
    log: list[Any] = field(default_factory=list)
    definition = DEFINITION

    def plan(self, arguments: Mapping[str, Any], *rest: Any) -> Any:
        return replace(
            self, call=replace(self.call, tool=DEFINITION.name, arguments=dict(arguments), arguments_text=None)
        )

    def run(self) -> str:
        answer = self.change(self.call, self.send)
        self.log += answer.log or ()
        if answer.content is None:
            raise ToolError(ErrorKind(answer.error_kind or ""), answer.error_message or "")
        return answer.content


def _run(tool: ChangedTool) -> CallResult:
    given = tool.call.arguments
    script = given.get("script") if isinstance(given, dict) else None
    if not isinstance(script, str):
        return tool.send(tool.call)
    answer = tool.send(replace(tool.call, arguments={"script": ""}, arguments_text=None))
    if answer.status == "error":
        return answer
    try:
        emitted = Interpreter([tool]).run(script, read_context(dict(tool.call.context)), POSIX)
    except ToolError as error:
        answer = replace(answer, status="error", content=None, error_kind=error.kind, error_message=error.message)
    else:
        answer = replace(answer, content=json.dumps(emitted, ensure_ascii=False))
    return replace(answer, log=None if answer.log is None else tuple(tool.log))
