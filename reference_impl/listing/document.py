"""The document of a listing: canonical JSON, and the largest prefix of the entries that fits a budget. Pure.

Written by hand because every byte counts: members in their documented order, no white space, and only the
escapes that JSON demands (FR-LD-OUT-02a, AMB-LD-15).
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

from .entries import Entry

Reason = Literal["max_entries", "max_output_bytes"]

_ESCAPES = {point: f"\\u{point:04x}" for point in range(0x20)} | {
    ord(character): escape
    for character, escape in {
        '"': '\\"',
        "\\": "\\\\",
        "\b": "\\b",
        "\f": "\\f",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
    }.items()
}


class BudgetTooSmall(Exception):
    """Not even the document without entries fits (FR-LD-OUT-08)."""


def document(path: str, entries: Sequence[Entry], max_entries: int, *, capped: bool, budget: int) -> str:
    """The document of at most `budget` bytes of UTF-8, cut from the end of the sorted list if need be.

    `capped` tells that the walk left entries out because of `max_entries`. Raises BudgetTooSmall.
    """
    # FR-LD-OUT-01: code points compare like the bytes of their UTF-8.
    texts = [entry_text(entry) for entry in sorted(entries, key=lambda entry: (entry.path, entry.raw_path))]
    # sizes[k] is what the first k entries take, each with a comma after it.
    sizes = [0, *accumulate(len(text.encode()) + 1 for text in texts)]

    def parts(count: int, reason: Reason | None) -> tuple[str, str]:
        tail = f'],"returned":{count},"max_entries":{max_entries},"truncated":{_json(reason is not None)}'
        return f'{{"path":{quoted(path)},"entries":[', f'{tail},"truncated_reason":{_json(reason)}}}'

    def price(count: int, reason: Reason | None) -> int:
        head, tail = parts(count, reason)
        return len(head.encode()) + max(sizes[count] - 1, 0) + len(tail)

    count = len(texts)
    reason: Reason | None = "max_entries" if capped else None
    if price(count, reason) > budget:
        # FR-LD-OUT-07. Each further entry costs more, so the affordable counts begin this range.
        reason = "max_output_bytes"
        count = bisect_right(range(count), budget, key=lambda fewer: price(fewer, "max_output_bytes")) - 1
        if count < 0:
            raise BudgetTooSmall
    head, tail = parts(count, reason)
    return head + ",".join(texts[:count]) + tail


def entry_text(entry: Entry) -> str:
    """An entry as canonical JSON."""
    return (
        f'{{"name":{quoted(entry.name)},"path":{quoted(entry.path)},"depth":{entry.depth}'
        f',"type":"{entry.type}","size_bytes":{_json(entry.size_bytes)}'
        f',"modified_epoch_ms":{_json(entry.modified_epoch_ms)},"is_hidden":{_json(entry.is_hidden)}'
        f',"error_code":{_json(entry.error_code)},"error":{_json(entry.error)}}}'
    )


def quoted(text: str) -> str:
    """A JSON string. Everything but C0 controls, the quote and the backslash stands for itself."""
    return f'"{text.translate(_ESCAPES)}"'


def _json(value: str | int | bool | None) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return quoted(value)
