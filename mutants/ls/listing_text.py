"""Mutants: errors in the text of a listing only."""

import os
from collections.abc import Iterator

from treeproof.reference_impl.ls.directory import Entry
from treeproof.reference_impl.ls.listing_text import ListingText

from ..shared.mutant import Mutant
from .builders import build_mutant


class Singular(ListingText):
    def summary(self) -> str:
        return super().summary().replace("Listed 1 entries", "Listed 1 entry")


class WholeCounted(ListingText):
    def summary(self) -> str:
        return f"Listed {self.page.total} entries in '{self.path}'"


class LimitCounted(ListingText):
    def summary(self) -> str:
        return f"Listed {min(self.page.limit, self.page.total)} entries in '{self.path}'"


class DoubleQuotes(ListingText):
    def summary(self) -> str:
        return super().summary().replace("'", '"')


class LastName(ListingText):
    def summary(self) -> str:
        return f"Listed {len(self.page.entries)} entries in '{os.path.basename(self.path)}'"


class NothingListed(ListingText):
    def summary(self) -> str:
        return super().summary() if self.page.entries else f"No entries in '{self.path}'"


class EmptyIsMarked(ListingText):
    def blank_line(self) -> tuple[str, ...]:
        return super().blank_line() or ("", "(empty)")


class SingularCounts(ListingText):
    def totals(self) -> str:
        for many, one in (
            ("1 dirs", "1 dir"),
            ("1 files", "1 file"),
            ("1 links", "1 link"),
            ("1 items", "1 item"),
        ):
            if f" {many}" in super().totals().replace("(Total:", ""):
                return super().totals().replace(f" {many}", f" {one}")
        return super().totals()


class PageCounted(ListingText):
    def totals(self) -> str:
        counts = {one: sum(entry.type == one for entry in self.page.entries) for one in ("dir", "file", "link")}
        by_type = f"{counts['dir']} dirs, {counts['file']} files, {counts['link']} links"
        return f"(Total: {len(self.page.entries)} items - {by_type})"


class WithoutLinks(ListingText):
    def totals(self) -> str:
        return super().totals().replace(", 0 links", "")


class FilesBeforeDirectories(ListingText):
    def totals(self) -> str:
        page = self.page
        counts = f"{page.count('file')} files, {page.count('dir')} dirs, {page.count('link')} links"
        return f"(Total: {page.total} items - {counts})"


class FromOne(ListingText):
    def truncation_line(self) -> str:
        return super().truncation_line().replace(f"Showing {self.page.start}-", f"Showing {self.page.start + 1}-")


class LastIncluded(ListingText):
    def truncation_line(self) -> str:
        page = self.page
        return super().truncation_line().replace(f"-{page.end} of", f"-{page.end - 1} of")


class FromZero(ListingText):
    def truncation_line(self) -> str:
        return super().truncation_line().replace(f"Showing {self.page.start}-", "Showing 0-")


class OneItem(ListingText):
    def truncation_line(self) -> str:
        return super().truncation_line().replace(" 1 more items", " 1 more item")


class AlwaysTruncated(ListingText):
    def header_lines(self) -> Iterator[str]:
        yield self.summary()
        yield self.totals()
        yield self.truncation_line()
        if self.page.is_truncated:
            yield self.next_page_hint()


class NoHint(ListingText):
    def truncation_notice(self) -> Iterator[str]:
        yield self.truncation_line()


class HintInFull(ListingText):
    def next_page_hint(self) -> str:
        return f"Use offset={self.page.end} and limit={self.page.limit} to view next page."


class NoGap(ListingText):
    def blank_line(self) -> tuple[str, ...]:
        return ()


class ByName(ListingText):
    def render(self) -> str:
        lines = sorted(map(self.entry_line, self.page.entries))
        return "\n".join((*self.header_lines(), *self.blank_line(), *lines))


