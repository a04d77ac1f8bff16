"""Rows of `list_directory`: where call and tree are like this, the call or the listing is like that."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from treeproof.api import CallResult

from ..shared.row import Answering, Row, row_of, with_value
from .listing import (
    CAP,
    CUT,
    Item,
    Items,
    ListCall,
    Listing,
    Rule,
    Table,
    document_of,
    failed,
    is_too_small,
    items_of,
    succeeded,
    table_of,
    with_table,
)

TOOLS = ("list_directory", "listdir", "ls", "dir")
MEMBERS = {"type": "type", "size": "size_bytes", "time": "modified_epoch_ms"}
"""Members that only entries with metadata have, by their names in rows."""
TEXTS = {
    "name": "name",
    "path": "path",
    "depth": "depth",
    "hidden": "is_hidden",
    "code": "error_code",
    "error": "error",
}


class Change(TypedDict, total=False):
    """What a row changes, in the calls of `where`.

    The call: `arguments`, `context` and `table` (of the configuration) replace these, `also` adds arguments, `call`
    replaces the whole; `requested` replaces the path, and `elsewhere` too, but not in the answer; `refuse` gives the
    kind and the text of an error in place of a listing.
    Entries: `lose` leaves them out with what is in them, `drop` alone; `found` replaces all; one that `fails` makes
    the answer an error.
    Then the walk ends at `limit`, in the order of `walk`; `capped` is whether it left anything out.
    Members are changed, all by `each`, or by their names, `on` some entries, and sorted by the key `order`.
    The document has the first entries whose `bytes` are within the `budget`: `count` changes their number, `take`
    chooses them, `encode` writes them as JSON; `cut` makes the text of one that does not fit, `small` that of one that
    never does; `reason` replaces the reason. Last, `value` and `text` change the document, `failure` an error, `result`
    any answer. `answer` makes it whole.
    """

    where: Callable[[ListCall], Any]
    arguments: Callable[[Table], Any]
    also: Callable[[ListCall], Table]
    call: Callable[[ListCall], ListCall]
    requested: Callable[[str], Any]
    elsewhere: Callable[[str], str]
    context: Callable[[Table], Table]
    table: Callable[[Table], Table]
    refuse: Callable[[ListCall], Any]
    lose: Rule
    drop: Rule
    found: Callable[[Items, ListCall], Items]
    limit: Callable[[Listing], int]
    walk: Rule
    capped: Callable[[Listing], bool]
    fails: Rule
    on: Rule
    each: Callable[[Item], Table]
    name: Rule
    path: Rule
    depth: Rule
    type: Rule
    size: Rule
    time: Rule
    hidden: Rule
    code: Rule
    error: Rule
    order: Rule
    bytes: Callable[[Listing, Items, str | None], int]
    budget: Callable[[Listing], int]
    count: Callable[[Listing, int], int]
    take: Callable[[Listing, int], Items]
    encode: Callable[[Any], str]
    cut: Callable[[Listing], str | None]
    small: Callable[[Listing], str | None]
    reason: Callable[[Listing, str | None], str | None]
    value: Callable[[Table], Any]
    text: Callable[[str], str]
    failure: Callable[[CallResult], CallResult]
    result: Callable[[ListCall, CallResult], CallResult]
    answer: Callable[[ListCall], CallResult]


ON_CALLS = {"where", "arguments", "also", "call", "requested", "elsewhere", "context", "table", "refuse"}
ON_TEXTS = {"value", "text", "failure", "result", "answer"}
ON_WALKS = {"lose", "drop", "found", "limit", "walk"}


def row(stage: int = 0, **change: Unpack[Change]) -> Row:
    """Return the row that makes a change of calls and listings."""

    def answering() -> Answering:
        memory: dict[Any, Any] = {}
        return lambda sent: _answer(ListCall(sent.call, sent.send, memory), change)

    return row_of(answering, TOOLS, stage)


def _answer(sent: ListCall, change: Change) -> CallResult:
    if "where" in change and not change["where"](sent):
        return sent.answer()
    if "answer" in change:
        return change["answer"](sent)
    made = _made(sent, change)
    received = made.answer()
    refusal = change["refuse"](sent) if "refuse" in change else None
    if refusal and received.status == "ok":
        return failed(received, *refusal)
    if received.status == "error" and "failure" in change:
        received = change["failure"](received)
    received = _listing(sent, made, received, change)
    if change.keys() & {"elsewhere", "value", "text"} and (value := document_of(received)) is not None:
        if "elsewhere" in change:
            received = with_value(received, {**value, "path": sent.path})
        if "value" in change:
            received = with_value(received, change["value"](value))
        if "text" in change:
            received = replace(received, content=change["text"](received.content or ""))
    return change["result"](sent, received) if "result" in change else received


def _made(sent: ListCall, change: Change) -> ListCall:
    """Return the call as the row makes it."""
    table = table_of(sent.context)
    if "table" in change and table is not None:
        sent = sent.within(with_table(sent.context, change["table"](table)))
    if "context" in change:
        sent = sent.within(change["context"](sent.context))
    if "call" in change:
        sent = change["call"](sent)
    path = change.get("requested") or change.get("elsewhere")
    if path is not None and isinstance(sent.given.get("path"), str) and path(sent.text) != sent.text:
        sent = sent.with_arguments({**sent.given, "path": path(sent.text)})
    if "also" in change and isinstance(sent.arguments, dict):
        sent = sent.with_arguments({**sent.given, **change["also"](sent)})
    if "arguments" in change and isinstance(sent.arguments, dict):
        sent = sent.with_arguments(change["arguments"](sent.arguments))
    return sent


def _listing(sent: ListCall, made: ListCall, received: CallResult, change: Change) -> CallResult:
    """Return the answer with its listing composed again, if the row changes that."""
    due = change.keys() - ON_CALLS - ON_TEXTS
    value = document_of(received)
    if due and (is_too_small(received) or (value and value["truncated_reason"] == CUT)):
        value = document_of(made.without_budget().answer()) or value
    if not due or value is None:
        return received
    at = Listing(sent, value, value["truncated_reason"] == CAP, items_of(sent, value))
    if due & ON_WALKS:
        _walk(at, made, change)
    if "fails" in change and any(map(change["fails"], at.items)):
        return failed(received, "ExecutionFailed", "an entry cannot be listed")
    if "capped" in change:
        at.capped = change["capped"](at)
    _show(at, change)
    text = _compose(at, change)
    if text is not None:
        return succeeded(received, text)
    return received if is_too_small(received) else made.with_no_bytes().answer()


def _walk(at: Listing, made: ListCall, change: Change) -> None:
    kept = _kept(at.items, at.sent, change)
    needs_all = at.capped and ("walk" in change or "limit" in change or len(kept) != len(at.items))
    if needs_all and (value := document_of(made.without_cap().answer())):
        kept = _kept(items_of(at.sent, value), at.sent, change)
        if "walk" in change:
            kept.sort(key=change["walk"])
    at.items = kept
    limit = change["limit"](at) if "limit" in change else at.limit
    at.capped = (at.capped and not needs_all) or len(kept) > limit
    at.items = kept[:limit]


def _kept(items: Items, sent: ListCall, change: Change) -> Items:
    lost = {item.raw for item in items if change["lose"](item)} if "lose" in change else set()
    if lost:
        items = [item for item in items if item.raw not in lost and not _is_below(item, lost)]
    if "drop" in change:
        items = [item for item in items if not change["drop"](item)]
    return change["found"](items, sent) if "found" in change else items


def _is_below(item: Item, directories: set[bytes]) -> bool:
    return any(b"/".join(item.raw_parts[:length]) in directories for length in range(1, len(item.raw_parts)))


def _show(at: Listing, change: Change) -> None:
    rules: Mapping[str, Any] = change
    for turn, item in enumerate(at.items):
        item.turn = turn
        item.encode = change.get("encode", item.encode)
        if "on" in change and not change["on"](item):
            continue
        shown = change["each"](item) if "each" in change else item.entry
        due = TEXTS if item.lacks_metadata or item.own is None else TEXTS | MEMBERS
        item.shown = {**shown, **{member: rules[name](item) for name, member in due.items() if name in rules}}
    order = change.get("order")
    at.items.sort(key=lambda item: (order(item), item.raw) if order else (item.path, item.position))


def _compose(at: Listing, change: Change) -> str | None:
    """Return the text of the document, None if none fits."""
    at.encode = change.get("encode", at.encode)
    at.size, at.take, at.own_budget = change.get("bytes", at.size), change.get("take", at.take), change.get("budget")
    shown, reason = at.items, at.reason
    if not at.fits(shown, reason):
        if "cut" in change:
            return change["cut"](at)
        count = at.fitting()
        count = change["count"](at, count) if "count" in change and count >= 0 else count
        if count < 0:
            return change["small"](at) if "small" in change else None
        shown, reason = at.take(at, count), CUT
    return at.text(shown, change["reason"](at, reason) if "reason" in change else reason)
