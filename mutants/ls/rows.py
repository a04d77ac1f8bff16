"""Mutants of LS as rows: where the call and the tree are like this, the call or the envelope is like that."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.ls import row as rows
from treeproof.rows.ls.answer import Answer, Entry
from treeproof.rows.ls.row import TOOL, Members
from treeproof.rows.ls.text_parts import render
from treeproof.rows.shared.row import Answering, Sent, row_of

from ..shared.mutant import Mutant, plant


def row(id: str, summary: str, *violates: str, **change: Any) -> Mutant:
    """Return a mutant with the change of a row of LS."""
    return plant(id, summary, violates, rows.row(**change))


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

    return plant(id, summary, violates, row_of(answering, (TOOL,)))


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
