"""Diagnostics on the words of steps that only the catalogue or the protocol explains: tools, arguments, error kinds.

Also placeholders: a misspelt `$OUTSIDE` is a plain text, which a candidate receives unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from treeproof.errors import closest_match, suggest
from treeproof.files.toml_lines import Place, TomlLines
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import FeatureText, StepText
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

Problem = tuple[DiagnosticCode, str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of the candidate protocol: the capabilities and the kinds of errors."""

    capabilities: Collection[str]
    error_kinds: Collection[str]


def lint_calls(
    pack: Pack, features: Sequence[FeatureText], matcher: StepMatcher, vocabulary: Vocabulary
) -> Iterator[Diagnostic]:
    """Yield diagnostics on words that nothing knows, in the steps and in the catalogue."""
    yield from _lint_catalogue(pack, vocabulary)
    linter = _WordLinter(pack, matcher, vocabulary)
    found: dict[StepText, list[Problem]] = {}
    for feature in features:
        for case in feature.scenarios:
            for step in case.steps:
                if step not in found:
                    found[step] = list(linter.problems(step))
                for code, message in found[step]:
                    yield Diagnostic(case.file, step.line, code, message)
    for definition in matcher.definitions:
        for capability in definition.info.capabilities:
            if capability not in vocabulary.capabilities:
                fix = suggest(capability, sorted(vocabulary.capabilities))
                message = f'{definition.function}: capabilities="{capability}" is unknown; {fix}'
                yield Diagnostic(definition.file, definition.line, "orphaned", message)


def _lint_catalogue(pack: Pack, vocabulary: Vocabulary) -> Iterator[Diagnostic]:
    found: list[tuple[Place, str]] = []
    for number, tool in enumerate(pack.tools):
        for capability in tool.capabilities:
            if capability not in vocabulary.capabilities:
                fix = suggest(capability, sorted(vocabulary.capabilities))
                message = f'[[tool]] {tool.name}: no capability is named "{capability}"; {fix}'
                found.append((("tool", number, "capabilities"), message))
        known = known_arguments(pack, tool.name)
        for name in tool.default_arguments:
            if known and name not in known:
                message = f'[[tool]] {tool.name}: default_arguments names "{name}", which the schema does not know'
                found.append((("tool", number, "default_arguments"), f"{message}; {suggest(name, sorted(known))}"))
    for kind_name in pack.error_kinds:
        if kind_name in vocabulary.error_kinds:
            message = f'[spec]: error_kinds holds "{kind_name}", which every specification has; remove it'
            found.append((("spec", "error_kinds"), message))
    lines = TomlLines(pack.pack_file.read_text("utf-8")) if found else None
    for place, message in found:
        assert lines is not None
        yield Diagnostic(pack.pack_file, lines.line_of(*place), "orphaned", message)


class _WordLinter:
    """Checks the words of one step."""

    def __init__(self, pack: Pack, matcher: StepMatcher, vocabulary: Vocabulary) -> None:
        self._pack = pack
        self._matcher = matcher
        self._tools = [tool.name for tool in pack.tools]
        self._kinds = (*vocabulary.error_kinds, *pack.error_kinds, "Unclassified")
        self._arguments = {tool: known_arguments(pack, tool) for tool in self._tools}

    def problems(self, step: StepText) -> Iterator[Problem]:
        definition = self._matcher.definition(step)
        if definition is None:
            return  # reported by lint_steps
        texts = [step.text, step.docstring or "", *(cell for row in step.table or () for cell in row)]
        for word in dict.fromkeys(word for text in texts for word in _PLACEHOLDER.findall(text)):
            near = _near_placeholder(word)
            if near is not None:
                yield "orphaned", f"{word} is no placeholder, so it stays as it is; write {near}"
        yield from self._lint_tool(definition, step)
        parts = definition.captured_arguments(step.text)
        kinds = [parts[name].value for name in ERROR_KIND_PARTS if name in parts]
        if step.table and ERROR_KIND_COLUMN in step.table[0]:
            column = step.table[0].index(ERROR_KIND_COLUMN)
            kinds += [row[column] for row in step.table[1:] if column < len(row)]
        for kind in dict.fromkeys(one for text in kinds for one in text.split(_OR)):
            if _WORD.fullmatch(kind) and kind not in self._kinds:
                fix = suggest(kind, self._kinds)
                yield "orphaned", f'no kind of error is named "{kind}"; {fix}, or list it in error_kinds of [spec]'

    def _lint_tool(self, definition: StepDefinition, step: StepText) -> Iterator[Problem]:
        parts = definition.captured_arguments(step.text)
        if definition.info.role not in ("call", "control"):
            return
        tool = parts["tool"].value if "tool" in parts else self._tools[0] if len(self._tools) == 1 else None
        if tool is not None and tool not in self._tools:
            yield "orphaned", f'the specification has no tool "{tool}"; {suggest(tool, self._tools)}'
            return
        if "arguments" not in parts or not _OBJECT_ARGUMENTS.search(definition.pattern):
            return  # any JSON, which is sent as it is
        known = self._arguments[tool] if tool is not None else frozenset().union(*self._arguments.values())
        try:
            names = json.loads(parts["arguments"].value)
        except (ValueError, RecursionError):
            return  # reported by lint_steps, or with placeholders
        for name in names if known and isinstance(names, dict) else ():
            near = closest_match(name, known, 0.75)
            if name not in known and near is not None and near.lower() != name.lower():
                message = f'the schema of the arguments has no "{name}"; write "{near}"'
                yield "orphaned", f"{message}, or send it on purpose: is called with exactly …"


def _near_placeholder(word: str) -> str | None:
    """Return the placeholder that a word may mean; None for a placeholder and for other words."""
    if word.startswith(PLACEHOLDERS):
        return None
    near = get_close_matches(word.upper(), PLACEHOLDERS, n=1, cutoff=0.8)
    return near[0] if near else None
