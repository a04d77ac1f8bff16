"""The evidence of a scenario or of a call: its trees, calls and results, and what is wrong with them, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from treeproof.spec.catalogue import Basis, Harm
from treeproof.verdict.difference import difference_kind
from treeproof.verdict.json_object import JsonObject, absent

CONTROL_CALL = "the control call: "
"""The context of a difference that a control call shows."""


@dataclass(frozen=True)
class RecordedCall(JsonObject):
    """A call as the suite makes it: ``arguments`` is JSON text. ``sent``: what a manifest has made of them."""

    tool: str
    arguments: str
    sent: str | None = absent()
    context: Mapping[str, Any] = absent()

    @property
    def shown_context(self) -> Mapping[str, Any]:
        """The context without the directories, which are in every call."""
        return {key: value for key, value in (self.context or {}).items() if key not in ("roots", "working_dir")}


@dataclass(frozen=True)
class Answer(JsonObject):
    """The result of a call. ``content`` is None if it would differ from run to run; an error has no content."""

    status: Literal["ok", "error"]
    content: str | None = absent()
    kind: str | None = absent()
    message: str | None = absent()

    @property
    def text(self) -> str:
        """The content, or the message of the error."""
        return (self.message if self.status == "error" else self.content) or ""

    @property
    def error(self) -> str:
        """Kind and message of the error; empty if the call succeeded."""
        return ": ".join(filter(None, (self.kind, self.message))) if self.status == "error" else ""

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON; an error has kind and message, even without a value."""
        error = {"kind": self.kind, "message": self.message} if self.status == "error" else {}
        return {**super().to_json(), **error}


@dataclass(frozen=True)
class Evidence(JsonObject):
    """The evidence of a scenario: run.schema.json describes the members. None: it has no such member.

    An empty tree is an empty text.
    """

    outside: str | None = absent()
    tree: str | None = absent()
    before: str | None = absent()
    after: str | None = absent()
    call: RecordedCall | None = absent()
    outcome: Answer | None = absent()
    steps: tuple[str, ...] | None = absent()
    step: str | None = absent()
    table: tuple[tuple[str, ...], ...] | None = absent()
    docstring: str | None = absent()
    calls: tuple[RecordedCall, ...] | None = absent()
    call_number: int | None = absent()
    race: str | None = absent()
    scenario: str | None = absent()
    message: str | None = absent()
    expected: str | None = absent()
    got: str | None = absent()
    diff: str | None = absent()
    basis: Basis | None = absent()
    harm: Harm | None = absent()
    kind: str | None = absent()
    compares_answers: Literal[True] | None = absent()
    context: str | None = absent()
    cause: str | None = absent()
    code: str | None = absent()
    remedy: str | None = absent()
    blocked_by: str | None = absent()
    stderr: str | None = absent()
    simulated: str | None = absent()
    line: Evidence | None = absent()

    def __bool__(self) -> bool:
        """Return whether it has a member."""
        return self != EMPTY

    @property
    def reason(self) -> str:
        """Why the scenario failed, broke, or has no verdict; may be empty."""
        return self.message or self.cause or ""

    @property
    def expects_condition(self) -> bool:
        """True if ``expected`` is a condition, in the words of the step, and no part of an answer."""
        return bool(self.expected) and (self.step or "").endswith(f" {self.expected}")

    @property
    def difference_kind(self) -> str:
        """The kind of the difference; a document of an older version has only the message."""
        return self.kind or difference_kind((self.message or "").removeprefix(self.context or ""))

    @property
    def answer(self) -> str:
        """The answer of the candidate: its error or its content; empty if the evidence does not contain it."""
        return (self.outcome.error or self.outcome.content or "") if self.outcome else ""

    @property
    def error(self) -> str:
        """Kind and message of the error that the candidate returned; empty if it returned none."""
        return self.outcome.error if self.outcome else ""

    def only(self, names: Iterable[str]) -> Evidence:
        """Return the evidence of these members."""
        return Evidence(**{name: getattr(self, name) for name in names})

    def without(self, names: Iterable[str]) -> Evidence:
        """Return the evidence without these members."""
        return replace(self, **dict.fromkeys(names))

    def with_members_of(self, other: Evidence) -> Evidence:
        """Return the evidence; the members that ``other`` has replace its own."""
        return replace(self, **{name: value for name, value in vars(other).items() if value is not None})


EMPTY = Evidence()
