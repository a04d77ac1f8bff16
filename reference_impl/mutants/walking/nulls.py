"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

import json
from collections.abc import Callable

from ...fs_walkdir import WalkDir, offered
from ..mutant import Mutant, null
from ..nothing import Answer, FirstAnswer, Null, Params, crash

ONE = '[{"name":"a","path":"a","isDir":false,"size":0,"modTime":"2023-11-14T22:13:20Z"}]'
ERROR = [{"level": "error", "message": "no"}]


def ok(content: str, *log: dict[str, str]) -> Answer:
    return {"status": "ok", "content": content, "log": list(log)}


def error(kind: str) -> Callable[[Params], Answer]:
    return lambda params: {"status": "error", "error": {"kind": kind, "message": "no"}, "log": ERROR}


def nulls(id: str, summary: str, answer: Callable[[Params], Answer]) -> Mutant:
    return null(id, summary, lambda: Null(id, offered(WalkDir()), answer))


MUTANTS: tuple[Mutant, ...] = (
    nulls("NULL-WD-01", "Every walk is nil.", lambda params: ok("null")),
    nulls("NULL-WD-02", "Every walk is nil, and an error is logged.", lambda params: ok("null", *ERROR)),
    nulls("NULL-WD-03", "Every walk is empty.", lambda params: ok("[]")),
    nulls("NULL-WD-04", "Every walk gives one and the same list.", lambda params: ok(ONE)),
    nulls("NULL-WD-05", "Every call is BadArgs.", error("BadArgs")),
    nulls("NULL-WD-06", "Every call is ExecutionFailed.", error("ExecutionFailed")),
    nulls("NULL-WD-07", "The arguments come back.", lambda params: ok(json.dumps(params["arguments"]))),
    nulls("NULL-WD-08", "Every call succeeds without content.", lambda params: ok("")),
    nulls("NULL-WD-09", "Every call crashes.", crash),
    null(
        "NULL-WD-10",
        "The answer to the first call is the answer to all.",
        lambda: FirstAnswer("NULL-WD-10", offered(WalkDir())),
    ),
)
