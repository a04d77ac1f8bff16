"""Diagnostics on steps: whether each step matches one definition, and what its decorator declares.

The caller's `check_tree` checks tree notations. A step without a definition gets the beginning of one.
"""

from __future__ import annotations

import json
import keyword
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import get_args

from treeproof.errors import closest_match, format_parse_error, reject_json_constant, suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import KeywordType, ScenarioCase, StepText
from treeproof.spec.step_definitions import (
    DOCSTRING,
    StepDefinition,
    StepMatcher,
    StepRole,
)

CheckTree = Callable[[str], str | None]
Problem = tuple[DiagnosticCode, str]

# $('…'*n) stands for n repetitions inside a JSON text.
_REPETITION = re.compile(r"\$\('((?:[^'\\]|\\.)*)'\*\d+\)")


def lint_step_definitions(
    pack: Pack, matcher: StepMatcher, needs: Collection[str] | None = None
) -> Iterator[Diagnostic]:
    """Yield diagnostics on the step definitions themselves and on the data in their decorators.

    `needs`: the names that may stand in needs=…; None does not check them.
    """
    first: dict[tuple[KeywordType | None, str], StepDefinition] = {}
    for definition in matcher.definitions:
        other = first.setdefault((definition.keyword_type, definition.pattern), definition)
        if other is not definition:
            place = f"{other.file.name}:{other.line}"
            found: list[Problem] = [
                ("duplicate", f'the step "{definition.pattern}" is defined at {place} too; keep one')
            ]
        else:
            found = list(_lint_example(definition, matcher))
        for code, message in (*_lint_definition(definition, needs), *found):
            yield Diagnostic(definition.file, definition.line, code, f"{definition.function}: {message}")
    if not any(definition.info.role == "call" for definition in matcher.definitions):
        message = 'no step definition has role="call"; add it to the decorators of those that fit'
        yield Diagnostic(pack.pack_file, 0, "malformed", message)
    if pack.reference is not None and not any(tool.evidence for tool in pack.tools):
        message = (
            'no [[tool]] has "evidence", so a candidate that does nothing could pass; write the arguments of a call, '
            'such as evidence = {path = "$DIRECTORY"}'
        )
        yield Diagnostic(pack.pack_file, 0, "doubtful", message)


def _lint_definition(definition: StepDefinition, needs: Collection[str] | None) -> Iterator[Problem]:
    info = definition.info
    for need in info.needs:
        if needs is not None and need not in needs:
            yield "orphaned", f'needs="{need}" is no host feature; {suggest(need, sorted(needs))}'
    if definition.is_async:
        yield "malformed", "is async, so nothing would ever run it; make it an ordinary function"
    for name in definition.captures:
        if name not in definition.parameters:
            yield "malformed", f'captures "{name}" without a parameter for it; use it or do not capture it'
    if info.role is not None and info.role not in get_args(StepRole):
        yield (
            "orphaned",
            f'role="{info.role}" is unknown; write one of: {", ".join(get_args(StepRole))}',
        )
    parts = {*definition.captures, *([DOCSTRING] if definition.takes_docstring else ())}
    if info.example and definition.takes_table and not info.columns:
        yield "malformed", "takes a table and does not declare its columns; write columns=…, or ANY_COLUMN"
    if info.columns and not definition.takes_table:
        yield "orphaned", "declares columns and takes no table; remove columns=…"
    if info.tree and info.tree not in parts:
        yield "orphaned", f'tree="{info.tree}" names no part of the step; write a captured group'


def _lint_example(definition: StepDefinition, matcher: StepMatcher) -> Iterator[Problem]:
    example = definition.info.example
    if not example:
        return  # a decorator of pytest-bdd itself
    if not definition.matches(example):
        yield "malformed", f'its pattern does not match its example "{example}"; write example="…"'
    for other in matcher.matching(definition.keyword_type or "given", example):
        if other is not definition:
            place = f"{other.module}.{other.function}"
            yield "ambiguous", f'its example "{example}" also matches {place}; make the patterns distinct'


