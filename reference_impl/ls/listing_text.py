"""The text of a listing, line by line (section 8)."""

from collections.abc import Mapping

from .directory import Entry
from .page import Page

SUFFIXES: Mapping[str, str] = {"dir": "/", "link": "@", "file": ""}


class ListingText:
    """The text of a page. `path` is that of the directory relative to the root (AMB-LS-04)."""

    def __init__(self, path: str, page: Page) -> None:
        self.path = path
        self.page = page

    def render(self) -> str:
        page = self.page
        counts = f"{page.count('dir')} dirs, {page.count('file')} files, {page.count('link')} links"
        lines = [f"Listed {len(page.entries)} entries in '{self.path}'", f"(Total: {page.total} items - {counts})"]
        if page.is_truncated:
            lines += [self.truncation_line(), f"Use offset={page.end} to view next page."]
        if page.entries:
            lines += ["", *map(self.entry_line, page.entries)]
        return "\n".join(lines)

    def truncation_line(self) -> str:
        page = self.page
        shown = f"Showing {page.offset}-{page.end} of {page.total}."
        return f"[Truncated: {shown} {page.total - page.end} more items available.]"

    def entry_line(self, entry: Entry) -> str:
        return entry.path + SUFFIXES[entry.type]
