"""Mutants: errors in the extent of a walk: depth, links, the cap on entries, what is not entered."""

import stat
from collections.abc import Callable
from itertools import accumulate, islice, takewhile

from treeproof.rows.list_directory.listing import (
    ENDLESS,
    Item,
    Items,
    ListCall,
    Listing,
    Rule,
    Table,
    document_of,
    items_of,
    table_of,
    with_table,
)

from ..shared.mutant import Mutant
from .order import as_on_the_disk
from .rows import row

WELL_KNOWN = ("node_modules", "target", "__pycache__", "build")
VERSIONS = (".git", ".hg", ".svn")
PRODUCTS = ("dist", "vendor", ".cache", "lost+found")
BUILT = (b".pyc", b".o", b".class", b".obj", b".dll", b".exe", b".so")
LEFTOVERS = (b"Thumbs.db", b"desktop.ini", b".DS_Store")
DEPTHS = (
    "NFR-LD-PERF-01 FR-LD-LST-08 FR-LD-VAL-06a CFG-LD-01 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b CFG-LD-03 "
    "CFG-LD-05 FR-LD-VAL-10"
)
CAPS = "FR-LD-LST-07 T-LD-05 FR-LD-OUT-02b DOC-06"


def is_deep(sent: ListCall) -> bool:
    return sent.is_deep


def is_flat_below(sent: ListCall) -> bool:
    """Return whether a call lists the entries of another directory than the working directory."""
    return sent.path != "." and not sent.is_recursive and sent.given.get("max_depth", 1) == 1


def as_deep_as_configured(sent: ListCall) -> Table:
    return {"recursive": True, "max_depth": sent.configured("max_depth")}


def without_depth(arguments: Table) -> Table:
    return {name: value for name, value in arguments.items() if name not in ("recursive", "max_depth")}


def with_any_depth(context: Table) -> Table:
    return with_table(context, {**(table_of(context) or {}), "max_depth": ENDLESS})


def through_links(items: Items, sent: ListCall) -> Items:
    """Add what is in the directories to which links lead."""
    return [one for item in items for one in (item, *(through_links(behind(item), sent)))]


def behind(item: Item) -> Items:
    left = item.sent.levels - item.depth
    if not item.target or not stat.S_ISDIR(item.target.st_mode) or left < 1:
        return []
    path = item.sent.path.rstrip("/") + "/" + item.path
    found = document_of(item.sent.with_arguments({**item.sent.given, "path": path, "max_depth": left}).answer())
    items = items_of(item.sent, found) if found else []
    for one in items:
        one.entry = one.entry | {"path": f"{item.path}/{one.path}", "depth": item.depth + one.depth}
        one.raw, one.start, one.shown = item.raw + b"/" + one.raw, item.start, one.entry
    return items


def is_below_the_depth(at: Listing) -> bool:
    limit = at.sent.levels
    return at.capped or (limit > 1 and any(item.is_dir and item.depth == limit for item in at.items))


def without_empty_directories(items: Items, sent: ListCall) -> Items:
    if len(items) >= sent.effective("max_entries"):
        return items
    return [item for item in items if not (item.is_dir and item.is_entered and not sent.turns(item.place))]


def first_directories(level: int) -> Callable[[Items, ListCall], Items]:
    """Leave out, below a level, what is in any directory but the first of its parent."""

    def is_kept(item: Item, firsts: dict[str, str]) -> bool:
        above = list(accumulate(item.parts, "{}/{}".format))
        directories = above if item.is_dir or item.is_unread else above[:-1]
        pairs = [(above[at - 1], directories[at]) for at in range(level, len(directories))]
        return all(firsts.setdefault(*pair) == pair[1] or pair[1] == item.path for pair in pairs)

    def kept(items: Items, sent: ListCall) -> Items:
        firsts: dict[str, str] = {}
        return [item for item in items if is_kept(item, firsts)]

    return kept


def is_last_of_a_full_read(item: Item) -> bool:
    return len(item.siblings) % 64 == 0 and item.raw_name == max(item.siblings, default=b"")


def each_file_once(items: Items, sent: ListCall) -> Items:
    known: dict[tuple[int, int], bytes] = {}
    return [
        item
        for item in items
        if not item.is_file or known.setdefault((item.stat.st_dev, item.stat.st_ino), item.raw) == item.raw
    ]


def each_directory_up_to_the_cap(items: Items, sent: ListCall) -> Items:
    counts: dict[str, int] = {}
    for item in items:
        item.turn = counts[item.above] = counts.get(item.above, 0) + 1
    kept = [item for item in items if item.turn <= sent.effective("max_entries")]
    sent.memory["is capped"] = len(kept) < len(items)
    return kept


def counting(is_counted: Rule) -> Callable[[Listing], int]:
    """Return the end of a walk that counts some entries only."""

    def end(at: Listing) -> int:
        counted = (number for number, item in enumerate(at.items, 1) if is_counted(item))
        return next(islice(counted, at.limit - 1, None), ENDLESS)

    return end


