"""Diagnostics on the words of steps that only the catalogue or the protocol explains: tools, arguments, error kinds.

Also placeholders: a misspelt `$OUTSIDE` is a plain text, which a candidate receives unchanged.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from treeproof.errors import closest_match, suggest
from treeproof.files.json_schema import JsonSchema
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import ScenarioCase, StepText, mentioned_ids
from treeproof.spec.lint_places import item_line, spec_line
from treeproof.spec.lint_schemas import is_closed, known_arguments, misspelt_argument
from treeproof.spec.lint_steps import Problem, problems_by_place
from treeproof.spec.step_definitions import StepDefinition, StepMatcher

ERROR_KIND_PARTS = ("kinds", "error_kind")
"""The captured groups that contain kinds of errors, such as `BadArgs or ExecutionFailed`."""
ERROR_KIND_COLUMN = "fails"
PLACEHOLDERS = ("$ROOT", "$OUTSIDE", "$FAR")
EVIDENCE_PLACEHOLDERS = ("$DIRECTORY", "$FILE", "$NEW", "$ROOT")

Arguments: TypeAlias = Mapping[str, Mapping[str, frozenset[str]]]
"""The arguments of each tool, and their types."""

_OR = " or "
_OF_AN_ERROR = re.compile(r"fail|error|refuse|reject|den(?:y|ied)|invalid|wrong", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_PLACEHOLDER = re.compile(r"\$[A-Za-z]\w*")
_OBJECT_ARGUMENTS = re.compile(r"\(\?P<arguments>\\\{")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of the protocol: the capabilities, the kinds of errors, and the schema of a call's context."""

    capabilities: Collection[str]
    error_kinds: Collection[str]
    context: JsonSchema
    of_context: Mapping[str, str]
    """The capabilities without which members of a context have no effect."""


def lint_calls(
    pack: Pack, cases: Sequence[ScenarioCase], matcher: StepMatcher, vocabulary: Vocabulary
) -> Iterator[Diagnostic]:
    """Yield diagnostics on words that nothing knows, in the steps and in the catalogue."""
    arguments = {tool.name: known_arguments(pack, tool.name) for tool in pack.tools}
    kinds = (*vocabulary.error_kinds, *pack.error_kinds, "Unclassified")
    offered = {capability for tool in pack.tools for capability in tool.capabilities}

    def problems(step: StepText) -> Iterator[Problem]:
        definition = matcher.definition(step)
        if definition is None:
            return  # reported by lint_steps
        parts = {name: one.value for name, one in definition.captured_arguments(step.text).items()}
        given = _json_object(parts.get(definition.info.context, ""))
        found = (
            *_wrong_placeholders(step),
            *_unknown_words(definition, parts, arguments),
            *_unknown_kinds(step, parts, kinds),
            *_wrong_context(vocabulary.context, given),
        )
        needed = (
            *definition.info.capabilities,
            *(vocabulary.of_context[one] for one in given if one in vocabulary.of_context),
        )
        for capability in dict.fromkeys(one for one in needed if one not in offered):
            yield (
                "doubtful",
                f'no [[tool]] has the capability "{capability}" that the step needs; add it to capabilities',
            )
        yield from (("orphaned", message) for message in found)

    yield from _lint_catalogue(pack, vocabulary, arguments)
    yield from (one for one, _ in problems_by_place(cases, problems))
    for definition in matcher.definitions:
        for capability in definition.info.capabilities:
            if capability not in vocabulary.capabilities:
                fix = suggest(capability, sorted(vocabulary.capabilities))
                message = f'{definition.function}: capabilities="{capability}" is unknown; {fix}'
                yield Diagnostic(definition.file, definition.line, "orphaned", message)


def _lint_catalogue(pack: Pack, vocabulary: Vocabulary, arguments: Arguments) -> Iterator[Diagnostic]:
    for tool in pack.tools:
        found = []
        for capability in tool.capabilities:
            if capability not in vocabulary.capabilities:
                fix = suggest(capability, sorted(vocabulary.capabilities))
                found.append(("capabilities", f'no capability is named "{capability}"; {fix}'))
        for key, given in (("default_arguments", tool.default_arguments), ("evidence", tool.evidence or {})):
            found += [(key, f"{key}: {message}") for message in _wrong_arguments(given, arguments[tool.name])]
        for word in _PLACEHOLDER.findall(json.dumps(tool.evidence)):
            if word not in EVIDENCE_PLACEHOLDERS:
                found.append(
                    ("evidence", f"evidence: {word} is no placeholder; {suggest(word, EVIDENCE_PLACEHOLDERS)}")
                )
        for key, message in found:
            line = item_line(pack, "tool", tool.name, key)
            yield Diagnostic(pack.pack_file, line, "orphaned", f"[[tool]] {tool.name}: {message}")
    for message in _wrong_context(vocabulary.context, dict(pack.context)):
        yield Diagnostic(pack.pack_file, spec_line(pack, "context"), "orphaned", f"[spec.context]: {message}")
    for kind in pack.error_kinds:
        if kind in vocabulary.error_kinds:
            message = f'[spec]: error_kinds holds "{kind}", which every specification has; remove it'
            yield Diagnostic(pack.pack_file, spec_line(pack, "error_kinds"), "orphaned", message)