class Bulleted(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return "- " + super().entry_line(entry)


class Indented(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return "  " + super().entry_line(entry)


class OneLine(ListingText):
    def render(self) -> str:
        return "\n".join((*self.header_lines(), *self.blank_line(), ", ".join(map(self.entry_line, self.page.entries))))


class TenAtMost(ListingText):
    """The text of long pages has the first entries only."""

    def render(self) -> str:
        return "\n".join((*self.header_lines(), *self.blank_line(), *map(self.entry_line, self.page.entries[:4])))


class PlainLinks(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return super().entry_line(entry).removesuffix("@") if entry.type == "link" else super().entry_line(entry)


class DirectoryLinksBySlash(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return f"{entry.path}/" if entry.type == "link" and entry.sorts_first else super().entry_line(entry)


class PlainDirectories(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return entry.path if entry.type == "dir" else super().entry_line(entry)


class BackslashOnDirectories(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return f"{entry.path}\\" if entry.type == "dir" else super().entry_line(entry)


class AtBeforeLinks(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return f"@{entry.path}" if entry.type == "link" else super().entry_line(entry)


class StarOnPrograms(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return f"{entry.path}*" if entry.path.endswith(".sh") else super().entry_line(entry)


class Thousands(ListingText):
    def totals(self) -> str:
        return super().totals().replace(str(self.page.total), f"{self.page.total:,}")


class Filled(ListingText):
    """Lines are formatted by a template and lose trailing blanks."""

    def entry_line(self, entry: Entry) -> str:
        return super().entry_line(entry).replace("%%", "%").rstrip()


class ShowsFifty(ListingText):
    def render(self) -> str:
        return "\n".join(super().render().split("\n")[:53])


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-326", "The text shows at most fifty entries of a page.", "LS-TEXT-05", text=ShowsFifty),
    build_mutant("MUT-LS-270", "A single entry is named in the singular.", "LS-TEXT-01", text=Singular),
    build_mutant("MUT-LS-271", "Line 1 counts the whole list.", "LS-TEXT-01", text=WholeCounted),
    build_mutant("MUT-LS-272", "Line 1 counts up to the limit.", "LS-TEXT-01", text=LimitCounted),
    build_mutant("MUT-LS-273", "Line 1 has double quotes.", "LS-TEXT-01 LS-TEXT-05", text=DoubleQuotes),
    build_mutant("MUT-LS-274", "Line 1 has the last name of the path.", "LS-TEXT-01", text=LastName),
    build_mutant("MUT-LS-275", "Line 1 differs for an empty page.", "LS-TEXT-01", text=NothingListed),
    build_mutant(
        "MUT-LS-276",
        "A single directory, file or link is named in the singular.",
        "LS-TEXT-02",
        text=SingularCounts,
    ),
    build_mutant("MUT-LS-277", "Line 2 counts the page.", "LS-TEXT-02 LS-TEXT-05", text=PageCounted),
    build_mutant(
        "MUT-LS-278",
        "Line 2 omits links if there are none.",
        "LS-TEXT-02 LS-TEXT-05",
        text=WithoutLinks,
    ),
    build_mutant(
        "MUT-LS-279",
        "Line 2 names files before directories.",
        "LS-TEXT-02 LS-TEXT-05",
        text=FilesBeforeDirectories,
    ),
    build_mutant("MUT-LS-281", "Line 3 counts from 1.", "LS-TEXT-03", text=FromOne),
    build_mutant("MUT-LS-282", "Line 3 names the last shown entry.", "LS-TEXT-03", text=LastIncluded),
    build_mutant("MUT-LS-283", "Line 3 starts at the first entry on every page.", "LS-TEXT-03", text=FromZero),
    build_mutant("MUT-LS-284", "Line 3 has a singular.", "LS-TEXT-03", text=OneItem),
    build_mutant("MUT-LS-285", "Line 3 is present without truncation.", "LS-TEXT-03 LS-TEXT-05", text=AlwaysTruncated),
    build_mutant("MUT-LS-286", "Line 4 is missing.", "LS-TEXT-04 LS-PAGE-04 LS-TEXT-05", text=NoHint),
    build_mutant("MUT-LS-287", "Line 4 names the limit too.", "LS-TEXT-04 LS-PAGE-04 LS-TEXT-05", text=HintInFull),
    build_mutant("MUT-LS-288", "The empty line is missing.", "LS-TEXT-05", text=NoGap),
    build_mutant("MUT-LS-289", "The lines are sorted by name alone.", "LS-TEXT-05", text=ByName),
    build_mutant("MUT-LS-290", "The lines have bullets.", "LS-TEXT-05 LS-TEXT-06", text=Bulleted),
    build_mutant("MUT-LS-291", "The lines are indented.", "LS-TEXT-05 LS-TEXT-06", text=Indented),
    build_mutant("MUT-LS-292", "The entries are on one line.", "LS-TEXT-05 LS-TEXT-06", text=OneLine),
    build_mutant("MUT-LS-293", "The text shows four entries at most.", "LS-TEXT-05 LS-TEXT-06", text=TenAtMost),
    build_mutant(
        "MUT-LS-266", "A page without entries has a line that reports this.", "LS-TEXT-05", text=EmptyIsMarked
    ),
    build_mutant("MUT-LS-294", "Links have no suffix.", "LS-TEXT-06", text=PlainLinks),
    build_mutant("MUT-LS-295", "A link to a directory ends in a slash.", "LS-TEXT-06", text=DirectoryLinksBySlash),
    build_mutant("MUT-LS-296", "Directories have no suffix.", "LS-TEXT-06 LS-TEXT-05", text=PlainDirectories),
    build_mutant("MUT-LS-297", "Directories end in a backslash.", "LS-TEXT-06 LS-TEXT-05", text=BackslashOnDirectories),
    build_mutant("MUT-LS-298", "Links begin with an at-sign.", "LS-TEXT-06 LS-TEXT-05", text=AtBeforeLinks),
    build_mutant("MUT-LS-299", "Executable files end in a star.", "LS-TEXT-06", text=StarOnPrograms),
    build_mutant("MUT-LS-268", "Line 2 separates thousands.", "LS-TEXT-02", text=Thousands),
    build_mutant(
        "MUT-LS-269",
        "Doubled percent signs become one, and trailing blanks are removed.",
        "LS-TEXT-05",
        text=Filled,
    ),
)
