"""Garblings of the answers of a correct candidate: the result of a call, or its line, with one thing changed.

A garbling returns the value as it is where it does not apply.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

Result = Any
"""The result of a call by the protocol; a garbled one may be anything."""


@dataclass(frozen=True)
class Garbling:
    """A change of a result, or of the line that carries it."""

    name: str
    on_result: Callable[[Result], Result] = lambda result: result
    on_line: Callable[[bytes], bytes] = lambda line: line


WRONG_VALUES: dict[str, Any] = {
    "null": None,
    "text": "x",
    "empty text": "",
    "surrogate": "\ud800",
    "control": "a\0b\x1b[2J\u202e",
    "time text": "-292277022657-01-27T08:29:52Z",
    "zero": 0,
    "negative": -7,
    "huge": 10**400,
    "float": 0.5,
    "true": True,
    "list": [],
    "list of null": [None],
    "object": {},
    "object in lists": [[{"name": {}}]],
}
"""Values in place of a member, whatever its type is."""


def member_garblings(results: Iterable[Result]) -> Iterator[Garbling]:
    """Yield garblings of each member that occurs in the JSON outputs of some results, at any depth."""
    for name in sorted({name for result in results for name in _member_names(_value(result))}):
        for what, value in WRONG_VALUES.items():
            yield Garbling(f"{name}: {what}", _on_value(partial(_set, name, value)))
        yield Garbling(f"{name}: gone", _on_value(partial(_remove, name)))
        yield Garbling(f"{name}: twice", _on_text(partial(_twice, name)))
        yield Garbling(f"{name}: renamed", _on_value(partial(_rename, name)))


def _value(result: Result) -> Any:
    try:
        return json.loads(result["content"])
    except (KeyError, TypeError, ValueError):
        return None


def _member_names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _member_names(part)


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a JSON value with a change of each value in it, the outer ones last."""
    if isinstance(value, dict):
        value = {name: _each(part, change) for name, part in value.items()}
    elif isinstance(value, list):
        value = [_each(part, change) for part in value]
    return change(value)


def _set(name: str, new: Any, value: Any) -> Any:
    return {**value, name: new} if isinstance(value, dict) and name in value else value


def _remove(name: str, value: Any) -> Any:
    return {key: part for key, part in value.items() if key != name} if isinstance(value, dict) else value


