"""Mutants: errors in the text of a listing only."""

import os
import re

from treeproof.rows.ls.answer import Answer
from treeproof.rows.ls.text_parts import announcement, gap, heading, hint, line, notice, totals

from ..shared.mutant import Mutant
from .rows import row, text_row

LINE_2, LINE_3, LINE_4 = "LS-TEXT-02 LS-TEXT-05", "LS-TEXT-03 LS-TEXT-05", "LS-TEXT-04 LS-PAGE-04 LS-TEXT-05"
LINES, SUFFIX = "LS-TEXT-05 LS-TEXT-06", "LS-TEXT-06 LS-TEXT-05"


def counted(number: int, at: Answer) -> str:
    return f"Listed {number} entries in '{at.path}'"


def titled(path: str, at: Answer) -> str:
    return f"Listed {len(at.entries)} entries in '{path}'"


def singular(at: Answer) -> str:
    """Return line 2 in which the first count of 1 has a singular."""
    found = totals(at)
    for one in ("dir", "file", "link", "item"):
        if f" 1 {one}s" in found.replace("(Total:", ""):
            return found.replace(f" 1 {one}s", f" 1 {one}")
    return found


def of_the_page(at: Answer) -> str:
    counts = [f"{sum(entry.type == type for entry in at.entries)} {type}s" for type in ("dir", "file", "link")]
    return f"(Total: {len(at.entries)} items - {', '.join(counts)})"


def with_others(is_about: bool, at: Answer) -> str:
    """Return the text with a count of the other entries, if a page is long and truncated, or not."""
    rest = f"\n… and {at.total - len(at.entries)} more"
    return str(at.members["text"]) + rest * (len(at.entries) > 20 and at.is_truncated == is_about)


def one_for_each_name(lines: list[str]) -> list[str]:
    """Return the lines, but of those that differ in case only the first."""
    return [*reversed({one.lower(): one for one in reversed(lines)}.values())]


