"""The families of rare cases: unusual names and paths, long lists, earlier calls. A run has only the last of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from treeproof.api import (
    REMOVE_MEMBER,
    Case,
    CaseFamily,
    CaseUpdate,
    Kind,
    Node,
    Stage,
    Tree,
    TreeShape,
    parse_tree,
)

from ..shared.generators import UNCHANGED, after_other_calls, one_of
from ..shared.rare_names import as_bytes

OUTSIDE = "outside/{secret, sub/{deep}, f}, root2/{x}, linked->root"
"""The tree beside the project root of every random case."""

_BLANKS = as_bytes("a b", "a  b", "a", " a", "a ", "c  d", "c d", "c", "a   b")
_SIGNS = as_bytes(
    *("$HOME", "~e", "`c`", "k;l", "$(m)", "%s", "100%", "a%20b", "%41", "&amp;", "a+b", "'b'", '"a"', "[e]"),
    *("{f,g}", "h*", "i?", "#j", "a:b", "c:", "d:e", "a|b", "a", "c", "b"),
)
_KNOWN_TO_PROGRAMS = as_bytes(
    *("con", "nul.txt", "aux", "F.TXT", "B.Tar.GZ", "a~", "a.bak", "a.orig", "#a#", "~$a", "core", "Thumbs.db"),
    *("constructor", "toString", "__proto__", "hasOwnProperty", "1", "02", "4e5", "true", "null", "a.swp", "a.tmp"),
)
_FORMS = as_bytes("\u00e9", "e\u0301", "\u212b", "\u00e5", "A\u030a", "\ufb01", "fi", "\u6587", "\u6587\u4ef6", "e")
_MARKS = as_bytes("\ufeffa", "a", "b\u200bc", "bc", "\u202ed", "d", "e\u00adf", "g\u00a0h", "\u3000", "g h")
_CASES = as_bytes("Ab", "aB", "ab", "AB", "d", "D", "e")
_LONG = as_bytes("n" * 255, "m" * 200, "k" * 120, "j" * 85, "x", "w" * 101)
_DOTS = as_bytes(
    "..a", "..c", ".a", "a.", "...", "xgit", "agit", ".git", "xDS_Store", "builds", "mybuild", "build", "c."
)
_ORDER = as_bytes("a", "a b", "a-b", "a.b", "a.txt", "a b.txt", "c-d.txt", "c.txt", "c", "ab")
_TARGETS = (
    b"a",
    b"../a",
    b"b/a",
    b"c",
    b"d",
    b"e",
    b"build",
    b".a",
    b"gone",
    b"../outside",
    b"$ROOT/a",
    b"$ROOT",
    b".",
)
_KINDS = (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FILE, Kind.FIFO, Kind.SOCKET)
NAMES = TreeShape(
    (_BLANKS, _SIGNS, _KNOWN_TO_PROGRAMS, _FORMS, _MARKS, _CASES, _LONG, _DOTS, _ORDER),
    _KINDS,
    _TARGETS,
    sizes=(0, 12, 2**31),
    directory_modes=(None, 0o1755, None, 0o2755),
    max_entries=16,
    hard_links=True,
)
SIZES_TREE = parse_tree("a=2147483648, b=4294967297, c=9007199254740993, d/{e=9223372036854775807, f}, g")
REPEATED = TreeShape(
    (as_bytes("a", "b", "c", "d1", "e"),),
    (Kind.FILE, Kind.DIR, Kind.SYMLINK),
    (b"a", b"b", b"../outside"),
    sizes=(0, 12),
)

COMPONENTS = (
    *("con", "aux.txt", "nul", "com1", "d:12", "[a]", "{b,c}", "d?", "!e", "**", "~root", "~", "f~", "`a`", "$(b)"),
    *("${c}", "d&e", "f|g", "#h", "i;j", "100%", "%s", "%2f", "%2e%2e", "a  b", "e ", " e", "c\u00a0", "\u3000d"),
    *("a\u200b", "\u202eb", "\ufeffc", "d\u00ade", "e\u0301", "\u00e9", "\u212b", "'q'", '"q"', "it's", "\u6587"),
    *("\t", "a\tb", "\x01", "n" * 255, "m" * 120, "{path}", "$&", "a$$b", "%n", "\\", "a\\b", "h.", ".h", "..c"),
    *("...", "0", "A", "a", "con.", "q\n", "a#b", "a;b", "b:7", "'", "%41", "-", "--", "*", "a/b/c/d/e/f/g/h/i/j"),
)
"""Names of directories in a path: each means something to a program, is changed by one, or is long."""

WAYS_OUT = (
    *("..\\outside", "%2e%2e/outside", "..%2foutside", "%252e%252e%252foutside", " ../outside", "\n../outside"),
    *("'../outside'", '"../outside"', "..\u200b/outside", "\uff0e\uff0e/outside", "file://$OUTSIDE/outside"),
    *("\t../outside", "a/..\\..\\outside", "../outside ", "`../outside`", "~/../outside", "..;/outside"),
    *("%2e%2e%2foutside", "..\uff0foutside", "..\\/outside", "\ufeff../outside", "..%00/outside", "%2E%2E/outside/sub"),
)
"""Paths that lead nowhere as they are written, and out of the project for a tool that decodes or trims them."""

PLACES_TREE = parse_tree(
    ".h/{.i, j, build/{.k, m}, .git/{x}, sub/{.n}}, build/{dist/{y}, .z, node_modules/, a, venv/{.v}}, "
    "d/{.h, build/{x}, a, A1/, sub/{.h2, e/{f, .f}, target/}}, a, a.log, 'a b'/{c/{x}}"
)
LINKS_TREE = parse_tree(
    'build/{y}, .h/{j}, .gitignore="a\\nd\\nb/\\n", d/{a, sub/{e}}, a, b/{d/, x->../d/sub, a->../d/a}, l->d, '
    "labs->$ROOT/d, lb->build, lh->.h/j, li->.gitignore, lg->.h, out->../outside, far->../outside/sub, "
    "outf->../outside/f, gone->nowhere"
)
SPECIAL_TREE = parse_tree(
    "p:fifo, s:sock, lp->p, ls->s, ln->/dev/null, f, d/{lp->../p, ls->../s}, lf->f, ld->d, h=>f, d2/{h2=>f}"
)
CLOSED_TREE = parse_tree("a, closed/%0000{x}, g%0000=3, l->closed/x, m->g, n->closed, d/{k->../closed/x, e}")


def _numbered(name: str, count: int) -> Node:
    files = tuple(Node(f"f{number:04}".encode(), Kind.FILE) for number in range(count))
    return Node(name.encode(), Kind.DIR, children=files)


LONG_LISTS: tuple[CaseUpdate, ...] = tuple(
    {"arguments.path": f"d{count}", "tree": Tree((_numbered(f"d{count}", count),))}
    for count in (0, 64, 120, 205, 128, 120, 205, 500, 2100)
)
"""Listings of one long directory each; every case has its own, so that a counterexample has no others."""

RANGED_TREE = parse_tree(
    "a1, B1, c1, d1, a5, a9, C1, '[', '[a', 'a[b', \u00e9, '\u6587', '\u6587\u4ef6', 'e\u0301', b1, 'a]', "
    "ba, 'a b', a+b, '!a', x/{a1, B1, b1, a-, ab, ac}"
)
_RANGED_PIECES = (
    "[a-c]",
    "[A-C]",
    "[0-8]",
    "[z-y]",
    "[!a-c]",
    "[b-]",
    "[",
    "?",
    "1",
    "*",
    "a",
    "\u00e9",
    "[a",
    "[]a]",
    "b",
)
RANGED_PATTERNS = tuple("".join(pieces) for count in (1, 2) for pieces in product(_RANGED_PIECES, repeat=count))

REFUSED: dict[str, tuple[Any, ...]] = {
    "limit": (201, 256, 257, 2**32 + 5, 2**64 + 5, 0, -1, 1.5, True, "5", None, 1000),
    "offset": (-1, -5, -(2**64) + 1, 1.5, False, "0", None),
    "include_hidden": ({}, {"a": 1}, [], "yes", None),
    "ignore": ([{}], [1], {}, "*", 1, [None]),
    "path": (False, {}, [], 0, None, 0.0),
}
ACCEPTED: dict[str, tuple[Any, ...]] = {
    "limit": (1, 5, 100, 199, 200),
    "offset": (0, 1, 6, 2**31, 2**32, 2**32 + 1, 2**63, 2**64, 2**64 + 1),
    "include_hidden": (True, False),
    "ignore": ([], [""], ["", "b.log"], ["e\u0301", "\u212b"], ["d3\\x", "\\"], None, ["d?", "zz\\yy"]),
    "path": (".", "d1", "missing", "e\u0301", "a.txt", "./d1/", "missing/"),
}
UNKNOWN: tuple[tuple[str, Any], ...] = (
    *(("recursive", True), ("constructor", 1), ("toString", "x"), ("Path", "d1")),
    *(("hasOwnProperty", 1), ("max_depth", 2), ("include_dirs", False)),
)
NON_OBJECTS: tuple[Any, ...] = ("{}", '{"limit": 1}', [{}], [{"limit": 1}], "null", True, 0, [], "")
ARGUMENTS_TREE = parse_tree("d1/{x, y/{z}}, d2/, a.txt, b.log, c.txt, l->d1, .h, build/, .e/{.i, j}")


PATHS_TREE = parse_tree("a/{b/{c/{x, y/}, x}, c/{x}, x/}, b/{x, c/{x}, a/}, x, c/{b/{x}, x}, bb/{cc/{x}}, ab/")
_PATHS = tuple(path.decode() for path, _ in PATHS_TREE.walk())
PATH_PATTERNS = tuple(
    dict.fromkeys(
        f"{start}{'/'.join(parts[at:])}"
        for parts in (path.split("/") for path in _PATHS)
        for at in range(len(parts))
        for start in ("", "**/", "**/" if at else "a/")
    )
)


def rare_families() -> Iterator[CaseFamily]:
    """Yield the families."""
    hidden = one_of("arguments.include_hidden", UNCHANGED, True, UNCHANGED)

    def family(
        name: str,
        tree: TreeShape | Tree | None,
        *stages: Stage,
        needs: frozenset[str] = frozenset(),
        relative_size: float = 0,
    ) -> CaseFamily:
        return CaseFamily(name, tree, stages, OUTSIDE, needs, relative_size)

    yield family("unusual names", NAMES, _place, hidden, _unusual_ignore)
    yield family("unusual paths", None, _unusual_path, _tree_for_path)
    yield family("ways out", parse_tree("a/{b}, f"), one_of("arguments.path", *WAYS_OUT), _absolute_allowed)
    yield family("places", PLACES_TREE, _place, hidden, _ignore_in_places)
    yield family("linked places", LINKS_TREE, _place, hidden, _ignore_in_places)
    yield family("special files", SPECIAL_TREE, _place, hidden)
    yield family("long lists", None, _long_list, _long_offset, _long_limit, hidden, _ignore_many)
    yield family("sizes", SIZES_TREE, one_of("arguments.path", UNCHANGED, "d"))
    yield family(
        "closed targets", CLOSED_TREE, one_of("arguments.path", UNCHANGED, "d", "l", "n"), needs=frozenset({"modes"})
    )
    yield family("ranges", RANGED_TREE, one_of("arguments.path", UNCHANGED, UNCHANGED, "x"), *map(_pattern, (0, 1)))
    directories = tuple(path.decode() for path, node in PATHS_TREE.walk() if node.kind is Kind.DIR)
    patterns = one_of("arguments.ignore", *([pattern] for pattern in PATH_PATTERNS))
    yield family("paths in patterns", PATHS_TREE, one_of("arguments.path", *[UNCHANGED] * 3, *directories), patterns)
    yield family("combined arguments", ARGUMENTS_TREE, _non_object, *map(_argument, ACCEPTED), _unknown)
    changes: tuple[CaseUpdate, ...] = (
        {},
        {"arguments.ignore": ["a", "b"]},
        {
            **{"arguments.ignore": ["a", "b"], "arguments.include_hidden": True, "arguments.offset": 0},
            **{"arguments.limit": 100, "arguments.path": "."},
        },
        {"arguments.include_hidden": True, "arguments.limit": 1},
        {"context.working_dir": "$ROOT/a"},
    )
    yield family("earlier calls", REPEATED, _entry_or_root, after_other_calls(*changes), relative_size=0.6)


def _place(case: Case) -> Sequence[CaseUpdate]:
    """Return the root, or a directory or link by one of its paths, from the root or from a directory."""
    found: list[CaseUpdate] = [{}, {}, {}, {"arguments.path": "$ROOT", "context.allow_absolute": True}]
    for path, node in list(case.tree.walk())[:40]:
        if node.kind not in (Kind.DIR, Kind.SYMLINK):
            continue
        text = path.decode()
        found += [{"arguments.path": text}, {"arguments.path": text}, {"arguments.path": f"{text}/"}]
        found += [{"arguments.path": f"$ROOT/{text}", "context.allow_absolute": True}]
        if node.kind is Kind.DIR:
            climb = "/".join([".."] * (text.count("/") + 1))
            start = {"context.working_dir": f"$ROOT/{text}"}
            found += [{**start, "arguments.path": climb}, start]
            found += [{**start, "arguments.path": child.name.decode()} for child in node.children if child.children]
    return found


_unusual_ignore = one_of("arguments.ignore", *[UNCHANGED] * 6, ["e\u0301"], ["zz\\yy"], ["a*"], ["[e]", "i?"])
_ignore_in_places = one_of("arguments.ignore", *[UNCHANGED] * 4, ["a"], ["sub", "j"], ["a*", "x"], ["**/build"])


def _unusual_path(case: Case) -> Sequence[CaseUpdate]:
    pairs = [f"{one}/{other}" for one in COMPONENTS for other in ("a", "x b", "it's")]
    return [{"arguments.path": text} for text in (*COMPONENTS, *pairs, *(f"a/{one}" for one in COMPONENTS))]


def _tree_for_path(case: Case) -> Sequence[CaseUpdate]:
    """Return trees in which the path is a directory, a file or missing, each with plain directories beside it."""
    parts = [part.encode() for part in case.arguments["path"].split("/")]
    plain = parse_tree("a/{b/{c}, decoy}, b/{decoy}, con/, d/, e/{decoy}, q/, x/").entries
    found: list[CaseUpdate] = []
    for last in (Node(parts[-1], Kind.DIR, children=(Node(b"x", Kind.FILE),)), Node(parts[-1], Kind.FILE)):
        node = last
        for part in reversed(parts[:-1]):
            node = Node(part, Kind.DIR, children=(node, Node(b"beside", Kind.FILE)))
        tree = Tree((node, *(one for one in plain if one.name != node.name)))
        found.append({"tree": tree})
    path = case.arguments["path"]
    return [found[0], found[0], {**found[0], "arguments.path": f"{path}/"}, found[1], {"tree": Tree(plain)}]


def _absolute_allowed(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {"context.allow_absolute": True}]


def _long_list(case: Case) -> Sequence[CaseUpdate]:
    return LONG_LISTS


_COUNTS = (0, 1, 99, 100, 101, 127, 150)


def _long_offset(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, {}, *({"arguments.offset": at} for at in (*_COUNTS, 2**32, 2**32 + 1, 2**64 + 1))]


def _long_limit(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, {}, *({"arguments.limit": limit} for limit in (1, 49, 50, 51, 64, 99, 100, 101, 199, 200, 200))]


_ignore_many = one_of("arguments.ignore", UNCHANGED, UNCHANGED, UNCHANGED, ["*5"], ["f00*", "x"])


def _pattern(number: int) -> Stage:
    def stage(case: Case) -> Sequence[CaseUpdate]:
        given = case.arguments.get("ignore", [])
        added: list[CaseUpdate] = [{"arguments.ignore": [*given, text]} for text in RANGED_PATTERNS]
        return [*[{}] * len(added), *added] if number else added

    return stage


def _argument(name: str) -> Stage:
    """Return a stage that gives an argument half of the time, a refused value one time in six."""
    accepted, refused = ACCEPTED[name], REFUSED[name]
    repeats = 3 * max(1, len(refused) // len(accepted))
    values = [*accepted * repeats, *refused]
    return one_of(f"arguments.{name}", *[UNCHANGED] * len(values), *values)


def _unknown(case: Case) -> Sequence[CaseUpdate]:
    if not isinstance(case.arguments, dict):
        return [{}]
    return [*[{}] * 24, *({"arguments": {**case.arguments, name: value}} for name, value in UNKNOWN)]


def _non_object(case: Case) -> Sequence[CaseUpdate]:
    return [*[{"arguments": {}}] * 30, *({"arguments": value} for value in NON_OBJECTS)]


def _entry_or_root(case: Case) -> Sequence[CaseUpdate]:
    names = [node.name.decode() for node in case.tree.entries]
    return [{}, {"arguments.path": REMOVE_MEMBER}, *({"arguments.path": name} for name in (*names, "a", "b"))]