def lint_sent_arguments(pack: Pack, cases: Sequence[ScenarioCase], matcher: StepMatcher) -> Iterator[Diagnostic]:
    """Yield notes on arguments that the schema does not have, in scenarios that expect no error.

    For a tool without a schema, on those that nothing else uses and that are similar to what other calls use.
    """
    arguments = {tool.name: known_arguments(pack, tool.name) for tool in pack.tools}
    closed = {tool.name for tool in pack.tools if is_closed(pack, tool.name)}

    def sent(step: StepText) -> tuple[str, str]:
        """Return the tool and the text of the arguments of a call; empty for another step."""
        definition = matcher.definition(step)
        if definition is None or definition.info.role != "call" or not _OBJECT_ARGUMENTS.search(definition.pattern):
            return "", ""
        parts = {name: one.value for name, one in definition.captured_arguments(step.text).items()}
        return parts.get("tool", next(iter(arguments)) if len(arguments) == 1 else ""), parts["arguments"]

    own = [
        (tool.name, key, table)
        for tool in pack.tools
        for key, table in (("evidence", tool.evidence or {}), ("default_arguments", tool.default_arguments))
    ]
    uses = Counter((tool, name) for tool, _, table in own for name in table)
    for tool, text in map(sent, {(case.file, step): step for case in cases for step in case.steps}.values()):
        uses.update((tool, name) for name in _json_object(text))

    def rare(tool: str, given: Iterable[str]) -> Iterator[str]:
        others = [name for (user, name), count in uses.items() if user == tool and count > 1]
        for name in given if not arguments.get(tool) else ():
            near = closest_match(name, others, 0.75) if uses[tool, name] == 1 else None
            if near is not None:
                yield f'no other call of {tool} has the argument "{name}"; write "{near}"'

    def problems(step: StepText) -> Iterator[Problem]:
        tool, text = sent(step)
        given = {name: value for name, value in _json_object(text).items() if value is not None}
        messages = [*rare(tool, given)]
        if tool not in closed:  # the document may permit other arguments
            given = {name: value for name, value in given.items() if name in arguments.get(tool, ())}
        for name in _twin_members(text):
            yield "doubtful", f'the arguments have "{name}" twice; write it once, or write: is called with exactly …'
        for message in (*messages, *_wrong_arguments(given, arguments.get(tool, {}))):
            yield "doubtful", f"{message}, or write: is called with exactly …"

    for tool, key, table in own:
        for message in rare(tool, table):
            line = item_line(pack, "tool", tool, key)
            yield Diagnostic(pack.pack_file, line, "doubtful", f"[[tool]] {tool}: {key}: {message}")

    # What has several readings, or is as the model expects, can be an error.
    yield from (one for one, _ in problems_by_place((case for case in cases if not _may_fail(case)), problems))


def _may_fail(case: ScenarioCase) -> bool:
    thens = [step for step in case.steps if step.keyword_type == "then"]
    texts = [case.title, *(text for step in thens for text in step.texts)]
    return case.is_generated or any(mentioned_ids(step.text) for step in thens) or any(map(_OF_AN_ERROR.search, texts))


def _wrong_arguments(given: Mapping[str, Any], known: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield what is wrong about the names and the types of arguments."""
    for name, value in given.items() if known else ():
        if name not in known:
            yield f'the schema of the arguments has no "{name}"; {suggest(name, sorted(known))}'
        elif known[name] and (problem := JsonSchema({"type": sorted(known[name])}).first_problem(value)):
            yield f'"{name}" {problem[1]}; write {" or ".join(sorted(known[name]))}'


def _wrong_context(schema: JsonSchema, members: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong about members of a call's context."""
    problem = schema.first_problem(members)
    if problem is not None:
        path, phrase = problem
        known = schema.at(tuple(path.split(".")[1:])).get("properties", {})
        unknown = next((name for name in _member(members, path) if name not in known), "") if known else ""
        fix = suggest(unknown, known) if unknown else "correct it (docs/protocol.md)"
        yield f"the context{path} {phrase}; {fix}"


def _member(value: Any, path: str) -> Any:
    for name in path.split(".")[1:]:
        value = value[name]
    return value


def _twin_members(text: str) -> list[str]:
    """Return the names that an object of a JSON text has more than once."""
    found: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in pairs]
        found.extend(name for name in dict.fromkeys(names) if names.count(name) > 1)

    with contextlib.suppress(ValueError, RecursionError):
        json.loads(text, object_pairs_hook=collect)
    return found


def _json_object(text: str) -> Mapping[str, Any]:
    """Return an object from its text; an empty one for what is none, which lint_steps reports."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


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


def _unknown_words(definition: StepDefinition, parts: Mapping[str, str], arguments: Arguments) -> Iterator[str]:
    """Yield messages on the tool and the arguments of a call."""
    if definition.info.role not in ("call", "control"):
        return
    tool = parts.get("tool", next(iter(arguments)) if len(arguments) == 1 else None)
    if tool is not None and tool not in arguments:
        yield f'the specification has no tool "{tool}"; {suggest(tool, arguments)}'
        return
    if "arguments" not in parts or not _OBJECT_ARGUMENTS.search(definition.pattern):
        return  # any JSON, which is sent as it is
    known = set(arguments[tool] if tool is not None else ()).union(*(() if tool is not None else arguments.values()))
    for name in _json_object(parts["arguments"]) if known else ():
        if message := misspelt_argument(name, known):
            yield f"{message}, or send it on purpose: is called with exactly …"
