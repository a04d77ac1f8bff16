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

from treeproof.errors import UsageError, no_json, unreadable
from treeproof.spec.catalogue import Pack
from treeproof.spec.findings import Finding, Word
from treeproof.spec.gherkin import FeatureText, KeywordType, ScenarioRow, StepText
from treeproof.spec.swallowed import described_lines, misspelt
from treeproof.spec.vocabulary import ALWAYS, Sentence

CheckStep = Callable[[StepText], str | None]

_ROLES = ("call", "state")
# $('…'*n) stands for n repetitions inside a JSON text.
_REPETITION = re.compile(r"\$\('((?:[^'\\]|\\.)*)'\*\d+\)")
_EMPTY = frozenset({"", "{}", "[]", '""', "''"})


def sentence_findings(pack: Pack, sentences: Sequence[Sentence]) -> Iterator[Finding]:
    """Findings on the definitions themselves: what pytest-bdd would call without effect, or never."""
    first: dict[tuple[KeywordType | None, str], Sentence] = {}
    for sentence in sentences:

        def finding(word: Word, message: str, sentence: Sentence = sentence) -> Finding:
            return Finding(sentence.file, sentence.line, word, f"{sentence.function}: {message}")

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
            known = name == ALWAYS or name in sentence.captures or sentence.takes_table
            if not known and not (name == "docstring" and sentence.takes_docstring):
                yield finding(
                    "orphaned", f'"Evidence: {name}" names no part of the sentence; write one it captures'
                )
    for role in _ROLES:
        if sentences and not any(role in sentence.roles for sentence in sentences):
            message = (
                f'no sentence of its steps is marked "Role: {role}" in its docstring; mark those that are'
            )
            yield Finding(pack.face, 0, "malformed", message)
    if sentences and not any(sentence.evidence for sentence in sentences):
        message = (
            'no sentence of its steps is marked "Evidence: …" in its docstring; mark those that show presence'
        )
        yield Finding(pack.face, 0, "malformed", message)


def wording(
    features: Sequence[FeatureText], sentences: Sequence[Sentence], check_step: CheckStep | None = None
) -> Iterator[Finding]:
    """Findings on every step of every row against the vocabulary, and on scenarios that prove nothing."""
    reader = _Steps(sentences, check_step)
    for feature in features:
        for line, text, in_scenario in described_lines(feature):
            if misspelt(text, feature.language, in_scenario) is not None:
                continue  # told already
            if reader.is_sentence(text) or reader.is_sentence(text.partition(" ")[2]):
                message = (
                    f'"{text}" is read as a description and never runs; begin it with Given, When or Then'
                )
                yield Finding(feature.file, line, "malformed", message)
        for row in feature.scenarios:
            for step in row.steps:
                for word, message in reader.complaints(step):
                    yield Finding(row.file, step.line, word, f"{_called(row)}{message}")
            yield from _proof(row, reader)


def _called(row: ScenarioRow) -> str:
    return f"{row.id}: " if row.outline and row.id else ""


def _proof(row: ScenarioRow, reader: _Steps) -> Iterator[Finding]:
    """Findings on a row that could pass against a candidate that does nothing, or that harms the tree."""
    found = [reader.sentence(step) for step in row.steps]
    if not row.steps or any(sentence is None for sentence in found):
        return  # told already, and what the unknown step would have said cannot be known
    calls = [at for at, sentence in enumerate(found) if sentence is not None and "call" in sentence.roles]
    states = [at for at, sentence in enumerate(found) if sentence is not None and "state" in sentence.roles]
    name = row.id or row.title
    if calls and reader.has_role("state") and not any(at > calls[-1] for at in states):
        message = (
            f"{name} calls and never says what became of the tree; end it with: And the tree is unchanged"
        )
        yield Finding(row.file, row.line, "malformed", message)
    if not reader.has_evidence:
        return
    if not any(
        shows_presence(sentence, step) for sentence, step in zip(found, row.steps, strict=True) if sentence
    ):
        message = (
            f"{name} would pass for a candidate that does nothing; add a control call that lists something"
        )
        yield Finding(row.file, row.line, "malformed", message)


def shows_presence(sentence: Sentence, step: StepText) -> bool:
    """Whether a step, of this sentence, can only hold if the candidate delivered something."""
    if not sentence.evidence:
        return False
    if ALWAYS in sentence.evidence:
        return True
    arguments = sentence.arguments(step.text)
    columns: list[str] = []
    for name in sentence.evidence:
        if name in sentence.captures:
            if name not in arguments or arguments[name].value.strip() in _EMPTY:
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
    return all(any(row[at].strip() not in _EMPTY for at in places) for row in table[1:])


