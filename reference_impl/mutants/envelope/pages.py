"""Wrong in the page: in its slice, in what it says of the whole, and in the counts."""

from typing import Any

from ...envelope.answer import Answer, Members
from ...envelope.directory import Entry
from ...envelope.filters import Filters
from ...envelope.page import Page
from ...envelope.refusals import WRONG_ARGUMENTS, Code, Refused
from ...envelope.text import Text
from ...ls import ListFiles, Plan
from ..mutant import Mutant
from .made import wrong


class OneTooMany(Page):
    """Behind the first page, pages have one entry more."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.whole[self.start : self.start + self.limit + bool(self.offset)]


class FromOne(Page):
    @property
    def start(self) -> int:
        return max(0, self.offset - 1)


class LimitFromTheStart(Page):
    """The limit is taken for the index of the end."""

    @property
    def end(self) -> int:
        return min(self.limit, self.total)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.whole[self.offset : self.limit]


class PageNumbers(Page):
    """The offset is taken for the number of a page."""

    @property
    def start(self) -> int:
        return self.offset * self.limit if self.offset < self.total else self.offset


class FullIsTruncated(Page):
    @property
    def is_truncated(self) -> bool:
        return len(self.entries) == self.limit


class LongListsAreTruncated(Page):
    @property
    def is_truncated(self) -> bool:
        return self.offset < self.total and self.total > self.limit


class OneLeftDoesNotCount(Answer):
    def data(self, page: Page) -> Members:
        return super().data(page) | {"truncated": page.total - page.end > 1}


class NeverTruncated(Answer):
    def data(self, page: Page) -> Members:
        return super().data(page) | {"truncated": False}


class FilteredIsTruncated(Page):
    """What a filter has left out counts as cut off."""

    left_out = 0

    @property
    def is_truncated(self) -> bool:
        return super().is_truncated or (FilteredIsTruncated.left_out > 0 and self.limit < 100)


class Counting(Filters):
    def kept(self, entries: Any) -> list[Entry]:
        found = list(entries)
        kept = super().kept(found)
        FilteredIsTruncated.left_out = len(found) - len(kept)
        return kept


class AlwaysSuccess(Answer):
    def status(self, page: Page) -> str:
        return "success"


class EmptyIsPartial(Answer):
    def status(self, page: Page) -> str:
        return "partial" if not page.total else super().status(page)


class PartialByLimit(Answer):
    def status(self, page: Page) -> str:
        return "partial" if page.limit < page.total + 1 else "success"


class HintOnTheFirstPageOnly(Text):
    def hint(self) -> str:
        return super().hint() if not self.page.offset else "More can be listed."


class HintOneTooFar(Text):
    def hint(self) -> str:
        return f"Use offset={self.page.end + 1} to view next page."


class HintIsTheLimit(Text):
    def hint(self) -> str:
        return f"Use offset={self.page.limit} to view next page."


class RefusesTheEnd(Plan):
    def listing(self, project: Any, answer: Any) -> Members:
        members = super().listing(project, answer)
        offset = self.sent.get("offset", 0)
        if offset and offset >= members["stats"]["total_entries"]:
            raise Refused(Code.INVALID_PARAM, WRONG_ARGUMENTS)
        return members


class EndRefused(ListFiles):
    def plan(self, arguments: Any, context: Any, flavour: Any) -> Plan:
        return RefusesTheEnd(self, arguments, context, flavour)


class Counted(Answer):
    """Other numbers in stats, and in stats only."""

    def stats(self, page: Page) -> Members:
        return super().stats(page) | self.others(page)

    def others(self, page: Page) -> Members:
        return {}


class TotalOfThePage(Counted):
    def others(self, page: Page) -> Members:
        return {"total_entries": len(page.entries)}


class TotalOfAll(Counted):
    """Counts what the filters have left out."""

    def others(self, page: Page) -> Members:
        return {"total_entries": page.total + FilteredIsTruncated.left_out}


class CountsOfThePage(Counted):
    def others(self, page: Page) -> Members:
        return {
            f"{one}s": sum(entry.type == one for entry in page.entries) for one in ("dir", "file", "link")
        }


class DirectoryLinksCountTwice(Counted):
    def others(self, page: Page) -> Members:
        return {"dirs": sum(entry.sorts_first for entry in page.whole)}


class LinksAreFiles(Counted):
    def others(self, page: Page) -> Members:
        return {"files": page.count("file") + page.count("link"), "links": 0}


class NoReturned(Answer):
    def stats(self, page: Page) -> Members:
        return {key: value for key, value in super().stats(page).items() if key != "returned"}


class ReturnedIsTheLimit(Counted):
    def others(self, page: Page) -> Members:
        return {"returned": min(page.limit, page.total)}


class ReturnedIsTheTotal(Counted):
    def others(self, page: Page) -> Members:
        return {"returned": page.total}


SLICES = ("STAT-03", "TEXT-01", "TEXT-05", "SORT-01", "SORT-03", "FILT-07", "PAGE-04", "DEF-04")

MUTANTS: tuple[Mutant, ...] = (
    wrong(110, "Behind the first one, pages have one entry too many.", "PAGE-01", *SLICES, page=OneTooMany),
    wrong(
        111,
        "Offsets count from 1.",
        *(
            "PAGE-01",
            "ARG-03",
            "PAGE-03",
            *SLICES,
            "TEXT-03",
            "TEXT-04",
            "PAGE-02",
            "PAGE-05",
            "STAT-02",
            "DATA-01",
        ),
        page=FromOne,
    ),
    wrong(
        112,
        "The limit is taken for the end of the page.",
        *("PAGE-01", "ARG-03", "PAGE-05", *SLICES, "TEXT-03", "TEXT-04", "PAGE-02", "PAGE-03"),
        page=LimitFromTheStart,
    ),
    wrong(
        113,
        "The offset is taken for the number of a page.",
        *("PAGE-01", "ARG-03", *SLICES, "TEXT-03", "TEXT-04", "PAGE-02", "PAGE-03", "STAT-02"),
        page=PageNumbers,
    ),
    wrong(
        114,
        "A page that is full is truncated.",
        *("PAGE-02", "PAGE-03", "DATA-04", "TEXT-03", "DEF-04", "TEXT-05"),
        page=FullIsTruncated,
    ),
    wrong(
        115,
        "truncated is false where one entry is left.",
        "PAGE-02",
        "PAGE-03",
        "DATA-04",
        answer=OneLeftDoesNotCount,
    ),
    wrong(116, "truncated is never true.", "PAGE-02", "PAGE-03", "DATA-04", answer=NeverTruncated),
    wrong(
        117,
        "What a pattern leaves out makes a page truncated.",
        *("PAGE-02", "PAGE-05", "TEXT-05", "PAGE-03", "TEXT-03", "TEXT-04", "PAGE-04"),
        page=FilteredIsTruncated,
        filters=Counting,
    ),
    wrong(118, "The status is success however much follows.", "PAGE-03", "ENV-02", answer=AlwaysSuccess),
    wrong(119, "An empty listing is partial.", "PAGE-03", "ARG-08", "FILT-07", answer=EmptyIsPartial),
    wrong(
        133,
        "A list that is longer than the limit is truncated.",
        "PAGE-02",
        "PAGE-03",
        page=LongListsAreTruncated,
    ),
    wrong(120, "A page as long as the list is partial.", "PAGE-03", "PAGE-05", answer=PartialByLimit),
    wrong(
        121,
        "Behind the first page no offset is announced.",
        *("PAGE-04", "TEXT-04", "TEXT-05"),
        text=HintOnTheFirstPageOnly,
    ),
    wrong(
        122,
        "The announced offset leaves one entry out.",
        *("PAGE-04", "TEXT-04", "TEXT-05"),
        text=HintOneTooFar,
    ),
    wrong(123, "The announced offset is the limit.", *("TEXT-04", "PAGE-04", "TEXT-05"), text=HintIsTheLimit),
    wrong(
        124,
        "An offset behind the end is a wrong argument.",
        *("PAGE-05", "ENV-08", "STAT-02", "STAT-03", "TEXT-01", "TEXT-02"),
        tool=EndRefused,
    ),
    wrong(
        125,
        "total_entries counts the page.",
        *("STAT-01", "PAGE-05", "FILT-07", "DEF-04", "ARG-03"),
        answer=TotalOfThePage,
    ),
    wrong(
        126,
        "total_entries counts what the filters leave out.",
        *("STAT-01", "FILT-07", "STAT-02"),
        answer=TotalOfAll,
        filters=Counting,
    ),
    wrong(127, "dirs, files and links count the page.", "STAT-02", "FILT-07", answer=CountsOfThePage),
    wrong(
        128,
        "A link to a directory counts as a directory as well.",
        "STAT-02",
        answer=DirectoryLinksCountTwice,
    ),
    wrong(129, "Links count as files.", "STAT-02", answer=LinksAreFiles),
    wrong(
        130, "returned is missing.", *("STAT-03", "DEF-04", "ARG-03", "PAGE-05", "FILT-07"), answer=NoReturned
    ),
    wrong(131, "returned is the limit.", "STAT-03", "PAGE-05", answer=ReturnedIsTheLimit),
    wrong(
        132,
        "returned is the total.",
        *("STAT-03", "DEF-04", "ARG-03", "PAGE-05", "FILT-07"),
        answer=ReturnedIsTheTotal,
    ),
)
