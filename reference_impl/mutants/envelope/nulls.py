"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

import json
from collections.abc import Callable
from typing import Any

from ...candidate import Candidate
from ...ls import ListFiles
from ..mutant import Mutant, null
from ..nothing import Answer, FirstAnswer, Null, Params, crash


def enveloped(params: Params, **members: Any) -> Answer:
    """An envelope with these members, that tells rightly what it was sent."""
    context = {"cwd": ".", "params_input": params["arguments"], "path_resolved": "."}
    envelope = {"stats": {"time_ms": 0}, "context": context, **members}
    return {"status": "ok", "content": json.dumps(envelope)}


def empty(params: Params) -> Answer:
    return enveloped(
        params,
        status="success",
        data={"entries": [], "truncated": False},
        text="Listed 0 entries in '.'\n(Total: 0 items - 0 dirs, 0 files, 0 links)",
        stats={"time_ms": 0, "total_entries": 0, "dirs": 0, "files": 0, "links": 0, "returned": 0},
    )


def one(params: Params) -> Answer:
    return enveloped(
        params,
        status="success",
        data={"entries": [{"path": "a", "type": "file"}], "truncated": False},
        text="Listed 1 entries in '.'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\na",
        stats={"time_ms": 0, "total_entries": 1, "dirs": 0, "files": 1, "links": 0, "returned": 1},
    )


def refusing(code: str, message: str) -> Callable[[Params], Answer]:
    def answer(params: Params) -> Answer:
        return enveloped(
            params, status="error", data={}, text=message, error={"code": code, "message": message}
        )

    return answer


def failing(params: Params) -> Answer:
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "no"}}


def saying(content: str) -> Callable[[Params], Answer]:
    return lambda params: {"status": "ok", "content": content}


def echo(params: Params) -> Answer:
    return {"status": "ok", "content": json.dumps(params["arguments"])}


def nothing(number: int, summary: str, answer: Callable[[Params], Answer]) -> Mutant:
    id = f"NULL-LS-{number:02}"
    return null(id, summary, lambda: Null(id, Candidate([ListFiles()]), answer))


MUTANTS: tuple[Mutant, ...] = (
    nothing(1, "Every listing is empty.", empty),
    nothing(2, "Every listing has one and the same file.", one),
    nothing(
        3, "Every argument is wrong.", refusing("INVALID_PARAM", "offset/limit/ignore must be valid types.")
    ),
    nothing(4, "Every path is missing.", refusing("NOT_FOUND", "Path '.' does not exist.")),
    nothing(
        5,
        "Every path lies outside.",
        refusing("ACCESS_DENIED", "Access denied. Path must be within the project root."),
    ),
    nothing(6, "Every call fails in itself.", refusing("INTERNAL_ERROR", "Failed to list directory - no")),
    nothing(7, "Every call fails without an envelope.", failing),
    nothing(8, "The arguments come back.", echo),
    nothing(9, "Every call succeeds without content.", saying("")),
    nothing(10, "Every call gives an empty object.", saying("{}")),
    nothing(11, "Every call crashes.", crash),
    null(
        "NULL-LS-12",
        "The answer to the first call is the answer to all.",
        lambda: FirstAnswer("NULL-LS-12", Candidate([ListFiles()])),
    ),
)
