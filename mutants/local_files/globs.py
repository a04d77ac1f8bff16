"""Mutants: errors in the meaning of globs, as other globs in place of the requested ones."""

import re
from collections.abc import Callable, Iterator

from treeproof.api import CallResult
from treeproof.rows.local_files.row import Entry, FileCall, Item, Items, Rule, replaced

from ..shared.mutant import Mutant
from .implied import DEEP, GLOB, GLOBS
from .requests import as_latin_1
from .rows import search

TOKEN = re.compile(r"\\.|\[.[^]]*\]|(?<![^/{,])\*\*+/|\*+|.", re.DOTALL)
"""An escaped character, a set, levels, stars, or another character."""
TWO_STARS = "**/"
BRACES = r"\{([^{},]*),([^{}]*)\}"

Change = Callable[[str], str]


def in_glob(pattern: str) -> Rule:
    return lambda sent: re.search(pattern, sent.glob)


def tokens(change: Change) -> Change:
    return lambda glob: TOKEN.sub(lambda found: change(found[0]), glob)


def token(wanted: str, text: str) -> Change:
    """Return the change of one token into another text."""
    return tokens(lambda found: text if found == wanted else found)


def sets(change: Change) -> Change:
    """Return the change of what is in each set."""
    return tokens(lambda found: f"[{change(found[1:-1])}]" if found[:1] == "[" and len(found) > 1 else found)


def first_of_set(inner: str) -> str:
    return inner[:2] if inner.startswith("!") else inner[:3] if inner[1:2] == "-" else inner


def to_the_last_bracket(found: re.Match[str]) -> str:
    """Return the set of all characters from a bracket to the last one."""
    return f"[{''.join(sorted(set(found[1]), key=lambda sign: (sign != ']', sign == '-')))}]"


def as_expression(glob: str) -> str:
    """Return the glob in which a bar, a caret and a dollar are those of regular expressions."""
    changed = re.sub("[$^]", "", glob).replace("|", ",")
    return glob if "[" in glob or changed == glob else f"{{{changed}}}"


def with_short_levels(glob: str) -> str:
    """Return the glob in which two stars are one level at most from their third occurrence on."""
    parts = glob.split(TWO_STARS)
    return "{,*/}".join([TWO_STARS.join(parts[:3]), *parts[3:]])


def like_windows(glob: str) -> str:
    """Let `*.*` match every name, and an extension of three letters the beginning of one."""
    if glob.endswith("*.*"):
        return glob.removesuffix(".*")
    return glob + "*" if re.search(r"\*\.\w{3}$", glob) else glob


def spelt_out(glob: str) -> Iterator[str]:
    """Yield a glob for each alternative and each number of levels."""
    before, stars, behind = glob.partition(TWO_STARS)
    if braces := re.search(r"\{([^{}]*)\}", glob):
        for choice in braces[1].split(","):
            yield from spelt_out(glob[: braces.start()] + choice + glob[braces.end() :])
    elif stars:
        for number in range(5):
            yield from spelt_out(before + "*/" * number + behind)
    else:
        yield glob


def each_way(found: Items, sent: FileCall) -> list[Entry]:
    paths = [entry["path"] for glob in spelt_out(sent.glob) for entry in sent.entries_of_call(glob=glob)]
    return [at.entry for at in found for _ in range(max(1, paths.count(at.path)))]


def is_found_late(at: Item) -> bool:
    """Return whether an entry is below the first directory that the glob names, but not at once."""
    name, *rest = at.sent.glob.removeprefix(TWO_STARS).split("/")
    is_plain = bool(rest) and at.sent.glob.startswith(TWO_STARS) and not set(name) & set("*?[{") and "**" not in rest
    return is_plain and name in at.parents and len(at.names) - at.parents.index(name) > len(rest) + 1


def separated(id: str, summary: str, separator: str) -> Mutant:
    """Return the mutant that takes a glob for several ones."""

    def each(found: Items, sent: FileCall) -> list[Entry]:
        return [entry for glob in filter(None, sent.glob.split(separator)) for entry in sent.entries_of_call(glob=glob)]

    is_plain = lambda sent: "{" not in sent.glob and sent.glob.strip(separator)  # noqa: E731
    return search(id, summary, GLOB, where=is_plain, found=each)


def instead(glob: str) -> Callable[[FileCall, CallResult], CallResult]:
    """Return the answer for another glob instead of an error."""
    return lambda sent, received: sent.answer({**sent.given, "glob": glob}) if sent.glob else received


