"""Variants: the order of entries, pages, and the text of a listing."""

import json
import os
import re
from pathlib import PurePosixPath
from typing import Any

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.listing_text import ListingText
from treeproof.reference_impl.ls.page import EntryOrder, Page

from ..shared.variant import Variant, reading_variant


class LastPageIsTruncated(Page):
    @property
    def is_truncated(self) -> bool:
        return super().is_truncated or 0 < self.offset < self.total


class TruncatedAtTheEnd(Page):
    @property
    def is_truncated(self) -> bool:
        return super().is_truncated or (self.offset == self.total > 0)


class TruncatedBehindTheEnd(Page):
    @property
    def is_truncated(self) -> bool:
        return super().is_truncated or (self.offset > self.total > 0)


class NoticeOfFollowingEntries(ListingText):
    """Has the lines about truncation only where entries follow."""

    def truncation_notice(self) -> Any:
        return super().truncation_notice() if self.page.end < self.page.total else iter(())


class AtTheEndText(NoticeOfFollowingEntries):
    """The text that belongs to TruncatedAtTheEnd."""


class BehindTheEndText(NoticeOfFollowingEntries):
    """The text that belongs to TruncatedBehindTheEnd."""


class LastPageText(NoticeOfFollowingEntries):
    """The text that belongs to LastPageIsTruncated."""


class HeadingAsGiven(Envelope):
    """Line 1 names the path that was given."""

    def listing(self, path: str, page: Page, text: str) -> Members:
        given = self.sent_arguments.get("path", ".")
        given = "." if given is None else given
        return super().listing(path, page, text.replace(f" in '{path}'", f" in '{given}'", 1))


class HeadingCleaned(HeadingAsGiven):
    """As by `filepath.Clean` of Go."""

    @staticmethod
    def clean(path: str) -> str:
        return os.path.normpath(path)

    def listing(self, path: str, page: Page, text: str) -> Members:
        members = super().listing(path, page, text)
        given = self.sent_arguments.get("path") or "."
        return {**members, "text": members["text"].replace(f" in '{given}'", f" in '{self.clean(given)}'", 1)}


class HeadingWithoutDots(HeadingCleaned):
    """As by `pathlib` of Python, which keeps two dots."""

    @staticmethod
    def clean(path: str) -> str:
        return str(PurePosixPath(path))


class NamesOnly(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return super().entry_line(entry._replace(path=entry.name))


class AllOthersCounted(ListingText):
    def truncation_line(self) -> str:
        page = self.page
        others = page.total - len(page.entries)
        return f"[Truncated: Showing {page.offset}-{page.end} of {page.total}. {others} more items available.]"


class LineBreaksEscaped(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return super().entry_line(entry).replace("\n", "\\n")


class ByUpperCase(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        group, _, *rest = super().sort_key(entry)
        return (group, entry.name.upper(), *rest)


class ByLettersAndDigits(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        group, _, *rest = super().sort_key(entry)
        return (group, re.sub(r"[\W_]", "", entry.name.lower()), entry.name.lower(), *rest)


class SmallLettersFirst(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        *first, name, raw_name = super().sort_key(entry)
        return (*first, name.swapcase(), raw_name)


class OtherLinks(EntryOrder):
    """Gives links that do not lead to a directory inside a place of their own."""

    rank = 1.0

    def sort_key(self, entry: Entry) -> Any:
        _, *rest = super().sort_key(entry)
        return (0 if entry.sorts_first else self.rank if entry.type == "link" else 1, *rest)


class OtherLinksLast(OtherLinks):
    rank = 2


class OtherLinksBeforeFiles(OtherLinks):
    rank = 0.5


class LinkToNoFile(Entry):
    """A link that leads to neither a directory nor a file."""


class MarksLinks(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        found = super().entry(raw, type)
        leads_to_file = os.path.isfile(self.project.join_root((*self.components, raw)))
        return LinkToNoFile(*found) if type == "link" and not leads_to_file else found


class LinksToNoFileLast(EntryOrder):
    """The order that belongs to MarksLinks."""

    def sort_key(self, entry: Entry) -> Any:
        first, *rest = super().sort_key(entry)
        return (2 if first and isinstance(entry, LinkToNoFile) else first, *rest)


class OrderOfJava(EntryOrder):
    """Names that differ in case only keep the order of the directory."""

    def sort_key(self, entry: Entry) -> Any:
        group, *_ = super().sort_key(entry)
        return (group, entry.name.upper().lower())


class UnitsOfUtf16(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        group, name, *rest = super().sort_key(entry)
        return (group, name.encode("utf-16-be", "surrogatepass"), *rest)


class EscapesOfGo(Envelope):
    """Signs of HTML and two line breaks are escaped, as by encoding/json."""

    def to_json(self, members: Members) -> str:
        text = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
        escaped = re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)
        return re.sub("[\ud800-\udfff]", "\ufffd", escaped)


class PlainJson(Envelope):
    def to_json(self, members: Members) -> str:
        text = json.dumps(members, ensure_ascii=False, indent=2)
        return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


VARIANTS = (
    reading_variant(
        "AMB-LS-01", "b", "The last page of several is truncated.", page=LastPageIsTruncated, text=LastPageText
    ),
    reading_variant(
        "AMB-LS-02", "b", "A page behind the end is truncated.", page=TruncatedBehindTheEnd, text=BehindTheEndText
    ),
    reading_variant(
        "AMB-LS-70", "b", "A page just at the end is truncated.", page=TruncatedAtTheEnd, text=AtTheEndText
    ),
    reading_variant("AMB-LS-04", "b", "Line 1 names the path that was given.", envelope=HeadingAsGiven),
    Variant("VAR-LS-31", "Line 1 cleans the path that was given.", {"envelope": HeadingCleaned}),
    Variant("VAR-LS-32", "Line 1 has no single dots and slashes.", {"envelope": HeadingWithoutDots}),
    reading_variant("AMB-LS-05", "b", "The lines of the text show names.", text=NamesOnly),
    reading_variant("AMB-LS-78", "b", "Line 3 counts all items that are not on the page.", text=AllOthersCounted),
    reading_variant("AMB-LS-28", "b", "A line break in a name is escaped in the text.", text=LineBreaksEscaped),
    reading_variant("AMB-LS-25", "b", "Names are compared in upper case.", order=ByUpperCase),
    reading_variant("AMB-LS-25", "c", "Punctuation has no effect on the order.", order=ByLettersAndDigits),
    reading_variant("AMB-LS-26", "b", "Small letters come before capitals.", order=SmallLettersFirst),
    reading_variant("AMB-LS-64", "b", "Other links come behind the files.", order=OtherLinksLast),
    reading_variant("AMB-LS-64", "c", "Other links come before the files.", order=OtherLinksBeforeFiles),
    reading_variant("AMB-LS-64", "d", "Links to no file come last.", directory=MarksLinks, order=LinksToNoFileLast),
    Variant(
        "VAR-LS-22",
        "Names are compared as by `CASE_INSENSITIVE_ORDER` of Java.",
        {"order": OrderOfJava},
        excludes=("AMB-LS-25=b", "AMB-LS-25=c", "AMB-LS-26=b"),
    ),
    Variant("VAR-LS-23", "Names are compared by units of UTF-16, as in JavaScript.", {"order": UnitsOfUtf16}),
    Variant("VAR-LS-24", "The JSON has the escapes of Go.", {"envelope": EscapesOfGo}),
    Variant("VAR-LS-25", "The JSON has no escape that it need not have.", {"envelope": PlainJson}),
)