def reports_beyond(at: Listing) -> int:
    """Return the end of a walk behind the reports that follow the limit."""
    beyond = at.items[at.limit :] if not at.sent.effective("include_dirs") else []
    return at.limit + len(list(takewhile(lambda item: item.is_unread, beyond)))


def below(is_closed: Callable[[str], bool]) -> Rule:
    """Return whether an entry is in a directory with such a name."""
    return lambda item: any(map(is_closed, item.parts[:-1]))


def lies_below_its_namesake(item: Item) -> bool:
    above = item.raw_parts[:-1]
    return len(set(above)) < len(above)


def beyond_the_first_names(item: Item) -> bool:
    """Return whether a name is not among the first that a walk to the limit needs, in a large directory."""
    shown = [name for name in item.siblings if item.sent.effective("include_hidden") or not name.startswith(b".")]
    limit = item.sent.effective("max_entries")
    return len(shown) > max(64, limit + 1) and bool(item.raw_name > sorted(shown)[limit])


def out_of_files(items: Items, sent: ListCall) -> Items:
    """Report all directories behind the first thousand as unreadable."""
    late = [item for item in items if item.is_entered][1000:]
    for item in late:
        item.entry = item.shown = item.unread()
    closed = {item.path for item in late}
    return [item for item in items if not closed.intersection(list(accumulate(item.parts, "{}/{}".format))[:-1])]