def lint_steps(
    cases: Sequence[ScenarioCase], matcher: StepMatcher, check_tree: CheckTree | None = None
) -> Iterator[Diagnostic]:
    """Yield diagnostics on every step of every scenario case."""

    @cache  # many scenarios share a step
    def problems(step: StepText) -> tuple[Problem, ...]:
        return tuple(_lint_step(step, matcher, check_tree))

    for case in cases:
        prefix = f"{case.id}: " if case.from_outline and case.id else ""
        for step in case.steps:
            snippet = "" if matcher.definition(step) else step_snippet(step)
            for code, message in problems(step):
                yield Diagnostic(case.file, step.line, code, f"{prefix}{message}", snippet)
        is_known = all(matcher.definition(step) for step in case.steps)  # an unknown one is reported
        if case.steps and is_known and not any(step.keyword_type == "then" for step in case.steps):
            message = f"{case.id or case.title} has no Then, so its lines compare nothing; write what must hold"
            yield Diagnostic(case.file, case.line, "malformed", message)


def _lint_step(step: StepText, matcher: StepMatcher, check_tree: CheckTree | None) -> Iterator[Problem]:
    matching = matcher.matching(step.keyword_type, step.text)
    shown = f'"{step.keyword_type.capitalize()} {step.text}"'
    if not matching:
        yield "orphaned", f"{shown} matches no step definition; {_suggest_definition(step, matcher.definitions)}"
        return
    if len(matching) > 1:
        places = " and ".join(f"{one.module}.{one.function}" for one in matching)
        yield "ambiguous", f"{shown} matches {places}; make the patterns distinct"
    definition = matching[0]
    for code, message in _lint_attachments(definition, step):
        yield code, f"{shown}{message}"
    yield from _lint_json(definition, step)
    notation = definition.tree_notation(step)
    if notation and check_tree is not None and (problem := check_tree(notation)):
        yield "malformed", f"{shown}: {problem}"


def _suggest_definition(step: StepText, definitions: Sequence[StepDefinition]) -> str:
    other = next((one for one in definitions if one.matches(step.text)), None)
    if other is not None:
        return f"change its keyword to {(other.keyword_type or 'given').capitalize()}"
    examples: Mapping[str, str] = {_without_arguments(one.pattern): one.example for one in definitions}
    close = closest_match(_without_arguments(step.text), examples)
    return f"the nearest one: {examples[close]}" if close else "see: treeproof list steps"


def _without_arguments(text: str) -> str:
    """Return a step or pattern without its arguments, to compare it with others."""
    text = re.sub(r"\(\?P<\w+>(?:[^()\\]|\\.|\([^()]*\))*\)", "", text)
    return re.sub(r'"[^"]*"|\{.*\}|\\', "", text)


def _lint_attachments(definition: StepDefinition, step: StepText) -> Iterator[Problem]:
    block, table, required = step.docstring is not None, step.table is not None, definition.required
    checks: tuple[tuple[bool, DiagnosticCode, str], ...] = (
        # pytest-bdd drops a text block or table without a parameter: it would check nothing.
        (block and not definition.takes_docstring, "unwanted", " has a text block that the step ignores; remove it"),
        (table and not definition.takes_table, "unwanted", " has a table that the step ignores; remove it"),
        (
            not block and DOCSTRING in required,
            "malformed",
            ' lacks its text block; write it below between lines of """',
        ),
        (not table and "datatable" in required, "malformed", " lacks its table; write it below, with a header row"),
        (
            table and len(step.table or ()) < 2,
            "malformed",
            " has a table without rows and would check nothing; write some",
        ),
    )
    yield from ((code, message) for is_wrong, code, message in checks if is_wrong)
    header, *rows = step.table or ((),)
    for column, times in Counter(header).items():
        if times > 1:
            yield "duplicate", f': the column "{column}" occurs {times} times; keep one'
    for column in definition.unknown_columns(step.text, header):
        yield "orphaned", f': no column is called "{column}"; {suggest(column, definition.info.columns)}'
    for number, row in enumerate(rows, 1):
        if not any(cell.strip() for cell in row):
            yield "malformed", f": row {number} of the table is empty and would check nothing; remove it"


