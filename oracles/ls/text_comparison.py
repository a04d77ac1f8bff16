"""The comparison of the envelope's text, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.api import Finding

from .expected import ExpectedListing
from .kinds import OTHER_ENTRY_LINE, OTHER_HEAD_LINES

TYPE_SUFFIXES = {"dir": "/", "link": "@", "file": ""}


def compare_text(
    expected: ExpectedListing, names: list[str], text: str, truncated: bool, other_total: int | None = None
) -> Iterator[Finding]:
    """Yield the differences of a text.

    `names` are those of the answer's entries in their order; `truncated` is the flag that is right for the listing.
    `other_total` is the total of the stats if it is wrong. A second line with the same total counts another list, which
    is no error of the text.
    """
    if not all(one.isprintable() for one in (*expected.headings, *names)):
        return  # a tool may show such signs in another way in a text for people
    lines = text.rstrip("\n").split("\n")
    head = list(_head_lines(expected))
    counts_another_list = other_total is not None and len(lines) > 1 and f"Total: {other_total} items" in lines[1]
    for number, (requirement, *accepted) in enumerate(head[:1] if counts_another_list else head):
        got = lines[number] if number < len(lines) else ""
        if got not in accepted and "$" not in accepted[0]:
            others = ("LS-FILT-07",) if requirement == "LS-TEXT-02" else ()
            message, kind = f"line {number + 1} of the text is wrong", OTHER_HEAD_LINES[number]
            yield Finding(requirement, message, accepted[0], got, others, stage="text", kind=kind)
    yield from _compare_entry_lines(expected, names, lines, len(head), truncated)


def _head_lines(expected: ExpectedListing) -> Iterator[tuple[str, ...]]:
    """Yield the lines before the entries: for each its requirement, then the accepted texts."""
    total, end = len(expected.entries), expected.page_end
    counts = ", ".join(f"{expected.count_of(type)} {type}s" for type in ("dir", "file", "link"))
    yield "LS-TEXT-01", *(f"Listed {len(expected.page)} entries in '{path}'" for path in expected.headings)
    yield "LS-TEXT-02", f"(Total: {total} items - {counts})"
    if expected.has_next_page:
        shown = f"Showing {expected.request.offset}-{end} of {total}."
        yield "LS-TEXT-03", f"[Truncated: {shown} {total - end} more items available.]"
        yield "LS-TEXT-04", f"Use offset={end} to view next page."


def _compare_entry_lines(
    expected: ExpectedListing, listed: list[str], lines: list[str], head: int, truncated: bool
) -> Iterator[Finding]:
    by_name = {entry.name: entry for entry in expected.page}
    page = [by_name[name] for name in listed]
    names = [entry.name if expected.shows_names_only else entry.path for entry in page]
    entry_lines = [name + TYPE_SUFFIXES[entry.type] for name, entry in zip(names, page, strict=True)]
    got = lines[-len(entry_lines) :] if entry_lines else []
    values = "\n".join(entry_lines), "\n".join(got)
    if [line.rstrip("/@") for line in got] != [name.rstrip("@") for name in names]:
        yield _entry_line_finding("LS-TEXT-05", "the lines of the entries differ", *values)
    elif got != entry_lines:
        yield _entry_line_finding("LS-TEXT-06", "a line has another ending", *values)
    elif entry_lines and lines[-len(entry_lines) - 1 : -len(entry_lines)] != [""]:
        yield _entry_line_finding("LS-TEXT-05", "there is no empty line before the entries", "", "\n".join(lines[:8]))
    elif not truncated and len(lines) != head + bool(entry_lines) + len(entry_lines):
        others = ("LS-TEXT-03", "LS-TEXT-04")
        yield _entry_line_finding("LS-TEXT-05", "the text has other lines", "", "\n".join(lines[:8]), others)


def _entry_line_finding(
    requirement: str, message: str, expected: str, got: str, others: tuple[str, ...] = ()
) -> Finding:
    return Finding(requirement, message, expected, got, others, stage="text", kind=OTHER_ENTRY_LINE)