MUTANTS: tuple[Mutant, ...] = (
    search("MUT-LF-099", "Blanks around a glob are ignored.", GLOBS, glob=str.strip),
    search("MUT-LF-143", "A glob is decoded as ISO-8859-1.", GLOB, glob=as_latin_1),
    search("MUT-LF-114", "Two stars match exactly one level.", GLOBS, glob=token(TWO_STARS, "*/")),
    search(
        *("MUT-LF-127", "Two stars and a slash match the beginning of a name too.", GLOBS),
        glob=token(TWO_STARS, "**"),
    ),
    search("MUT-LF-116", "A star matches at least one character.", GLOBS, glob=token("*", "?*")),
    search("MUT-LF-117", "A match of the beginning suffices.", GLOBS, glob=lambda glob: f"{glob}**"),
    search("MUT-LF-118", "A match of a part suffices.", GLOBS, glob=lambda glob: f"**{{{glob}}}**"),
    search("MUT-LF-119", "A dot matches any character.", GLOBS, glob=token(".", "{?,/}")),
    search("MUT-LF-121", "Only the first of several alternatives has an effect.", GLOBS, glob=replaced(BRACES, r"\1")),
    search(
        *("MUT-LF-122", "Ranges in brackets are literal characters.", GLOBS),
        glob=sets(lambda inner: inner.replace("-", "") + "-" * ("-" in inner)),
    ),
    search("MUT-LF-124", "A question mark may match nothing.", GLOBS, glob=token("?", "{,?}")),
    search(
        *("MUT-LF-136", "A set ends at the last bracket of the glob.", GLOBS),
        glob=replaced(r"\[([^]]+\].*)\]", to_the_last_bracket),
    ),
    search("MUT-LF-137", "A set of one character is malformed.", GLOBS, refuses=in_glob(r"\[.\]")),
    search("MUT-LF-138", "A comma after alternatives is malformed.", GLOBS, refuses=in_glob(r"\}[^{}]*,[^{}]*$")),
    search("MUT-LF-151", "A line break after a match is ignored.", GLOB, glob=lambda glob: f"{{{glob},{glob}\n}}"),
    search(
        *("MUT-LF-181", "A bar, a caret and a dollar have their meaning in regular expressions.", GLOB),
        glob=as_expression,
    ),
    search(
        *("MUT-LF-183", "Only the first range or negated character of a set has an effect.", GLOB),
        glob=sets(first_of_set),
    ),
    search(
        *("MUT-LF-184", "A question mark matches neither a dot nor a character beyond 16 bits.", GLOB),
        glob=token("?", "[!.\U00010000-\U0010ffff]"),
    ),
    search("MUT-LF-185", "Alternatives with a slash are malformed.", GLOB, DEEP, refuses=in_glob(r"\{[^}]*/")),
    search("MUT-LF-186", "A path that matches in two ways is found twice.", GLOB, found=each_way),
    search(
        *("MUT-LF-187", "Two stars match at most one level from their third occurrence on.", GLOB),
        glob=with_short_levels,
    ),
    search(
        *("MUT-LF-188", "Sets of characters are case-insensitive.", GLOB),
        glob=sets(lambda inner: inner + (inner.swapcase() if not inner.startswith("!") else inner[1:].swapcase())),
    ),
    search(
        *("MUT-LF-189", "Below a root with a trailing slash, paths lack their first character.", DEEP),
        where=lambda sent: sent.path.endswith("/"),
        glob=lambda glob: f"?{{{glob}}}",
    ),
    search("MUT-LF-218", "Extensions match as on Windows.", GLOB, glob=like_windows),
    search(
        *("MUT-LF-219", "Of an extension only the last part is compared.", GLOB),
        glob=replaced(r"\*\.\w+(\.\w+)$", r"*\1"),
    ),
    search("MUT-LF-220", "A plus repeats what is before it.", GLOB, glob=replaced(r"(.)\+", r"{\1,\1\1,\1\1\1}")),
    search(
        *("MUT-LF-221", "Only letters beyond ASCII match in either case.", GLOB),
        glob=replaced("[^\0-\x7f]", lambda found: f"[{found[0].lower()}{found[0].upper()}]"),
    ),
    separated("MUT-LF-237", "A comma separates two globs.", ","),
    separated("MUT-LF-238", "A semicolon separates two globs.", ";"),
    separated("MUT-LF-239", "A blank separates two globs.", " "),
    search(
        *("MUT-LF-291", "Stars and question marks in a set mean the same as outside.", GLOB),
        glob=replaced(r"\[([*?]+)\]", lambda found: f"{{{','.join(found[1])}}}"),
    ),
    search(
        *("MUT-LF-317", "The third and later alternatives have no effect.", GLOB),
        glob=replaced(r"\{([^{},]*),([^{},]*),[^{}]*\}", r"{\1,\2}"),
    ),
    search(
        *("MUT-LF-318", "A number in braces repeats what is before it.", GLOB),
        glob=replaced(r"(.)\{(\d+)\}", lambda found: found[1] * int(found[2])),
    ),
    search(
        *("MUT-LF-319", "Two stars and a slash inside a glob match the beginning of a name too.", GLOB),
        glob=lambda glob: glob[:3] + glob[3:].replace(TWO_STARS, "**"),
    ),
    search(
        *("MUT-LF-323", "A hyphen at an end of a set is passed over.", GLOB),
        glob=sets(lambda inner: inner.strip("-") or "-"),
    ),
    search("MUT-LF-343", "Two stars and a slash end at the first directory that fits.", GLOB, drop=is_found_late),
    search("MUT-LF-111", "A malformed glob finds nothing.", "LF-ERR-02", failed=instead("/nothing")),
    search("MUT-LF-112", "A malformed glob finds everything.", "LF-ERR-02", failed=instead("**")),
)
