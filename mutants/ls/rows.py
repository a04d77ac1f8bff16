"""Mutants of LS as rows: where the call and the tree are like this, the call or the envelope is like that."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult

from ..shared.mutant import Mutant
from ..shared.rows import Answering, Sent, plant
from .answer import Answer, Entry, Refusal
from .text_parts import render

TOOL = "LS"
GONE = object()
"""In place of a member: it is not there."""

Members = Mapping[str, Any]


def row(
    id: str,
    summary: str,
    *violates: str,
    where: Callable[[Sent], Any] = lambda sent: True,
    arguments: Callable[[Sent], Any] | None = None,
    answer: Answering | None = None,
    error: Refusal | Callable[[Answer], Refusal | None] | None = None,
    escape: Callable[[Answer], bytes | None] | None = None,
    change: Callable[[Answer], Any] | None = None,
    only: Callable[[Answer], Any] = lambda at: True,
    every: Members | None = None,
    listing: Members | None = None,
    failure: Members | None = None,
    **given: Callable[[Any], Any],
) -> Mutant:
    """Return a mutant that acts on the calls for which `where` is true.

    On the call: `arguments` replaces them all, and a parameter's name (`path`, `limit`, …) replaces that one if it is
    sent; params_input still shows what was sent. `answer` makes the whole answer. On the envelopes of which `only` is
    true, in this order: `escape` names a directory outside that is listed instead; `error` is code and message of a
    failure instead (not for wrong arguments); `change` changes the answer; members are replaced, in `every` envelope,
    in those of a `listing` or of a `failure`, by their places, as `stats.dirs`, with constants or by the answer.
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
        if at.kind != "arguments" and (refusal := error(at) if callable(error) else error) is not None:
            at.fail(*refusal)
        if change is not None:
            change(at)
        _put(at, {**(every or {}), **((failure if at.failed else listing) or {})})
        return at.result()

    return plant(id, summary, violates, lambda: changed, (TOOL,))


def list_row(
    id: str,
    summary: str,
    *violates: str,
    source: Callable[[Answer], list[Entry]] | None = None,
    retyped: Callable[[Entry], str] | None = None,
    renamed: Callable[[Entry], str] | None = None,
    drop: Callable[[Entry], Any] | None = None,
    more: Callable[[list[Entry], Answer], list[Entry]] | None = None,
    first: Callable[[Entry], bool] | None = None,
    key: Callable[[Entry], Any] | None = None,
    start: Callable[[Answer], int] | None = None,
    end: Callable[[Answer], int] | None = None,
    shown: Callable[[Answer], list[Entry]] | None = None,
    is_truncated: Callable[[Answer], bool] | None = None,
    **others: Any,
) -> Mutant:
    """Return a mutant whose listings are made again, with their counts, pages and text.

    `source` returns the entries, by default those of all pages; `retyped` and `renamed` return another type or name;
    `drop` leaves entries out; `more` returns other ones. `first` is true of what is sorted among the directories, and
    `key` is that of the order within (without both, the order stays). Of the page, `start` and `end` are the numbers,
    `shown` the entries, and `is_truncated` is whether more follow. `others` are as those of `row`.
    """

    def changed(at: Answer) -> None:
        if at.failed:
            return
        entries = at.whole if source is None else source(at)
        if retyped is not None:
            entries = [replace(entry, type=retyped(entry)) for entry in entries]
        if renamed is not None:
            entries = [replace(one, path=one.path.removesuffix(one.name) + renamed(one)) for one in entries]
        entries = [entry for entry in entries if drop is None or not drop(entry)]
        if more is not None:
            entries = more(entries, at)
        if first is not None or key is not None:
            is_first = first or (lambda entry: entry.sorts_first)
            order = key or (lambda entry: (entry.name.lower(), entry.name))
            entries = sorted(entries, key=lambda entry: (not is_first(entry), order(entry)))
        at.relist(
            entries,
            start=None if start is None else start(at),
            end=None if end is None else end(at),
            shown=shown,
            is_truncated=is_truncated,
        )

    return row(id, summary, *violates, change=changed, **others)


def state_row(id: str, summary: str, *violates: str, change: Callable[[Answer, dict[Any, Any]], Any]) -> Mutant:
    """Return a mutant that changes the answers by what it knows, which is nothing at each start."""

    def answering() -> Answering:
        known: dict[Any, Any] = {}

        def answer(sent: Sent) -> CallResult:
            at = Answer(sent)
            if at.is_envelope:
                change(at, known)
            return at.result()

        return answer

    return plant(id, summary, tuple(" ".join(violates).split()), answering, (TOOL,))


def text_row(id: str, summary: str, *violates: str, **parts: Callable[..., Any]) -> Mutant:
    """Return a mutant with other parts of the text of a listing; see `render`."""
    return row(id, summary, *violates, listing={"text": lambda at: render(at, **parts)})


def shown(**members: Callable[[Entry], Any]) -> Members:
    """Return the change that shows other members of each entry in data only."""
    return {
        "data.entries": lambda at: [
            {"path": entry.path, "type": entry.type, **{name: make(entry) for name, make in members.items()}}
            for entry in at.entries
        ]
    }


def without_envelope(message: str) -> Answering:
    """Return the answer of a call that fails with the protocol's error."""
    return lambda sent: replace(
        sent.answer(), status="error", content=None, error_kind="ExecutionFailed", error_message=message
    )


def echo(change: Callable[[dict[str, Any]], Any]) -> Members:
    """Return the change of params_input where it is an object."""
    return {"context.params_input": lambda at: change(dict(at.arguments)) if at.has_object else at.original}


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
