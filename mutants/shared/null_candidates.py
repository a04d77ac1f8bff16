"""Null candidates: they initialize like the reference, and their results ignore the tree."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from treeproof.reference_impl.shared.candidate import Candidate

from .mutant import Mutant

Params = Mapping[str, Any]
Result = dict[str, Any]


class NullCandidate:
    """Offers the tools of the reference, and returns `result(params)` for every call.

    It describes the tools correctly, unless a `definition` is given.
    """

    def __init__(
        self,
        name: str,
        reference: Candidate,
        result: Callable[[Params], Result],
        definition: Result | None = None,
    ) -> None:
        self.reference = reference
        self._name = name
        self._result = result
        self._definition = definition

    def initialize(self, params: Params) -> Result:
        result = self.reference.initialize(params)
        return {**result, "candidate": {**result["candidate"], "name": self._name}}

    def describe(self, params: Params) -> Result:
        return self.reference.describe(params) if self._definition is None else self._definition

    def call(self, params: Params) -> Result:
        return self._result(params)


class RepeatsFirstResult(NullCandidate):
    """Returns the correct result of the first call to each tool, for every call to it."""

    _first: dict[str, Result]

    def call(self, params: Params) -> Result:
        self._first = getattr(self, "_first", {})
        if params["tool"] not in self._first:
            self._first[params["tool"]] = self.reference.call(params)
        return self._first[params["tool"]]


def always_content(content: str, **members: Any) -> Callable[[Params], Result]:
    """Return a function with which every call succeeds with `content`."""
    return lambda params: {"status": "ok", "content": content, **members}


def always_error(kind: str, **members: Any) -> Callable[[Params], Result]:
    """Return a function with which every call fails with this kind of error."""
    return lambda params: {"status": "error", "error": {"kind": kind, "message": "no"}, **members}


def echo(params: Params) -> Result:
    """Return the arguments as the content."""
    return {"status": "ok", "content": json.dumps(params["arguments"])}


def crash(params: Params) -> Result:
    raise RuntimeError("crash")


def build_null_candidate(
    id: str,
    summary: str,
    reference: Callable[[], Candidate],
    result: Callable[[Params], Result] = crash,
    definition: Result | None = None,
    candidate_class: type[NullCandidate] = NullCandidate,
) -> Mutant:
    """Return a null candidate in place of `reference`."""
    factory = lambda: candidate_class(id, reference(), result, definition)  # noqa: E731
    return Mutant(id, summary, (), factory, kind="null")
