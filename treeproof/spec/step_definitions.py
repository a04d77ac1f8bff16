"""The step definitions of a pack: their decorators, their loading without running a test, and matching steps to them.

The decorators `given`, `when` and `then` give a definition its StepInfo, for the lint, lists of steps and the check of
adapters. A definition with a decorator of pytest-bdd itself has none. pytest-bdd is imported on first
use, because it imports pytest, which takes longer than reading a pack.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, get_args

from treeproof.spec.entry_points import import_pack_module
from treeproof.spec.gherkin import KeywordType, StepText, mentioned_ids

P = ParamSpec("P")
T = TypeVar("T")
StepRole = Literal["tree", "surroundings", "call", "control"]
DOCSTRING = "docstring"
ANY_COLUMN = "*"

_GROUP = re.compile(r"\((?:[^()\\]|\\.|\([^()]*\))*\)")
_LITERAL_TEXT = re.compile("(?:[A-Za-z ](?![?*+{]))+")


@dataclass(frozen=True, slots=True)
class StepInfo:
    """Data about a step that its decorator declares.

    `example` is the text of one step, without its keyword.
    `role`: the step builds the tree of the sandbox root ("tree") or a tree beside it ("surroundings"), calls the
    candidate ("call"), or makes a control call ("control").
    `needs`: host features without which a scenario with this step is not verified.
    `tree`: the captured group, or `docstring`, that contains a tree notation.
    `paths`: the captured groups and the columns that contain lists of paths.
    `columns`: the columns of its table, ANY_COLUMN for any other one. The ids in the step's text are columns, too.
    `capabilities`: capabilities of a candidate without which a scenario with this step is not verified.
    `context`: the captured group that contains members of a call context, some of which need a capability.
    `schema`: the schema of the pack that it reads.
    """

    example: str = ""
    role: StepRole | None = None
    needs: tuple[str, ...] = ()
    tree: str = ""
    columns: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    context: str = ""
    paths: tuple[str, ...] = ()
    schema: str = ""


class StepDecorator:
    """A decorator for the steps of one keyword."""

    def __init__(self, keyword_type: KeywordType) -> None:
        self._keyword_type = keyword_type

    def __call__(
        self,
        pattern: str,
        *,
        example: str = "",
        role: StepRole | None = None,
        needs: str | Iterable[str] = (),
        tree: str = "",
        columns: str | Iterable[str] = (),
        capabilities: str | Iterable[str] = (),
        context: str = "",
        paths: str | Iterable[str] = (),
        schema: str = "",
    ) -> Callable[[Callable[P, T]], Callable[P, T]]:
        """Define the steps whose text matches `pattern` completely. The arguments are the fields of StepInfo.

        A pattern without groups is its own example. `needs`, `columns`, `capabilities` and `paths` are one
        name or several. Raises ValueError for a pattern with groups and without an example.
        """
        from pytest_bdd import parsers, step

        parser = parsers.re(pattern)
        if parser.regex.groups and not example:
            raise ValueError(f"{pattern}: a pattern with groups needs an example")
        texts = (_names(columns), _names(capabilities), context, _names(paths), schema)
        info = StepInfo(example or pattern, role, _names(needs), tree, *texts)
        vars(parser)["info"] = info
        return step(parser, self._keyword_type)


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


given = StepDecorator("given")
when = StepDecorator("when")
then = StepDecorator("then")


@dataclass(frozen=True, slots=True)
class CapturedArgument:
    """A captured part of a step. `unquoted`: there is no quotation mark before it."""

    value: str
    unquoted: bool


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """One step definition. `keyword_type` None fits every step; `required` parameters have no default.

    `explanation` is the first paragraph of the docstring, `context` the object that pytest-bdd executes.
    """

    keyword_type: KeywordType | None
    pattern: str
    module: str
    function: str
    file: Path
    line: int
    explanation: str
    info: StepInfo
    captures: tuple[str, ...]
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    is_async: bool
    context: Any = field(repr=False, compare=False)

    @property
    def example(self) -> str:
        """An example of the step with its keyword; without a declared one, the pattern."""
        return f"{(self.keyword_type or 'given').capitalize()} {self.info.example or self.pattern}"

    @property
    def literal_prefix(self) -> str:
        """The text with which every matching step begins; empty if the parser does not show it.

        Comparing it is much faster than calling the parser.
        """
        regex = getattr(self.context.parser, "regex", None)
        if regex is None or regex.flags != re.UNICODE or "|" in _GROUP.sub("", self.pattern):
            return ""
        prefix = _LITERAL_TEXT.match(self.pattern)
        return prefix[0] if prefix is not None else ""

    @property
    def takes_docstring(self) -> bool:
        return DOCSTRING in self.parameters

    @property
    def takes_table(self) -> bool:
        return "datatable" in self.parameters

    def matches(self, text: str) -> bool:
        """Return whether pytest-bdd would use this definition for a step with that text."""
        return bool(self.context.parser.is_matching(text))

    def captured_arguments(self, text: str) -> Mapping[str, CapturedArgument]:
        """Return the captured parts of a matching text; none for an unknown type of parser."""
        spans: dict[str, tuple[int, int]] = {}
        parser = self.context.parser
        if (regex := getattr(parser, "regex", None)) is not None:
            match = regex.fullmatch(text)
            spans = {} if match is None else {name: match.span(name) for name in regex.groupindex}
        elif (parsed := getattr(parser, "parser", None)) is not None:
            result = parsed.parse(text)
            spans = {} if result is None else {name: result.spans[name] for name in result.named}
        return {
            name: CapturedArgument(text[start:end], unquoted=text[start - 1 : start] != '"')
            for name, (start, end) in spans.items()
            if start >= 0
        }

    def unknown_columns(self, text: str, header: Sequence[str]) -> list[str]:
        """Return the columns of a step's table that the definition does not read, and so would ignore."""
        if not self.info.columns or ANY_COLUMN in self.info.columns:
            return []
        known = {*self.info.columns, *mentioned_ids(text)}
        return [column for column in header if column not in known]

    def tree_notation(self, step: StepText) -> str | None:
        """Return the tree notation in a matching step, or None if it has none."""
        if self.info.tree == DOCSTRING:
            return " ".join((step.docstring or "").split("\n"))
        argument = self.captured_arguments(step.text).get(self.info.tree) if self.info.tree else None
        return argument.value if argument else None

    def path_lists(self, step: StepText) -> Iterator[str]:
        """Yield the lists of paths in a matching step."""
        if not self.info.paths:
            return
        arguments = self.captured_arguments(step.text)
        yield from (arguments[name].value for name in self.info.paths if name in arguments)
        header, *rows = step.table or ((),)
        for at in (at for at, name in enumerate(header) if name in self.info.paths):
            yield from (row[at] for row in rows)


