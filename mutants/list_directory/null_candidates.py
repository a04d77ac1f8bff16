"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

from collections.abc import Callable

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant, build_null_candidate
from ..shared.null_candidates import Answer, NullCandidate, Params, RepeatsFirstAnswer, always_error, crash

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


def ok_answer(content: str) -> Answer:
    return {
        "status": "ok",
        "content": content,
        "context": {"allow_truncation": False},
        "approval_requested": False,
    }


def echo(params: Params) -> Answer:
    arguments = params["arguments"]
    return ok_answer(repr(arguments))


def echo_path(params: Params) -> Answer:
    """An empty listing of whatever path was asked for."""
    arguments = params["arguments"] if isinstance(params["arguments"], dict) else {}
    return ok_answer(EMPTY.replace('"."', f'"{arguments.get("path", ".")}"'))


def build_null(
    id: str, summary: str, answer: Callable[[Params], Answer], definition: Answer | None = BLANK
) -> Mutant:
    return build_null_candidate(
        id, summary, lambda: NullCandidate(id, Candidate([ListDirectory()]), answer, definition)
    )


MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-01", "Every listing is empty.", lambda params: ok_answer(EMPTY)),
    build_null("NULL-02", "Every call is BadArgs.", always_error("BadArgs")),
    build_null("NULL-03", "Every call is SandboxViolation.", always_error("SandboxViolation")),
    build_null("NULL-04", "Every call is ExecutionFailed.", always_error("ExecutionFailed")),
    build_null("NULL-05", "Every call is PolicyDenied.", always_error("PolicyDenied")),
    build_null("NULL-06", "The arguments come back.", echo),
    build_null("NULL-07", "The path comes back in an empty listing.", echo_path),
    build_null("NULL-08", "Every call gives one and the same document.", lambda params: ok_answer(ONE)),
    build_null("NULL-09", "Every call crashes.", crash),
    build_null_candidate(
        "NULL-10",
        "The answer to the first call is the answer to all.",
        lambda: RepeatsFirstAnswer("NULL-10", Candidate([ListDirectory()]), BLANK),
    ),
    build_null("NULL-11", "Every call succeeds without content.", lambda params: ok_answer("")),
    build_null(
        "NULL-12",
        "The definition is right and every listing is empty.",
        lambda params: ok_answer(EMPTY),
        None,
    ),
)
