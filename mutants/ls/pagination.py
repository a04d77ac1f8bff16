"""Mutants: errors in pages, their members, and the counts."""

from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles, LsPlan
from treeproof.reference_impl.ls.directory import Entry
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import INVALID_ARGUMENTS, CallRefused, ErrorCode
from treeproof.reference_impl.ls.filters import Filters
from treeproof.reference_impl.ls.listing_text import ListingText
from treeproof.reference_impl.ls.page import EntryOrder, Page

from ..shared.mutant import Mutant
from .builders import build_mutant


class LinksDoNotCount(Page):
    @property
    def entries(self) -> tuple[Entry, ...]:
        counted, shown = 0, []
        for entry in self.all_entries[self.start :]:
            counted += entry.type != "link"
            if counted > self.limit:
                break
            shown.append(entry)
        return tuple(shown)


class ByBytes(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return entry.raw_name


class SortsThePage(Page):
    """Sorts what has been cut off a list in another order."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(EntryOrder().sort(super().entries))


class OneTooMany(Page):
    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.all_entries[self.start : self.start + self.limit + bool(self.offset)]


class FromOne(Page):
    @property
    def start(self) -> int:
        return max(0, self.offset - 1)


class LimitFromTheStart(Page):
    @property
    def end(self) -> int:
        return min(self.limit, self.total)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.all_entries[self.offset : self.limit]


class PageNumbers(Page):
    @property
    def start(self) -> int:
        return self.offset * self.limit if self.offset < self.total else self.offset


class FullIsTruncated(Page):
    @property
    def is_truncated(self) -> bool:
        return len(self.entries) == self.limit


class OneLeftDoesNotCount(Envelope):
    def data(self, page: Page) -> Members:
        return super().data(page) | {"truncated": page.total - page.end > 1}


class NeverTruncated(Envelope):
    def data(self, page: Page) -> Members:
        return super().data(page) | {"truncated": False}


class FilteredIsTruncated(Page):
    """Filtered entries count as truncated."""

    left_out = 0

    @property
    def is_truncated(self) -> bool:
        return super().is_truncated or (FilteredIsTruncated.left_out > 0 and self.limit < 100)


class Counting(Filters):
    def apply(self, entries: Any) -> list[Entry]:
        found = list(entries)
        kept = super().apply(found)
        FilteredIsTruncated.left_out = len(found) - len(kept)
        return kept


class AlwaysSuccess(Envelope):
    def status(self, page: Page) -> str:
        return "success"


class EmptyIsPartial(Envelope):
    def status(self, page: Page) -> str:
        return "partial" if not page.total else super().status(page)


class PartialByLimit(Envelope):
    def status(self, page: Page) -> str:
        return "partial" if page.limit < page.total + 1 else "success"


class HintOnTheFirstPageOnly(ListingText):
    def next_page_hint(self) -> str:
        return super().next_page_hint() if not self.page.offset else "More can be listed."


class HintOneTooFar(ListingText):
    def next_page_hint(self) -> str:
        return f"Use offset={self.page.end + 1} to view next page."


class HintIsTheLimit(ListingText):
    def next_page_hint(self) -> str:
        return f"Use offset={self.page.limit} to view next page."


class RefusesTheEnd(LsPlan):
    def list_page(self, project: Any, answer: Any) -> Members:
        members = super().list_page(project, answer)
        offset = self.sent_arguments.get("offset", 0)
        if offset and offset >= members["stats"]["total_entries"]:
            raise CallRefused(ErrorCode.INVALID_PARAM, INVALID_ARGUMENTS)
        return members


class EndRefused(ListFiles):
    def plan(self, arguments: Any, context: Any, flavour: Any) -> LsPlan:
        return RefusesTheEnd(self, arguments, context, flavour)


class RefusesAnEmptyPage(LsPlan):
    """Refuses every offset of an empty list, the default one too."""

    def list_page(self, project: Any, envelope: Envelope) -> Members:
        found = super().list_page(project, envelope)
        if not found["stats"]["total_entries"]:
            raise CallRefused(ErrorCode.INVALID_PARAM, INVALID_ARGUMENTS)
        return found


class EmptyRefused(ListFiles):
    def plan(self, arguments: Any, context: Any, flavour: Any) -> LsPlan:
        return RefusesAnEmptyPage(self, arguments, context, flavour)


class Counted(Envelope):
    """Other numbers in stats only."""

    def stats(self, page: Page) -> Members:
        return super().stats(page) | self.others(page)

    def others(self, page: Page) -> Members:
        return {}


class TotalOfThePage(Counted):
    def others(self, page: Page) -> Members:
        return {"total_entries": len(page.entries)}


class TotalOfAll(Counted):
    def others(self, page: Page) -> Members:
        return {"total_entries": page.total + FilteredIsTruncated.left_out}


class CountsOfThePage(Counted):
    def others(self, page: Page) -> Members:
        return {f"{one}s": sum(entry.type == one for entry in page.entries) for one in ("dir", "file", "link")}


class DirectoryLinksCountTwice(Counted):
    def others(self, page: Page) -> Members:
        return {"dirs": sum(entry.sorts_first for entry in page.all_entries)}


class LinksAreFiles(Counted):
    def others(self, page: Page) -> Members:
        return {"files": page.count("file") + page.count("link"), "links": 0}


class NoReturned(Envelope):
    def stats(self, page: Page) -> Members:
        return {key: value for key, value in super().stats(page).items() if key != "returned"}


class ReturnedIsTheLimit(Counted):
    def others(self, page: Page) -> Members:
        return {"returned": min(page.limit, page.total)}


class ReturnedIsTheTotal(Counted):
    def others(self, page: Page) -> Members:
        return {"returned": page.total}


SLICES = "LS-STAT-03 LS-TEXT-01 LS-TEXT-05 LS-SORT-01 LS-SORT-03 LS-FILT-07 LS-PAGE-04 LS-DEF-04"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-110",
        "After the first page, pages have one entry too many.",
        "LS-PAGE-01",
        SLICES,
        page=OneTooMany,
    ),
    build_mutant(
        "MUT-LS-111",
        "Offsets count from 1.",
        "LS-PAGE-01 LS-ARG-03 LS-PAGE-03",
        SLICES,
        "LS-TEXT-03 LS-TEXT-04 LS-PAGE-02 LS-PAGE-05 LS-STAT-02 LS-DATA-01",
        page=FromOne,
    ),
    build_mutant(
        "MUT-LS-112",
        "The limit is used as the end of the page.",
        "LS-PAGE-01 LS-ARG-03 LS-PAGE-05",
        SLICES,
        "LS-TEXT-03 LS-TEXT-04 LS-PAGE-02 LS-PAGE-03",
        page=LimitFromTheStart,
    ),
    build_mutant(
        "MUT-LS-113",
        "The offset is used as the number of a page.",
        "LS-PAGE-01 LS-ARG-03",
        SLICES,
        "LS-TEXT-03 LS-TEXT-04 LS-PAGE-02 LS-PAGE-03 LS-STAT-02",
        page=PageNumbers,
    ),
    build_mutant(
        "MUT-LS-114",
        "A full page is truncated.",
        "LS-PAGE-02 LS-PAGE-03 LS-DATA-04 LS-TEXT-03 LS-DEF-04 LS-TEXT-05",
        page=FullIsTruncated,
    ),
    build_mutant(
        "MUT-LS-115",
        "truncated is false if one entry is left.",
        "LS-PAGE-02 LS-PAGE-03 LS-DATA-04",
        envelope=OneLeftDoesNotCount,
    ),
    build_mutant("MUT-LS-116", "truncated is never true.", "LS-PAGE-02 LS-PAGE-03 LS-DATA-04", envelope=NeverTruncated),
    build_mutant(
        "MUT-LS-117",
        "Entries that a pattern omits make a page truncated.",
        "LS-PAGE-02 LS-PAGE-05 LS-TEXT-05 LS-PAGE-03 LS-TEXT-03 LS-TEXT-04 LS-PAGE-04",
        page=FilteredIsTruncated,
        filters=Counting,
    ),
    build_mutant(
        "MUT-LS-118",
        "The status is always success.",
        "LS-PAGE-03 LS-ENV-02",
        envelope=AlwaysSuccess,
    ),
    build_mutant(
        "MUT-LS-119",
        "An empty listing is partial.",
        "LS-PAGE-03 LS-ARG-08 LS-FILT-07",
        envelope=EmptyIsPartial,
    ),
    build_mutant(
        "MUT-LS-120",
        "A page as long as the list is partial.",
        "LS-PAGE-03 LS-PAGE-05",
        envelope=PartialByLimit,
    ),
    build_mutant(
        "MUT-LS-121",
        "After the first page, no next offset is returned.",
        "LS-PAGE-04 LS-TEXT-04 LS-TEXT-05",
        text=HintOnTheFirstPageOnly,
    ),
    build_mutant(
        "MUT-LS-122",
        "The next offset skips one entry.",
        "LS-PAGE-04 LS-TEXT-04 LS-TEXT-05",
        text=HintOneTooFar,
    ),
    build_mutant(
        "MUT-LS-123",
        "The next offset is the limit.",
        "LS-TEXT-04 LS-PAGE-04 LS-TEXT-05",
        text=HintIsTheLimit,
    ),
    build_mutant(
        "MUT-LS-124",
        "An offset after the end is an invalid argument.",
        "LS-PAGE-05 LS-ENV-08 LS-STAT-02 LS-STAT-03 LS-TEXT-01 LS-TEXT-02",
        tool=EndRefused,
    ),
    build_mutant(
        "MUT-LS-451",
        "Every offset of an empty list is an invalid argument.",
        "LS-DATA-06 LS-PAGE-05",  # no offset at all is refused as well
        tool=EmptyRefused,
    ),
    build_mutant(
        "MUT-LS-125",
        "total_entries counts the page.",
        "LS-STAT-01 LS-PAGE-05 LS-FILT-07 LS-DEF-04 LS-ARG-03",
        envelope=TotalOfThePage,
    ),
    build_mutant(
        "MUT-LS-126",
        "total_entries counts the filtered entries too.",
        "LS-STAT-01 LS-FILT-07 LS-STAT-02",
        envelope=TotalOfAll,
        filters=Counting,
    ),
    build_mutant(
        "MUT-LS-127",
        "dirs, files and links count the page.",
        "LS-STAT-02 LS-FILT-07",
        envelope=CountsOfThePage,
    ),
    build_mutant(
        "MUT-LS-128",
        "A link to a directory counts as a directory too.",
        "LS-STAT-02",
        envelope=DirectoryLinksCountTwice,
    ),
    build_mutant("MUT-LS-129", "Links count as files.", "LS-STAT-02", envelope=LinksAreFiles),
    build_mutant(
        "MUT-LS-130",
        "returned is missing.",
        "LS-STAT-03 LS-DEF-04 LS-ARG-03 LS-PAGE-05 LS-FILT-07",
        envelope=NoReturned,
    ),
    build_mutant("MUT-LS-131", "returned is the limit.", "LS-STAT-03 LS-PAGE-05", envelope=ReturnedIsTheLimit),
    build_mutant(
        "MUT-LS-132",
        "returned is the total.",
        "LS-STAT-03 LS-DEF-04 LS-ARG-03 LS-PAGE-05 LS-FILT-07",
        envelope=ReturnedIsTheTotal,
    ),
    build_mutant(
        "MUT-LS-347",
        "Links do not count towards the limit.",
        "LS-PAGE-01 LS-PAGE-04 LS-SORT-03 LS-STAT-03 LS-TEXT-01",
        page=LinksDoNotCount,
    ),
    build_mutant(
        "MUT-LS-348",
        "The page is cut before the list is sorted.",
        "LS-PAGE-01 LS-PAGE-04 LS-SORT-01 LS-SORT-02 LS-SORT-03 LS-TEXT-05",
        order=ByBytes,
        page=SortsThePage,
    ),
)
