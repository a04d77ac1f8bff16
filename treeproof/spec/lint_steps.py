"""Diagnostics on steps: whether each step matches one definition, and what its decorator declares.

The caller's `check_tree` checks tree notations. A step without a definition gets the beginning of one.
"""

from __future__ import annotations

import json
import keyword
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import get_args

from treeproof.errors import UsageError, closest_match, format_parse_error, reject_json_constant, suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import KeywordType, ScenarioCase, StepText
from treeproof.spec.step_definitions import (
    DOCSTRING,
    StepDefinition,
    StepMatcher,
    StepRole,
)

Problem = tuple[DiagnosticCode, str]
PARAMETERS = frozenset({"world", DOCSTRING, "datatable"})
"""What a step function receives beside the groups of its pattern."""

_QUOTED = re.compile(r'"([^"]*)"')
_NAME = re.compile(r"(?:(?!->)[^\s,{}'/@%!=>:])+")
"""A name in a tree or in a path."""


@dataclass(frozen=True, slots=True)
class Notation:
    """Reads the notations in steps. Both raise UsageError."""

    names_of_tree: Callable[[str], Collection[bytes]]
    """Returns the names in a tree."""
    paths: Callable[[str], Sequence[bytes]]
    """Returns the paths in a list."""


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
    if not any(tool.evidence for tool in pack.tools):
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
    for name in (one for one in definition.required if info.example and one not in {*definition.captures, *PARAMETERS}):
        fix = suggest(name, sorted({*definition.captures, *PARAMETERS}))
        yield "malformed", f'nothing fills the parameter "{name}"; {fix}, or capture it in the pattern'
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
    for key, named in (("tree", [info.tree] if info.tree else []), ("paths", info.paths)):
        for name in named:
            if name not in {*parts, *(info.columns if key == "paths" else ())}:
                what = "a captured group" if key == "tree" else "a captured group, or one of its columns"
                yield "orphaned", f'{key}="{name}" names no part of the step; write {what}'


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
    cases: Sequence[ScenarioCase], matcher: StepMatcher, notation: Notation | None = None
) -> Iterator[Diagnostic]:
    """Yield diagnostics on every step of every scenario case, and on steps in a wrong order."""
    found = problems_by_place(cases, lambda step: _lint_step(step, matcher, notation))
    for one, step in found:
        yield one if matcher.definition(step) else replace(one, snippet=step_snippet(step))
    compared = {matcher.definition(step) for case in cases for step in _compared(case.steps)}
    for case in cases:
        is_known = all(matcher.definition(step) for step in case.steps)  # an unknown one is reported
        if case.steps and is_known and not any(step.keyword_type == "then" for step in case.steps):
            message = f"{case.id or case.title} has no Then, so its lines compare nothing; write what must hold"
            yield Diagnostic(case.file, case.line, "malformed", message)
        elif is_known:
            for step, message in _lint_order(case.steps, matcher, compared):
                shown = f'"{step.keyword_type.capitalize()} {step.text}" {message}'
                yield Diagnostic(case.file, step.line, "malformed", shown)


def problems_by_place(
    cases: Iterable[ScenarioCase], problems: Callable[[StepText], Iterable[Problem]]
) -> Iterator[tuple[Diagnostic, StepText]]:
    """Yield the problems of steps. What only some rows of an outline have is at these rows, else at the step."""
    cached = cache(lambda step: tuple(problems(step)))  # many scenarios share a step
    uses: dict[tuple[Path, int], list[tuple[ScenarioCase, StepText]]] = {}
    for case in cases:
        for step in case.steps:
            uses.setdefault((case.file, step.line), []).append((case, step))
    for (file, line), users in uses.items():
        found = [(case, step) for case, step in users if cached(step)]
        is_in_row = len(found) < len(users)
        is_in_row = is_in_row or len({cached(step) for _, step in found}) > 1
        for case, step in found if is_in_row else found[:1]:
            prefix = f"{case.id}: " if is_in_row and case.id else ""
            for code, message in cached(step):
                yield Diagnostic(file, case.line if is_in_row else line, code, f"{prefix}{message}"), step


def _compared(steps: Sequence[StepText]) -> Iterable[StepText]:
    """Return the Then steps that see the answer of a When before them."""
    before = dropwhile(lambda step: step.keyword_type != "when", steps)
    return (step for step in before if step.keyword_type == "then")