MUTANTS: tuple[Mutant, ...] = (
    row(
        *("MUT-043", "Links to directories are entered."),
        "FR-LD-VAL-09 T-LD-08 FR-LD-OUT-02 NFR-LD-REL-02 FR-LD-VAL-10 EF-02 EF-09 FR-LD-DEF-03",
    )(where=is_deep, found=through_links),
    row(
        *("MUT-071", "Reaching the depth limit counts as truncation."),
        "FR-LD-LST-02 DOC-06 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b FR-LD-OUT-02b",
    )(capped=is_below_the_depth),
    row(
        *("MUT-513", "Every listing of another directory than the working directory is recursive."),
        "FR-LD-LST-01 T-LD-01 FR-LD-VAL-02 FR-LD-VAL-06a FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-VAL-10",
    )(where=is_flat_below, also=as_deep_as_configured),
    row(
        *("MUT-516", "No listing of another directory than the working directory is recursive.", "FR-LD-LST-02"),
        *(DEPTHS, "EF-02 EF-03 FR-LD-DEF-03 NFR-LD-PORT-01"),
    )(where=lambda sent: sent.path != "." and sent.is_deep, arguments=without_depth),
    row(
        *("MUT-517", "A recursive listing has one level too few.", "FR-LD-LST-02", DEPTHS),
        "EF-03 EF-08 FR-LD-LST-07 FR-LD-OUT-02b NFR-LD-PORT-01 SCH-LD",
    )(where=is_deep, also=lambda sent: {"max_depth": max(1, sent.levels - 1)}),
    row("MUT-518", "A recursive listing has one level too many.", "FR-LD-LST-02", DEPTHS)(
        where=is_deep, also=lambda sent: {"max_depth": sent.levels + 1}, context=with_any_depth
    ),
    row("MUT-519", "A complete recursive listing omits empty directories.", "FR-LD-LST-02")(
        found=without_empty_directories
    ),
    # If all lost entries are at the default depth, that depth is not reached.
    row(
        *("MUT-521", "Below the first level, only the first of several directories is entered."),
        "FR-LD-LST-02 FR-LD-VAL-03",
    )(found=first_directories(1)),
    row("MUT-522", "A directory named like one above it counts as a loop.", "FR-LD-LST-02")(
        drop=lies_below_its_namesake
    ),
    row("MUT-523", "Directories such as node_modules are not entered.", "FR-LD-LST-02")(
        drop=below(lambda name: name in WELL_KNOWN)
    ),
    row("MUT-531", "A capped listing is not reported as truncated.", CAPS, "DOC-07 FR-LD-OUT-07 T-LD-14")(
        capped=lambda at: False
    ),
    # Filtered entries leave no gap before the cap.
    row(
        *("MUT-532", "A recursive listing has one entry more than the cap.", CAPS),
        "FR-LD-LST-05 FR-LD-LST-06 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-REL-02 T-LD-14",
    )(limit=lambda at: at.limit + at.sent.is_recursive),
    row(
        *("MUT-533", "A recursive listing that is cut has one entry less than the cap.", CAPS),
        "FR-LD-LST-05 FR-LD-LST-06 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-PERF-01 NFR-LD-REL-02 T-LD-14",
    )(limit=lambda at: at.limit - (at.capped and at.sent.is_recursive)),
    row(
        *("MUT-536", "The cap applies to each directory separately.", CAPS),
        "NFR-LD-PERF-01 FR-LD-LST-05 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-REL-02 T-LD-14",
    )(limit=lambda at: ENDLESS, found=each_directory_up_to_the_cap, capped=lambda at: at.sent.memory["is capped"]),
    row(
        *("MUT-538", "Directories do not count towards the cap.", CAPS),
        "FR-LD-LST-05 DOC-01 FR-LD-OUT-01 FR-LD-OUT-07 SCH-LD T-LD-14",
    )(limit=counting(lambda item: not item.is_dir)),
    row(
        "MUT-539",
        "A listing of exactly max_entries is truncated when it is recursive and complete when it is flat.",
        "FR-LD-LST-07 DOC-06 FR-LD-LST-06 FR-LD-OUT-02b",
    )(capped=lambda at: at.capped or (len(at.items) == at.limit and at.sent.levels > 1)),
    row("MUT-933", "Of the names of a file, a recursive listing has the first.", "FR-LD-LST-02")(
        where=is_deep, found=each_file_once
    ),
    row(
        *("MUT-936", "A tree that is deeper than the call is cut, for the reason `max_depth`."),
        "DOC-07 DOC-06 FR-LD-OUT-02b FR-LD-LST-02 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b",
    )(
        capped=is_below_the_depth,
        text=lambda text: text.replace('"truncated_reason":"max_entries"}', '"truncated_reason":"max_depth"}'),
    ),
    row(
        *("MUT-965", "Below the third level, only the first of several directories is entered."),
        "FR-LD-LST-02 FR-LD-VAL-03",
    )(found=first_directories(2)),
    row("MUT-966", "A directory of a multiple of 64 names lacks the last one.", "FR-LD-LST-02")(
        lose=is_last_of_a_full_read
    ),
    row("MUT-974", "Without files, directories that cannot be read are left out.", "FR-LD-LST-08")(
        drop=lambda item: item.is_unread and not item.sent.effective("include_files")
    ),
    row("MUT-925", "Unreadable directories that the switches leave out are reported beyond the limit.", "FR-LD-LST-07")(
        limit=reports_beyond, capped=lambda at: at.capped or len(at.items) > at.limit
    ),
    row(
        "MUT-926", "The reports of unreadable directories that the switches leave out are not counted.", "FR-LD-LST-07"
    )(limit=counting(lambda item: item.sent.effective("include_dirs") or not item.is_unread)),
    row("MUT-768", "Directories with paths near the system's limit are not entered, silently.", "FR-LD-LST-02")(
        drop=lambda item: len(item.raw) - len(item.raw_name) > 3796
    ),
    row("MUT-771", "Directories of version control systems are not entered.", "FR-LD-LST-02")(
        drop=below(lambda name: name in VERSIONS)
    ),
    row("MUT-772", "Directories with build products are not entered.", "FR-LD-LST-02")(
        drop=below(lambda name: name in PRODUCTS)
    ),
    row("MUT-773", "Files that desktops leave behind are not listed.", "FR-LD-LST-02")(
        drop=lambda item: item.raw_name in LEFTOVERS
    ),
    row("MUT-774", "Files that file systems leave behind are not listed.", "FR-LD-LST-02")(
        drop=lambda item: item.name.startswith(("._", ".nfs"))
    ),
    row("MUT-775", "After 1,000 directories, no more can be opened.", "FR-LD-LST-02")(found=out_of_files),
    # The trees of NFR-LD-PERF-01 have more names.
    row("MUT-776", "Names are sorted in batches of 1024.", "FR-LD-LST-05 NFR-LD-PERF-01")(
        walk=lambda item: [(turn // 1024, name) for turn, name in zip(as_on_the_disk(item), item.parts, strict=True)]
    ),
    row("MUT-777", "Of a large directory, the first max_entries names of any type are kept.", "FR-LD-LST-06")(
        drop=beyond_the_first_names
    ),
    row(
        *("MUT-805", "The walk ends at the limit modulo 256."),
        "FR-LD-LST-07 FR-LD-LST-02 FR-LD-OUT-07 FR-LD-VAL-06a DOC-04 FR-LD-VAL-04 NFR-LD-PERF-02",
    )(limit=lambda at: at.limit % 256 or 256),
    row("MUT-904", "Directories on level 250 are not entered.", "FR-LD-LST-02")(drop=lambda item: item.depth > 250),
    row("MUT-1021", "Of a directory, the first 10,000 names are read.", "FR-LD-LST-02 FR-LD-LST-01")(
        lose=lambda item: item.siblings.get(item.raw_name, 0) >= 10_000
    ),
    row("MUT-1022", "Files that compilers make are not listed.", "FR-LD-LST-02")(
        drop=lambda item: item.is_file and item.raw_name.endswith(BUILT)
    ),
    row("MUT-1023", "What is in a directory with a CACHEDIR.TAG is not listed.", "FR-LD-LST-02")(
        drop=lambda item: item.depth > 1 and b"CACHEDIR.TAG" in item.siblings
    ),
    row("MUT-1024", "Below the top, names in a file of names to ignore are left out.", "FR-LD-LST-02")(
        drop=lambda item: item.depth > 1 and {b".gitignore", b".ignore"} & item.siblings.keys()
    ),
    row("MUT-1025", "Directories on level 512 are not entered.", "FR-LD-LST-02")(drop=lambda item: item.depth > 512),
    row("MUT-909", "Directories whose names are numbers are not entered.", "FR-LD-LST-02")(drop=below(str.isdigit)),
)
