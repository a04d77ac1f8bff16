"""Mutants: errors in which entries patterns omit, and in the syntax of patterns."""

import os
import re
from collections.abc import Callable
from fnmatch import fnmatchcase as fits
from unicodedata import normalize

from treeproof.rows.ls.answer import Entry
from treeproof.rows.ls.row import strings

from ..shared.mutant import Mutant
from .filtering import excluded, filter_row, has_separator, hidden, ignored, pattern_row, patterns, spellings, texts
from .rows import list_row, row

SET = r"\[!?\]?[^\]]*\]"
LOOSE_SET = r"\[!?[^\]]*\]"
INSTEAD = "LS-PAGE-04 LS-TEXT-02 LS-STAT-01 LS-STAT-02 LS-FILT-07 LS-PAGE-02"


def expression(glob: str, set: str = SET, letter: Callable[[str], str] = re.escape) -> str:
    """Return a glob as a regular expression, made piece by piece: `set` matches a set, `letter` converts a letter."""
    return "".join(_piece(one, letter) for one in re.findall(f"{set}|.", glob, re.DOTALL))


def _piece(piece: str, letter: Callable[[str], str]) -> str:
    if len(piece) == 1:
        return {"*": ".*", "?": "."}.get(piece) or letter(piece)
    kept = piece[1:-1].removeprefix("!").replace("\\", "\\\\").replace("]", "\\]")
    return f"[^{kept}]" if piece.startswith("[!") else f"[{kept}]"


def meets(expression: str, text: str, flags: re.RegexFlag = re.DOTALL) -> bool:
    """Return whether a regular expression matches the whole text; one that is wrong matches nothing."""
    try:
        return re.fullmatch(expression, text, flags) is not None
    except re.error:
        return False


def loose_sets(text: str, glob: str) -> bool:
    is_wrong = any(one in ("[]", "[!]") or one.endswith("-]") for one in re.findall(LOOSE_SET, glob))
    return not is_wrong and meets(expression(glob, LOOSE_SET), text)


def as_expression(text: str, pattern: str) -> bool:
    return meets(pattern.replace("*", ".*").replace("?", ".").replace("[!", "[^"), text, re.NOFLAG)


def units(text: str) -> str:
    """Return the units of UTF-16, of which a character beyond 16 bits has two, as characters."""
    encoded = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(encoded[at : at + 2])) for at in range(0, len(encoded), 2))


def negated_later(entry: Entry) -> bool:
    """Return whether the last pattern that matches has no exclamation mark."""
    out = False
    for pattern in patterns(entry):
        if any(fits(text, one) for text in texts(entry, pattern) for one in spellings(pattern.removeprefix("!"))):
            out = not pattern.startswith("!")
    return out


def choices(pattern: str) -> list[str]:
    found = re.fullmatch(r"\{(.*)\}", pattern)
    return found[1].split(",") if found else [pattern]


def above(entry: Entry) -> list[str]:
    """Return the paths of the directories above an entry."""
    parts = entry.path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]


def ranges_of_both_cases(pattern: str) -> str:
    return re.sub(r"(?<=\[)([a-zA-Z]-[a-zA-Z])(?=\])", lambda found: found[1] + found[1].swapcase(), pattern)


def also(ending: str) -> Callable[[str], list[str]]:
    """Return the spellings with those without an ending."""
    return lambda pattern: [*spellings(pattern), *spellings(pattern.removesuffix(ending))]


