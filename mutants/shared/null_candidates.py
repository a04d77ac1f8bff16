"""What null candidates are made of: a reference's introduction, and answers that have nothing to do with a tree."""

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.reference_impl.shared.candidate import Candidate

Params = Mapping[str, Any]
Answer = dict[str, Any]


class NullCandidate:
    """Introduces itself as a reference does, and then answers every call in one way.

    It describes its tools rightly, as anyone can who has read the specification, unless a `definition` is given.
    """

    def __init__(
        self,
        name: str,
        reference: Candidate,
        answer: Callable[[Params], Answer],
        definition: Answer | None = None,
    ) -> None:
        self.reference = reference
        self._name = name
        self._answer = answer
        self._definition = definition

    def initialize(self, params: Params) -> Answer:
        told = self.reference.initialize(params)
        return {**told, "candidate": {**told["candidate"], "name": self._name}}

    def describe(self, params: Params) -> Answer:
        return self.reference.describe(params) if self._definition is None else self._definition

    def call(self, params: Params) -> Answer:
        return self._answer(params)


class RepeatsFirstAnswer(NullCandidate):
    """Gives the right answer to the first call of each tool, and the same one to every call after it."""

    def __init__(self, name: str, reference: Candidate, definition: Answer | None = None) -> None:
        super().__init__(name, reference, self._repeat_first, definition)
        self._first: dict[str, Answer] = {}

    def _repeat_first(self, params: Params) -> Answer:
        if params["tool"] not in self._first:
            self._first[params["tool"]] = self.reference.call(params)
        return self._first[params["tool"]]


def always_error(kind: str) -> Callable[[Params], Answer]:
    """Every call fails with this kind of error."""
    return lambda params: {"status": "error", "error": {"kind": kind, "message": "no"}}


def crash(params: Params) -> Answer:
    raise RuntimeError("crash")
