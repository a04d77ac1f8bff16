"""The evidence of a scenario for HTML reports: parts in reading order, and texts of it for lists and the clipboard.

The text of a step is shown as it is; only its first word is a keyword, if it is one. Contains no HTML.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from treeproof.report.escape import json_text, shortened, visible
from treeproof.report.html.text_difference import Difference, Piece, diff_texts, mark_answer
from treeproof.report.html.tree_drawing import TreeLine, draw_tree
from treeproof.spec.catalogue import PLATFORMS
from treeproof.verdict.evidence import Evidence, RecordedCall
from treeproof.verdict.record import ScenarioRecord

MAX_TEXT = 20_000
"""The maximal length of a text, in characters."""

_TREE_LABELS: Mapping[str, str] = {
    "tree": "Tree",
    "outside": "Beside the sandbox root",
    "before": "Before",
    "after": "After",
}
_SHOWN_ELSEWHERE = frozenset(
    {
        *_TREE_LABELS,
        "call",
        "calls",
        "call_number",
        "outcome",
        "expected",
        "got",
        "diff",
        "steps",
        "step",
        "docstring",
        "race",
        "message",
        "context",
    }
    | {"code", "kind", "harm", "blocked_by", "compares_answers"}
)
_LABELS: Mapping[str, str] = {
    "cause": "Cause",
    "line": "The step itself",
    "remedy": "Remedy",
    "scenario": "Scenario with the same difference, for a feature file",
    "stderr": "Stderr of the candidate",
}
_USUAL_ROOTS = ["$ROOT"]
_JSON_BEGINS = ("{", "[")

_DIFFERENCE_KINDS: Mapping[str, str] = {"-": "missing", "+": "extra"}
MAX_ROWS, MAX_CELLS = 50, 20
"""The maximal numbers of rows of a table, and of cells in a row."""

_MAX_CELL_CHARACTERS = 400
_MAX_CALL_LINE = 160  # characters
_ADAPTERS_WITH_MESSAGES = frozenset({"stdio", "command", "python"})
_KEYWORDS: Mapping[str, str] = {"given": "Given", "when": "When", "then": "Then"}


@dataclass(frozen=True)
class TreeDrawing:
    """A tree as lines; ``missing`` and ``extra`` are the lines that differ from the other tree."""

    label: str
    lines: Sequence[TreeLine]
    missing: frozenset[TreeLine] = frozenset()
    extra: frozenset[TreeLine] = frozenset()


@dataclass(frozen=True)
class Call:
    """One call: the tool, its arguments as JSON text, also as sent if a mapping has changed them, and unusual context.

    ``label`` is its number in the scenario, and that the evidence is about it; empty if it is the only call.
    ``text`` and ``request`` are for the clipboard: the call, and the message of the protocol (may be empty).
    """

    label: str
    tool: str
    arguments: str
    sent: str
    context: str
    text: str
    request: str


@dataclass(frozen=True)
class ShownAnswer:
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
class EvidenceView:
    """The members of an ``evidence`` in the form of the report; ``adapter`` is the kind of the adapter."""

    data: Evidence
    adapter: str = ""

    @property
    def message(self) -> str:
        """The failure message, or the cause of a missing verdict."""
        return self.data.reason

    @cached_property
    def trees(self) -> list[TreeDrawing]:
        """The trees before the call, in reading order."""
        found = {name: tree for name in _TREE_LABELS if (tree := getattr(self.data, name)) is not None}
        names = list(found)
        if self.compared_trees:
            # The tree before the call has the same form as the compared trees: with what is outside.
            names = ["before"] if "before" in names else [name for name in names if name != "after"]
        elif self.data.before == self.data.tree:
            names = [name for name in names if name != "tree"]
        return [_drawing(_TREE_LABELS[name], found[name]) for name in names]

    @cached_property
    def compared_trees(self) -> list[TreeDrawing]:
        """The expected and the actual tree after the call; empty if no trees are compared."""
        if not self._compares_trees or self.data.expected is None:
            return []
        expected, got = _drawing("Expected after", self.data.expected), _drawing("After", self.data.after or "")
        differing = _entry_keys(expected) ^ _entry_keys(got)
        missing = frozenset(line for line in expected.lines if _entry_key(line) in differing)
        extra = frozenset(line for line in got.lines if _entry_key(line) in differing)
        return [replace(expected, missing=missing), replace(got, extra=extra)]

    @property
    def calls(self) -> list[Call]:
        """The recorded calls in order: the first one, and the last ones up to the call that the evidence is about."""
        listed = [one for one in self.data.calls or (self.data.call,) if one is not None]
        skipped = (self.data.call_number or len(listed)) - len(listed)
        labels = [f"call {number + skipped * (number > 1)}" for number in range(1, len(listed) + 1)]
        labels = [*labels[:-1], f"{labels[-1]}, which is judged here"] if len(labels) > 1 else [""]
        return [_call(one, self.adapter, label) for one, label in zip(listed, labels, strict=False)]

    @cached_property
    def comparison(self) -> Difference | None:
        """Expected and got in pieces; None if one of them is missing.

        Without marks and position if one of them is JSON and the other is not, such as an error.
        """
        if self._compares_trees or not self.data.got or self.data.expected is None or self.data.expects_condition:
            return None
        expected, got = shortened(self.data.expected, MAX_TEXT), shortened(self.data.got, MAX_TEXT)
        if expected.startswith(_JSON_BEGINS) != got.startswith(_JSON_BEGINS):
            return Difference((Piece(expected, False),), (Piece(got, False),), None)
        return diff_texts(expected, got, is_verbatim=self._is_verbatim(got))

    @property
    def difference(self) -> list[tuple[str, str]]:
        """The lines of the difference, each with ``missing``, ``extra`` or an empty kind.

        Empty if the comparison of expected and got already shows all of it.
        """
        text = self.data.diff or ""
        lines = [(_DIFFERENCE_KINDS.get(line[:1], ""), line) for line in shortened(text, MAX_TEXT).split("\n")]
        sides = {"missing": self.data.expected or "", "extra": self.data.got or self._answer_text}
        changed = [(kind, line[2:]) for kind, line in lines if kind]
        is_repeated = bool(changed) and all(line in sides[kind] for kind, line in changed)
        return [] if not text or (self.comparison and is_repeated) else lines

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of the scenario, as in a feature file."""
        return steps_of(self.data)

    @property
    def race(self) -> str:
        """How the race ran, if something changed the tree during the call; else empty."""
        return shortened(self.data.race or "", MAX_TEXT)

    @cached_property
    def error(self) -> CallError | None:
        """The candidate's own error, if the call failed: of the protocol, or in an envelope that the call returned."""
        outcome = self.data.outcome
        if outcome is not None and outcome.status == "error":
            return _call_error(outcome.kind, outcome.message)
        return _envelope_error((outcome.content if outcome else None) or "")

    @cached_property
    def answer(self) -> ShownAnswer | None:
        """The call result; None if there is none, or if it is the error that is shown."""
        outcome = self.data.outcome
        if outcome is None or outcome.status == "error":
            return None
        text = shortened(self._answer_text, MAX_TEXT)
        compared = self.comparison
        if compared is None:
            return ShownAnswer(outcome.status, (Piece(text, False),), False)
        is_compared = "".join(piece.text for piece in compared.got) == text
        return ShownAnswer(outcome.status, mark_answer(text, compared.expected, compared.got), is_compared)

    def scenario(self, title: str) -> str:
        """Return the scenario for the clipboard."""
        return scenario_text(title, self.steps)

    @property
    def other_members(self) -> Iterator[tuple[str, str]]:
        """Yield label and text of every member that no other part shows."""
        data = self.data
        for member, value in data.to_json().items():
            is_shown = member == "cause" and (value == self.message or data.blocked_by is not None)
            if member == "line":
                yield _LABELS[member], shortened(data.line.reason if data.line else "", MAX_TEXT)
                continue
            is_shown |= member == "table" and any(step.table for step in self.steps)
            if member in _SHOWN_ELSEWHERE or is_shown:
                continue
            if member == "simulated":
                yield "Executed on", f"a simulated {PLATFORMS.get(value, value)}: no evidence of conformance"
                continue
            text = value if isinstance(value, str) else json_text(value, indent=2)
            yield _LABELS.get(member, member), shortened(text, MAX_TEXT)
        if not self._compares_trees and data.expected is not None and self.comparison is None:
            yield "Expected", shortened(data.expected, MAX_TEXT)
        if self.comparison is None and data.got:
            yield "Got", shortened(data.got, MAX_TEXT)

    @property
    def _compares_trees(self) -> bool:
        """Return True if trees are compared, not a call result."""
        return self.data.after is not None and self.data.got is None

    def _is_verbatim(self, text: str) -> bool:
        """Return True if ``text`` is a part of the call result, as it is or inside a JSON string."""
        forms = (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
        return any(form in self._answer_text for form in forms)

    @property
    def _answer_text(self) -> str:
        return self.data.outcome.text if self.data.outcome else ""


def _call_error(kind: str | None, message: str | None) -> CallError:
    return CallError(shortened(kind or "", MAX_TEXT), shortened(message or "", MAX_TEXT))


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
    kind = error.get("code") or error.get("kind")
    return _call_error(kind and str(kind), error["message"] and str(error["message"]))


def _drawing(label: str, notation: str) -> TreeDrawing:
    return TreeDrawing(label, draw_tree(notation[:MAX_TEXT]))


def _entry_keys(tree: TreeDrawing) -> set[tuple[str, str, str]]:
    return {_entry_key(line) for line in tree.lines}


def _entry_key(line: TreeLine) -> tuple[str, str, str]:
    """Return an entry without its prefix, which depends on the neighbours."""
    return line.parent_path, line.name, line.note


def _call(call: RecordedCall, adapter: str, label: str) -> Call:
    added = call.shown_context
    roots = (call.context or {}).get("roots", _USUAL_ROOTS)
    if roots != _USUAL_ROOTS:
        added = {"roots": roots, **added}
    context = json.dumps(added, indent=2, ensure_ascii=False) if added else ""
    arguments = shortened(call.arguments, MAX_TEXT)
    return Call(
        label,
        call.tool,
        arguments,
        shortened(call.sent or "", MAX_TEXT),
        shortened(context, MAX_TEXT),
        f"{call.tool} {arguments}",
        request_line(call, adapter) if arguments == call.arguments else "",
    )


# ---- steps, and texts for the clipboard -------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One step of the scenario. ``is_last`` if the scenario ended at it; only then it has a table or a docstring."""

    keyword: str
    text: str
    is_last: bool
    table: Sequence[Sequence[str]] = ()
    docstring: str = ""


def steps_of(evidence: Evidence) -> list[Step]:
    """Return the steps of the scenario in order, as in a feature file; empty without a step."""
    if evidence.step is None:
        return []
    last = _split(evidence.step)
    steps, previous = list[Step](), ""
    for text in evidence.steps or (evidence.step,):
        keyword, rest = _split(text)
        is_last = (keyword, rest) == last
        shown = "And" if keyword and keyword == previous else keyword
        table = _table_of(evidence) if is_last else ()
        docstring = (is_last and evidence.docstring) or ""
        steps.append(Step(shown, shortened(rest, MAX_TEXT), is_last, table, shortened(docstring, MAX_TEXT)))
        previous = keyword
    return steps


def _table_of(evidence: Evidence) -> list[list[str]]:
    """Return the rows of the step's table, the header first, cut to a fixed size; empty if there is none."""
    rows = evidence.table or ()
    table = [[shortened(cell, _MAX_CELL_CHARACTERS) for cell in row[:MAX_CELLS]] for row in rows[:MAX_ROWS]]
    if len(rows) > MAX_ROWS:
        table.append([f"… and {len(rows) - MAX_ROWS} more rows"])
    return table


def _split(step: str) -> tuple[str, str]:
    """Return the keyword and the text of a step; without a keyword the whole text."""
    first, _, rest = step.partition(" ")
    keyword = _KEYWORDS.get(first.lower())
    return (keyword, rest) if keyword else ("", step)


def call_line(scenario: ScenarioRecord) -> str:
    """Return the call of a scenario in one short line; empty if none is recorded."""
    call = scenario.evidence.call
    return shortened(f"{call.tool} {call.arguments}", _MAX_CALL_LINE) if call else ""


def request_line(call: RecordedCall, adapter: str) -> str:
    """Return the message ``call`` of the candidate protocol in one line; empty if there is none.

    There is none if the ``adapter`` translates the call for a server, or if the arguments are cut. The directories of
    the run are ``$ROOT`` and ``$OUTSIDE``.
    """
    if adapter not in _ADAPTERS_WITH_MESSAGES or not _is_json(call.arguments):
        return ""
    # The arguments as they were sent: a value that was parsed could have lost a member or a digit.
    members = [f'"tool": {json.dumps(call.tool)}', f'"arguments": {call.arguments}']
    if call.context is not None:
        members.append(f'"context": {json.dumps(call.context)}')
    return f'{{"jsonrpc": "2.0", "id": 1, "method": "call", "params": {{{", ".join(members)}}}}}'


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return "\n" not in text


def scenario_text(title: str, steps: Sequence[Step]) -> str:
    """Return the scenario as in a feature file: its steps, and the table and the text block of the last one."""
    lines = [f"Scenario: {visible(title)}"]
    for step in steps:
        lines.append(f"  {step.keyword or '*'} {visible(step.text)}")
        lines += [f"    | {' | '.join(map(_cell, row))} |" for row in step.table]
        if step.docstring:
            block = (visible(line) for line in step.docstring.split("\n"))
            lines += ['    """', *(f"    {line}" for line in block), '    """']
    return "\n".join(lines)


def _cell(text: str) -> str:
    return visible(text).replace("|", "\\|")


def manifest_line(interpretation: str, label: str) -> str:
    """Return the line of the manifest's table ``[interpretations]`` that declares a reading."""
    return f"{interpretation} = {json.dumps(label)}"
