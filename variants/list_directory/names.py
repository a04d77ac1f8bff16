"""Variants: the conversion and order of names, their escaping, and times."""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.document import Document, JsonValue
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import ReadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.rows.list_directory.listing import CUT, ListCall, Listing, dumps, failed
from treeproof.rows.list_directory.row import row
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .failures import TOO_SMALL
from .stages import ANSWERS, JSON, ORDER

ENTRIES = '"entries":['


def replace_runs(name: bytes, one_per_byte: bool) -> str:
    """Return a name with U+FFFD for each undecodable byte, or for each run of them."""
    text = name.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]" if one_per_byte else "[\udc80-\udcff]+", "\ufffd", text)


class OnePerByte(Walk):
    def _decode_name(self, name: bytes) -> str:
        return replace_runs(name, True)


class OnePerRun(Walk):
    def _decode_name(self, name: bytes) -> str:
        return replace_runs(name, False)


class OnePerSurrogate(Walk):
    def _decode_name(self, name: bytes) -> str:
        return super()._decode_name(re.sub(rb"\xed[\xa0-\xbf][\x80-\xbf]", b"\xff", name))


class OnePerIntendedCharacter(Walk):
    """One U+FFFD stands for the bytes that a lead byte announces, as far as they are trail bytes; as in PHP."""

    bytes_of_no_character = re.compile(
        rb"[\xc2-\xdf](?![\x80-\xbf])|[\xe0-\xef][\x80-\xbf]{0,2}|[\xf0-\xf4][\x80-\xbf]{0,3}|[\x80-\xff]"
    )

    def _decode_name(self, name: bytes) -> str:
        text = name.decode("utf-8", "surrogateescape")
        return re.sub("[\udc80-\udcff]+", lambda run: self.replace_bytes(run[0]), text)

    def replace_bytes(self, run: str) -> str:
        return "\ufffd" * len(self.bytes_of_no_character.findall(run.encode("utf-8", "surrogateescape")))


class RawOrderReversed(Walk):
    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        names = sorted(self._visible_names(route), key=lambda pair: pair[1], reverse=True)
        return ReadDirectory(route, prefix, iter(sorted(names, key=lambda pair: pair[0])))


