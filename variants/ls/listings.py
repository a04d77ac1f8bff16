"""Variants: the order of entries, pages, and the text of a listing."""

import json
import os
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.listing_text import ListingText
from treeproof.reference_impl.ls.page import EntryOrder
from treeproof.rows.ls.answer import Answer
from treeproof.rows.ls.row import row
from treeproof.rows.shared.row import Row, Sent

from ..shared.variant import variant
from .stages import HEADINGS, WRITING

HEADING = re.compile(r"^(Listed \d+ entries in ').*?('\n\(Total: \d+ items)", re.DOTALL)


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


def order(key: Callable[[Any, Entry], Any]) -> type[EntryOrder]:
    """Return the order by a key that is made of the reference's: the group, the name, and what follows."""

    class Order(EntryOrder):
        def sort_key(self, entry: Entry) -> Any:
            return key(super().sort_key(entry), entry)

    return Order


def other_links(rank: float) -> type[EntryOrder]:
    """Return the order in which links that do not lead to a directory inside have a place of their own."""
    return order(lambda key, entry: (rank if entry.type == "link" and not entry.sorts_first else key[0], *key[1:]))


def letters_and_digits(entry: Entry) -> tuple[str, str]:
    return re.sub(r"[\W_]", "", entry.name.lower()), entry.name.lower()


class LinkToNoFile(Entry):
    """A link that leads to neither a directory nor a file."""


class MarksLinks(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        found = super().entry(raw, type)
        leads_to_file = os.path.isfile(self.project.join_root((*self.components, raw)))
        return LinkToNoFile(*found) if type == "link" and not leads_to_file else found


def is_truncated(where: Callable[[Answer], bool]) -> Row:
    """Return the row that calls further pages truncated, without the lines about that in the text."""
    truncated = {"data.truncated": True, "status": "partial"}
    return row(only=lambda at: not at.failed and at.total > 0 and where(at), listing=truncated)


def heading(shown: Callable[[str], str]) -> Row:
    """Return the row that names the given path in line 1 of the text."""

    def text(at: Answer) -> str:
        name = shown(at.given_path)
        return HEADING.sub(lambda found: f"{found[1]}{name}{found[2]}", at.members["text"], count=1)

    return row(stage=HEADINGS, listing={"text": text})


def written(write: Callable[[Any], str]) -> Row:
    """Return the row that writes the JSON in another way."""

    def answered(sent: Sent) -> Any:
        at = Answer(sent)
        return at.result(write(at.members)) if at.is_envelope else at.received

    return row(stage=WRITING, answer=answered)


def escapes_of_go(members: Any) -> str:
    """Escape signs of HTML and two line breaks, as encoding/json does."""
    text = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
    escaped = re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)
    return re.sub("[\ud800-\udfff]", "\ufffd", escaped)


def plain_json(members: Any) -> str:
    text = json.dumps(members, ensure_ascii=False, indent=2)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


VARIANTS = (
    variant("AMB-LS-01=b", "The last page of several is truncated.")(is_truncated(lambda at: 0 < at.offset < at.total)),
    variant("AMB-LS-02=b", "A page behind the end is truncated.")(is_truncated(lambda at: at.offset > at.total)),
    variant("AMB-LS-70=b", "A page just at the end is truncated.")(is_truncated(lambda at: at.offset == at.total)),
    variant("AMB-LS-04=b", "Line 1 names the path that was given.")(heading(str)),
    variant("VAR-LS-31", "Line 1 cleans the path, as Go does.")(heading(lambda path: os.path.normpath(path or "."))),
    variant("VAR-LS-32", "Line 1 has no single dots and slashes, as with pathlib.")(
        heading(lambda path: str(PurePosixPath(path or ".")))
    ),
    variant("AMB-LS-05=b", "The lines of the text show names.")(text=NamesOnly),
    variant("AMB-LS-78=b", "Line 3 counts all items that are not on the page.")(text=AllOthersCounted),
    variant("AMB-LS-28=b", "A line break in a name is escaped in the text.")(text=LineBreaksEscaped),
    variant("AMB-LS-25=b", "Names are compared in upper case.")(
        order=order(lambda key, entry: (key[0], entry.name.upper(), *key[2:]))
    ),
    variant("AMB-LS-25=c", "Punctuation has no effect on the order.")(
        order=order(lambda key, entry: (key[0], *letters_and_digits(entry), *key[2:]))
    ),
    variant("AMB-LS-26=b", "Small letters come before capitals.")(
        order=order(lambda key, entry: (*key[:-2], entry.name.swapcase(), key[-1]))
    ),
    variant("AMB-LS-64=b", "Other links come behind the files.")(order=other_links(2)),
    variant("AMB-LS-64=c", "Other links come before the files.")(order=other_links(0.5)),
    variant("AMB-LS-64=d", "Links to no file come last.")(
        directory=MarksLinks,
        order=order(lambda key, entry: (2 if key[0] and isinstance(entry, LinkToNoFile) else key[0], *key[1:])),
    ),
    variant(
        "VAR-LS-22",
        "Names are compared as by `CASE_INSENSITIVE_ORDER` of Java.",
        excludes=("AMB-LS-25=b", "AMB-LS-25=c", "AMB-LS-26=b"),
    )(order=order(lambda key, entry: (key[0], entry.name.upper().lower()))),
    variant("VAR-LS-23", "Names are compared by units of UTF-16, as in JavaScript.")(
        order=order(lambda key, entry: (key[0], key[1].encode("utf-16-be", "surrogatepass"), *key[2:]))
    ),
    variant("VAR-LS-24", "The JSON has the escapes of Go.")(written(escapes_of_go)),
    variant("VAR-LS-25", "The JSON has no escape that it need not have.")(written(plain_json)),
)
