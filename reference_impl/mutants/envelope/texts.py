"""Wrong in the text of a listing, and in nothing else."""

import os
from collections.abc import Iterator

from ...envelope.directory import Entry
from ...envelope.text import Text
from ..mutant import Mutant
from .made import wrong


class Singular(Text):
    def summary(self) -> str:
        return super().summary().replace("Listed 1 entries", "Listed 1 entry")


class WholeCounted(Text):
    def summary(self) -> str:
        return f"Listed {self.page.total} entries in '{self.path}'"


class LimitCounted(Text):
    def summary(self) -> str:
        return f"Listed {min(self.page.limit, self.page.total)} entries in '{self.path}'"


class DoubleQuotes(Text):
    def summary(self) -> str:
        return super().summary().replace("'", '"')


class LastName(Text):
    def summary(self) -> str:
        return f"Listed {len(self.page.entries)} entries in '{os.path.basename(self.path)}'"


class NothingListed(Text):
    def summary(self) -> str:
        return super().summary() if self.page.entries else f"No entries in '{self.path}'"


class SaysItIsEmpty(Text):
    def gap(self) -> tuple[str, ...]:
        return super().gap() or ("", "(empty)")


class SingularCounts(Text):
    def total(self) -> str:
        for many, one in (
            ("1 dirs", "1 dir"),
            ("1 files", "1 file"),
            ("1 links", "1 link"),
            ("1 items", "1 item"),
        ):
            if f" {many}" in super().total().replace("(Total:", ""):
                return super().total().replace(f" {many}", f" {one}")
        return super().total()


class PageCounted(Text):
    def total(self) -> str:
        counts = {
            one: sum(entry.type == one for entry in self.page.entries) for one in ("dir", "file", "link")
        }
        said = f"{counts['dir']} dirs, {counts['file']} files, {counts['link']} links"
        return f"(Total: {len(self.page.entries)} items - {said})"


class WithoutLinks(Text):
    def total(self) -> str:
        return super().total().replace(", 0 links", "")


class FilesBeforeDirectories(Text):
    def total(self) -> str:
        page = self.page
        counts = f"{page.count('file')} files, {page.count('dir')} dirs, {page.count('link')} links"
        return f"(Total: {page.total} items - {counts})"


class RestOfAll(Text):
    def truncation(self) -> str:
        page = self.page
        left = page.total - len(page.entries)
        return f"[Truncated: Showing {page.start}-{page.end} of {page.total}. {left} more items available.]"


class FromOne(Text):
    def truncation(self) -> str:
        return super().truncation().replace(f"Showing {self.page.start}-", f"Showing {self.page.start + 1}-")


class LastIncluded(Text):
    def truncation(self) -> str:
        page = self.page
        return super().truncation().replace(f"-{page.end} of", f"-{page.end - 1} of")


class FromZero(Text):
    """Every page is said to begin at the beginning."""

    def truncation(self) -> str:
        return super().truncation().replace(f"Showing {self.page.start}-", "Showing 0-")


class OneItem(Text):
    def truncation(self) -> str:
        return super().truncation().replace(" 1 more items", " 1 more item")


class AlwaysTruncated(Text):
    """The line about truncation is there where nothing is cut as well."""

    def head(self) -> Iterator[str]:
        yield self.summary()
        yield self.total()
        yield self.truncation()
        if self.page.is_truncated:
            yield self.hint()


class NoHint(Text):
    def notice(self) -> Iterator[str]:
        yield self.truncation()


class HintInFull(Text):
    def hint(self) -> str:
        return f"Use offset={self.page.end} and limit={self.page.limit} to view next page."


class NoGap(Text):
    def gap(self) -> tuple[str, ...]:
        return ()


class ByName(Text):
    """The lines are sorted by name alone."""

    def text(self) -> str:
        lines = sorted(map(self.line, self.page.entries))
        return "\n".join((*self.head(), *self.gap(), *lines))


class Bulleted(Text):
    def line(self, entry: Entry) -> str:
        return "- " + super().line(entry)


class Indented(Text):
    def line(self, entry: Entry) -> str:
        return "  " + super().line(entry)


class OneLine(Text):
    def text(self) -> str:
        return "\n".join((*self.head(), *self.gap(), ", ".join(map(self.line, self.page.entries))))


class TenAtMost(Text):
    """Of long pages the text shows the beginning only."""

    def text(self) -> str:
        return "\n".join((*self.head(), *self.gap(), *map(self.line, self.page.entries[:4])))


class PlainLinks(Text):
    def line(self, entry: Entry) -> str:
        return super().line(entry).removesuffix("@") if entry.type == "link" else super().line(entry)


