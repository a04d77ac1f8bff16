"""The evidence of a scenario as a page shows it: parts in reading order. What no part knows is shown as labelled text.

Nothing is judged and nothing of HTML is known here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treeproof.report.escape import json_text, shortened
from treeproof.report.html.difference import Difference, diff_texts
from treeproof.report.html.tree_drawing import TreeLine, draw_tree
from treeproof.spec.catalogue import PLATFORMS

MAX_TEXT = 20_000
"""Characters of one text that are shown; the rest is counted."""

_MAX_SHORT_TEXT = 90  # characters

_TREE_LABELS: Mapping[str, str] = {
    "tree": "the tree",
    "outside": "beside the sandbox root",
    "before": "before",
    "after": "after",
}
_DEFAULT_CONTEXT_KEYS = frozenset(
    {"roots", "working_dir"}
)  # in each call; only what a scenario adds is worth a line
_SHOWN_ELSEWHERE = frozenset(
    {"call", "calls", "outcome", "expected", "got", "diff", "steps", "step", "message"}
)
_LABELS: Mapping[str, str] = {
    "cause": "why there is no verdict",
    "scenario": "a scenario that shows the same, to paste",
    "stderr": "stderr of the candidate",
}


@dataclass(frozen=True)
class TreeDrawing:
    """A tree as lines, and which of them the tree beside it lacks: ``missing`` what was due, ``extra`` what came."""

    label: str
    lines: Sequence[TreeLine]
    missing: frozenset[TreeLine] = frozenset()
    extra: frozenset[TreeLine] = frozenset()


@dataclass(frozen=True)
class Call:
    """One call: the tool, its arguments as JSON text, and what its context has beside roots and working directory."""

    tool: str
    arguments: str
    context: str


@dataclass(frozen=True)
class Step:
    """One sentence of the scenario; ``ended``: it is the one at which the scenario ended."""

    keyword: str
    text: str
    is_last: bool


@dataclass(frozen=True)
class Evidence:
    """The members of one ``evidence`` object, ready to be laid out."""

    raw: Mapping[str, Any]

    @property
    def message(self) -> str:
        """One sentence: what did not hold, or why there is no verdict."""
        return str(self.raw.get("message") or self.raw.get("cause") or "")

    @cached_property
    def trees(self) -> list[TreeDrawing]:
        """The trees that say where the call began, in reading order; what is compared is in ``effects``."""
        names = [name for name in _TREE_LABELS if _is_text(self.raw, name)]
        if self.compared_trees:
            # What stood before the call is all that grew, and has the places by which the effects are told.
            names = ["before"] if "before" in names else [name for name in names if name != "after"]
        elif self.raw.get("before") == self.raw.get("tree"):
            names = [name for name in names if name != "tree"]
        return [_drawing(_TREE_LABELS[name], self.raw[name]) for name in names]

    @cached_property
    def compared_trees(self) -> list[TreeDrawing]:
        """The tree that had to come of the call and the one that came; empty where no trees are compared."""
        if not self._compares_trees or not _is_text(self.raw, "expected"):
            return []
        due, came = _drawing("expected after", self.raw["expected"]), _drawing("after", self.raw["after"])
        differing = _entry_keys(due) ^ _entry_keys(came)
        due = replace(due, missing=frozenset(line for line in due.lines if _entry_key(line) in differing))
        came = replace(came, extra=frozenset(line for line in came.lines if _entry_key(line) in differing))
        return [due, came]

    @property
    def calls(self) -> list[Call]:
        """The calls in order; only the last one where the others were not kept."""
        return [_call(call) for call in self.raw.get("calls") or [self.raw.get("call")] if call is not None]

    @cached_property
    def comparison(self) -> Difference | None:
        """Expected and got, piece by piece; None where one of them is not there."""
        if self._compares_trees or not _is_text(self.raw, "expected"):
            return None
        got = self.raw.get("got") or self._answer_text
        return (
            diff_texts(shortened(self.raw["expected"], MAX_TEXT), shortened(got, MAX_TEXT)) if got else None
        )

    @property
    def short_comparison(self) -> Difference | None:
        """Expected and got where both can be read at a glance, in one line each."""
        shown = self.comparison
        texts = (
            ["".join(piece.text for piece in side) for side in (shown.expected, shown.got)] if shown else []
        )
        return (
            shown
            if texts and all(len(text) <= _MAX_SHORT_TEXT and "\n" not in text for text in texts)
            else None
        )

    @property
    def difference(self) -> list[tuple[str, str]]:
        """The lines of the difference as told by the sentence: ``missing``, ``extra`` or nothing, and the text."""
        told = self.raw.get("diff") or ""
        if told.replace("\n", "; ") in self.message or (self.comparison and told.startswith("byte ")):
            return []  # said already, and better
        return [(_difference_kind(line), line) for line in shortened(told, MAX_TEXT).split("\n")]

    @property
    def steps(self) -> list[Step]:
        """The sentences of the scenario, as a feature file has them."""
        ended, steps, previous = str(self.raw.get("step", "")).casefold(), list[Step](), ""
        for sentence in self.raw.get("steps") or [self.raw["step"]] if "step" in self.raw else []:
            keyword, _, text = sentence.partition(" ")
            keyword = keyword.capitalize()
            shown = "And" if keyword == previous else keyword
            steps.append(Step(shown, text, sentence.casefold() == ended))
            previous = keyword
        return steps

    @property
    def answer(self) -> tuple[str, str] | None:
        """What came back: its status, and its content or message. None where nothing did."""
        outcome = self.raw.get("outcome")
        if outcome is None:
            return None
        status = str(outcome["status"])
        if status == "error":
            status = f"error, {outcome.get('kind')}"
        return status, shortened(self._answer_text, MAX_TEXT)

    @property
    def other_members(self) -> Iterator[tuple[str, str]]:
        """Label and text of every member that no other part shows."""
        for member, value in self.raw.items():
            if member in _SHOWN_ELSEWHERE or (member in _TREE_LABELS and _is_text(self.raw, member)):
                continue
            if member == "cause" and value == self.message:
                continue
            if member == "simulated":
                yield "executed on", f"a simulated {PLATFORMS.get(value, value)}: no evidence of conformance"
                continue
            text = value if isinstance(value, str) else json_text(value, indent=2)
            yield _LABELS.get(member, member.replace("_", " ")), shortened(text, MAX_TEXT)
        if not self._compares_trees and _is_text(self.raw, "expected") and self.comparison is None:
            yield "expected", shortened(self.raw["expected"], MAX_TEXT)
        elif "expected" in self.raw and not _is_text(self.raw, "expected"):
            yield "expected", shortened(json_text(self.raw["expected"], indent=2), MAX_TEXT)
        if self.comparison is None and self.raw.get("got"):
            yield "got", shortened(str(self.raw["got"]), MAX_TEXT)

    @property
    def _compares_trees(self) -> bool:
        """Whether what is compared is trees, before and after, and not an answer."""
        return _is_text(self.raw, "after") and "got" not in self.raw

    @property
    def _answer_text(self) -> str:
        outcome = self.raw.get("outcome") or {}
        return str(
            (outcome.get("message") if outcome.get("status") == "error" else outcome.get("content")) or ""
        )


def _is_text(raw: Mapping[str, Any], member: str) -> bool:
    return isinstance(raw.get(member), str)


def _drawing(label: str, notation: str) -> TreeDrawing:
    return TreeDrawing(label, draw_tree(notation[:MAX_TEXT]))


def _entry_keys(tree: TreeDrawing) -> set[tuple[str, str, str]]:
    return {_entry_key(line) for line in tree.lines}


def _entry_key(line: TreeLine) -> tuple[str, str, str]:
    """An entry without the rails before it, which depend on its neighbours."""
    return line.parent_path, line.name, line.note


def _call(call: Mapping[str, Any]) -> Call:
    added = {key: value for key, value in call.get("context", {}).items() if key not in _DEFAULT_CONTEXT_KEYS}
    roots = call.get("context", {}).get("roots")
    if isinstance(roots, list) and len(roots) > 1:
        added = {"roots": roots, **added}
    context = json.dumps(added, indent=2, ensure_ascii=False) if added else ""
    return Call(call["tool"], shortened(call["arguments"], MAX_TEXT), shortened(context, MAX_TEXT))


def _difference_kind(line: str) -> str:
    if line.startswith(("-", "missing")):
        return "missing"
    return "extra" if line.startswith(("+", "not expected")) else ""
