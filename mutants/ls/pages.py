"""Mutants: errors in pages, their members, and the counts."""

from treeproof.rows.ls.answer import INVALID, Answer, Entry
from treeproof.rows.ls.row import GONE

from ..shared.mutant import Mutant
from .rows import list_row, row

SLICES = "LS-STAT-03 LS-TEXT-01 LS-TEXT-05 LS-SORT-01 LS-SORT-03 LS-FILT-07 LS-PAGE-04 LS-DEF-04"
NOTICES = "LS-TEXT-03 LS-TEXT-04 LS-PAGE-02"
RETURNED = "LS-STAT-03 LS-DEF-04 LS-ARG-03 LS-PAGE-05 LS-FILT-07"
TYPES = ("dir", "file", "link")


def left_out(at: Answer) -> int:
    """Return how many entries the filters leave out."""
    return len(at.unfiltered) - len(at.whole)


def links_beside(at: Answer) -> list[Entry]:
    """Return a page whose limit does not count links."""
    counted, shown = 0, []
    for entry in at.whole[at.start :]:
        counted += not entry.is_link
        if counted > at.limit:
            break
        shown.append(entry)
    return shown


def sorted_page(at: Answer) -> list[Entry]:
    """Return a page that is cut off a list in the order of the bytes, then sorted."""
    cut = sorted(at.whole, key=lambda entry: entry.raw)[at.start : at.end]
    return [entry for entry in at.whole if entry in cut]


MUTANTS: tuple[Mutant, ...] = (
    list_row(
        *("MUT-LS-110", "After the first page, pages have one entry too many.", "LS-PAGE-01", SLICES),
        shown=lambda at: at.whole[at.start : at.start + at.limit + bool(at.offset)],
    ),
    list_row(
        *("MUT-LS-111", "Offsets count from 1.", "LS-PAGE-01 LS-ARG-03 LS-PAGE-03", SLICES, NOTICES),
        "LS-PAGE-05 LS-STAT-02 LS-DATA-01",
        start=lambda at: max(0, at.offset - 1),
    ),
    list_row(
        "MUT-LS-112",
        "The limit is used as the end of the page.",
        "LS-PAGE-01 LS-ARG-03 LS-PAGE-05",
        SLICES,
        NOTICES,
        "LS-PAGE-03",
        end=lambda at: at.limit,
    ),
    list_row(
        *("MUT-LS-113", "The offset is used as the number of a page.", "LS-PAGE-01 LS-ARG-03", SLICES, NOTICES),
        "LS-PAGE-03 LS-STAT-02",
        start=lambda at: at.offset * at.limit if at.offset < at.total else at.offset,
    ),
    list_row(
        *("MUT-LS-114", "A full page is truncated."),
        "LS-PAGE-02 LS-PAGE-03 LS-DATA-04 LS-TEXT-03 LS-DEF-04 LS-TEXT-05",
        is_truncated=lambda at: len(at.entries) == at.limit,
    ),
    row(
        *("MUT-LS-115", "truncated is false if one entry is left.", "LS-PAGE-02 LS-PAGE-03 LS-DATA-04"),
        listing={"data.truncated": lambda at: at.total - at.end > 1},
    ),
    row(
        "MUT-LS-116", "truncated is never true.", "LS-PAGE-02 LS-PAGE-03 LS-DATA-04", listing={"data.truncated": False}
    ),
    list_row(
        *("MUT-LS-117", "Entries that a pattern omits make a page truncated."),
        "LS-PAGE-02 LS-PAGE-05 LS-TEXT-05 LS-PAGE-03 LS-TEXT-03 LS-TEXT-04 LS-PAGE-04",
        is_truncated=lambda at: at.end < at.total or (left_out(at) > 0 and at.limit < 100),
    ),
    list_row(
        *("MUT-LS-418", "Pages from the offset 100 on are not truncated.", "LS-PAGE-02"),
        is_truncated=lambda at: at.end < at.total and at.offset < 100,
    ),
    list_row(
        *("MUT-LS-419", "A page with the limit 200 is not truncated.", "LS-PAGE-02"),
        is_truncated=lambda at: at.end < at.total and at.limit < 200,
    ),
    row("MUT-LS-118", "The status is always success.", "LS-PAGE-03 LS-ENV-02", listing={"status": "success"}),
    row(
        *("MUT-LS-119", "An empty listing is partial.", "LS-PAGE-03 LS-ARG-08 LS-FILT-07"),
        listing={"status": "partial"},
        only=lambda at: at.total == 0,
    ),
    row(
        *("MUT-LS-120", "A page as long as the list is partial.", "LS-PAGE-03 LS-PAGE-05"),
        listing={"status": lambda at: "partial" if at.limit <= at.total else "success"},
    ),
    row(
        *("MUT-LS-420", "Without a limit the status is success.", "LS-PAGE-03"),
        listing={"status": "success"},
        only=lambda at: "limit" not in at.arguments,
    ),
    row(
        *("MUT-LS-124", "An offset after the end is an invalid argument."),
        "LS-PAGE-05 LS-ENV-08 LS-STAT-02 LS-STAT-03 LS-TEXT-01 LS-TEXT-02",
        error=lambda at: INVALID if not at.failed and at.offset and at.offset >= at.total else None,
    ),
    row(
        *("MUT-LS-451", "Every offset of an empty list is an invalid argument."),
        "LS-DATA-06 LS-PAGE-05",  # no offset at all is refused as well
        error=lambda at: INVALID if not at.failed and at.total == 0 else None,
    ),
    row(
        *("MUT-LS-125", "total_entries counts the page.", "LS-STAT-01 LS-PAGE-05 LS-FILT-07 LS-DEF-04 LS-ARG-03"),
        listing={"stats.total_entries": lambda at: len(at.entries)},
    ),
    row(
        *("MUT-LS-126", "total_entries counts the filtered entries too.", "LS-STAT-01 LS-FILT-07 LS-STAT-02"),
        listing={"stats.total_entries": lambda at: at.total + left_out(at)},
    ),
    row(
        *("MUT-LS-127", "dirs, files and links count the page.", "LS-STAT-02 LS-FILT-07"),
        listing={
            f"stats.{type}s": lambda at, type=type: sum(entry.type == type for entry in at.entries) for type in TYPES
        },
    ),
    row(
        *("MUT-LS-128", "A link to a directory counts as a directory too.", "LS-STAT-02"),
        listing={"stats.dirs": lambda at: sum(entry.sorts_first for entry in at.whole)},
    ),
    row(
        *("MUT-LS-129", "Links count as files.", "LS-STAT-02"),
        listing={"stats.files": lambda at: sum(not entry.is_dir for entry in at.whole), "stats.links": 0},
    ),
    row("MUT-LS-130", "returned is missing.", RETURNED, listing={"stats.returned": GONE}),
    row(
        *("MUT-LS-131", "returned is the limit.", "LS-STAT-03 LS-PAGE-05"),
        listing={"stats.returned": lambda at: min(at.limit, at.total)},
    ),
    row("MUT-LS-132", "returned is the total.", RETURNED, listing={"stats.returned": lambda at: at.total}),
    list_row(
        *("MUT-LS-347", "Links do not count towards the limit."),
        "LS-PAGE-01 LS-PAGE-04 LS-SORT-03 LS-STAT-03 LS-TEXT-01",
        shown=links_beside,
    ),
    list_row(
        *("MUT-LS-348", "The page is cut before the list is sorted."),
        "LS-PAGE-01 LS-PAGE-04 LS-SORT-01 LS-SORT-02 LS-SORT-03 LS-TEXT-05",
        shown=sorted_page,
    ),
)
