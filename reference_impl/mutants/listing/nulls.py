"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

from collections.abc import Callable

from ...candidate import Candidate
from ...list_directory import ListDirectory
from ..mutant import Mutant, null
from ..nothing import Answer, FirstAnswer, Null, Params, crash, refuse

EMPTY = '{"path":".","entries":[],"returned":0,"max_entries":200,"truncated":false,"truncated_reason":null}'
ONE = (
    '{"path":".","entries":[{"name":"a","path":"a","depth":1,"type":"file","size_bytes":0'
    ',"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}]'
    ',"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}'
)
BLANK = {
    "name": "null",
    "aliases": [],
    "description": "",
    "input_schema": {},
    "is_side_effecting": True,
    "requires_approval": True,
    "risk_level": "High",
}


def ok(content: str) -> Answer:
    return {
        "status": "ok",
        "content": content,
        "context": {"allow_truncation": False},
        "approval_requested": False,
    }


def echo(params: Params) -> Answer:
    arguments = params["arguments"]
    return ok(repr(arguments))


def echo_path(params: Params) -> Answer:
    """An empty listing of whatever path was asked for."""
    arguments = params["arguments"] if isinstance(params["arguments"], dict) else {}
    return ok(EMPTY.replace('"."', f'"{arguments.get("path", ".")}"'))


def nulls(
    id: str, summary: str, answer: Callable[[Params], Answer], definition: Answer | None = BLANK
) -> Mutant:
    return null(id, summary, lambda: Null(id, Candidate([ListDirectory()]), answer, definition))


MUTANTS: tuple[Mutant, ...] = (
    nulls("NULL-01", "Every listing is empty.", lambda params: ok(EMPTY)),
    nulls("NULL-02", "Every call is BadArgs.", refuse("BadArgs")),
    nulls("NULL-03", "Every call is SandboxViolation.", refuse("SandboxViolation")),
    nulls("NULL-04", "Every call is ExecutionFailed.", refuse("ExecutionFailed")),
    nulls("NULL-05", "Every call is PolicyDenied.", refuse("PolicyDenied")),
    nulls("NULL-06", "The arguments come back.", echo),
    nulls("NULL-07", "The path comes back in an empty listing.", echo_path),
    nulls("NULL-08", "Every call gives one and the same document.", lambda params: ok(ONE)),
    nulls("NULL-09", "Every call crashes.", crash),
    null(
        "NULL-10",
        "The answer to the first call is the answer to all.",
        lambda: FirstAnswer("NULL-10", Candidate([ListDirectory()]), BLANK),
    ),
    nulls("NULL-11", "Every call succeeds without content.", lambda params: ok("")),
    nulls("NULL-12", "The definition is right and every listing is empty.", lambda params: ok(EMPTY), None),
)
