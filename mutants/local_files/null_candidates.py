"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

import json
from collections.abc import Callable

from treeproof.reference_impl.local_files.candidate import candidate

from ..shared.mutant import Mutant, build_null_candidate
from ..shared.null_candidates import Answer, NullCandidate, Params, RepeatsFirstAnswer, crash

ONE = '[{"@type":"FileEntry","name":"a","path":"/a","size":0,"lastModified":1700000000000}]'


def ok_answer(content: str) -> Answer:
    return {"status": "ok", "content": content}


def error_naming_arguments(params: Params) -> Answer:
    """Fails, and names whatever it was asked for."""
    message = f"{params['arguments']} cannot be listed"
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": message}}


def build_null(id: str, summary: str, answer: Callable[[Params], Answer]) -> Mutant:
    return build_null_candidate(id, summary, lambda: NullCandidate(id, candidate(), answer))


MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-LF-01", "Every list is empty.", lambda params: ok_answer("[]")),
    build_null("NULL-LF-02", "Every call fails and names its arguments.", error_naming_arguments),
    build_null("NULL-LF-03", "Every list is null.", lambda params: ok_answer("null")),
    build_null("NULL-LF-04", "Every call gives one and the same list.", lambda params: ok_answer(ONE)),
    build_null(
        "NULL-LF-05", "The arguments come back.", lambda params: ok_answer(json.dumps(params["arguments"]))
    ),
    build_null("NULL-LF-06", "Every call succeeds without content.", lambda params: ok_answer("")),
    build_null("NULL-LF-07", "Every call crashes.", crash),
    build_null_candidate(
        "NULL-LF-08",
        "The answer to the first call is the answer to all.",
        lambda: RepeatsFirstAnswer("NULL-LF-08", candidate()),
    ),
)