def _lint_json(definition: StepDefinition, step: StepText) -> Iterator[Problem]:
    """Yield diagnostics on JSON: unquoted arguments that begin with a bracket, and cells that begin with a brace."""
    arguments = definition.captured_arguments(step.text).values()
    candidates = [one.value for one in arguments if one.unquoted and one.value.startswith(("{", "["))]
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


_ARGUMENT = re.compile(r'\{.*\}|"[^"]*"|(?<![\w.-])-?\d+(?![\w.-])|(?<=^by )[A-Z][\w-]+-\d+(?: and [A-Z][\w-]+-\d+)*')
_WORD = re.compile(r"[a-z0-9]+")
_MAX_NAME = 60  # characters


def step_snippet(step: StepText) -> str:
    """Return the definition in Python: its texts in quotes, numbers and JSON objects become parameters."""
    pattern, groups = _pattern(step.text)
    arguments = [f"r{_quoted(pattern)}" if "\\" in pattern else _quoted(pattern)]
    arguments += [f"example={_quoted(step.text)}"] if groups else []
    parameters = ["world: World", *(f"{name}: str" for name in groups)]
    if step.docstring is not None:
        parameters.append("docstring: str")
    if step.table is not None:
        header = [_quoted(one) for one in step.table[0]]
        parameters.append("datatable: list[list[str]]")
        arguments.append(f"columns=({', '.join(header)}{',' if len(header) == 1 else ''})")
    return "\n".join(
        [
            f"@{step.keyword_type}({', '.join(arguments)})",
            f"def {_function_name(step.text)}({', '.join(parameters)}) -> None:",
            '    """Write what the step does."""',
            "    raise NotImplementedError",
        ]
    )


# The kinds of arguments, and the patterns of their groups.
_GROUPS = {
    "arguments": r"(?P<{}>\{{.*\}})",
    "text": '"(?P<{}>[^"]*)"',
    "number": r"(?P<{}>-?\d+)",
    "ids": r"(?P<{}>[\w-]+(?: and [\w-]+)*)",
}


def _pattern(text: str) -> tuple[str, list[str]]:
    """Return the pattern of a step, and the names of its groups."""
    found = list(_ARGUMENT.finditer(text))
    kinds = [_kind(match[0]) for match in found]
    names = [
        f"{kind}_{kinds[: at + 1].count(kind)}" if kinds.count(kind) > 1 else kind for at, kind in enumerate(kinds)
    ]
    parts, end = [], 0
    for match, kind, name in zip(found, kinds, names, strict=True):
        parts += [_escaped(text[end : match.start()]), _GROUPS[kind].format(name)]
        end = match.end()
    return "".join([*parts, _escaped(text[end:])]), names


def _kind(argument: str) -> str:
    if argument.startswith(("{", '"')):
        return "arguments" if argument.startswith("{") else "text"
    return "ids" if argument[0].isupper() else "number"


def _escaped(text: str) -> str:
    return re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", text)


def _function_name(text: str) -> str:
    words = _WORD.findall(_ARGUMENT.sub(" ", text.lower()))
    name = "_".join(words)[:_MAX_NAME].rstrip("_") or "step"
    return f"step_{name}" if not name[0].isalpha() or keyword.iskeyword(name) else name


def _quoted(text: str) -> str:
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    if "'" not in text and not text.endswith("\\"):
        return f"'{text}'"
    quotes = '"""' if text.endswith("'") else "'''"
    return f"{quotes}{text}{quotes}"
