"""JSON-RPC 2.0 on one line: encodes requests, and parses responses strictly and with limits. No input or output.

Sources: RFC 8259, RFC 3629.
"""

import json
import math
from typing import Any

from treeproof.candidate.adapter import CandidateFault
from treeproof.candidate.messages import Json, MessageError, Method
from treeproof.candidate.schema import is_integer
from treeproof.candidate.untrusted import format_untrusted

MAX_DEPTH = 200  # levels of nesting in an answer
_QUOTED_CHARACTERS = 120
_TEXT = "the text"


def encode_request(request_id: int, method: Method, params: str) -> bytes:
    """Return one request line. ``params`` is JSON text on one line."""
    return f'{{"jsonrpc":"2.0","id":{request_id},"method":"{method}","params":{params}}}\n'.encode()


def decode_json(line: bytes) -> Json:
    """Return the value of one JSON text: UTF-8, no NaN, unique member names, at most 200 levels; integers are
    exact.

    Raises MessageError; its problem is a phrase that follows "it".
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as problem:
        raise MessageError(_TEXT, f"is not UTF-8: byte 0x{line[problem.start]:02x} at offset {problem.start}") from None
    try:
        value: Json = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise MessageError(_TEXT, f"is not JSON: {problem.msg} at column {problem.pos + 1}") from None
    except RecursionError:
        raise MessageError(_TEXT, f"is nested more than {MAX_DEPTH} levels deep") from None
    except MessageError:
        raise
    except ValueError:  # the interpreter's bound on the digits of an integer
        raise MessageError(_TEXT, "holds a number of more than 4300 digits") from None
    # Brackets inside strings count, too: the test may run needlessly, but is never skipped wrongly.
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and _exceeds_depth(value, MAX_DEPTH):
        raise MessageError(_TEXT, f"is nested more than {MAX_DEPTH} levels deep")
    return value


def parse_response(line: bytes, request_id: int) -> Json:
    """Return the result in a response line to the request ``request_id``.

    Raises CandidateFault: ``framing`` if the line is no response to it, ``glue`` if it is an error.
    """
    try:
        response = decode_json(line)
    except MessageError as problem:
        raise _framing_fault(problem.problem, line) from None
    if not isinstance(response, dict):
        raise _framing_fault("is not a JSON object", line)
    if response.get("jsonrpc") != "2.0":
        raise _framing_fault('lacks "jsonrpc": "2.0"', line)
    if "method" in response:
        raise _framing_fault("is a request or a notification, where only responses are allowed", line)
    error = response.get("error")
    if "error" in response:
        if "result" in response:
            raise _framing_fault("has both a result and an error", line)
        if (
            not isinstance(error, dict)
            or not is_integer(error.get("code"))
            or not isinstance(error.get("message"), str)
        ):
            raise _framing_fault("has an error that is not an object with an integer code and a message", line)
    elif "result" not in response:
        raise _framing_fault("has neither a result nor an error", line)
    if "id" not in response:
        raise _framing_fault("has no id", line)
    actual = response["id"]
    # A peer that could not read the request answers with the id null.
    if not (is_integer(actual) and actual == request_id) and not (actual is None and error):
        shown = format_untrusted(json.dumps(actual), 40)
        is_earlier = is_integer(actual) and 0 < actual < request_id
        which = f"{shown} of an earlier request, which it has answered," if is_earlier else shown
        raise _framing_fault(f"has the id {which} instead of {request_id}", line)
    if isinstance(error, dict):
        message = format_untrusted(error["message"])
        raise CandidateFault(
            "glue",
            f"it answered with the JSON-RPC error {format_untrusted(str(error['code']), 20)}: {message}",
        )
    value: Json = response["result"]
    return value


def _framing_fault(problem: str, line: bytes) -> CandidateFault:
    return CandidateFault("framing", f"its answer {problem}: '{_quote(line)}'")


def _quote(line: bytes) -> str:
    return format_untrusted(line, _QUOTED_CHARACTERS)


def _exceeds_depth(value: Json, levels: int) -> bool:
    layer: list[Any] = [value]
    for _ in range(levels):
        inner: list[Any] = []
        for item in layer:
            if isinstance(item, dict):
                inner.extend(child for child in item.values() if isinstance(child, dict | list))
            elif isinstance(item, list):
                inner.extend(child for child in item if isinstance(child, dict | list))
        if not inner:
            return False
        layer = inner
    return True


def _reject_duplicate_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for index, name in enumerate(names) if name in names[:index])
        raise MessageError(_TEXT, f"has the member '{format_untrusted(twice, 40)}' twice")
    return members


def _reject_constant(name: str) -> Any:
    raise MessageError(_TEXT, f"holds {name}, which JSON does not have")


def _parse_finite_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise MessageError(_TEXT, f"holds the number {format_untrusted(text, 40)}, which no double can hold")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_reject_duplicate_members,
    parse_constant=_reject_constant,
    parse_float=_parse_finite_float,
)
