"""Null candidates: they move and copy nothing at all, in different ways. Not one requirement may be theirs."""

from collections.abc import Callable

from ...candidate import Candidate
from ...executor import Tool
from ...file_operations import copy_tool, move_tool
from ...list_directory import ListDirectory
from ..mutant import Mutant, null
from ..nothing import Answer, Null, Params, crash, refuse

BLANK = {
    "name": "null",
    "aliases": [],
    "description": "",
    "input_schema": {},
    "is_side_effecting": False,
    "requires_approval": True,
    "risk_level": "High",
}


class Checks(Null):
    """Finds everything wrong that is wrong, asks whoever is to be asked, and then does nothing."""

    def call(self, params: Params) -> Answer:
        disabled = {**params["context"].get("policy", {}), "enabled": True}
        nowhere = {**params["context"], "roots": ["/nonexistent-root"], "working_dir": "/nonexistent-root"}
        tried = self.reference.call({**params, "context": {**nowhere, "policy": disabled}})
        missing = "does not exist" in str((tried.get("error") or {}).get("message"))
        return {**done(params), "approval_requested": False} if missing else tried


def done(params: Params) -> Answer:
    return {
        "status": "ok",
        "content": "Done",
        "context": {"allow_truncation": False},
        "approval_requested": True,
    }


def echo(params: Params) -> Answer:
    return {**done(params), "content": repr(params["arguments"])}


def nulls(
    number: int,
    summary: str,
    answer: Callable[[Params], Answer],
    definition: Answer | None = BLANK,
    kind: type[Null] = Null,
) -> Mutant:
    id = f"NULL-FO-{number:02}"
    tools: list[Tool] = [move_tool(), copy_tool(), ListDirectory()]
    return null(id, summary, lambda: kind(id, Candidate(tools), answer, definition))


MUTANTS: tuple[Mutant, ...] = (
    nulls(1, "Every call is done, it says.", done),
    nulls(2, "Every call is BadArgs.", refuse("BadArgs")),
    nulls(3, "Every call is SandboxViolation.", refuse("SandboxViolation")),
    nulls(4, "Every call is ExecutionFailed.", refuse("ExecutionFailed")),
    nulls(5, "Every call is PolicyDenied.", refuse("PolicyDenied")),
    nulls(6, "Every call is an unknown tool's.", refuse("UnknownTool")),
    nulls(7, "Every call crashes.", crash),
    nulls(8, "The arguments come back.", echo),
    nulls(9, "The definition is right, and every call is done, it says.", done, None),
    nulls(10, "The definition is right, and every call fails.", refuse("ExecutionFailed"), None),
    nulls(11, "What is wrong is found, and what is right is not done.", done, None, Checks),
)