class StepMatcher:
    """Finds the definitions of steps and keeps the results: many scenarios share a step."""

    def __init__(self, definitions: Iterable[StepDefinition]) -> None:
        self.definitions = tuple(definitions)
        self._prefixes: dict[str, list[tuple[str, StepDefinition]]] = {
            keyword: [(one.literal_prefix, one) for one in self.definitions if one.keyword_type in (None, keyword)]
            for keyword in get_args(KeywordType)
        }
        self._matches: dict[tuple[str, str], tuple[StepDefinition, ...]] = {}

    def matching(self, keyword_type: str, text: str) -> tuple[StepDefinition, ...]:
        """Return all definitions that match a step."""
        key = (keyword_type, text)
        if key not in self._matches:
            self._matches[key] = tuple(
                definition
                for prefix, definition in self._prefixes[keyword_type]
                if text.startswith(prefix) and definition.matches(text)
            )
        return self._matches[key]

    def definition(self, step: StepText) -> StepDefinition | None:
        """Return the first definition that matches a step, or None."""
        matching = self.matching(step.keyword_type, step.text)
        return matching[0] if matching else None


def load_step_definitions(step_modules: Iterable[str], folder: Path | None = None) -> tuple[StepDefinition, ...]:
    """Import step modules and return their definitions in order. Raises UsageError if a module cannot be imported.

    Modules that are in ``folder``, the folder of their pack, are those of this pack alone.
    """
    return tuple(definition for name in step_modules for definition in _module_definitions(name, folder))


def _module_definitions(module_name: str, folder: Path | None) -> Iterable[StepDefinition]:
    module = import_pack_module(module_name, folder, f'the step module "{module_name}"', 'its name in the key "steps"')
    from pytest_bdd.steps import StepNamePrefix

    for name, attribute in list(vars(module).items()):
        # For each definition pytest-bdd leaves a fixture in the module, whose function returns what it would execute.
        if name.startswith(StepNamePrefix.step_def.value):
            yield _build_definition(module_name, attribute.__wrapped__())


def _build_definition(module: str, context: Any) -> StepDefinition:
    function = context.step_func
    parser, parameters = context.parser, inspect.signature(function).parameters
    return StepDefinition(
        keyword_type=context.type,
        pattern=str(parser.name),
        module=module,
        function=function.__name__,
        file=Path(function.__code__.co_filename),
        line=function.__code__.co_firstlineno,
        explanation=" ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split()),
        info=getattr(parser, "info", StepInfo()),
        captures=_captures(parser),
        parameters=tuple(parameters),
        required=tuple(name for name, one in parameters.items() if one.default is one.empty),
        is_async=inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function),
        context=context,
    )


def _captures(parser: Any) -> tuple[str, ...]:
    if (regex := getattr(parser, "regex", None)) is not None:
        return tuple(regex.groupindex)
    if (parsed := getattr(parser, "parser", None)) is not None:
        return tuple(parsed.named_fields)
    return ()
