"""The candidate's own error in messages of the suite: its kind and its message. Contains no steps."""

from __future__ import annotations

import json
from typing import Any

from treeproof.api import CallResult, Mismatch

MAX_MESSAGE_CHARACTERS = 300
"""The longest part of a candidate's message in a message of the suite, in characters."""


def error_kind(answer: CallResult) -> str:
    """Return the kind of the difference that a failed call is: without the message, so that equal ones are grouped."""
    return f"the call failed with {answer.error_kind}"


def describe_error(answer: CallResult) -> str:
    """Return a clause with kind and message of a failed call; "" for a call that succeeded."""
    return "" if answer.status == "ok" else error_kind(answer) + quote_message(answer.error_message)


def content_of(answer: CallResult) -> str:
    """Return the content of an answer. Raises Mismatch for an error."""
    if answer.status != "ok":
        raise Mismatch(describe_error(answer), got=str(answer.error_kind), kind=error_kind(answer))
    return answer.content or ""


def json_of(answer: CallResult) -> Any:
    """Return the JSON value of an answer. Raises Mismatch for an error, and for a content that is no JSON."""
    text = content_of(answer)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Mismatch(f"the output is not JSON: {error}", got=text[:400], kind="the output is not JSON") from error


def quote_message(message: object) -> str:
    """Return a candidate's message on one line, cut, after a colon; "" if it has none."""
    text = " ".join(message.split()) if isinstance(message, str) else ""
    cut = text if len(text) <= MAX_MESSAGE_CHARACTERS else f"{text[:MAX_MESSAGE_CHARACTERS]}…"
    return f": {cut}" if cut else ""
