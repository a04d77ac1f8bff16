"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

import json
from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant, build_null_candidate
from ..shared.null_candidates import Answer, NullCandidate, Params, RepeatsFirstAnswer, crash


def envelope_answer(params: Params, **members: Any) -> Answer:
    """An envelope with these members, that tells rightly what it was sent."""
    context = {"cwd": ".", "params_input": params["arguments"], "path_resolved": "."}
    envelope = {"stats": {"time_ms": 0}, "context": context, **members}
    return {"status": "ok", "content": json.dumps(envelope)}


def empty_listing(params: Params) -> Answer:
    return envelope_answer(
        params,
        status="success",
        data={"entries": [], "truncated": False},
        text="Listed 0 entries in '.'\n(Total: 0 items - 0 dirs, 0 files, 0 links)",
        stats={"time_ms": 0, "total_entries": 0, "dirs": 0, "files": 0, "links": 0, "returned": 0},
    )


def one_file_listing(params: Params) -> Answer:
    return envelope_answer(
        params,
        status="success",
        data={"entries": [{"path": "a", "type": "file"}], "truncated": False},
        text="Listed 1 entries in '.'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\na",
        stats={"time_ms": 0, "total_entries": 1, "dirs": 0, "files": 1, "links": 0, "returned": 1},
    )


def always_envelope_error(code: str, message: str) -> Callable[[Params], Answer]:
    def answer(params: Params) -> Answer:
        return envelope_answer(
            params, status="error", data={}, text=message, error={"code": code, "message": message}
        )

    return answer


def protocol_error(params: Params) -> Answer:
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "no"}}


def always_content(content: str) -> Callable[[Params], Answer]:
    return lambda params: {"status": "ok", "content": content}


def echo(params: Params) -> Answer:
    return {"status": "ok", "content": json.dumps(params["arguments"])}


def build_null(number: int, summary: str, answer: Callable[[Params], Answer]) -> Mutant:
    id = f"NULL-LS-{number:02}"
    return build_null_candidate(id, summary, lambda: NullCandidate(id, Candidate([ListFiles()]), answer))


MUTANTS: tuple[Mutant, ...] = (
    build_null(1, "Every listing is empty.", empty_listing),
    build_null(2, "Every listing has one and the same file.", one_file_listing),
    build_null(
        3,
        "Every argument is wrong.",
        always_envelope_error("INVALID_PARAM", "offset/limit/ignore must be valid types."),
    ),
    build_null(4, "Every path is missing.", always_envelope_error("NOT_FOUND", "Path '.' does not exist.")),
    build_null(
        5,
        "Every path lies outside.",
        always_envelope_error("ACCESS_DENIED", "Access denied. Path must be within the project root."),
    ),
    build_null(
        6,
        "Every call fails in itself.",
        always_envelope_error("INTERNAL_ERROR", "Failed to list directory - no"),
    ),
    build_null(7, "Every call fails without an envelope.", protocol_error),
    build_null(8, "The arguments come back.", echo),
    build_null(9, "Every call succeeds without content.", always_content("")),
    build_null(10, "Every call gives an empty object.", always_content("{}")),
    build_null(11, "Every call crashes.", crash),
    build_null_candidate(
        "NULL-LS-12",
        "The answer to the first call is the answer to all.",
        lambda: RepeatsFirstAnswer("NULL-LS-12", Candidate([ListFiles()])),
    ),
)
