"""The document of a listing: canonical JSON with the largest prefix of the entries that fits a budget. No I/O.

Built by hand because every byte counts: members in their documented order, no white space, and only required
escapes (FR-LD-OUT-02a, AMB-LD-15). Every step is a method that can be replaced.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

from .entries import Entry

TruncationReason = Literal["max_entries", "max_output_bytes"]
JsonValue = str | int | bool | None

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
    """Even the document without entries does not fit (FR-LD-OUT-08)."""


class Document:
    """The document of a listing, of at most `budget` bytes of UTF-8.

    `capped`: the walk omitted entries because of `max_entries`.
    """

    def __init__(self, path: str, entries: Sequence[Entry], max_entries: int, *, capped: bool, budget: int) -> None:
        self.path = path
        self.max_entries = max_entries
        self.capped = capped
        self.budget = budget
        self.entry_texts = [self.encode_entry(entry) for entry in self.sort(entries)]
        # prefix_sizes[k] is the size of the first k entries, each with a comma.
        self.prefix_sizes = [0, *accumulate(self.byte_size(text) + 1 for text in self.entry_texts)]

    def render(self) -> str:
        """Return the document. Raises BudgetTooSmall."""
        count = len(self.entry_texts)
        reason: TruncationReason | None = "max_entries" if self.capped else None
        if self.size_with_entries(count, reason) > self.budget:
            count, reason = self.max_fitting_count(), "max_output_bytes"
        return self.assemble(count, reason)

    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        # FR-LD-OUT-01: code points have the same order as their bytes in UTF-8.
        return sorted(entries, key=lambda entry: (entry.path, entry.raw_path))

    def max_fitting_count(self) -> int:
        """Return how many of the sorted entries fit. Raises BudgetTooSmall."""
        # FR-LD-OUT-07. Each entry adds to the size, so the fitting counts are the beginning of this range.
        counts = range(len(self.entry_texts))
        fitting = bisect_right(counts, self.budget, key=lambda count: self.size_with_entries(count, "max_output_bytes"))
        if not fitting:
            raise BudgetTooSmall
        return fitting - 1

    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        """Return the bytes of the document with the first `count` entries."""
        head, tail = self.head_and_tail(count, reason)
        return self.byte_size(head) + max(self.prefix_sizes[count] - 1, 0) + self.byte_size(tail)

    def byte_size(self, text: str) -> int:
        return len(text.encode())  # FR-LD-OUT-06

    def assemble(self, count: int, reason: TruncationReason | None) -> str:
        head, tail = self.head_and_tail(count, reason)
        return head + ",".join(self.entry_texts[:count]) + tail

    def head_and_tail(self, count: int, reason: TruncationReason | None) -> tuple[str, str]:
        """Return the text before and after the entries."""
        tail = (
            f'],"returned":{count},"max_entries":{self.max_entries}'
            f',"truncated":{self.encode_value(reason is not None)},"truncated_reason":{self.encode_value(reason)}}}'
        )
        return f'{{"path":{self.encode_string(self.path)},"entries":[', tail

    def encode_entry(self, entry: Entry) -> str:
        members = self.members(entry)
        return "{" + ",".join(f'"{name}":{self.encode_value(value)}' for name, value in members.items()) + "}"

    def members(self, entry: Entry) -> dict[str, JsonValue]:
        """Return an entry's members in their order."""
        return {
            "name": entry.name,
            "path": entry.path,
            "depth": entry.depth,
            "type": entry.type,
            "size_bytes": entry.size_bytes,
            "modified_epoch_ms": entry.modified_epoch_ms,
            "is_hidden": entry.is_hidden,
            "error_code": entry.error_code,
            "error": entry.error,
        }

    def encode_value(self, value: JsonValue) -> str:
        match value:
            case str():
                return self.encode_string(value)
            case None:
                return "null"
            case bool():
                return "true" if value else "false"
            case int():
                return str(value)

    def encode_string(self, text: str) -> str:
        """Return a JSON string; only C0 controls, quotes and backslashes are escaped."""
        return f'"{text.translate(_ESCAPES)}"'
