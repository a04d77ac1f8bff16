"""The evidence of a scenario for HTML reports: parts in reading order. Other members become labelled text.

Contains no HTML.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treeproof.report.escape import json_text, shortened
from treeproof.report.html.answer_marks import mark_answer
from treeproof.report.html.copied_texts import call_text, request_line, scenario_text
from treeproof.report.html.difference import Difference, Piece, diff_texts
from treeproof.report.html.steps import Step, steps_of
from treeproof.report.html.tree_drawing import TreeLine, draw_tree
from treeproof.spec.catalogue import PLATFORMS

MAX_TEXT = 20_000
"""The maximal length of a text, in characters."""

_TREE_LABELS: Mapping[str, str] = {
    "tree": "Tree",
    "outside": "Beside the sandbox root",
    "before": "Before",
    "after": "After",
}
_DEFAULT_CONTEXT_KEYS = frozenset({"roots", "working_dir"})  # in every call, so they are not shown
_SHOWN_ELSEWHERE = frozenset(
    {"call", "calls", "outcome", "expected", "got", "diff", "steps", "step", "docstring", "race", "message", "context"}
    | {"code", "kind", "harm", "blocked_by", "compares_answers"}
)
_LABELS: Mapping[str, str] = {
    "cause": "Cause",
    "remedy": "Remedy",
    "scenario": "Scenario with the same difference, for a feature file",
    "stderr": "Stderr of the candidate",
}
_JSON_BEGINS = ("{", "[")

_DIFFERENCE_KINDS: Mapping[str, str] = {"-": "missing", "+": "extra"}


@dataclass(frozen=True)
class TreeDrawing:
    """A tree as lines; ``missing`` and ``extra`` are the lines that differ from the other tree."""

    label: str
    lines: Sequence[TreeLine]
    missing: frozenset[TreeLine] = frozenset()
    extra: frozenset[TreeLine] = frozenset()


@dataclass(frozen=True)
class Call:
    """One call: the tool, its arguments as JSON text, and the unusual members of its context.

    ``text`` and ``request`` are for the clipboard: the call, and the message of the protocol (may be empty).
    """

    tool: str
    arguments: str
    context: str
    text: str
    request: str


@dataclass(frozen=True)
class Answer:
    """The call result: its status, and its content with the differences marked.

    ``is_compared`` is True if the comparison shows all of it already.
    """

    status: str
    pieces: Sequence[Piece]
    is_compared: bool


@dataclass(frozen=True)
class CallError:
    """The candidate's own error: its kind or code (may be empty) and its message."""

    kind: str
    message: str


