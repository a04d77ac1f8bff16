"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

import json
from collections.abc import Callable

from ...local_files import candidate
from ..mutant import Mutant, null
from ..nothing import Answer, FirstAnswer, Null, Params, crash

ONE = '[{"@type":"FileEntry","name":"a","path":"/a","size":0,"lastModified":1700000000000}]'


def ok(content: str) -> Answer:
    return {"status": "ok", "content": content}


def error(params: Params) -> Answer:
    """Fails, and names whatever it was asked for."""
    message = f"{params['arguments']} cannot be listed"
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": message}}


def nulls(id: str, summary: str, answer: Callable[[Params], Answer]) -> Mutant:
    return null(id, summary, lambda: Null(id, candidate(), answer))


MUTANTS: tuple[Mutant, ...] = (
    nulls("NULL-LF-01", "Every list is empty.", lambda params: ok("[]")),
    nulls("NULL-LF-02", "Every call fails and names its arguments.", error),
    nulls("NULL-LF-03", "Every list is null.", lambda params: ok("null")),
    nulls("NULL-LF-04", "Every call gives one and the same list.", lambda params: ok(ONE)),
    nulls("NULL-LF-05", "The arguments come back.", lambda params: ok(json.dumps(params["arguments"]))),
    nulls("NULL-LF-06", "Every call succeeds without content.", lambda params: ok("")),
    nulls("NULL-LF-07", "Every call crashes.", crash),
    null(
        "NULL-LF-08",
        "The answer to the first call is the answer to all.",
        lambda: FirstAnswer("NULL-LF-08", candidate()),
    ),
)
