"""Null candidates of LS: they ignore the tree and must not pass any requirement."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from treeproof.reference_impl.ls.candidate import candidate

from ..shared.mutant import Mutant
from ..shared.null_candidates import (
    Params,
    RepeatsFirstResult,
    Result,
    always_content,
    always_error,
    build_null_candidate,
    echo,
)


def envelope_result(params: Params, **members: Any) -> Result:
    """Return an envelope with these members and the correct context."""
    context = {"cwd": ".", "params_input": params["arguments"], "path_resolved": "."}
    envelope = {"stats": {"time_ms": 0}, "context": context, **members}
    return {"status": "ok", "content": json.dumps(envelope)}


def empty_listing(params: Params) -> Result:
    return envelope_result(
        params,
        status="success",
        data={"entries": [], "truncated": False},
        text="Listed 0 entries in '.'\n(Total: 0 items - 0 dirs, 0 files, 0 links)",
        stats={"time_ms": 0, "total_entries": 0, "dirs": 0, "files": 0, "links": 0, "returned": 0},
    )


def one_file_listing(params: Params) -> Result:
    return envelope_result(
        params,
        status="success",
        data={"entries": [{"path": "a", "type": "file"}], "truncated": False},
        text="Listed 1 entries in '.'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\na",
        stats={"time_ms": 0, "total_entries": 1, "dirs": 0, "files": 1, "links": 0, "returned": 1},
    )


def always_envelope_error(code: str, message: str) -> Callable[[Params], Result]:
    def result(params: Params) -> Result:
        return envelope_result(params, status="error", data={}, text=message, error={"code": code, "message": message})

    return result


build_null = partial(build_null_candidate, reference=candidate)

MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-LS-01", "Every listing is empty.", result=empty_listing),
    build_null("NULL-LS-02", "Every listing has the same file.", result=one_file_listing),
    build_null(
        *("NULL-LS-03", "Every argument is wrong."),
        result=always_envelope_error("INVALID_PARAM", "offset/limit/ignore must be valid types."),
    ),
    build_null(
        "NULL-LS-04", "Every path is missing.", result=always_envelope_error("NOT_FOUND", "Path '.' does not exist.")
    ),
    build_null(
        *("NULL-LS-05", "Every path is outside of the project root."),
        result=always_envelope_error("ACCESS_DENIED", "Access denied. Path must be within the project root."),
    ),
    build_null(
        *("NULL-LS-06", "Every call is an internal error."),
        result=always_envelope_error("INTERNAL_ERROR", "Failed to list directory - no"),
    ),
    build_null("NULL-LS-07", "Every call fails without an envelope.", result=always_error("ExecutionFailed")),
    build_null("NULL-LS-08", "Every call returns its arguments.", result=echo),
    build_null("NULL-LS-09", "Every call succeeds without content.", result=always_content("")),
    build_null("NULL-LS-10", "Every call returns an empty object.", result=always_content("{}")),
    build_null("NULL-LS-11", "Every call crashes."),
    build_null("NULL-LS-12", "Every call returns the result of the first call.", candidate_class=RepeatsFirstResult),
)