@dataclass(frozen=True)
class Evidence:
    """The members of one ``evidence`` object in the form of the report; ``adapter`` is the kind of the adapter."""

    raw: Mapping[str, Any]
    adapter: str = ""

    @property
    def message(self) -> str:
        """The failure message, or the cause of a missing verdict."""
        return str(self.raw.get("message") or self.raw.get("cause") or "")

    @cached_property
    def trees(self) -> list[TreeDrawing]:
        """The trees before the call, in reading order."""
        names = [name for name in _TREE_LABELS if _is_text(self.raw, name)]
        if self.compared_trees:
            # The tree before the call has the same form as the compared trees.
            names = ["before"] if "before" in names else [name for name in names if name != "after"]
        elif self.raw.get("before") == self.raw.get("tree"):
            names = [name for name in names if name != "tree"]
        return [_drawing(_TREE_LABELS[name], self.raw[name]) for name in names]

    @cached_property
    def compared_trees(self) -> list[TreeDrawing]:
        """The expected and the actual tree after the call; empty if no trees are compared."""
        if not self._compares_trees or not _is_text(self.raw, "expected"):
            return []
        expected, got = _drawing("Expected after", self.raw["expected"]), _drawing("After", self.raw["after"])
        differing = _entry_keys(expected) ^ _entry_keys(got)
        missing = frozenset(line for line in expected.lines if _entry_key(line) in differing)
        extra = frozenset(line for line in got.lines if _entry_key(line) in differing)
        return [replace(expected, missing=missing), replace(got, extra=extra)]

    @property
    def calls(self) -> list[Call]:
        """The recorded calls in order."""
        return [
            _call(call, self.adapter) for call in self.raw.get("calls") or [self.raw.get("call")] if call is not None
        ]

    @cached_property
    def comparison(self) -> Difference | None:
        """Expected and got in pieces; None if one of them is missing.

        Without marks and position if one of them is JSON and the other is not, such as an error.
        """
        got = str(self.raw.get("got") or "")
        if self._compares_trees or not got or not _is_text(self.raw, "expected"):
            return None
        expected, got = shortened(self.raw["expected"], MAX_TEXT), shortened(got, MAX_TEXT)
        if expected.startswith(_JSON_BEGINS) != got.startswith(_JSON_BEGINS):
            return Difference((Piece(expected, False),), (Piece(got, False),), None)
        return diff_texts(expected, got, is_verbatim=self._is_verbatim(got))

    @property
    def difference(self) -> list[tuple[str, str]]:
        """The lines of the difference, each with ``missing``, ``extra`` or an empty kind.

        Empty if the comparison of expected and got already shows all of it.
        """
        text = self.raw.get("diff") or ""
        lines = [(_DIFFERENCE_KINDS.get(line[:1], ""), line) for line in shortened(text, MAX_TEXT).split("\n")]
        sides = {"missing": self.raw.get("expected", ""), "extra": self.raw.get("got") or self._answer_text}
        changed = [(kind, line[2:]) for kind, line in lines if kind]
        is_repeated = bool(changed) and all(line in sides[kind] for kind, line in changed)
        return [] if not text or (self.comparison and is_repeated) else lines

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of the scenario, as in a feature file."""
        return steps_of(self.raw)

    @property
    def race(self) -> str:
        """How the race ran, if something changed the tree during the call; else empty."""
        return shortened(str(self.raw.get("race") or ""), MAX_TEXT)

    @cached_property
    def error(self) -> CallError | None:
        """The candidate's own error, if the call failed: of the protocol, or in an envelope that the call returned."""
        outcome = self.raw.get("outcome") or {}
        if outcome.get("status") == "error":
            return _call_error(outcome)
        return _envelope_error(str(outcome.get("content") or ""))

    @cached_property
    def answer(self) -> Answer | None:
        """The call result; None if there is none, or if it is the error that is shown."""
        outcome = self.raw.get("outcome")
        if outcome is None or outcome["status"] == "error":
            return None
        text = shortened(self._answer_text, MAX_TEXT)
        compared = self.comparison
        if compared is None:
            return Answer(str(outcome["status"]), (Piece(text, False),), False)
        is_compared = "".join(piece.text for piece in compared.got) == text
        return Answer(str(outcome["status"]), mark_answer(text, compared.expected, compared.got), is_compared)

    def scenario(self, title: str) -> str:
        """Return the scenario for the clipboard."""
        return scenario_text(title, self.steps)

    @property
    def other_members(self) -> Iterator[tuple[str, str]]:
        """Yield label and text of every member that no other part shows."""
        for member, value in self.raw.items():
            if member in _SHOWN_ELSEWHERE or (member in _TREE_LABELS and _is_text(self.raw, member)):
                continue
            if member == "cause" and (value == self.message or "blocked_by" in self.raw):
                continue
            if member == "table" and any(step.table for step in self.steps):
                continue
            if member == "simulated":
                yield "Executed on", f"a simulated {PLATFORMS.get(value, value)}: no evidence of conformance"
                continue
            text = value if isinstance(value, str) else json_text(value, indent=2)
            yield _LABELS.get(member, member), shortened(text, MAX_TEXT)
        if not self._compares_trees and _is_text(self.raw, "expected") and self.comparison is None:
            yield "Expected", shortened(self.raw["expected"], MAX_TEXT)
        elif "expected" in self.raw and not _is_text(self.raw, "expected"):
            yield "Expected", shortened(json_text(self.raw["expected"], indent=2), MAX_TEXT)
        if self.comparison is None and self.raw.get("got"):
            yield "Got", shortened(str(self.raw["got"]), MAX_TEXT)

    @property
    def _compares_trees(self) -> bool:
        """Return True if trees are compared, not a call result."""
        return _is_text(self.raw, "after") and "got" not in self.raw

    def _is_verbatim(self, text: str) -> bool:
        """Return True if ``text`` is a part of the call result, as it is or inside a JSON string."""
        forms = (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
        return any(form in self._answer_text for form in forms)

    @property
    def _answer_text(self) -> str:
        outcome = self.raw.get("outcome") or {}
        return str((outcome.get("message") if outcome.get("status") == "error" else outcome.get("content")) or "")


def _call_error(outcome: Mapping[str, Any]) -> CallError:
    texts = (str(outcome.get(member) or "") for member in ("kind", "message"))
    return CallError(*(shortened(text, MAX_TEXT) for text in texts))


def _envelope_error(content: str) -> CallError | None:
    """Return the error of an envelope: an object with a member ``error`` that is a text or has a ``message``."""
    try:
        envelope = json.loads(content)
    except (ValueError, RecursionError):
        return None
    error = envelope.get("error") if isinstance(envelope, dict) else None
    if isinstance(error, str):
        return CallError("", shortened(error, MAX_TEXT))
    if not isinstance(error, dict) or "message" not in error:
        return None
    return _call_error({"kind": error.get("code") or error.get("kind"), "message": error["message"]})


def _is_text(raw: Mapping[str, Any], member: str) -> bool:
    return isinstance(raw.get(member), str)


def _drawing(label: str, notation: str) -> TreeDrawing:
    return TreeDrawing(label, draw_tree(notation[:MAX_TEXT]))


def _entry_keys(tree: TreeDrawing) -> set[tuple[str, str, str]]:
    return {_entry_key(line) for line in tree.lines}


def _entry_key(line: TreeLine) -> tuple[str, str, str]:
    """Return an entry without its prefix, which depends on the neighbours."""
    return line.parent_path, line.name, line.note


def _call(call: Mapping[str, Any], adapter: str) -> Call:
    added = {key: value for key, value in call.get("context", {}).items() if key not in _DEFAULT_CONTEXT_KEYS}
    roots = call.get("context", {}).get("roots")
    if isinstance(roots, list) and len(roots) > 1:
        added = {"roots": roots, **added}
    context = json.dumps(added, indent=2, ensure_ascii=False) if added else ""
    arguments = shortened(call["arguments"], MAX_TEXT)
    return Call(
        call["tool"],
        arguments,
        shortened(context, MAX_TEXT),
        call_text({**call, "arguments": arguments}),
        request_line(call, adapter) if arguments == call["arguments"] else "",
    )