def _lint_order(
    steps: Sequence[StepText], matcher: StepMatcher, compared: Collection[StepDefinition | None]
) -> Iterator[tuple[StepText, str]]:
    """Yield the steps at a place where they have no effect, or see no answer. `compared`: those that need one."""
    kinds = [step.keyword_type for step in steps]
    trees = [at for at, step in enumerate(steps) if (one := matcher.definition(step)) and one.info.role == "tree"]
    for before, at in pairwise(trees):
        if {*kinds[before:at]} == {"given"}:
            yield steps[at], "replaces the tree above it; write one tree"
    if "when" not in kinds:  # a property makes its own calls
        yield from (
            (one, "needs an answer; write a When above it") for one in steps if matcher.definition(one) in compared
        )
        return
    first, last = kinds.index("when"), len(kinds) - 1 - kinds[::-1].index("when")
    for at, kind in enumerate(kinds):
        if kind == "then" and at < first:
            yield steps[at], "comes before the call; move it below the When"
        if kind == "given" and at > last:
            yield steps[at], "comes after the call; move it above the When"
    if "then" not in kinds[last:]:
        yield steps[last], "comes after the last Then, so nothing compares its result; write a Then below it"


def _lint_step(step: StepText, matcher: StepMatcher, notation: Notation | None) -> Iterator[Problem]:
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
    if notation is None:
        return
    tree = definition.tree_notation(step)
    if tree and (problem := _problem_of(notation.names_of_tree, tree)):
        yield "malformed", f"{shown}: {problem}"
    for listed in definition.path_lists(step):
        if problem := _problem_of(notation.paths, listed):
            yield "malformed", f'{shown}: the list "{listed}": {problem}'


def _problem_of(read: Callable[[str], object], text: str) -> str | None:
    try:
        read(text)
    except UsageError as error:
        return str(error)
    return None


def lint_missing_names(cases: Iterable[ScenarioCase], matcher: StepMatcher, notation: Notation) -> Iterator[Diagnostic]:
    """Yield notes on names in a Then that neither a tree nor a call of the scenario has."""
    for case in cases:
        steps = [(step, one) for step in case.steps if (one := matcher.definition(step)) is not None]
        listed = [(step, text) for step, one in steps if step.keyword_type == "then" for text in one.path_lists(step)]
        # A simulated system can have other separators, and an unknown step can be a tree.
        if case.simulated or not listed or len(steps) < len(case.steps):
            continue
        try:
            trees = [notation.names_of_tree(tree) for step, one in steps if (tree := one.tree_notation(step))]
            paths = [(step, path) for step, text in listed for path in notation.paths(text)]
        except UsageError:
            continue  # reported by lint_steps
        names = {name.decode("utf-8", "replace") for tree in trees for name in tree}
        others = [step for step, one in steps if step.keyword_type != "then" and not one.tree_notation(step)]
        quoted = [text for step in others for one in step.texts for text in _QUOTED.findall(one)]
        if any(one.startswith("/") for one in quoted):  # it may be a directory of the system
            continue
        known = {".", "..", *names, *(word for one in quoted for word in _NAME.findall(one))}
        for step, path in paths:
            for part in path.decode("utf-8", "replace").split("/"):
                # A name that is no UTF-8 can have any spelling, and a backslash can be a separator that is wrong.
                if part in known or part.startswith("$") or "\ufffd" in part or "\\" in part:
                    continue
                line = case.line if case.from_outline else step.line
                message = f'no tree of {case.id} has the name "{part}"; {suggest(part, sorted(names)[:12])}'
                yield Diagnostic(case.file, line, "doubtful", message)


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
    """Yield diagnostics on JSON: unquoted arguments that begin with a bracket, cells and text blocks with a brace."""
    arguments = definition.captured_arguments(step.text).values()
    candidates = [one.value for one in arguments if one.unquoted and one.value.startswith(("{", "["))]
    candidates += [cell for row in step.table or () for cell in row if cell.startswith("{")]
    block = (step.docstring or "").strip()
    is_json = "JSON value" in definition.pattern
    for text in [*candidates, *([block] if (is_json and block) or (block[:1] == "{" and block[-1:] == "}") else [])]:
        # Another text block can have any content.
        code: DiagnosticCode = "doubtful" if text is block and not is_json else "malformed"
        once = _REPETITION.sub(lambda match: match[1], text)
        if "$('" in once:
            yield code, f"the repetition in {_abbreviate(text)} cannot be read; write $('text'*count)"
            continue
        try:
            json.loads(once, parse_constant=reject_json_constant)
        except json.JSONDecodeError as error:
            yield code, f"{_abbreviate(text)} is not JSON: {error.msg} at character {error.pos + 1}{_json_remedy(text)}"
        except (ValueError, RecursionError) as error:
            yield code, f"{_abbreviate(text)}: {format_parse_error(error, 'JSON')}"


def _json_remedy(text: str) -> str:
    if re.search(r"\b(?:True|False|None)\b", text):
        return "; write true, false or null"
    return "; write texts in double quotes" if "'" in text else ""


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