class DirectoryLinksBySlash(Text):
    def line(self, entry: Entry) -> str:
        return f"{entry.path}/" if entry.type == "link" and entry.sorts_first else super().line(entry)


class PlainDirectories(Text):
    def line(self, entry: Entry) -> str:
        return entry.path if entry.type == "dir" else super().line(entry)


class BackslashOnDirectories(Text):
    def line(self, entry: Entry) -> str:
        return f"{entry.path}\\" if entry.type == "dir" else super().line(entry)


class AtBeforeLinks(Text):
    def line(self, entry: Entry) -> str:
        return f"@{entry.path}" if entry.type == "link" else super().line(entry)


class StarOnPrograms(Text):
    def line(self, entry: Entry) -> str:
        return f"{entry.path}*" if entry.path.endswith(".sh") else super().line(entry)


class Thousands(Text):
    def total(self) -> str:
        return super().total().replace(str(self.page.total), f"{self.page.total:,}")


class Filled(Text):
    """Lines go through a template, and lose the blanks at their ends."""

    def line(self, entry: Entry) -> str:
        return super().line(entry).replace("%%", "%").rstrip()


MUTANTS: tuple[Mutant, ...] = (
    wrong(270, "One entry is called an entry.", "TEXT-01", text=Singular),
    wrong(271, "Line 1 counts the whole list.", "TEXT-01", text=WholeCounted),
    wrong(272, "Line 1 counts up to the limit.", "TEXT-01", text=LimitCounted),
    wrong(273, "Line 1 has double quotes.", "TEXT-01", "TEXT-05", text=DoubleQuotes),
    wrong(274, "Line 1 has the last name of the path.", "TEXT-01", text=LastName),
    wrong(275, "Line 1 has words of its own for an empty page.", "TEXT-01", text=NothingListed),
    wrong(276, "One directory, file or link is called so.", "TEXT-02", text=SingularCounts),
    wrong(277, "Line 2 counts the page.", "TEXT-02", "TEXT-05", text=PageCounted),
    wrong(278, "Line 2 leaves out links where there are none.", "TEXT-02", "TEXT-05", text=WithoutLinks),
    wrong(279, "Line 2 names files before directories.", "TEXT-02", "TEXT-05", text=FilesBeforeDirectories),
    wrong(280, "Line 3 counts what is on no page of this call as left.", "TEXT-03", text=RestOfAll),
    wrong(281, "Line 3 counts from 1.", "TEXT-03", text=FromOne),
    wrong(282, "Line 3 names the last entry that is shown.", "TEXT-03", text=LastIncluded),
    wrong(283, "Line 3 begins at the beginning on every page.", "TEXT-03", text=FromZero),
    wrong(284, "Line 3 has a singular.", "TEXT-03", text=OneItem),
    wrong(285, "Line 3 is there where nothing is cut.", "TEXT-03", "TEXT-05", text=AlwaysTruncated),
    wrong(286, "Line 4 is missing.", "TEXT-04", "PAGE-04", "TEXT-05", text=NoHint),
    wrong(287, "Line 4 names the limit as well.", "TEXT-04", "PAGE-04", "TEXT-05", text=HintInFull),
    wrong(288, "The empty line is missing.", "TEXT-05", text=NoGap),
    wrong(289, "The lines are sorted by name alone.", "TEXT-05", text=ByName),
    wrong(290, "The lines have bullets.", "TEXT-05", "TEXT-06", text=Bulleted),
    wrong(291, "The lines are indented.", "TEXT-05", "TEXT-06", text=Indented),
    wrong(292, "The entries stand on one line.", "TEXT-05", "TEXT-06", text=OneLine),
    wrong(293, "The text shows four entries at most.", "TEXT-05", "TEXT-06", text=TenAtMost),
    wrong(266, "A page without entries has a line that says so.", "TEXT-05", text=SaysItIsEmpty),
    wrong(294, "Links have no ending.", "TEXT-06", text=PlainLinks),
    wrong(295, "A link to a directory ends in a slash.", "TEXT-06", text=DirectoryLinksBySlash),
    wrong(296, "Directories have no ending.", "TEXT-06", "TEXT-05", text=PlainDirectories),
    wrong(297, "Directories end in a backslash.", "TEXT-06", "TEXT-05", text=BackslashOnDirectories),
    wrong(298, "Links begin with an at-sign.", "TEXT-06", "TEXT-05", text=AtBeforeLinks),
    wrong(299, "Programs end in a star.", "TEXT-06", text=StarOnPrograms),
    wrong(268, "Line 2 parts the thousands.", "TEXT-02", text=Thousands),
    wrong(269, "Doubled percent signs are one, and blanks at the end are none.", "TEXT-05", text=Filled),
)