MUTANTS: tuple[Mutant, ...] = (
    row(
        *("MUT-LS-326", "The text shows at most fifty entries of a page.", "LS-TEXT-05"),
        listing={"text": lambda at: "\n".join(at.members["text"].split("\n")[:53])},
    ),
    text_row(
        *("MUT-LS-270", "A single entry is named in the singular.", "LS-TEXT-01"),
        heading=lambda at: heading(at).replace("Listed 1 entries", "Listed 1 entry"),
    ),
    text_row("MUT-LS-271", "Line 1 counts the whole list.", "LS-TEXT-01", heading=lambda at: counted(at.total, at)),
    text_row(
        *("MUT-LS-272", "Line 1 counts up to the limit.", "LS-TEXT-01"),
        heading=lambda at: counted(min(at.limit, at.total), at),
    ),
    text_row(
        *("MUT-LS-273", "Line 1 has double quotes.", "LS-TEXT-01 LS-TEXT-05"),
        heading=lambda at: heading(at).replace("'", '"'),
    ),
    text_row(
        *("MUT-LS-274", "Line 1 has the last name of the path.", "LS-TEXT-01"),
        heading=lambda at: titled(os.path.basename(at.path), at),
    ),
    text_row(
        *("MUT-LS-275", "Line 1 differs for an empty page.", "LS-TEXT-01"),
        heading=lambda at: heading(at) if at.entries else f"No entries in '{at.path}'",
    ),
    text_row(
        *("MUT-LS-424", "Line 1 escapes quotes and backslashes.", "LS-TEXT-01"),
        heading=lambda at: titled(at.path.replace("\\", "\\\\").replace('"', '\\"'), at),
    ),
    text_row("MUT-LS-425", "Line 1 is a format.", "LS-TEXT-01", heading=lambda at: heading(at).replace("%s", "")),
    text_row(
        "MUT-LS-426", "Line 1 cuts paths to 80 characters.", "LS-TEXT-01", heading=lambda at: titled(at.path[:80], at)
    ),
    text_row("MUT-LS-276", "A single directory, file or link is named in the singular.", "LS-TEXT-02", totals=singular),
    text_row("MUT-LS-277", "Line 2 counts the page.", LINE_2, totals=of_the_page),
    text_row(
        *("MUT-LS-278", "Line 2 omits links if there are none.", LINE_2),
        totals=lambda at: totals(at).replace(", 0 links", ""),
    ),
    text_row(
        *("MUT-LS-279", "Line 2 names files before directories.", LINE_2),
        totals=lambda at: re.sub(r"(\d+ dirs), (\d+ files)", r"\2, \1", totals(at)),
    ),
    text_row(
        *("MUT-LS-268", "Line 2 separates thousands.", "LS-TEXT-02"),
        totals=lambda at: totals(at).replace(str(at.total), f"{at.total:,}"),
    ),
    text_row(
        *("MUT-LS-281", "Line 3 counts from 1.", "LS-TEXT-03"),
        notice=lambda at: notice(at).replace(f"Showing {at.start}-", f"Showing {at.start + 1}-"),
    ),
    text_row(
        *("MUT-LS-282", "Line 3 names the last shown entry.", "LS-TEXT-03"),
        notice=lambda at: notice(at).replace(f"-{at.end} of", f"-{at.end - 1} of"),
    ),
    text_row(
        *("MUT-LS-283", "Line 3 starts at the first entry on every page.", "LS-TEXT-03"),
        notice=lambda at: notice(at).replace(f"Showing {at.start}-", "Showing 0-"),
    ),
    text_row(
        *("MUT-LS-284", "Line 3 has a singular.", "LS-TEXT-03"),
        notice=lambda at: notice(at).replace(" 1 more items", " 1 more item"),
    ),
    text_row(
        *("MUT-LS-285", "Line 3 is present without truncation.", LINE_3),
        announcement=lambda at: announcement(at) or [notice(at)],
    ),
    text_row("MUT-LS-286", "Line 4 is missing.", LINE_4, announcement=lambda at: announcement(at)[:1]),
    text_row(
        *("MUT-LS-287", "Line 4 names the limit too.", LINE_4),
        hint=lambda at: f"Use offset={at.end} and limit={at.limit} to view next page.",
    ),
    text_row(
        *("MUT-LS-121", "After the first page, no next offset is returned.", "LS-PAGE-04 LS-TEXT-04 LS-TEXT-05"),
        hint=lambda at: "More can be listed." if at.offset else hint(at),
    ),
    text_row(
        *("MUT-LS-122", "The next offset skips one entry.", "LS-PAGE-04 LS-TEXT-04 LS-TEXT-05"),
        hint=lambda at: f"Use offset={at.end + 1} to view next page.",
    ),
    text_row(
        *("MUT-LS-123", "The next offset is the limit.", LINE_4),
        hint=lambda at: f"Use offset={at.limit} to view next page.",
    ),
    text_row("MUT-LS-288", "The empty line is missing.", "LS-TEXT-05", gap=lambda at: []),
    text_row(
        *("MUT-LS-266", "A page without entries has a line that reports this.", "LS-TEXT-05"),
        gap=lambda at: gap(at) or ["", "(empty)"],
    ),
    text_row("MUT-LS-289", "The lines are sorted by name alone.", "LS-TEXT-05", lines=sorted),
    text_row("MUT-LS-290", "The lines have bullets.", LINES, line=lambda at: f"- {line(at)}"),
    text_row("MUT-LS-291", "The lines are indented.", LINES, line=lambda at: f"  {line(at)}"),
    text_row("MUT-LS-292", "The entries are on one line.", LINES, lines=lambda lines: [", ".join(lines)]),
    text_row("MUT-LS-293", "The text shows four entries at most.", LINES, lines=lambda lines: lines[:4]),
    row(
        *("MUT-LS-427", "The text of a long page ends with a count of the others.", "LS-TEXT-05"),
        listing={"text": lambda at: with_others(True, at)},
    ),
    row(
        *("MUT-LS-428", "The text of a long whole list ends with a count.", "LS-TEXT-05"),
        listing={"text": lambda at: with_others(False, at)},
    ),
    text_row(
        *("MUT-LS-429", "Lines are cut to 80 characters.", "LS-TEXT-05"),
        line=lambda at: found if len(found := line(at)) <= 80 else found[:77] + "...",
    ),
    text_row("MUT-LS-447", "A line of more than 100 letters is cut.", "LS-TEXT-05", line=lambda at: line(at)[:100]),
    text_row("MUT-LS-448", "Of names that differ in case only one has a line.", "LS-TEXT-05", lines=one_for_each_name),
    text_row(
        "MUT-LS-363", "Blanks in a row become one in a line.", "LS-TEXT-05", line=lambda at: re.sub(" +", " ", line(at))
    ),
    text_row("MUT-LS-294", "Links have no suffix.", "LS-TEXT-06", line=lambda at: at.path if at.is_link else line(at)),
    text_row(
        *("MUT-LS-295", "A link to a directory ends in a slash.", "LS-TEXT-06"),
        line=lambda at: f"{at.path}/" if at.is_link and at.sorts_first else line(at),
    ),
    text_row("MUT-LS-296", "Directories have no suffix.", SUFFIX, line=lambda at: at.path if at.is_dir else line(at)),
    text_row(
        *("MUT-LS-297", "Directories end in a backslash.", SUFFIX),
        line=lambda at: f"{at.path}\\" if at.is_dir else line(at),
    ),
    text_row(
        "MUT-LS-298", "Links begin with an at-sign.", SUFFIX, line=lambda at: f"@{at.path}" if at.is_link else line(at)
    ),
    text_row(
        *("MUT-LS-299", "Executable files end in a star.", "LS-TEXT-06"),
        line=lambda at: f"{at.path}*" if at.path.endswith(".sh") else line(at),
    ),
    text_row(
        *("MUT-LS-100", "The text contains the target of a link.", "LS-DATA-07 LS-TEXT-05 LS-SEC-07 LS-TEXT-06"),
        line=lambda at: line(at) + (f" -> {at.target}" if at.is_link else ""),
    ),
    text_row(
        *("MUT-LS-269", "Doubled percent signs become one, and trailing blanks are removed.", "LS-TEXT-05"),
        line=lambda at: line(at).replace("%%", "%").rstrip(),
    ),
)
