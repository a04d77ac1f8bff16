"""The text of a listing, line by line (section 8)."""

from collections.abc import Iterator, Mapping

from .directory import Entry
from .page import Page

SUFFIXES: Mapping[str, str] = {"dir": "/", "link": "@", "file": ""}


class Text:
    """What a page says to a reader. `path` is that of the directory relative to the root (AMB-LS-04)."""

    def __init__(self, path: str, page: Page) -> None:
        self.path = path
        self.page = page

    def text(self) -> str:
        return "\n".join((*self.head(), *self.gap(), *map(self.line, self.page.entries)))

    def head(self) -> Iterator[str]:
        yield self.summary()
        yield self.total()
        if self.page.is_truncated:
            yield from self.notice()

    def summary(self) -> str:
        return f"Listed {len(self.page.entries)} entries in '{self.path}'"

    def total(self) -> str:
        page = self.page
        counts = f"{page.count('dir')} dirs, {page.count('file')} files, {page.count('link')} links"
        return f"(Total: {page.total} items - {counts})"

    def notice(self) -> Iterator[str]:
        yield self.truncation()
        yield self.hint()

    def truncation(self) -> str:
        page = self.page
        shown = f"Showing {page.start}-{page.end} of {page.total}."
        return f"[Truncated: {shown} {page.total - page.end} more items available.]"

    def hint(self) -> str:
        return f"Use offset={self.page.end} to view next page."

    def gap(self) -> tuple[str, ...]:
        return ("",) if self.page.entries else ()

    def line(self, entry: Entry) -> str:
        return entry.path + SUFFIXES[entry.type]
