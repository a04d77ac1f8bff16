"""Diagnostics on the words of steps that only the catalogue or the protocol explains: tools, arguments, error kinds.

Also placeholders: a misspelt `$OUTSIDE` is a plain text, which a candidate receives unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from treeproof.errors import closest_match, suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import ScenarioCase, StepText
from treeproof.spec.lint_places import item_line, spec_line
from treeproof.spec.lint_schemas import known_arguments
from treeproof.spec.step_definitions import StepDefinition, StepMatcher

ERROR_KIND_PARTS = ("kinds", "error_kind")
"""The captured groups that contain kinds of errors, such as `BadArgs or ExecutionFailed`."""
ERROR_KIND_COLUMN = "fails"
PLACEHOLDERS = ("$ROOT", "$OUTSIDE", "$FAR")

_OR = " or "
_WORD = re.compile(r"\w+")
_PLACEHOLDER = re.compile(r"\$[A-Za-z]\w*")
_OBJECT_ARGUMENTS = re.compile(r"\(\?P<arguments>\\\{")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of the candidate protocol: the capabilities and the kinds of errors."""

    capabilities: Collection[str]
    error_kinds: Collection[str]


def lint_calls(
    pack: Pack, cases: Sequence[ScenarioCase], matcher: StepMatcher, vocabulary: Vocabulary
) -> Iterator[Diagnostic]:
    """Yield diagnostics on words that nothing knows, in the steps and in the catalogue."""
    arguments = {tool.name: known_arguments(pack, tool.name) for tool in pack.tools}
    kinds = (*vocabulary.error_kinds, *pack.error_kinds, "Unclassified")

    @cache  # many scenarios share a step
    def problems(step: StepText) -> tuple[str, ...]:
        definition = matcher.definition(step)
        if definition is None:
            return ()  # reported by lint_steps
        parts = {name: one.value for name, one in definition.captured_arguments(step.text).items()}
        of_call = _unknown_words(definition, parts, arguments)
        return (*_wrong_placeholders(step), *of_call, *_unknown_kinds(step, parts, kinds))

    yield from _lint_catalogue(pack, vocabulary, arguments)
    for case in cases:
        for step in case.steps:
            yield from (Diagnostic(case.file, step.line, "orphaned", message) for message in problems(step))
    for definition in matcher.definitions:
        for capability in definition.info.capabilities:
            if capability not in vocabulary.capabilities:
                fix = suggest(capability, sorted(vocabulary.capabilities))
                message = f'{definition.function}: capabilities="{capability}" is unknown; {fix}'
                yield Diagnostic(definition.file, definition.line, "orphaned", message)


def _lint_catalogue(
    pack: Pack, vocabulary: Vocabulary, arguments: Mapping[str, Collection[str]]
) -> Iterator[Diagnostic]:
    for tool in pack.tools:
        found = []
        for capability in tool.capabilities:
            if capability not in vocabulary.capabilities:
                fix = suggest(capability, sorted(vocabulary.capabilities))
                found.append(("capabilities", f'no capability is named "{capability}"; {fix}'))
        for name in tool.default_arguments if arguments[tool.name] else ():
            if name not in arguments[tool.name]:
                problem = f'default_arguments names "{name}", which the schema does not know'
                found.append(("default_arguments", f"{problem}; {suggest(name, sorted(arguments[tool.name]))}"))
        for key, message in found:
            line = item_line(pack, "tool", tool.name, key)
            yield Diagnostic(pack.pack_file, line, "orphaned", f"[[tool]] {tool.name}: {message}")
    for kind in pack.error_kinds:
        if kind in vocabulary.error_kinds:
            message = f'[spec]: error_kinds holds "{kind}", which every specification has; remove it'
            yield Diagnostic(pack.pack_file, spec_line(pack, "error_kinds"), "orphaned", message)


def _wrong_placeholders(step: StepText) -> Iterator[str]:
    for word in dict.fromkeys(word for text in step.texts for word in _PLACEHOLDER.findall(text)):
        near = None if word.startswith(PLACEHOLDERS) else closest_match(word.upper(), PLACEHOLDERS, 0.8)
        if near is not None:
            yield f"{word} is no placeholder, so it stays as it is; write {near}"


def _unknown_kinds(step: StepText, parts: Mapping[str, str], known: Sequence[str]) -> Iterator[str]:
    texts = [parts[name] for name in ERROR_KIND_PARTS if name in parts]
    if step.table and ERROR_KIND_COLUMN in step.table[0]:
        column = step.table[0].index(ERROR_KIND_COLUMN)
        texts += [row[column] for row in step.table[1:]]
    for kind in dict.fromkeys(one for text in texts for one in text.split(_OR)):
        if _WORD.fullmatch(kind) and kind not in known:
            yield f'no kind of error is named "{kind}"; {suggest(kind, known)}, or list it in error_kinds of [spec]'


def _unknown_words(
    definition: StepDefinition, parts: Mapping[str, str], arguments: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    """Yield messages on the tool and the arguments of a call."""
    if definition.info.role not in ("call", "control"):
        return
    tool = parts.get("tool", next(iter(arguments)) if len(arguments) == 1 else None)
    if tool is not None and tool not in arguments:
        yield f'the specification has no tool "{tool}"; {suggest(tool, arguments)}'
        return
    if "arguments" not in parts or not _OBJECT_ARGUMENTS.search(definition.pattern):
        return  # any JSON, which is sent as it is
    known = arguments[tool] if tool is not None else frozenset().union(*arguments.values())
    try:
        names = json.loads(parts["arguments"])
    except (ValueError, RecursionError):
        return  # reported by lint_steps, or with placeholders
    for name in names if known and isinstance(names, dict) else ():
        near = closest_match(name, known, 0.75)
        if name not in known and near is not None and near.lower() != name.lower():
            message = f'the schema of the arguments has no "{name}"; write "{near}"'
            yield f"{message}, or send it on purpose: is called with exactly …"