def _rename(name: str, value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {f"{key.upper()}_" if key == name else key: part for key, part in value.items()}


def _twice(name: str, text: str) -> str:
    return text.replace(f'"{name}":', f'"{name}":[{{}}],"{name}":')


def _on_value(change: Callable[[Any], Any]) -> Callable[[Result], Result]:
    """Return a change of each value in the JSON output of a call; other outputs stay as they are."""

    def changed(result: Result) -> Result:
        value = _value(result)
        new = _each(value, change)
        # Compared as texts: true equals 1, and -0.0 equals 0.
        return result if repr(new) == repr(value) else {**result, "content": _dumps(new)}

    return changed


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _on_text(change: Callable[[str], str]) -> Callable[[Result], Result]:
    """Return a change of the output of a call that succeeded."""

    def changed(result: Result) -> Result:
        text = result.get("content")
        return {**result, "content": change(text)} if isinstance(text, str) else result

    return changed


def _on_error(change: Callable[[dict[str, Any]], Any]) -> Callable[[Result], Result]:
    """Return a change of the error of a call that failed."""

    def changed(result: Result) -> Result:
        return {**result, "error": change(result["error"])} if result.get("status") == "error" else result

    return changed


def _with(name: str, new: Any) -> Callable[[Result], Result]:
    return lambda result: {**result, name: new}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _numbers(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: change(value) if _is_number(value) else value


def _texts(change: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda value: change(value) if isinstance(value, str) else value


def _lists(change: Callable[[list[Any]], Any]) -> Callable[[Any], Any]:
    return lambda value: change(value) if isinstance(value, list) and value else value


def _spell_numbers(new: Callable[[str], str]) -> Callable[[str], str]:
    """Return a change of the spelling of each number in a JSON text."""

    def changed(text: str) -> str:
        try:
            value = json.loads(text)
        except ValueError:
            return text
        marked = _each(value, _numbers(lambda number: f"\x00{number}\x00"))
        parts = _dumps(marked).split('"\\u0000')
        if len(parts) == 1:
            return text
        rest = [part.split('\\u0000"', 1) for part in parts[1:]]
        return parts[0] + "".join(new(number) + after for number, after in rest)

    return changed


_VALUES: dict[str, Callable[[Any], Any]] = {
    "numbers are negative": _numbers(lambda n: -n - 1),
    "numbers are next": _numbers(lambda n: n + 1),
    "numbers have 400 digits": _numbers(lambda n: (n + 1) * 10**400),
    "numbers are 2^63": _numbers(lambda n: 2**63),
    "numbers are fractions": _numbers(lambda n: n % 10**6 + 0.25),
    "numbers are texts": _numbers(str),
    "numbers are lists": _numbers(lambda n: [n]),
    "numbers are booleans": _numbers(bool),
    "numbers are null": _numbers(lambda n: None),
    "times are in nanoseconds": _numbers(lambda n: n * 10**6 if n > 10**9 else n),
    "times are after the year 9999": _numbers(lambda n: 253402300800000 if n > 10**9 else n),
    "times are before the year 1": _numbers(lambda n: -(10**17) if n > 10**9 else n),
    "texts are numbers": _texts(len),
    "texts are null": _texts(lambda text: None),
    "texts are lists": _texts(list),
    "texts are empty": _texts(lambda text: ""),
    "texts end in a surrogate": _texts(lambda text: f"{text}\udc80"),
    "texts begin with a NUL": _texts(lambda text: f"\0{text}"),
    "texts are in Latin-1": _texts(lambda text: f"{text}é".encode().decode("latin-1")),
    "texts have a BOM": _texts(lambda text: f"\ufeff{text}"),
    "texts are long": _texts(lambda text: text + "x" * 70_000),
    "texts are absolute": _texts(lambda text: f"/{text}"),
    "texts lead out": _texts(lambda text: f"../{text}"),
    "texts have another case": _texts(str.swapcase),
    "texts have line breaks": _texts(lambda text: f"{text}\r\n\t"),
    "texts have years of 6 digits": _texts(lambda text: f"+1{text}" if text[4:5] == "-" else text),
    "booleans are texts": lambda value: str(value) if isinstance(value, bool) else value,
    "booleans are numbers": lambda value: int(value) if isinstance(value, bool) else value,
    "booleans are others": lambda value: not value if isinstance(value, bool) else value,
    "nulls are objects": lambda value: {} if value is None else value,
    "nulls are texts": lambda value: "null" if value is None else value,
    "lists are empty": _lists(lambda items: []),
    "lists are null": _lists(lambda items: None),
    "lists are texts": _lists(_dumps),
    "lists are objects": _lists(lambda items: {str(at): item for at, item in enumerate(items)}),
    "lists are numbers": _lists(len),
    "lists are nested": _lists(lambda items: [items]),
    "lists begin with null": _lists(lambda items: [None, *items]),
    "lists end with a number": _lists(lambda items: [*items, 5]),
    "lists end with an empty object": _lists(lambda items: [*items, {}]),
    "lists have lists as items": _lists(lambda items: [[item] for item in items]),
    "lists have keys as items": _lists(lambda items: [[*item] if isinstance(item, dict) else 0 for item in items]),
    "lists have a twin": _lists(lambda items: [*items, items[0]]),
    "lists have 10000 twins": _lists(lambda items: items + [items[0]] * 10_000),
    "lists have lost one": _lists(lambda items: items[1:]),
    "objects have one more member": lambda value: {**value, "x": None} if isinstance(value, dict) else value,
    "objects have an empty name": lambda value: {**value, "": 0} if isinstance(value, dict) else value,
    "objects are empty": lambda value: {} if isinstance(value, dict) else value,
    "objects are lists": lambda value: [*value.values()] if isinstance(value, dict) else value,
}  # fmt: skip
"""Changes of each value in a JSON output."""

_OUTPUTS: dict[str, Callable[[str], str]] = {
    "empty": lambda text: "",
    "blank": lambda text: " \n",
    "NUL": lambda text: "\0",
    "a NUL at the end": lambda text: f"{text}\0",
    "null": lambda text: "null",
    "a number": lambda text: "17",
    "true": lambda text: "true",
    "a text": lambda text: '"text"',
    "a list": lambda text: "[]",
    "an object": lambda text: "{}",
    "a list of objects": lambda text: "[{},{}]",
    "in a list": lambda text: f"[{text}]",
    "in a text": json.dumps,
    "half": lambda text: text[: len(text) // 2],
    "without the last character": lambda text: text[:-1],
    "without the first character": lambda text: text[1:],
    "twice": lambda text: text * 2,
    "a BOM before": lambda text: f"\ufeff{text}",
    "a BOM after": lambda text: f"{text}\ufeff",
    "words after": lambda text: f"{text} done",
    "a log before": lambda text: f"INFO listing\n{text}",
    "in a code block": lambda text: f"```json\n{text}\n```",
    "a surrogate after": lambda text: f"{text}\udcff",
    "read as Latin-1": lambda text: f"{text}é".encode().decode("latin-1"),
    "read as UTF-16": lambda text: text.encode("utf-8", "replace").decode("utf-16-le", "replace"),
    "in UTF-16": lambda text: text.encode("utf-16-be", "surrogatepass").decode("latin-1"),
    "5000 lists": lambda text: "[" * 5_000 + "]" * 5_000,
    "100000 open lists": lambda text: "[" * 100_000,
    "5000 objects": lambda text: '{"entries":' * 5_000 + "0" + "}" * 5_000,
    "a long number": lambda text: "9" * 5_000,
    "in single quotes": lambda text: text.replace('"', "'"),
    "escaped again": lambda text: text.replace('"', '\\"'),
    "a comma too many": lambda text: text.replace("}", ",}").replace("]", ",]"),
    "a comment": lambda text: f"// list\n{text}",
    "raw control characters": lambda text: text.replace('"', '"\x01', 1),
    "names without quotes": lambda text: text.replace('":', ":").replace('{"', "{").replace(',"', ","),
    "NaN for null": lambda text: text.replace("null", "NaN"),
    "numbers are NaN": _spell_numbers(lambda number: "NaN"),
    "numbers are Infinity": _spell_numbers(lambda number: "-Infinity"),
    "numbers have an exponent": _spell_numbers(lambda number: f"{number}e1"),
    "numbers have an endless exponent": _spell_numbers(lambda number: f"{number}e999999999"),
    "numbers begin with 0": _spell_numbers(lambda number: f"0{number}"),
    "numbers begin with +": _spell_numbers(lambda number: f"+{number}"),
    "numbers are hexadecimal": _spell_numbers(lambda number: f"0x{number}"),
    "numbers have 5000 digits": _spell_numbers(lambda number: "7" * 5_000),
    "numbers have endless fractions": _spell_numbers(lambda number: f"{number}." + "3" * 5_000),
    "lines in reverse": lambda text: "\n".join(text.split("\n")[::-1]) if "\n" in text else text,
    "lines are cut": lambda text: "\n".join(line[:7] for line in text.split("\n")) if "\n" in text else text,
    "lines end in CR": lambda text: text.replace("\n", "\r"),
    "lines are joined": lambda text: text.replace("\n", " "),
}  # fmt: skip
"""Changes of an output as a text."""

_TEXT_MEMBERS: dict[str, Callable[[str], Any]] = {
    "is joined": lambda text: text.replace("\n", " "),
    "has no first line": lambda text: text.partition("\n")[2],
    "has a line too many": lambda text: f"{text}\nx",
    "has cut lines": lambda text: "\n".join(line[:5] for line in text.split("\n")),
    "has columns in reverse": lambda text: "\n".join(" ".join(line.split(" ")[::-1]) for line in text.split("\n")),
    "has other digits": lambda text: "".join(str(9 - int(c)) if c in "0123456789" else c for c in text),
    "has Arabic digits": lambda text: "".join(chr(0x660 + int(c)) if c in "0123456789" else c for c in text),
    "has 10000 lines": lambda text: f"{text}\n" * 10_000,
    "has lines with NUL": lambda text: text.replace("\n", "\0\n\0"),
    "has other line ends": lambda text: text.replace("\n", "\u2028"),
}  # fmt: skip
"""Changes of the member `text` of an output, for packs that have one."""

_RESULTS: dict[str, Callable[[Result], Result]] = {
    "null": lambda result: None,
    "a text": lambda result: "ok",
    "a list": lambda result: [result],
    "empty": lambda result: {},
    "status: unknown": lambda result: {**result, "status": "fine"},
    "status: true": lambda result: {**result, "status": True},
    "status: a list": lambda result: {**result, "status": ["ok"]},
    "status: an object": lambda result: {**result, "status": {}},
    "status: gone": lambda result: {name: part for name, part in result.items() if name != "status"},
    "status: error, with content": lambda result: {**result, "status": "error"},
    "status: ok, with error": lambda result: {**result, "status": "ok", "error": {"kind": "BadArgs", "message": ""}},
    "status: unsupported": lambda result: {**result, "status": "unsupported"},
    "status: unsupported, reason: a list": lambda result: {"status": "unsupported", "reason": []},
    "content: gone": lambda result: {name: part for name, part in result.items() if name != "content"},
    **{f"content: {what}": partial(_set, "content", value) for what, value in WRONG_VALUES.items()},
    "content: the document": lambda result: {**result, "content": _value(result)} if "content" in result else result,
    "error: a list": _on_error(lambda error: [error]),
    "error: a text": _on_error(lambda error: "BadArgs"),
    "error: null": _on_error(lambda error: None),
    "error: empty": _on_error(lambda error: {}),
    "error.kind: unknown": _on_error(lambda error: {**error, "kind": "Oops"}),
    "error.kind: unclassified": _on_error(lambda error: {**error, "kind": "Unclassified"}),
    "error.kind: gone": _on_error(lambda error: {"message": error["message"]}),
    "error.message: gone": _on_error(lambda error: {"kind": error["kind"]}),
    **{
        f"error.{name}: {what}": _on_error(partial(_set, name, value))
        for name in ("kind", "message")
        for what, value in WRONG_VALUES.items()
    },
    "an error for a success": lambda result: (
        {"status": "error", "error": {"kind": "ExecutionFailed", "message": ""}} if "content" in result else result
    ),
    "a success for an error": lambda result: {"status": "ok", "content": ""} if "error" in result else result,
    **{f"context: {what}": _with("context", value) for what, value in WRONG_VALUES.items() if value != {}},
    "context.allow_truncation: a list": lambda result: {**result, "context": {"allow_truncation": []}},
    **{f"log: {what}": _with("log", value) for what, value in WRONG_VALUES.items() if value != []},
    "log: records without a level": lambda result: {**result, "log": [{"message": "m"}]},
    "log: records with a list": lambda result: {**result, "log": [{"level": "error", "message": []}]},
    "log: records of another level": lambda result: {**result, "log": [{"level": "loud", "message": "m"}]},
    "approval_requested: a text": lambda result: {**result, "approval_requested": "yes"},
}  # fmt: skip
"""Changes of a result."""

_LINES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda line: b"",
    "NUL": lambda line: line.replace(b"a", b"\0"),
    "in Latin-1": lambda line: line.replace(b'"status"', b'"\xe9":0,"status"'),
    "in UTF-16": lambda line: line.decode().encode("utf-16"),
    "a BOM before": lambda line: b"\xef\xbb\xbf" + line,
    "a surrogate as bytes": lambda line: line.replace(b'"status"', b'"\xed\xa0\x80":0,"status"'),
    "an overlong slash": lambda line: line.replace(b'"status"', b'"\xc0\xaf":0,"status"'),
    "half": lambda line: line[: len(line) // 2],
    "twice": lambda line: line + line,
    "a status twice": lambda line: line.replace(b'"status"', b'"status":"error","status"'),
    "a content twice": lambda line: line.replace(b'"content"', b'"content":[],"content"'),
    "NaN": lambda line: line.replace(b'"status"', b'"x":NaN,"status"'),
    "Infinity": lambda line: line.replace(b'"status"', b'"x":-Infinity,"status"'),
    "a long number": lambda line: line.replace(b'"status"', b'"x":%s,"status"' % (b"9" * 5_000)),
    "an endless exponent": lambda line: line.replace(b'"status"', b'"x":1e999,"status"'),
    "201 lists": lambda line: line.replace(b'"status"', b'"x":%s,"status"' % (b"[" * 201 + b"]" * 201)),
    "100000 open lists": lambda line: line.replace(b'"status"', b'"x":%s,"status"' % (b"[" * 100_000)),
    "another id": lambda line: line.replace(b'"id":1', b'"id":[1]'),
    "an error and a result": lambda line: line.replace(b'"id":1', b'"id":1,"error":null'),
    "an error without a code": lambda line: b'{"jsonrpc":"2.0","id":1,"error":{"message":[]}}',
    "no version": lambda line: line.replace(b'"jsonrpc":"2.0",', b""),
}  # fmt: skip
"""Changes of a line."""


def general_garblings() -> Iterator[Garbling]:
    """Yield the garblings that need no knowledge of an output's members."""
    for name, change in _VALUES.items():
        yield Garbling(f"values: {name}", _on_value(change))
    for name, on_text in _OUTPUTS.items():
        yield Garbling(f"output: {name}", _on_text(on_text))
    for name, on_text_member in _TEXT_MEMBERS.items():
        yield Garbling(f"text {name}", _on_value(partial(_change_text, on_text_member)))
    for name, on_result in _RESULTS.items():
        yield Garbling(f"result: {name}", on_result)
    for name, on_line in _LINES.items():
        yield Garbling(f"line: {name}", on_line=on_line)


def _change_text(change: Callable[[str], Any], value: Any) -> Any:
    is_text = isinstance(value, dict) and isinstance(value.get("text"), str)
    return {**value, "text": change(value["text"])} if is_text else value
