"""The text of a listing, line by line (section 8)."""

from collections.abc import Iterator, Mapping

from .directory import Entry
from .page import Page

SUFFIXES: Mapping[str, str] = {"dir": "/", "link": "@", "file": ""}


class ListingText:
    """The text of a page. `path` is that of the directory relative to the root (AMB-LS-04)."""

    def __init__(self, path: str, page: Page) -> None:
        self.path = path
        self.page = page

    def render(self) -> str:
        return "\n".join((*self.header_lines(), *self.blank_line(), *map(self.entry_line, self.page.entries)))

    def header_lines(self) -> Iterator[str]:
        yield self.summary()
        yield self.totals()
        if self.page.is_truncated:
            yield from self.truncation_notice()

    def summary(self) -> str:
        return f"Listed {len(self.page.entries)} entries in '{self.path}'"

    def totals(self) -> str:
        page = self.page
        counts = f"{page.count('dir')} dirs, {page.count('file')} files, {page.count('link')} links"
        return f"(Total: {page.total} items - {counts})"

    def truncation_notice(self) -> Iterator[str]:
        yield self.truncation_line()
        yield self.next_page_hint()

    def truncation_line(self) -> str:
        page = self.page
        shown = f"Showing {page.start}-{page.end} of {page.total}."
        return f"[Truncated: {shown} {page.total - page.end} more items available.]"

    def next_page_hint(self) -> str:
        return f"Use offset={self.page.end} to view next page."

    def blank_line(self) -> tuple[str, ...]:
        return ("",) if self.page.entries else ()

    def entry_line(self, entry: Entry) -> str:
        return entry.path + SUFFIXES[entry.type]
