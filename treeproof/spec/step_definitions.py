"""The sentences that a pack may use: the step definitions of its modules, read without running a test.

Only reading and matching live here. A definition's docstring begins with an example, ended by a colon, comma
or stop, and may say in lines of their own what the lint has to know about the sentence:

    Role: call          it makes the candidate act
    Role: state         it says what the file system is after the calls
    Evidence: names     it shows that something is there if these parts of it are not empty: captured
                        arguments, `docstring`, or columns of its table of which each row fills one;
                        `always` if the words alone show it
    Needs: strace       a property of the machine without which a scenario with it is not verified
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from treeproof.spec.entry_points import import_pack_module
from treeproof.spec.gherkin import KeywordType

StepRole = Literal["call", "state"]
EVIDENCE_ALWAYS = "always"

_DOCSTRING_FIELD = re.compile(r"^[ \t]*(Role|Evidence|Needs):[ \t]*(.+?)\.?[ \t]*$", re.MULTILINE)

_GROUP = re.compile(r"\((?:[^()\\]|\\.|\([^()]*\))*\)")
_LITERAL_TEXT = re.compile("(?:[A-Za-z ](?![?*+{]))+")


@dataclass(frozen=True, slots=True)
class CapturedArgument:
    """A captured part of a step. `bare`: it does not stand in quotes."""

    value: str
    unquoted: bool


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """One step definition. `keyword_type` None fits every step; `required` parameters have no default."""

    keyword_type: KeywordType | None
    pattern: str
    module: str
    function: str
    file: Path
    line: int
    doc: str
    roles: tuple[str, ...]
    evidence: tuple[str, ...]
    captures: tuple[str, ...]
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    is_async: bool
    needs: tuple[str, ...]
    parser: Any = field(repr=False, compare=False)

    @property
    def example(self) -> str:
        """The example at the docstring's beginning, with its keyword; empty if none fits the sentence."""
        opening = " ".join(self.doc.partition("\n\n")[0].split())
        for end in re.finditer(r"[:,.]|$", opening):
            example = opening[: end.start()]
            if self.matches(example.partition(" ")[2]):
                return example
        return ""

    @property
    def literal_prefix(self) -> str:
        """Words with which every matching text begins; empty where the parser does not tell.

        Comparing them is much faster than asking the parser, which most steps have to be spared.
        """
        regex = getattr(self.parser, "regex", None)
        if regex is None or regex.flags != re.UNICODE or "|" in _GROUP.sub("", self.pattern):
            return ""
        words = _LITERAL_TEXT.match(self.pattern)
        return words[0] if words is not None else ""

    @property
    def takes_docstring(self) -> bool:
        return "docstring" in self.parameters

    @property
    def takes_table(self) -> bool:
        return "datatable" in self.parameters

    def accepts_keyword(self, keyword_type: KeywordType) -> bool:
        return self.keyword_type in (None, keyword_type)

    def matches(self, text: str) -> bool:
        """Whether pytest-bdd would take this definition for a step with that text."""
        return bool(self.parser.is_matching(text))

    def captured_arguments(self, text: str) -> Mapping[str, CapturedArgument]:
        """The captured parts of a matching text; of parsers with unknown inside, none."""
        spans: dict[str, tuple[int, int]] = {}
        regex, parsed = getattr(self.parser, "regex", None), getattr(self.parser, "parser", None)
        if regex is not None:
            match = regex.fullmatch(text)
            spans = {} if match is None else {name: match.span(name) for name in regex.groupindex}
        elif parsed is not None:
            result = parsed.parse(text)
            spans = {} if result is None else {name: result.spans[name] for name in result.named}
        return {
            name: CapturedArgument(text[start:end], unquoted=text[start - 1 : start] != '"')
            for name, (start, end) in spans.items()
            if start >= 0
        }


def load_step_definitions(step_modules: Iterable[str]) -> tuple[StepDefinition, ...]:
    """The sentences of the modules, in the order of definition; the modules are imported.

    Raises UsageError for a module that cannot be imported.
    """
    return tuple(sentence for name in step_modules for sentence in _module_definitions(name))


def import_step_module(name: str) -> ModuleType:
    """Import one of a pack's step modules. Raises UsageError."""
    return import_pack_module(name, f'the step module "{name}"', 'its name in the key "steps"')


def _module_definitions(module_name: str) -> Iterable[StepDefinition]:
    # Imported late: pytest-bdd brings pytest, which takes longer to import than a pack takes to read.
    from pytest_bdd.steps import step_function_context_registry

    module = import_step_module(module_name)
    for attribute in list(vars(module).values()):
        # pytest wraps the function that pytest-bdd registers; __wrapped__ is that function.
        marker = getattr(attribute, "__wrapped__", None)
        context = step_function_context_registry.get(marker) if inspect.isfunction(marker) else None
        if context is not None:
            yield _build_definition(module_name, context)


def _build_definition(module: str, context: Any) -> StepDefinition:
    function = context.step_func
    doc = inspect.getdoc(function) or ""
    marks: dict[str, tuple[str, ...]] = {
        mark[1]: tuple(word.strip() for word in mark[2].split(",")) for mark in _DOCSTRING_FIELD.finditer(doc)
    }
    parser, parameters = context.parser, inspect.signature(function).parameters
    return StepDefinition(
        keyword_type=context.type,
        pattern=str(parser.name),
        module=module,
        function=function.__name__,
        file=Path(function.__code__.co_filename),
        line=function.__code__.co_firstlineno,
        doc=doc,
        roles=marks.get("Role", ()),
        evidence=marks.get("Evidence", ()),
        captures=_captures(parser),
        parameters=tuple(parameters),
        required=tuple(name for name, one in parameters.items() if one.default is one.empty),
        needs=marks.get("Needs", ()),
        is_async=inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function),
        parser=parser,
    )


def _captures(parser: Any) -> tuple[str, ...]:
    if (regex := getattr(parser, "regex", None)) is not None:
        return tuple(regex.groupindex)
    if (parsed := getattr(parser, "parser", None)) is not None:
        return tuple(parsed.named_fields)
    return ()