class _Steps:
    """The vocabulary with its answers kept: many rows have the same step."""

    def __init__(self, sentences: Sequence[Sentence], check_step: CheckStep | None) -> None:
        self._sentences = sentences
        self._openings: dict[KeywordType, list[tuple[str, Sentence]]] = {
            keyword: [(sentence.opening, sentence) for sentence in sentences if sentence.fits(keyword)]
            for keyword in get_args(KeywordType)
        }
        self._check_step = check_step
        self._found: dict[tuple[KeywordType, str], tuple[Sentence, ...]] = {}
        self._complaints: dict[StepText, tuple[tuple[Word, str], ...]] = {}
        self.has_evidence = any(sentence.evidence for sentence in sentences)

    def has_role(self, role: str) -> bool:
        return any(role in sentence.roles for sentence in self._sentences)

    def is_sentence(self, text: str) -> bool:
        return bool(text) and any(sentence.matches(text) for sentence in self._sentences)

    def all_matching(self, step: StepText) -> tuple[Sentence, ...]:
        key = (step.keyword_type, step.text)
        if key not in self._found:
            self._found[key] = tuple(
                sentence
                for opening, sentence in self._openings[step.keyword_type]
                if step.text.startswith(opening) and sentence.matches(step.text)
            )
        return self._found[key]

    def sentence(self, step: StepText) -> Sentence | None:
        matching = self.all_matching(step)
        return matching[0] if matching else None

    def complaints(self, step: StepText) -> tuple[tuple[Word, str], ...]:
        if step not in self._complaints:
            self._complaints[step] = tuple(self._complain(step))
        return self._complaints[step]

    def _complain(self, step: StepText) -> Iterator[tuple[Word, str]]:
        matching = self.all_matching(step)
        shown = f'"{step.keyword_type.capitalize()} {step.text}"'
        if not matching:
            yield "orphaned", f"{shown} matches no sentence; {self._instead(step)}"
            return
        if len(matching) > 1:
            places = " and ".join(f"{sentence.module}.{sentence.function}" for sentence in matching)
            yield "ambiguous", f"{shown} matches {places}; make the sentences distinct"
        sentence = matching[0]
        yield from _attachments(sentence, step, shown)
        yield from _json(sentence, step)
        if self._check_step is not None:
            try:
                wrong = self._check_step(step)
            except UsageError as error:
                wrong = str(error)
            if wrong:
                yield "malformed", f"{shown}: {wrong}"

    def _instead(self, step: StepText) -> str:
        other = [sentence for sentence in self._sentences if sentence.matches(step.text)]
        if other:
            return f"as a {(other[0].keyword_type or 'given').capitalize()} it would: change the keyword"
        examples: Mapping[str, str] = {
            _plain(sentence.pattern): sentence.example for sentence in self._sentences
        }
        close = get_close_matches(_plain(step.text), examples, n=1, cutoff=0.5)
        return f"the nearest one: {examples[close[0]]}" if close else "see: treeproof list steps"


def _plain(text: str) -> str:
    """A step or pattern without its arguments, for likeness."""
    text = re.sub(r"\(\?P<\w+>(?:[^()\\]|\\.|\([^()]*\))*\)", "", text)
    return re.sub(r'"[^"]*"|\{.*\}|\\', "", text)


def _attachments(sentence: Sentence, step: StepText, shown: str) -> Iterator[tuple[Word, str]]:
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


def _json(sentence: Sentence, step: StepText) -> Iterator[tuple[Word, str]]:
    """Findings on JSON: bare arguments that begin with a bracket, and table cells that begin with a brace."""
    texts = [argument.value for argument in sentence.arguments(step.text).values() if argument.bare]
    candidates = [text for text in texts if text.startswith(("{", "["))]
    candidates += [cell for row in step.table or () for cell in row if cell.startswith("{")]
    for text in candidates:
        once = _REPETITION.sub(lambda match: match[1], text)
        if "$('" in once:
            yield "malformed", f"the repetition in {_short(text)} cannot be read; write $('text'*count)"
            continue
        try:
            json.loads(once, parse_constant=no_json)
        except json.JSONDecodeError as error:
            yield "malformed", f"{_short(text)} is not JSON: {error.msg} at character {error.pos + 1}"
        except (ValueError, RecursionError) as error:
            yield "malformed", f"{_short(text)}: {unreadable(error, 'JSON')}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
