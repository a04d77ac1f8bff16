"""Findings on the steps of a pack: whether each says one thing, and whether a scenario can pass for nothing.

Steps are judged by the vocabulary alone; what a notation means is asked of the caller's `check_step`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import get_args

from treeproof.errors import UsageError, format_parse_error, reject_json_constant
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import FeatureText, KeywordType, ScenarioCase, StepText
from treeproof.spec.ignored_lines import description_lines, suggest_keyword
from treeproof.spec.step_definitions import EVIDENCE_ALWAYS, StepDefinition

CheckStep = Callable[[StepText], str | None]

_ROLES = ("call", "state")
# $('…'*n) stands for n repetitions inside a JSON text.
_REPETITION = re.compile(r"\$\('((?:[^'\\]|\\.)*)'\*\d+\)")
_EMPTY_VALUES = frozenset({"", "{}", "[]", '""', "''"})


def lint_step_definitions(pack: Pack, step_definitions: Sequence[StepDefinition]) -> Iterator[Diagnostic]:
    """Findings on the definitions themselves: what pytest-bdd would call without effect, or never."""
    first: dict[tuple[KeywordType | None, str], StepDefinition] = {}
    for sentence in step_definitions:

        def finding(word: DiagnosticCode, message: str, sentence: StepDefinition = sentence) -> Diagnostic:
            return Diagnostic(sentence.file, sentence.line, word, f"{sentence.function}: {message}")

        if sentence.is_async:
            yield finding("malformed", "is async, so nothing would ever run it; make it an ordinary function")
        other = first.setdefault((sentence.keyword_type, sentence.pattern), sentence)
        if other is not sentence:
            place = f"{other.file.name}:{other.line}"
            yield finding(
                "duplicate", f'the sentence "{sentence.pattern}" is defined at {place} too; keep one'
            )
        if not sentence.example:
            yield finding(
                "malformed", "its docstring begins with no example of the sentence; write one and a colon"
            )
        for name in sentence.captures:
            if name not in sentence.parameters:
                yield finding(
                    "malformed", f'captures "{name}" and does not take it; use it or do not capture it'
                )
        for role in sentence.roles:
            if role not in _ROLES:
                yield finding("orphaned", f'"Role: {role}" is unknown; write one of: {", ".join(_ROLES)}')
        for name in sentence.evidence:
            known = name == EVIDENCE_ALWAYS or name in sentence.captures or sentence.takes_table
            if not known and not (name == "docstring" and sentence.takes_docstring):
                yield finding(
                    "orphaned", f'"Evidence: {name}" names no part of the sentence; write one it captures'
                )
    for role in _ROLES:
        if step_definitions and not any(role in sentence.roles for sentence in step_definitions):
            message = (
                f'no sentence of its steps is marked "Role: {role}" in its docstring; mark those that are'
            )
            yield Diagnostic(pack.pack_file, 0, "malformed", message)
    if step_definitions and not any(sentence.evidence for sentence in step_definitions):
        message = (
            'no sentence of its steps is marked "Evidence: …" in its docstring; mark those that show presence'
        )
        yield Diagnostic(pack.pack_file, 0, "malformed", message)


def lint_steps(
    features: Sequence[FeatureText],
    step_definitions: Sequence[StepDefinition],
    check_step: CheckStep | None = None,
) -> Iterator[Diagnostic]:
    """Findings on every step of every row against the vocabulary, and on scenarios that prove nothing."""
    reader = _StepMatcher(step_definitions, check_step)
    for feature in features:
        for line, text, in_scenario in description_lines(feature):
            if suggest_keyword(text, feature.language, in_scenario) is not None:
                continue  # told already
            if reader.matches_any(text) or reader.matches_any(text.partition(" ")[2]):
                message = (
                    f'"{text}" is read as a description and never runs; begin it with Given, When or Then'
                )
                yield Diagnostic(feature.file, line, "malformed", message)
        for row in feature.scenarios:
            for step in row.steps:
                for word, message in reader.diagnostics(step):
                    yield Diagnostic(row.file, step.line, word, f"{_case_prefix(row)}{message}")
            yield from _lint_evidence(row, reader)


def _case_prefix(row: ScenarioCase) -> str:
    return f"{row.id}: " if row.from_outline and row.id else ""


def _lint_evidence(row: ScenarioCase, reader: _StepMatcher) -> Iterator[Diagnostic]:
    """Findings on a row that could pass against a candidate that does nothing, or that harms the tree."""
    found = [reader.definition(step) for step in row.steps]
    if not row.steps or any(sentence is None for sentence in found):
        return  # told already, and what the unknown step would have said cannot be known
    calls = [at for at, sentence in enumerate(found) if sentence is not None and "call" in sentence.roles]
    states = [at for at, sentence in enumerate(found) if sentence is not None and "state" in sentence.roles]
    name = row.id or row.title
    if calls and reader.has_role("state") and not any(at > calls[-1] for at in states):
        message = (
            f"{name} calls and never says what became of the tree; end it with: And the tree is unchanged"
        )
        yield Diagnostic(row.file, row.line, "malformed", message)
    if not reader.has_evidence:
        return
    if not any(
        proves_presence(sentence, step) for sentence, step in zip(found, row.steps, strict=True) if sentence
    ):
        message = (
            f"{name} would pass for a candidate that does nothing; add a control call that lists something"
        )
        yield Diagnostic(row.file, row.line, "malformed", message)


def proves_presence(definition: StepDefinition, step: StepText) -> bool:
    """Whether a step, of this sentence, can only hold if the candidate delivered something."""
    if not definition.evidence:
        return False
    if EVIDENCE_ALWAYS in definition.evidence:
        return True
    arguments = definition.captured_arguments(step.text)
    columns: list[str] = []
    for name in definition.evidence:
        if name in definition.captures:
            if name not in arguments or arguments[name].value.strip() in _EMPTY_VALUES:
                return False
        elif name == "docstring":
            if not (step.docstring or "").strip():
                return False
        else:
            columns.append(name)
    return not columns or _every_row_has(step.table or (), columns)


def _every_row_has(table: Sequence[Sequence[str]], columns: Sequence[str]) -> bool:
    if len(table) < 2:
        return False
    places = [at for at, name in enumerate(table[0]) if name in columns]
    return all(any(row[at].strip() not in _EMPTY_VALUES for at in places) for row in table[1:])


class _StepMatcher:
    """The vocabulary with its answers kept: many rows have the same step."""

    def __init__(self, sentences: Sequence[StepDefinition], check_step: CheckStep | None) -> None:
        self._definitions = sentences
        self._prefixes: dict[KeywordType, list[tuple[str, StepDefinition]]] = {
            keyword: [
                (sentence.literal_prefix, sentence)
                for sentence in sentences
                if sentence.accepts_keyword(keyword)
            ]
            for keyword in get_args(KeywordType)
        }
        self._check_step = check_step
        self._matches: dict[tuple[KeywordType, str], tuple[StepDefinition, ...]] = {}
        self._diagnostics: dict[StepText, tuple[tuple[DiagnosticCode, str], ...]] = {}
        self.has_evidence = any(sentence.evidence for sentence in sentences)

    def has_role(self, role: str) -> bool:
        return any(role in sentence.roles for sentence in self._definitions)

    def matches_any(self, text: str) -> bool:
        return bool(text) and any(sentence.matches(text) for sentence in self._definitions)

    def matching_definitions(self, step: StepText) -> tuple[StepDefinition, ...]:
        key = (step.keyword_type, step.text)
        if key not in self._matches:
            self._matches[key] = tuple(
                sentence
                for opening, sentence in self._prefixes[step.keyword_type]
                if step.text.startswith(opening) and sentence.matches(step.text)
            )
        return self._matches[key]

    def definition(self, step: StepText) -> StepDefinition | None:
        matching = self.matching_definitions(step)
        return matching[0] if matching else None

    def diagnostics(self, step: StepText) -> tuple[tuple[DiagnosticCode, str], ...]:
        if step not in self._diagnostics:
            self._diagnostics[step] = tuple(self._diagnose(step))
        return self._diagnostics[step]

    def _diagnose(self, step: StepText) -> Iterator[tuple[DiagnosticCode, str]]:
        matching = self.matching_definitions(step)
        shown = f'"{step.keyword_type.capitalize()} {step.text}"'
        if not matching:
            yield "orphaned", f"{shown} matches no sentence; {self._suggest_definition(step)}"
            return
        if len(matching) > 1:
            places = " and ".join(f"{sentence.module}.{sentence.function}" for sentence in matching)
            yield "ambiguous", f"{shown} matches {places}; make the sentences distinct"
        sentence = matching[0]
        yield from _lint_attachments(sentence, step, shown)
        yield from _lint_json(sentence, step)
        if self._check_step is not None:
            try:
                wrong = self._check_step(step)
            except UsageError as error:
                wrong = str(error)
            if wrong:
                yield "malformed", f"{shown}: {wrong}"

    def _suggest_definition(self, step: StepText) -> str:
        other = [sentence for sentence in self._definitions if sentence.matches(step.text)]
        if other:
            return f"as a {(other[0].keyword_type or 'given').capitalize()} it would: change the keyword"
        examples: Mapping[str, str] = {
            _without_arguments(sentence.pattern): sentence.example for sentence in self._definitions
        }
        close = get_close_matches(_without_arguments(step.text), examples, n=1, cutoff=0.5)
        return f"the nearest one: {examples[close[0]]}" if close else "see: treeproof list steps"


def _without_arguments(text: str) -> str:
    """A step or pattern without its arguments, for likeness."""
    text = re.sub(r"\(\?P<\w+>(?:[^()\\]|\\.|\([^()]*\))*\)", "", text)
    return re.sub(r'"[^"]*"|\{.*\}|\\', "", text)


def _lint_attachments(
    sentence: StepDefinition, step: StepText, shown: str
) -> Iterator[tuple[DiagnosticCode, str]]:
    # pytest-bdd drops a text block or table that the definition does not ask for: it would check nothing.
    if step.docstring is not None and not sentence.takes_docstring:
        yield "unwanted", f"{shown} has a text block that the sentence ignores; leave it out"
    if step.table is not None and not sentence.takes_table:
        yield "unwanted", f"{shown} has a table that the sentence ignores; leave it out"
    if step.docstring is None and "docstring" in sentence.required:
        yield "malformed", f'{shown} lacks its text block; write it below between lines of """'
    if step.table is None and "datatable" in sentence.required:
        yield "malformed", f"{shown} lacks its table; write it below, with a header row"
    if step.table is not None:
        for column, times in Counter(step.table[0]).items():
            if times > 1:
                yield "duplicate", f'{shown}: the column "{column}" is there {times} times; keep one'
        if len(step.table) < 2:
            yield "malformed", f"{shown} has a table without rows and would check nothing; write some"


def _lint_json(sentence: StepDefinition, step: StepText) -> Iterator[tuple[DiagnosticCode, str]]:
    """Findings on JSON: bare arguments that begin with a bracket, and table cells that begin with a brace."""
    texts = [
        argument.value for argument in sentence.captured_arguments(step.text).values() if argument.unquoted
    ]
    candidates = [text for text in texts if text.startswith(("{", "["))]
    candidates += [cell for row in step.table or () for cell in row if cell.startswith("{")]
    for text in candidates:
        once = _REPETITION.sub(lambda match: match[1], text)
        if "$('" in once:
            yield "malformed", f"the repetition in {_abbreviate(text)} cannot be read; write $('text'*count)"
            continue
        try:
            json.loads(once, parse_constant=reject_json_constant)
        except json.JSONDecodeError as error:
            yield "malformed", f"{_abbreviate(text)} is not JSON: {error.msg} at character {error.pos + 1}"
        except (ValueError, RecursionError) as error:
            yield "malformed", f"{_abbreviate(text)}: {format_parse_error(error, 'JSON')}"


def _abbreviate(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
