"""The document: its entries, its exact text, and its computed size.

Text and size are computed independently; a test compares them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

CUT_BY_COUNT = "max_entries"
CUT_BY_SIZE = "max_output_bytes"

ERROR_CODES = ("metadata_unavailable", "permission_denied", "read_dir_failed", "io_error", "unknown")

_ESCAPES = {code: f"\\u{code:04x}" for code in range(0x20)} | {
    ord("\b"): "\\b",
    ord("\t"): "\\t",
    ord("\n"): "\\n",
    ord("\f"): "\\f",
    ord("\r"): "\\r",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}


class ExpectedEntry(NamedTuple):
    """An expected entry. `accepted_times` and `error_codes`: all accepted values, the recommended one first; an entry
    without an error has no codes. `error`: a placeholder, since any text is accepted. `raw_path`: the path in bytes.
    """

    name: str
    path: str
    depth: int
    type: str
    size_bytes: int | None
    accepted_times: tuple[int | None, ...]
    is_hidden: bool
    error_codes: tuple[str, ...] = ()
    error: str | None = None
    raw_path: bytes = b""
    has_doubles: bool = False
    """Numbers are as near as a double comes (AMB-LD-61)."""

    @property
    def json_text(self) -> str:
        """Return the entry object with the recommended values."""
        return entry_json(
            self.name,
            self.path,
            self.depth,
            self.type,
            self.size_bytes,
            self.accepted_times[0],
            self.is_hidden,
            self.error_codes[0] if self.error_codes else None,
            self.error,
        )

    @property
    def json_size(self) -> int:
        """Return the length of `json_text` in bytes."""
        return (
            111
            + escaped_size(self.name)
            + escaped_size(self.path)
            + len(str(self.depth))
            + len(self.type)
            + _number_size(self.size_bytes)
            + _number_size(self.accepted_times[0])
            + (4 if self.is_hidden else 5)
            + (len(self.error_codes[0]) + 2 if self.error_codes else 4)
            + (escaped_size(self.error) + 2 if self.error is not None else 4)
        )


def entry_json(
    name: str,
    path: str,
    depth: int,
    type: str,
    size: int | None,
    time: int | None,
    hidden: bool,
    code: str | None,
    error: str | None,
) -> str:
    """Return the text of one entry object, members in the documented order."""
    return (
        f'{{"name":{json_string(name)},"path":{json_string(path)},"depth":{depth},"type":{json_string(type)},'
        f'"size_bytes":{_number(size)},"modified_epoch_ms":{_number(time)},"is_hidden":{_flag(hidden)},'
        f'"error_code":{_text(code)},"error":{_text(error)}}}'
    )


def document_json(path: str, entries: Sequence[str], limit: int, reason: str | None) -> str:
    """Return the text of a document from the texts of its entries; it is truncated if there is a reason."""
    return (
        f'{{"path":{json_string(path)},"entries":[{",".join(entries)}],"returned":{len(entries)},'
        f'"max_entries":{limit},"truncated":{_flag(reason is not None)},"truncated_reason":{_text(reason)}}}'
    )


def document_size(path: str, entries: Sequence[int], limit: int, reason: str | None) -> int:
    """Return the length of a document in bytes from the lengths of its entries."""
    header = 84 + escaped_size(path) + len(str(len(entries))) + len(str(limit))
    flag = 4 if reason is not None else 5
    return header + flag + _reason_size(reason) + sum(entries) + max(0, len(entries) - 1)


def largest_fitting_count(path: str, entries: Sequence[int], limit: int, reason: str | None, budget: int) -> int | None:
    """Return how many of the first entries fit into the budget; None if not even the empty document does.

    `reason` is that of a document with all entries; a document cut by the budget has max_output_bytes.
    """
    if document_size(path, entries, limit, reason) <= budget:
        return len(entries)
    for kept in range(len(entries) - 1, -1, -1):
        if document_size(path, entries[:kept], limit, CUT_BY_SIZE) <= budget:
            return kept
    return None


def json_string(text: str) -> str:
    """Return a JSON string with the minimal escapes (AMB-LD-15)."""
    return f'"{text.translate(_ESCAPES)}"'


_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -._~!#$%()*,:;?@[]^{|}")
"""The characters that no usual serialiser escapes."""


def longest_escaped_size(text: str, literal: Container[str] = ()) -> int:
    """Return the greatest length of a text in a JSON string, in bytes; the literal characters stand for themselves."""
    return sum(
        len(character.encode("utf-8", "surrogatepass"))
        if character in _LETTERS or character in literal
        else 3 * len(character.encode("utf-16-le", "surrogatepass"))
        for character in text
    )


def escaped_size(text: str) -> int:
    """Return the length of a text between the quotes of a JSON string, in bytes."""
    return len(text.translate(_ESCAPES).encode("utf-8", "surrogatepass"))


def _reason_size(reason: str | None) -> int:
    return 4 if reason is None else len(reason) + 2


def _number_size(number: int | None) -> int:
    return 4 if number is None else len(str(number))


def _number(number: int | None) -> str:
    return "null" if number is None else str(number)


def _text(text: str | None) -> str:
    return "null" if text is None else json_string(text)


def _flag(flag: bool) -> str:
    return "true" if flag else "false"
