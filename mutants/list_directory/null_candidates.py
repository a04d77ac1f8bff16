"""Null candidates of `list_directory`: they ignore the tree and must not pass any requirement."""

from functools import partial

from treeproof.reference_impl.list_directory.candidate import candidate

from ..shared.mutant import Mutant
from ..shared.null_candidates import (
    Params,
    RepeatsFirstResult,
    Result,
    always_content,
    always_error,
    build_null_candidate,
)

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


ok_result = partial(always_content, context={"allow_truncation": False}, approval_requested=False)


def echo(params: Params) -> Result:
    return ok_result(repr(params["arguments"]))(params)


def echo_path(params: Params) -> Result:
    """Return an empty listing of the requested path."""
    arguments = params["arguments"] if isinstance(params["arguments"], dict) else {}
    return ok_result(EMPTY.replace('"."', f'"{arguments.get("path", ".")}"'))(params)


build_null = partial(build_null_candidate, reference=candidate, definition=BLANK)

MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-01", "Every listing is empty.", result=ok_result(EMPTY)),
    build_null("NULL-02", "Every call is BadArgs.", result=always_error("BadArgs")),
    build_null("NULL-03", "Every call is SandboxViolation.", result=always_error("SandboxViolation")),
    build_null("NULL-04", "Every call is ExecutionFailed.", result=always_error("ExecutionFailed")),
    build_null("NULL-05", "Every call is PolicyDenied.", result=always_error("PolicyDenied")),
    build_null("NULL-06", "Every call returns its arguments.", result=echo),
    build_null("NULL-07", "Every call returns an empty listing of its path.", result=echo_path),
    build_null("NULL-08", "Every call returns the same document.", result=ok_result(ONE)),
    build_null("NULL-09", "Every call crashes."),
    build_null("NULL-10", "Every call returns the result of the first call.", candidate_class=RepeatsFirstResult),
    build_null("NULL-11", "Every call succeeds without content.", result=ok_result("")),
    build_null(
        "NULL-12", "The definition is correct, and every listing is empty.", result=ok_result(EMPTY), definition=None
    ),
)
