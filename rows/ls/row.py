"""Rows of LS: where the call and the tree are like this, the call or the envelope is like that."""

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.api import CallResult

from ..shared.row import Answering, Row, Sent, row_of
from .answer import Answer, Refusal

TOOL = "LS"
GONE = object()
"""In place of a member: it is not there."""

Members = Mapping[str, Any]


def row(
    *,
    stage: int = 0,
    where: Callable[[Sent], Any] = lambda sent: True,
    arguments: Callable[[Sent], Any] | None = None,
    answer: Answering | None = None,
    error: Refusal | Callable[[Answer], Refusal | None] | None = None,
    refusal: Refusal | Callable[[Answer], Refusal | None] | None = None,
    escape: Callable[[Answer], bytes | None] | None = None,
    change: Callable[[Answer], Any] | None = None,
    only: Callable[[Answer], Any] = lambda at: True,
    every: Members | None = None,
    listing: Members | None = None,
    failure: Members | None = None,
    **given: Callable[[Any], Any],
) -> Row:
    """Return a row that acts on the calls for which `where` is true.

    On the call: `arguments` replaces them all, and a parameter's name (`path`, `limit`, …) replaces that one if it is
    sent; params_input still shows what was sent. `answer` makes the whole answer. On the envelopes of which `only` is
    true, in this order: `escape` names a directory outside that is listed instead; `error` is code and message of a
    failure instead (not for wrong arguments), and `refusal` too, as for a path outside; `change` changes the answer;
    members are replaced, in `every` envelope, in those of a `listing` or of a `failure`, by their places, as
    `stats.dirs`, with constants or by the answer.
    """

    def changed(sent: Sent) -> CallResult:
        if not where(sent):
            return sent.answer()
        if answer is not None:
            return answer(sent)
        at = Answer(sent, _with_arguments(sent.arguments if arguments is None else arguments(sent), given))
        if not at.is_envelope:
            return at.received
        if not only(at):
            return at.result()
        if escape is not None and (place := escape(at)) is not None:
            at.escape(place)
        if at.kind != "arguments" and (failure_made := error(at) if callable(error) else error) is not None:
            at.fail(*failure_made)
        if at.kind != "arguments" and (found := refusal(at) if callable(refusal) else refusal) is not None:
            at.refuse(*found)
        if change is not None:
            change(at)
        _put(at, {**(every or {}), **((failure if at.failed else listing) or {})})
        return at.result()

    return row_of(lambda: changed, (TOOL,), stage)


def number(change: Callable[[int], Any]) -> Callable[[Any], Any]:
    """Return the change of an argument that is a whole number."""
    return lambda value: change(value) if type(value) is int else value


def text(change: Callable[[str], Any]) -> Callable[[Any], Any]:
    """Return the change of an argument that is a text."""
    return lambda value: change(value) if isinstance(value, str) else value


def strings(change: Callable[[list[str]], Any]) -> Callable[[Any], Any]:
    """Return the change of an argument that is a list of texts."""
    return lambda value: (
        change(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value
    )


def _with_arguments(sent: Any, given: Mapping[str, Callable[[Any], Any]]) -> Any:
    if not isinstance(sent, dict):
        return sent
    return {name: given[name](value) if name in given else value for name, value in sent.items()}


def _put(at: Answer, members: Members) -> None:
    for place, value in members.items():
        outer: Any = at.members
        *above, name = place.split(".")
        for part in above:
            outer = outer.get(part)
        made = value(at) if callable(value) else value
        if made is GONE:
            outer.pop(name, None)
        else:
            outer[name] = made
