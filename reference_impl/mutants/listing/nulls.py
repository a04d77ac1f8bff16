"""Null candidates: they do nothing at all, in different ways. Not one requirement may be theirs."""

from collections.abc import Callable, Mapping
from typing import Any

from ...candidate import Candidate
from ...list_directory import ListDirectory
from ..mutant import Mutant, null

Params = Mapping[str, Any]
Answer = dict[str, Any]

EMPTY = '{"path":".","entries":[],"returned":0,"max_entries":200,"truncated":false,"truncated_reason":null}'
ONE = (
    '{"path":".","entries":[{"name":"a","path":"a","depth":1,"type":"file","size_bytes":0'
    ',"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}]'
    ',"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}'
)
BLANK = {
    "aliases": [],
    "description": "",
    "input_schema": {},
    "is_side_effecting": True,
    "requires_approval": True,
    "risk_level": "High",
}


class Null:
    """Introduces itself as the reference does, and then answers every call in one way."""

    def __init__(self, name: str, answer: Callable[[Params], Answer]) -> None:
        self._reference = Candidate([ListDirectory()], name=name)
        self._answer = answer

    def initialize(self, params: Params) -> Answer:
        return self._reference.initialize(params)

    def describe(self, params: Params) -> Answer:
        return {"name": "null"} | BLANK

    def call(self, params: Params) -> Answer:
        return self._answer(params)


class Honest(Null):
    """Describes the tool rightly, as anyone can who has read the specification."""

    def describe(self, params: Params) -> Answer:
        return self._reference.describe(params)


class FirstAnswer(Null):
    """Gives the right answer to the first call, and the same one to every call after it."""

    def __init__(self, name: str) -> None:
        super().__init__(name, self._again)
        self._first: Answer | None = None

    def _again(self, params: Params) -> Answer:
        if self._first is None:
            self._first = self._reference.call(params)
        return self._first


def ok(content: str) -> Answer:
    return {
        "status": "ok",
        "content": content,
        "context": {"allow_truncation": False},
        "approval_requested": False,
    }


def error(kind: str) -> Callable[[Params], Answer]:
    return lambda params: {"status": "error", "error": {"kind": kind, "message": "no"}}


def crash(params: Params) -> Answer:
    raise RuntimeError("crash")


def echo(params: Params) -> Answer:
    arguments = params["arguments"]
    return ok(repr(arguments))


def echo_path(params: Params) -> Answer:
    """An empty listing of whatever path was asked for."""
    arguments = params["arguments"] if isinstance(params["arguments"], dict) else {}
    return ok(EMPTY.replace('"."', f'"{arguments.get("path", ".")}"'))


def nulls(id: str, summary: str, answer: Callable[[Params], Answer], kind: type[Null] = Null) -> Mutant:
    return null(id, summary, lambda: kind(id, answer))


MUTANTS: tuple[Mutant, ...] = (
    nulls("NULL-01", "Every listing is empty.", lambda params: ok(EMPTY)),
    nulls("NULL-02", "Every call is BadArgs.", error("BadArgs")),
    nulls("NULL-03", "Every call is SandboxViolation.", error("SandboxViolation")),
    nulls("NULL-04", "Every call is ExecutionFailed.", error("ExecutionFailed")),
    nulls("NULL-05", "Every call is PolicyDenied.", error("PolicyDenied")),
    nulls("NULL-06", "The arguments come back.", echo),
    nulls("NULL-07", "The path comes back in an empty listing.", echo_path),
    nulls("NULL-08", "Every call gives one and the same document.", lambda params: ok(ONE)),
    nulls("NULL-09", "Every call crashes.", crash),
    null("NULL-10", "The answer to the first call is the answer to all.", lambda: FirstAnswer("NULL-10")),
    nulls("NULL-11", "Every call succeeds without content.", lambda params: ok("")),
    nulls("NULL-12", "The definition is right and every listing is empty.", lambda params: ok(EMPTY), Honest),
)
