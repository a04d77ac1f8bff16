"""The statements of the document's examples, executed on expected values: which lines a script emits.

Only what the two examples use is understood: CALL and LAST, SET, EMIT with `+` and `entry["key"]`, IF … == nil THEN …
ELSE, FOR EACH … IN … DO, ENDBLOCK. Knows no tool; a call is a function.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.api import Unmodelled

_SUMMAND = re.compile(r'\s*((?:"(?:\\.|[^\\"])*"|[^"+])+)(?:\+|$)')


class FreeText:
    """The text of a value that may be written in any way, such as a number."""


@dataclass
class Block:
    """The statements between a line that opens a block and its ENDBLOCK; for the whole script `header` is empty."""

    header: str = ""
    body: list[str | Block] = field(default_factory=list)
    otherwise: list[str | Block] | None = None

    def add(self, statement: str | Block) -> None:
        """Append a statement, behind ELSE to the second part."""
        (self.body if self.otherwise is None else self.otherwise).append(statement)

    def emitted_texts(self) -> Iterator[str]:
        """Yield what stands behind EMIT, in this block and in those within it."""
        for statement in (*self.body, *(self.otherwise or ())):
            if isinstance(statement, Block):
                yield from statement.emitted_texts()
            elif statement.startswith("EMIT "):
                yield statement[len("EMIT ") :].strip()


@dataclass(frozen=True)
class CalledValue:
    """The value of a call: its number from 0, and the elements of its list as maps, or None for nil."""

    number: int
    elements: tuple[Mapping[str, Any], ...] | None


@dataclass(frozen=True)
class Line:
    """An emitted line. `call`: the number of the call over whose list a loop emits it; None outside of loops."""

    parts: tuple[str | FreeText, ...]
    call: int | None = None

    def matches(self, text: str) -> bool:
        """Return whether a text is the line."""
        parts = (re.escape(part) if isinstance(part, str) else ".*" for part in self.parts)
        return re.fullmatch("".join(parts), text, re.DOTALL) is not None

    @property
    def text(self) -> str:
        """The line with an ellipsis for each free text."""
        return "".join(part if isinstance(part, str) else "…" for part in self.parts)


class ScriptFails(Exception):
    """A call of the script fails, which ends it."""


class ScriptExecution:
    """The execution of a script. `call` gets the number of a call, the tool and the values. May raise ScriptFails."""

    def __init__(self, call: Callable[[int, str, Sequence[Any]], CalledValue]) -> None:
        self.lines: list[Line] = []
        self._call = call
        self._calls = 0
        self._known: dict[str, Any] = {"nil": None, "LAST": None}
        self._looped_call: int | None = None

    def run(self, statements: Sequence[str | Block]) -> None:
        """Execute statements. Raises ScriptFails, and Unmodelled for what no example has."""
        for statement in statements:
            if isinstance(statement, Block):
                self._run_block(statement)
                continue
            keyword, _, rest = statement.partition(" ")
            match keyword:
                case "CALL":
                    tool, _, values = rest.partition("(")
                    given = [self._value(one) for one in values.removesuffix(")").split(",") if one.strip()]
                    self._calls += 1
                    self._known["LAST"] = self._call(self._calls - 1, tool.strip(), given)
                case "SET":
                    name, _, value = rest.partition("=")
                    self._known[name.strip()] = self._value(value)
                case "EMIT":
                    self.lines.append(Line(tuple(map(self._text, summands(rest))), self._looped_call))
                case _:
                    raise Unmodelled(f"a script with the statement {statement!r}")

    def _run_block(self, block: Block) -> None:
        words = block.header.split()
        match words:
            case ["IF", name, "==", "nil", "THEN"]:
                value = self._value(name)
                is_nil = value is None or (isinstance(value, CalledValue) and value.elements is None)
                self.run(block.body if is_nil else block.otherwise or ())
            case ["FOR", "EACH", variable, "IN", name, "DO"]:
                value = self._value(name)
                if not isinstance(value, CalledValue) or value.elements is None:
                    raise Unmodelled("a script with a loop over what is no list")
                before, self._looped_call = self._looped_call, value.number
                for element in value.elements:
                    self._known[variable] = element
                    self.run(block.body)
                self._looped_call = before
            case _:
                raise Unmodelled(f"a script with the statement {block.header!r}")

    def _value(self, text: str) -> Any:
        text = text.strip()
        if text in self._known:
            return self._known[text]
        name, bracket, key = text.partition("[")
        if bracket and isinstance(self._known.get(name), Mapping):
            return self._known[name][json.loads(key.removesuffix("]"))]
        try:
            return json.loads(text)
        except ValueError:
            raise Unmodelled(f"a script with the value {text}") from None

    def _text(self, text: str) -> str | FreeText:
        value = self._value(text)
        return value if isinstance(value, str) else FreeText()


def summands(text: str) -> list[str]:
    """Return the values that `+` joins; one within quotes joins nothing."""
    return [match[1].strip() for match in _SUMMAND.finditer(text)]


def parse_script(script: str) -> Block:
    """Return the statements of a script. Raises Unmodelled for blocks that are not closed."""
    open_blocks = [Block()]
    for line in script.splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith(("IF ", "FOR ")):
            block = Block(text)
            open_blocks[-1].add(block)
            open_blocks.append(block)
        elif text == "ELSE":
            open_blocks[-1].otherwise = []
        elif text == "ENDBLOCK":
            open_blocks.pop()
        else:
            open_blocks[-1].add(text)
        if not open_blocks:
            break
    if len(open_blocks) != 1:
        raise Unmodelled("a script with blocks that are not closed, or closed twice")
    return open_blocks[0]
