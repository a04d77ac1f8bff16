"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

import json
from collections.abc import Callable

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate

from ..shared.mutant import Mutant, build_null_candidate
from ..shared.null_candidates import Answer, NullCandidate, Params, RepeatsFirstAnswer, crash

ONE = '[{"name":"a","path":"a","isDir":false,"size":0,"modTime":"2023-11-14T22:13:20Z"}]'
ERROR = [{"level": "error", "message": "no"}]


def ok_answer(content: str, *log: dict[str, str]) -> Answer:
    return {"status": "ok", "content": content, "log": list(log)}


def always_logged_error(kind: str) -> Callable[[Params], Answer]:
    return lambda params: {"status": "error", "error": {"kind": kind, "message": "no"}, "log": ERROR}


def build_null(id: str, summary: str, answer: Callable[[Params], Answer]) -> Mutant:
    return build_null_candidate(id, summary, lambda: NullCandidate(id, build_candidate(WalkDir()), answer))


MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-WD-01", "Every walk is nil.", lambda params: ok_answer("null")),
    build_null(
        "NULL-WD-02", "Every walk is nil, and an error is logged.", lambda params: ok_answer("null", *ERROR)
    ),
    build_null("NULL-WD-03", "Every walk is empty.", lambda params: ok_answer("[]")),
    build_null("NULL-WD-04", "Every walk gives one and the same list.", lambda params: ok_answer(ONE)),
    build_null("NULL-WD-05", "Every call is BadArgs.", always_logged_error("BadArgs")),
    build_null("NULL-WD-06", "Every call is ExecutionFailed.", always_logged_error("ExecutionFailed")),
    build_null(
        "NULL-WD-07", "The arguments come back.", lambda params: ok_answer(json.dumps(params["arguments"]))
    ),
    build_null("NULL-WD-08", "Every call succeeds without content.", lambda params: ok_answer("")),
    build_null("NULL-WD-09", "Every call crashes.", crash),
    build_null_candidate(
        "NULL-WD-10",
        "The answer to the first call is the answer to all.",
        lambda: RepeatsFirstAnswer("NULL-WD-10", build_candidate(WalkDir())),
    ),
)