class DocumentInReverse(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(sorted(entries, key=lambda entry: entry.raw_path, reverse=True), key=lambda entry: entry.path)


def written(encode: Callable[[Any], str]) -> Row:
    """Return the row that writes JSON in another way."""
    return row(stage=JSON, encode=encode)


def ascii_only(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def escaped(signs: str) -> Callable[[Any], str]:
    """Return what writes some signs of texts as escapes by number."""
    return lambda value: re.sub(f"[{signs}]", lambda found: f"\\u{ord(found[0]):04x}", dumps(value))


def replaced(pattern: str, change: Callable[[str], str]) -> Callable[[Any], str]:
    """Return what changes the escapes of JSON that match a pattern."""
    return lambda value: re.sub(
        r"\\(u....|.)", lambda found: change(found[0]) if re.fullmatch(pattern, found[0]) else found[0], dumps(value)
    )


def needs_the_longer(sent: ListCall, answer: Any) -> Any:
    """Refuse a budget that is too small for the truncated document without entries."""
    if answer.status == "error":
        return answer
    head = answer.content[: answer.content.index(ENTRIES) + len(ENTRIES)]
    tail = Listing(sent, json.loads(answer.content)).text([], CUT).partition(ENTRIES)[2]
    is_sufficient = len(f"{head}{tail}".encode("utf-8", "surrogatepass")) <= min(sent.budgets.values())
    return answer if is_sufficient else failed(answer, "ExecutionFailed", TOO_SMALL)


def times(written: Callable[[int], int | None]) -> Row:
    """Return the row with other times of entries, where the reference has one."""
    return row(
        on=lambda item: item.time is not None,
        each=lambda item: {**item.entry, "modified_epoch_ms": written(item.time)},
    )


def bounded(first: int, last: int = 2**63 - 1) -> Row:
    """Return the row in which times outside these bounds, in milliseconds, are null."""
    return times(lambda time: time if first <= time <= last else None)


def exact(written: Callable[[int], int], *, has_bounds: bool = True) -> type[Walk]:
    """Return the walk that makes times of nanoseconds, also where the reference has none if there are no bounds."""

    class Exact(Walk):
        def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
            right = super()._with_metadata(entry, found)
            is_due = not has_bounds or right.modified_epoch_ms is not None
            return replace(right, modified_epoch_ms=written(found.st_mtime_ns)) if is_due else right

    return Exact


class DoubleNumbers(Document):
    """Numbers are doubles, as those of ECMAScript, and written as it writes them."""

    def encode_value(self, value: JsonValue) -> str:
        if type(value) is not int or abs(value) < 2**53:
            return super().encode_value(value)
        shortest = next(
            text for text in (f"{float(value):.{places}e}" for places in range(18)) if float(text) == float(value)
        )
        digits, _, exponent = shortest.partition("e")
        return digits.replace(".", "").ljust(int(exponent) + 1 + digits.startswith("-"), "0")


VARIANTS = (
    variant("AMB-LD-12=per_byte", "One U+FFFD stands for each undecodable byte.")(walk=OnePerByte),
    variant("AMB-LD-12=per_run", "One U+FFFD stands for each run of undecodable bytes.")(walk=OnePerRun),
    variant("AMB-LD-12=java", "One U+FFFD stands for an encoded surrogate.")(walk=OnePerSurrogate),
    variant("AMB-LD-12=other", "One U+FFFD stands for what a lead byte announces.")(walk=OnePerIntendedCharacter),
    variant("AMB-LD-13=c", "Names that look alike stand in the reverse order of their bytes.")(
        walk=RawOrderReversed, document=DocumentInReverse
    ),
    variant("VAR-LD-13", "Entries that look alike stand by their sizes.")(
        row(stage=ORDER, order=lambda item: (item.path, -(item.size or 0)))
    ),
    variant("AMB-LD-15=any_valid", "Strings are ASCII.")(written(ascii_only)),
    variant("VAR-LD-15-1", "Slashes are escaped.", {"AMB-LD-15": "any_valid"})(
        written(lambda value: dumps(value).replace("/", "\\/"))
    ),
    variant("VAR-LD-15-2", "Quotes are escaped by number.", {"AMB-LD-15": "any_valid"})(
        written(replaced(r'\\"', lambda escape: "\\u0022"))
    ),
    variant("VAR-LD-15-3", "Escapes have upper-case digits.", {"AMB-LD-15": "any_valid"})(
        written(replaced(r"\\u....", lambda escape: escape[:2] + escape[2:].upper()))
    ),
    variant("VAR-LD-15-4", "What means something in HTML is escaped.", {"AMB-LD-15": "any_valid"})(
        written(escaped("<>&\u2028\u2029"))
    ),
    variant("AMB-LD-17=longer", "A budget has to be sufficient for the truncated document.")(
        row(stage=ANSWERS, result=needs_the_longer)
    ),
    variant("AMB-LD-25=a", "Times before 1970 are null.")(bounded(0)),
    variant("AMB-LD-25=c", "Times are those of ECMAScript.")(bounded(-8_640_000_000_000_000, 8_640_000_000_000_000)),
    variant("AMB-LD-25=d", "Times have years of four digits.")(bounded(-62_167_219_200_000, 253_402_300_799_999)),
    variant("AMB-LD-25=e", "Times have no bounds.")(walk=exact(lambda ns: ns // 1_000_000, has_bounds=False)),
    variant("AMB-LD-25=f", "Times are 64-bit numbers of nanoseconds.")(bounded(-9_223_372_036_854, 9_223_372_036_854)),
    variant(
        "VAR-LD-25",
        "Times are unsigned 63-bit numbers of nanoseconds.",
        excludes=tuple(f"AMB-LD-25={label}" for label in "acdef"),
    )(bounded(0, 9_223_372_036_854)),
    variant("AMB-LD-26=trunc", "Times are cut towards zero.")(
        walk=exact(lambda ns: abs(ns) // 1_000_000 * (-1 if ns < 0 else 1))
    ),
    variant("AMB-LD-26=nearest", "Times are rounded to the nearest millisecond.")(
        walk=exact(lambda ns: (ns + 500_000) // 1_000_000)
    ),
    variant("AMB-LD-61=b", "Numbers are doubles.", excludes=("AMB-LD-25=e",))(document=DoubleNumbers),
)