MUTANTS: tuple[Mutant, ...] = (
    row(
        *("MUT-LS-153", "include_hidden disables the patterns.", "LS-FILT-08 LS-FILT-04 LS-FILT-10"),
        where=lambda sent: isinstance(sent.arguments, dict) and sent.arguments.get("include_hidden") is True,
        ignore=strings(lambda given: []),
    ),
    filter_row(
        *("MUT-LS-154", "With patterns, the ignored names are shown.", "LS-FILT-08 LS-FILT-02", INSTEAD),
        ignored=lambda at: not patterns(at) and ignored(at),
    ),
    filter_row(
        *("MUT-LS-155", "With patterns, hidden entries are shown.", "LS-FILT-08 LS-FILT-01", INSTEAD),
        hidden=lambda at: not patterns(at) and hidden(at),
    ),
    pattern_row(
        *("MUT-LS-156", "A pattern can match any part of a name."),
        "LS-FILT-04 LS-FILT-07 LS-STAT-01 LS-TEXT-02 LS-FILT-06 LS-FILT-05",
        matches=lambda text, pattern: bool(pattern) and fits(text, f"*{pattern}*"),
    ),
    pattern_row(
        *("MUT-LS-157", "A pattern can match the beginning of a name.", "LS-FILT-04 LS-FILT-07 LS-FILT-06 LS-FILT-05"),
        matches=lambda text, pattern: bool(pattern) and fits(text, f"{pattern}*"),
    ),
    pattern_row(
        *("MUT-LS-158", "Patterns are case-insensitive.", "LS-FILT-04 LS-FILT-05"),
        matches=lambda text, pattern: fits(text.lower(), pattern.lower()),
    ),
    pattern_row(
        *("MUT-LS-159", "Patterns without a separator match paths too.", "LS-FILT-04"),
        texts=lambda at, pattern: (at.path, at.name),
    ),
    pattern_row(
        *("MUT-LS-160", "Patterns without a separator match paths only.", "LS-FILT-04 LS-FILT-05"),
        texts=lambda at, pattern: texts(at, pattern) if has_separator(pattern) else [at.path],
    ),
    row(
        *("MUT-LS-161", "Only the first pattern has an effect.", "LS-FILT-04 LS-FILT-08 LS-FILT-05"),
        ignore=strings(lambda given: given[:1]),
    ),
    row(
        *("MUT-LS-162", "Only the last pattern has an effect.", "LS-FILT-04 LS-FILT-10 LS-FILT-08 LS-FILT-05"),
        ignore=strings(lambda given: given[-1:]),
    ),
    pattern_row(
        *("MUT-LS-163", "A leading exclamation mark negates a pattern.", "LS-FILT-04"),
        matches=lambda text, pattern: fits(text, pattern.removeprefix("!")) != pattern.startswith("!"),
    ),
    row(
        *("MUT-LS-164", "Braces hold alternatives.", "LS-FILT-04"),
        ignore=strings(lambda given: [choice for one in given for choice in choices(one)]),
    ),
    filter_row(
        *("MUT-LS-181", "A pattern with an exclamation mark includes entries that others omit.", "LS-FILT-04"),
        excluded=negated_later,
    ),
    row(
        *("MUT-LS-182", "Patterns have comments and no blanks.", "LS-FILT-04"),
        ignore=strings(lambda given: [one.strip() for one in given if not one.startswith("#")]),
    ),
    pattern_row(
        *("MUT-LS-183", "A pattern without a separator matches any directory above an entry.", "LS-FILT-04 LS-FILT-10"),
        texts=lambda at, pattern: texts(at, pattern) if has_separator(pattern) else at.path.split("/"),
    ),
    pattern_row(
        *("MUT-LS-165", "A star does not match a leading dot.", "LS-FILT-04"),
        matches=lambda text, pattern: text.startswith(".") == pattern.startswith(".") and fits(text, pattern),
    ),
    row(
        *("MUT-LS-166", "Brackets are literal characters."),
        "LS-FILT-04 LS-FILT-10 LS-PAGE-04 LS-FILT-05 LS-TEXT-02 LS-STAT-01",
        ignore=strings(lambda given: [one.replace("[", "[[]") for one in given]),
    ),
    row(
        *("MUT-LS-167", "An exclamation mark in brackets is a member.", "LS-FILT-04 LS-STAT-01"),
        ignore=strings(lambda given: [one.replace("[!", "[\x00!") for one in given]),
    ),
    pattern_row("MUT-LS-168", "Patterns are regular expressions.", "LS-FILT-04", matches=as_expression),
    filter_row(
        *("MUT-LS-169", "Patterns do not apply to directories."),
        "LS-FILT-04 LS-TEXT-01 LS-FILT-05 LS-FILT-06 LS-FILT-07 LS-FILT-08 LS-STAT-03 LS-TEXT-02",
        excluded=lambda at: not at.is_dir and excluded(at),
    ),
    pattern_row(
        *("MUT-LS-171", "Patterns with a separator match names only.", "LS-FILT-05 LS-FILT-06"),
        texts=lambda at, pattern: [at.name],
    ),
    pattern_row(
        *("MUT-LS-184", "A pattern with a separator omits the content of a matching directory.", "LS-FILT-05"),
        texts=lambda at, pattern: [*texts(at, pattern), *(above(at) if has_separator(pattern) else [])],
    ),
    row(
        *("MUT-LS-172", "Patterns with a separator match nothing.", "LS-FILT-05"),
        ignore=strings(lambda given: [one for one in given if "/" not in one or one.startswith("**/")]),
    ),
    pattern_row(
        *("MUT-LS-173", "A leading slash of a pattern means the root.", "LS-FILT-05"),
        spellings=lambda pattern: [*spellings(pattern), pattern.removeprefix("/")],
    ),
    pattern_row(
        *("MUT-LS-174", "A leading **/ matches at least one directory.", "LS-FILT-06"),
        spellings=lambda pattern: [pattern, pattern.replace("\\", "/")],
    ),
    pattern_row(
        *("MUT-LS-175", "A leading **/ matches the beginning of a name too.", "LS-FILT-06"),
        spellings=lambda pattern: [*spellings(pattern), re.sub(r"^\*\*/", "**", pattern)],
    ),
    pattern_row(
        *("MUT-LS-176", "A leading **/ matches nothing before names only.", "LS-FILT-06"),
        spellings=lambda pattern: [one for one in spellings(pattern) if one == pattern or "/" not in one],
    ),
    pattern_row(
        *("MUT-LS-357", "A leading `**/` stands for no directory only.", "LS-FILT-06"),
        spellings=lambda pattern: [one for one in spellings(pattern) if not one.startswith("**/")],
    ),
    list_row(
        *("MUT-LS-177", "Patterns apply to the page, after the slice."),
        "LS-FILT-07 LS-TEXT-05 LS-STAT-01 LS-STAT-02 LS-PAGE-01 LS-PAGE-02 LS-TEXT-01 LS-TEXT-02 LS-PAGE-04 LS-TEXT-03",
        source=lambda at: at.all_pages(ignore=[]),
        shown=lambda at: [entry for entry in at.entries if not excluded(entry)],
    ),
    pattern_row(
        *("MUT-LS-354", "A pattern with a separator matches the end of a path.", "LS-FILT-05"),
        matches=lambda text, pattern: fits(text, pattern) or ("/" in pattern and fits(text, f"*/{pattern}")),
    ),
    pattern_row(
        *("MUT-LS-355", "A pattern with a separator matches a part of a path.", "LS-FILT-05"),
        matches=lambda text, pattern: fits(text, pattern) or ("/" in pattern and pattern in text),
    ),
    row(
        *("MUT-LS-416", "With an absolute path patterns do not apply.", "LS-FILT-04 LS-FILT-05"),
        where=lambda sent: isinstance(sent.arguments, dict) and str(sent.arguments.get("path")).startswith("/"),
        ignore=strings(lambda given: []),
    ),
    pattern_row(
        *("MUT-LS-300", "Only the dot of a pattern is escaped.", "LS-FILT-04"),
        matches=lambda text, glob: meets(expression(glob, letter=lambda one: "\\." if one == "." else one), text),
    ),
    row(
        *("MUT-LS-301", "A pattern with an unclosed bracket matches nothing.", "LS-FILT-04"),
        ignore=strings(lambda given: [one for one in given if "[" not in re.sub(SET, "", one)]),
    ),
    pattern_row("MUT-LS-302", "A set ends at the first closing bracket.", "LS-FILT-04", matches=loose_sets),
    pattern_row(
        *("MUT-LS-303", "Patterns match single lines of a name.", "LS-FILT-04"),
        matches=lambda text, glob: meets(f"(?:{expression(glob)})\n?", text, re.NOFLAG),
    ),
    pattern_row(
        *("MUT-LS-304", "Neither a question mark nor a set matches a leading dot.", "LS-FILT-04"),
        matches=lambda text, pattern: not (text[:1] == "." and pattern[:1] in ("?", "[")) and fits(text, pattern),
    ),
    pattern_row(
        *("MUT-LS-305", "Patterns and names are compared in one normal form.", "LS-FILT-04"),
        matches=lambda text, pattern: fits(normalize("NFC", text), normalize("NFC", pattern)),
    ),
    pattern_row(
        *("MUT-LS-350", "A question mark stands for a byte.", "LS-FILT-04"),
        matches=lambda text, glob: fits(text.encode().decode("latin-1"), glob.encode().decode("latin-1")),
    ),
    pattern_row(
        *("MUT-LS-351", "A question mark stands for sixteen bits.", "LS-FILT-04"),
        matches=lambda text, pattern: fits(units(text), units(pattern)),
    ),
    row(
        *("MUT-LS-352", "A range whose ends are reversed makes all patterns void.", "LS-FILT-04"),
        ignore=strings(lambda given: [] if "[z-a]" in given else given),
    ),
    row(
        *("MUT-LS-353", "A bracket that stays open makes all patterns void.", "LS-FILT-04"),
        ignore=strings(lambda given: [] if "[" in given else given),
    ),
    row(
        *("MUT-LS-306", "Patterns have commas, comments and variables.", "LS-FILT-04"),
        ignore=strings(
            lambda given: [part for one in given if one[:1] != ";" for part in os.path.expandvars(one).split(",")]
        ),
    ),
    row(
        *("MUT-LS-307", "Only the first fifty patterns have an effect.", "LS-FILT-04"),
        ignore=strings(lambda given: given[:50]),
    ),
    row(
        *("MUT-LS-308", "A leading dot and slash of a pattern are ignored.", "LS-FILT-05"),
        ignore=strings(lambda given: [one.removeprefix("./") for one in given]),
    ),
    pattern_row("MUT-LS-462", "`foo/` excludes the directory `foo`.", "LS-FILT-05", spellings=also("/")),
    pattern_row("MUT-LS-463", "`dist/**` excludes `dist` itself.", "LS-FILT-05", spellings=also("/**")),
    row(
        *("MUT-LS-441", "A range of letters holds both cases.", "LS-FILT-04"),
        ignore=strings(lambda given: [*map(ranges_of_both_cases, given)]),
    ),
)
