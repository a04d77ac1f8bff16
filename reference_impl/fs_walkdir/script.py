"""An interpreter for the statements of the document's examples, offered as a tool: CALL and LAST, SET, EMIT,
IF … == … THEN … ELSE, FOR EACH … IN … DO. Every other statement is an error.

A script is text with one statement per line; `#` begins a comment. Its value is the list of the texts that it emits.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..shared.context import CallContext
from ..shared.errors import ErrorKind, ToolError
from ..shared.executor import Plan, ToolDefinition
from ..shared.paths import Flavour

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"script": {"type": "string"}},
    "required": ["script"],
}

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\d+|[A-Za-z_][\w.]*|==|[+\[\](),])')
_NAME = r"[A-Za-z_]\w*"
_CALL = re.compile(r"CALL\s+([\w.]+)\s*\((.*)\)")
_SET = re.compile(rf"SET\s+({_NAME})\s*=\s*(.+)")
_EMIT = re.compile(r"EMIT\s+(.+)")
_IF = re.compile(r"IF\s+(.+?)\s*==\s*(.+?)\s+THEN")
_EACH = re.compile(rf"FOR\s+EACH\s+({_NAME})\s+IN\s+(.+?)\s+DO")


class CallableTool(Protocol):
    """A tool that a script can call."""

    @property
    def definition(self) -> ToolDefinition: ...

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> Plan: ...


@dataclass(frozen=True)
class Statement:
    """A line of a script, with the lines of its blocks."""

    line: int
    text: str
    then: tuple["Statement", ...] = ()
    otherwise: tuple["Statement", ...] = ()


def script_error(line: int, problem: str) -> ToolError:
    return ToolError(ErrorKind.BAD_ARGS, f"line {line} of the script: {problem}")


def parse_script(script: str) -> tuple[Statement, ...]:
    """Return the statements of a script. Raises ToolError (BadArgs) for unclosed blocks."""
    lines = [(number, line.strip()) for number, line in enumerate(script.split("\n"), 1)]
    statements = iter([(number, line) for number, line in lines if line and not line.startswith("#")])
    block, end = _parse_block(statements)
    if end:
        raise script_error(len(lines), f"{end} closes nothing")
    return block


def _parse_block(lines: Iterator[tuple[int, str]]) -> tuple[tuple[Statement, ...], str]:
    """Return the statements up to ELSE or ENDBLOCK, and that keyword; "" at the end of the script."""
    found: list[Statement] = []
    for number, text in lines:
        if text in ("ELSE", "ENDBLOCK"):
            return tuple(found), text
        if not text.startswith(("IF ", "FOR ")):
            found.append(Statement(number, text))
            continue
        then, end = _parse_block(lines)
        otherwise: tuple[Statement, ...] = ()
        if end == "ELSE" and text.startswith("IF "):
            otherwise, end = _parse_block(lines)
        if end != "ENDBLOCK":
            raise script_error(number, "its block is not closed by ENDBLOCK")
        found.append(Statement(number, text, then, otherwise))
    return tuple(found), ""


@dataclass
class ScriptRun:
    """The execution of one script: its variables, LAST, and the emitted texts."""

    call: Callable[[str, list[Any]], Any]
    variables: dict[str, Any] = field(default_factory=dict)
    last: Any = None
    emitted: list[str] = field(default_factory=list)

    def run(self, statements: Iterable[Statement]) -> None:
        """Execute the statements. Raises ToolError (BadArgs) for unknown ones."""
        for statement in statements:
            self.execute(statement)

    def execute(self, statement: Statement) -> None:
        line, text = statement.line, statement.text
        if match := _CALL.fullmatch(text):
            self.set_last(self.call(match[1], self.evaluate_arguments(match[2], line)))
        elif match := _SET.fullmatch(text):
            self.variables[match[1]] = self.evaluate(match[2], line)
        elif match := _EMIT.fullmatch(text):
            self.emitted.append(to_text(self.evaluate(match[1], line)))
        elif match := _IF.fullmatch(text):
            holds = is_equal(self.evaluate(match[1], line), self.evaluate(match[2], line))
            self.run(statement.then if holds else statement.otherwise)
        elif match := _EACH.fullmatch(text):
            for element in self.evaluate(match[2], line) or ():
                self.variables[match[1]] = element
                self.run(statement.then)
        else:
            raise script_error(line, f"{text!r} is no statement that is understood")

    def set_last(self, value: Any) -> None:
        """Set LAST to the value of the latest call, including nil (WD-LAST-01)."""
        self.last = value

    def evaluate_arguments(self, text: str, line: int) -> list[Any]:
        found: list[Any] = []
        tokens = _tokenise(text, line)
        while tokens:
            found.append(self.evaluate_sum(tokens, line))
            if tokens and tokens.pop(0) != ",":
                raise script_error(line, "arguments are separated by commas")
        return found

    def evaluate(self, text: str, line: int) -> Any:
        tokens = _tokenise(text, line)
        value = self.evaluate_sum(tokens, line)
        if tokens:
            raise script_error(line, f"{' '.join(tokens)} is not understood here")
        return value

    def evaluate_sum(self, tokens: list[str], line: int) -> Any:
        value = self.evaluate_term(tokens, line)
        while tokens and tokens[0] == "+":
            tokens.pop(0)
            value = to_text(value) + to_text(self.evaluate_term(tokens, line))
        return value

    def evaluate_term(self, tokens: list[str], line: int) -> Any:
        if not tokens:
            raise script_error(line, "a value is missing")
        token = tokens.pop(0)
        value: Any
        if token.startswith('"'):
            value = json.loads(token)
        elif token.isdecimal():
            value = int(token)
        elif token == "LAST":
            value = self.last
        elif token == "nil":
            value = None
        elif token in self.variables:
            value = self.variables[token]
        else:
            raise script_error(line, f"{token} has no value")
        while tokens and tokens[0] == "[":
            tokens.pop(0)
            key = self.evaluate_sum(tokens, line)
            if not tokens or tokens.pop(0) != "]":
                raise script_error(line, "a bracket is not closed")
            if not isinstance(value, dict) or key not in value:
                raise script_error(line, f"there is no key {key!r}")
            value = value[key]
        return value


def _tokenise(text: str, line: int) -> list[str]:
    found, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise script_error(line, f"{text[at:]!r} is not understood")
        found.append(match[1])
        at = match.end()
    return found


def is_equal(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def to_text(value: Any) -> str:
    """Return the text of a value for EMIT and +."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Interpreter:
    """The tool that runs a script. Arguments of a CALL are in the order that the called tool publishes."""

    definition = ToolDefinition(
        name="NeuroScript",
        specification="fs_walkdir@0.1",
        aliases=(),
        description="Run a script and give the texts that it emits",
        input_schema=SCHEMA,
        is_side_effecting=False,
        requires_approval=False,
        risk_level="Low",
    )

    def __init__(self, tools: Iterable[CallableTool], run: type[ScriptRun] = ScriptRun) -> None:
        self._tools = {tool.definition.name: tool for tool in tools}
        self._run_class = run

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "ScriptPlan":
        script = arguments.get("script") if isinstance(arguments, dict) else None
        if not isinstance(script, str):
            raise ToolError(ErrorKind.BAD_ARGS, "script must be a string")
        return ScriptPlan(self, script, context, flavour)

    def run(self, script: str, context: CallContext, flavour: Flavour) -> list[str]:
        def call(name: str, values: list[Any]) -> Any:
            if name not in self._tools:
                raise ToolError(ErrorKind.UNKNOWN_TOOL, f"there is no tool {name!r}")
            tool = self._tools[name]
            names = list(tool.definition.input_schema["properties"])
            names += [f"surplus{number}" for number in range(len(names), len(values))]
            given = dict(zip(names, values, strict=False))
            return json.loads(tool.plan(given, context, flavour).run())

        run = self._run_class(call)
        run.run(parse_script(script))
        return run.emitted


@dataclass(frozen=True)
class ScriptPlan:
    """A script before its execution; it has not been parsed yet."""

    tool: Interpreter
    script: str
    context: CallContext
    flavour: Flavour

    @property
    def summary(self) -> str:
        return "Run a script"

    def run(self) -> str:
        return json.dumps(self.tool.run(self.script, self.context, self.flavour), ensure_ascii=False)
