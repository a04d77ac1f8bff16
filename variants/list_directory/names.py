"""Variants: the conversion and order of names, their escaping, and times."""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace

from treeproof.reference_impl.list_directory.document import BudgetTooSmall, Document, JsonValue
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import ReadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import Route

from ..shared.variant import variant


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


class DocumentBySize(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda entry: (entry.path, -(entry.size_bytes or 0), entry.raw_path))


class AsciiOnly(Document):
    def encode_string(self, text: str) -> str:
        return json.dumps(text)


class EscapedSlashes(Document):
    def encode_string(self, text: str) -> str:
        return super().encode_string(text).replace("/", "\\/")


class QuotesByNumber(Document):
    def encode_string(self, text: str) -> str:
        escapes = re.compile(r"\\(.)", re.DOTALL)
        return escapes.sub(lambda found: "\\u0022" if found[1] == '"' else found[0], super().encode_string(text))


class EscapesForPages(Document):
    def encode_string(self, text: str) -> str:
        return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", super().encode_string(text))


class UpperCaseHex(Document):
    def encode_string(self, text: str) -> str:
        return re.sub(
            r"(?<!\\)(\\\\)*\\u00[0-9a-f]{2}",
            lambda found: found[0][:-4] + found[0][-4:].upper(),
            super().encode_string(text),
        )


class NeedsTheLonger(Document):
    def render(self) -> str:
        if self.size_with_entries(0, "max_output_bytes") > self.budget:
            raise BudgetTooSmall
        return super().render()


class BoundedTimes(Walk):
    """Times outside these bounds, in milliseconds, are null."""

    first, last = -(2**63), 2**63 - 1

    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        right = super()._with_metadata(entry, found)
        time = right.modified_epoch_ms
        return right if time is None or self.first <= time <= self.last else replace(right, modified_epoch_ms=None)


class SinceTheEpoch(BoundedTimes):
    first = 0


class EcmaScriptTimes(BoundedTimes):
    first, last = -8_640_000_000_000_000, 8_640_000_000_000_000


class FourDigitYears(BoundedTimes):
    first, last = -62_167_219_200_000, 253_402_300_799_999


class NanosecondTimes(BoundedTimes):
    first, last = -9_223_372_036_854, 9_223_372_036_854


class NanosecondsSinceTheEpoch(NanosecondTimes):
    first = 0


class AllTimes(Walk):
    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        right = super()._with_metadata(entry, found)
        return (
            right
            if right.modified_epoch_ms is not None
            else replace(right, modified_epoch_ms=found.st_mtime_ns // 1_000_000)
        )


class CutTimes(Walk):
    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        return _with_time(
            super()._with_metadata(entry, found),
            abs(found.st_mtime_ns) // 1_000_000 * (-1 if found.st_mtime_ns < 0 else 1),
        )


class NearestTimes(Walk):
    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        return _with_time(super()._with_metadata(entry, found), (found.st_mtime_ns + 500_000) // 1_000_000)


def _with_time(entry: Entry, milliseconds: int) -> Entry:
    return entry if entry.modified_epoch_ms is None else replace(entry, modified_epoch_ms=milliseconds)


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
    variant("VAR-LD-13", "Entries that look alike stand by their sizes.")(document=DocumentBySize),
    variant("AMB-LD-15=any_valid", "Strings are ASCII.")(document=AsciiOnly),
    variant("VAR-LD-15-1", "Slashes are escaped.", {"AMB-LD-15": "any_valid"})(document=EscapedSlashes),
    variant("VAR-LD-15-2", "Quotes are escaped by number.", {"AMB-LD-15": "any_valid"})(document=QuotesByNumber),
    variant("VAR-LD-15-3", "Escapes have upper-case digits.", {"AMB-LD-15": "any_valid"})(document=UpperCaseHex),
    variant("VAR-LD-15-4", "What means something in HTML is escaped.", {"AMB-LD-15": "any_valid"})(
        document=EscapesForPages
    ),
    variant("AMB-LD-17=longer", "A budget has to be sufficient for the truncated document.")(document=NeedsTheLonger),
    variant("AMB-LD-25=a", "Times before 1970 are null.")(walk=SinceTheEpoch),
    variant("AMB-LD-25=c", "Times are those of ECMAScript.")(walk=EcmaScriptTimes),
    variant("AMB-LD-25=d", "Times have years of four digits.")(walk=FourDigitYears),
    variant("AMB-LD-25=e", "Times have no bounds.")(walk=AllTimes),
    variant("AMB-LD-25=f", "Times are 64-bit numbers of nanoseconds.")(walk=NanosecondTimes),
    variant(
        "VAR-LD-25",
        "Times are unsigned 63-bit numbers of nanoseconds.",
        excludes=tuple(f"AMB-LD-25={label}" for label in "acdef"),
    )(walk=NanosecondsSinceTheEpoch),
    variant("AMB-LD-26=trunc", "Times are cut towards zero.")(walk=CutTimes),
    variant("AMB-LD-26=nearest", "Times are rounded to the nearest millisecond.")(walk=NearestTimes),
    variant("AMB-LD-61=b", "Numbers are doubles.", excludes=("AMB-LD-25=e",))(document=DoubleNumbers),
)
