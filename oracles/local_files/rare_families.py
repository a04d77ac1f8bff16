"""The families of rare cases, of which only a search has any: unusual names, paths and globs, long lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, Node, Stage, Tree, TreeShape, parse_tree

from ..shared.generators import after_other_calls, top_directories
from ..shared.rare_names import (
    IGNORE_CONTENTS,
    IGNORED_NAMES,
    MANY,
    RARE_COMPONENTS,
    RARE_NAMES,
    long_directories,
    nested,
)

_KINDS = (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO, Kind.SOCKET)
_TARGETS = (
    *(
        b"a",
        b".",
        b"..",
        b"d",
        b"gone",
        b"/etc",
        b"/etc/passwd",
        b"/nowhere/a b%\xc3\xa9#c",
        b"../up/./x",
        b"e",
        b"x" * 1500,
    ),
    *(b"~", b"a\\b", b" a ", b"x -> y"),
)
NAMES = TreeShape(
    RARE_NAMES,
    _KINDS,
    _TARGETS,
    sizes=(0, 12, 2**32 + 1),
    contents=(b"a\r\nb\r\n", b"a\n"),
    mtimes_ms=(1_762_473_883_050,),
    special_mtimes_ms=(1_762_778_000_123,),
    directory_modes=(None, 0o1777, None, 0o2755, None, 0o555),
    file_modes=(0o755, 0, 0o4755),
    max_entries=14,
    hard_links=True,
)
FOUND_NAMES = TreeShape(
    (
        *RARE_NAMES,
        (b"\xff", b"\xfe", b"a", b"b.java", b"A.java"),
        (b"A.java", b"x", b"src", b"d.java", b"node_modules", b"dist"),
    ),
    _KINDS[:3],
    (b"gone", b".", b"a", b"x"),
    directory_modes=(None, None, 0o555, 0o500),
    file_modes=(0, 0o755),
    max_entries=16,
    hard_links=True,
)
IGNORING = TreeShape((IGNORED_NAMES,), _KINDS[:2], sizes=(), contents=IGNORE_CONTENTS, max_entries=12)
CLOSED = TreeShape(
    ((b"a", b"b", b"c", b".h"),),
    _KINDS[:3],
    (b"a", b"b/a"),
    directory_modes=(None, 0o444, None, 0, None, 0o111),
    file_modes=(0, 0o111),
    max_entries=12,
)
REPEATED = TreeShape(
    ((b"a", b"b", b"c", b"d", b"l"),),
    (Kind.FILE, Kind.DIR, Kind.SYMLINK),
    (b"a", b"b", b"c"),
    sizes=(0, 12),
    max_entries=10,
)

PLACES_TREE = parse_tree(
    "d/{f=1, g/{h}}, l->d, real/{x, y/{A.java, z/{B.java}}}, m->real, e/, z, '$HOME'/{u}, "
    ".h/{.i/{x, .y}}, ..c/{v}, n->e"
)
PLACES = (
    *("/d/", "//d", "/./d", "/d/.", "/d/../d", "/d/../real", "/l", "/m", "/m/y", "/l/g", "/e", "/e/", "/z", "/z/x"),
    *("/nope", "/nope/", "/D", "/REAL", "/.h/.i", "/.h", "/..c", "/$HOME", "/d/g/..", "/real//y", "/./real/./y", "/n"),
    *("/d ", "/ d", "/d\n", "/d*", "/real/y/", "/a", "/Real/y", "/m/y/z"),
)
"""Spellings of paths, paths through links, and missing names that look like others."""

_LONG = long_directories(5001)
LONG_TREE = Tree(
    (
        nested(45, "t", Node(b"A.java", Kind.FILE)),
        nested(10, "n" * 200, Node(b"A.java", Kind.FILE)),
        Node(b"few", Kind.DIR, children=_LONG[:5]),
        Node(
            b"mixed",
            Kind.DIR,
            children=tuple(Node(b"m%03d" % (at * 37 % 151), (Kind.FILE, Kind.DIR)[at % 2]) for at in range(150)),
        ),
        Node(b"many", Kind.DIR, children=_LONG[5:-1]),
        Node(b"most", Kind.DIR, children=_LONG[-1:]),
    )
)
LONG_PATHS = ("/t/t/t/t/t/t/t/t/t/t", "/t", *("/" + "/".join(["n" * 200] * count) for count in (1, 2, 3, 5, 6, 10)))

MANY_TREE = parse_tree("f00..f59, d/{g00..g59}, l->d")

GLOB_TREE = parse_tree(
    "w/{A.java, bA.java, x.tar.gz, b.gz, a, b, c, 'a,b', 'a;b', 'a b', aa, aaa, a2, 'a{2}', 'a+b', aab, "
    "'\u00e9', '\u00c9', "
    "'*1', '?1', a1, '-', 'a-', b1, abc, x/{A.java, bA.java, y/{A.java, bA.java, a}}, 'a[', "
    "'d.java'/{C.java}, noext}, e/"
)
GLOBS = (
    *("**/*.*", "**/*.tar.gz", "**/a,b", "**/a;b", "**/a b", "**/a{2}", "**/a+b", "**/\u00e9", "**/\u00c9", "**/[*?]1"),
    *(
        "**/x/**/A.java",
        "**/[-a]",
        "**/[a-]",
        "**/[!-]",
        "**/{a,b,c}",
        "**/{A,b,x}.java",
        "**/*",
        "**/a*",
        "**/?",
        "**/??",
    ),
    *(
        "**/*a.java",
        "**/[a-c]",
        "**/*.java",
        "**/d.java/*",
        "a",
        "*",
        "w/*",
        "**/*.gz",
        "**/{a,b1}",
        "**/a?c",
        "**/w/x/*",
    ),
)
MALFORMED = ("[a", "**/[a", "[", "**/{x,y", "{a", "**/[")
_PIECES = ("a", "b", "*", "?", "[ab]", "[!a]", ".", "-", "+", "A", "java", "[*]", "1", ",")
MADE_GLOBS = tuple("**/" + "".join(pieces) for count in (1, 2) for pieces in product(_PIECES, repeat=count))

LINK_TREES = (
    "a/{k, A.java}, me->me, z/{B.java, l->gone, C.java}, m/{l0->../a, l1->../z, D.java}",
    "a/{k, A.java}, l00..l11->a, z/{B.java}, y/{k00..k09->gone, C.java}",
    "w/{a.java, l->gone, z.java, d/{n->m, m->n, b.java, o->.., c/{q.java}}}, x/{p->p, A.java, v/{B.java}}",
)

ARGUMENTS_TREE = parse_tree("in/{x}, 1/{y}, undefined/{y}, null/{y}, None/{y}, true/{y}, false/{y}")
PATHS: tuple[Any, ...] = (None, 1, 0, False, True, [], {}, ["$ROOT"], 1.5, {"path": "$ROOT"})
GLOB_VALUES: tuple[Any, ...] = (None, 1, False, True, [], {}, ["**/*"])


def rare_families(capabilities: frozenset[str]) -> Iterator[CaseFamily]:
    """Yield the families; without findFiles none has a search."""
    searches = "findFiles" in capabilities

    def family(
        name: str, tree: TreeShape | Tree | None, *stages: Stage, needs: frozenset[str] = frozenset()
    ) -> CaseFamily:
        return CaseFamily(name, tree, stages, "", needs, relative_size=0, arguments={"path": "$ROOT"})

    found, modes = frozenset({"findFiles"}), frozenset({"modes"})
    yield family("rare names", NAMES, _directory)
    yield family("ignoring files", IGNORING, _search_too(searches, "**/*", "**/y"), _directory)
    yield family("rare paths", None, _rare_path, _tree_of_path, _search_too(searches, "**/*"))
    yield family("spelt places", PLACES_TREE, _places, _search_too(searches, "**/*.java", "*.java", "**/*"))
    yield family("long lists", LONG_TREE, _long_path, _search_too(searches, "**/*", "**/f*", "**/*.java"))
    yield family("rare arguments", ARGUMENTS_TREE, _arguments(searches))
    yield replace(family("effects", NAMES, _search_too(searches, "**/*", "**/a"), _directory), unchanged="LF-ROLE-02")
    yield replace(
        family("closed effects", CLOSED, _search_too(searches, "**/*"), _any_path, needs=modes), unchanged="LF-ROLE-02"
    )
    yield replace(family("long effects", MANY_TREE, _search_too(searches, "**/g*", "*")), unchanged="LF-ROLE-02")
    yield family("earlier lists", REPEATED, _again, after_other_calls({}, {}, {"arguments.path": "$ROOT"}))
    yield family(
        "names found", FOUND_NAMES, _searches("**/*", "**/*", "**/*.java", "**/a", "*"), _directory, needs=found
    )
    yield family(
        "rare globs", GLOB_TREE, _searches(*GLOBS * 12, *MADE_GLOBS, *MALFORMED * 12), _empty_or_full, needs=found
    )
    yield family("searched links", None, _searches("**/*.java", "**/*"), _linked_tree, needs=found)
    yield family("closed searches", CLOSED, _search_too(searches, "**/*", "**/a"), _any_path, needs=modes)
    yield family(
        "earlier searches",
        REPEATED,
        _searches("**/a", "**/*"),
        after_other_calls({}, {"tool": "listDirectory"}),
        needs=found,
    )


def _searches(*globs: str) -> Stage:
    updates: list[CaseUpdate] = [
        {"tool": "findFiles", "arguments.recursive": recursive, "arguments.glob": glob}
        for recursive in (True, True, True, False)
        for glob in globs
    ]
    return lambda case: updates


def _search_too(searches: bool, *globs: str) -> Stage:
    """Return a stage that makes a search of half of the cases."""
    updates = _searches(*globs)
    return lambda case: [*[{}] * (4 * len(globs)), *updates(case)] if searches else [{}]  # type: ignore[misc]


def _directory(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, *({"arguments.path": f"$ROOT/{name}"} for name in top_directories(case))]


def _any_path(case: Case) -> Sequence[CaseUpdate]:
    paths = [path.decode() for path, _ in case.tree.walk()]
    return [{}, {}, {"arguments.path": "$ROOT/nope"}, *({"arguments.path": f"$ROOT/{path}"} for path in paths)]


def _again(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, {}, *({"arguments.path": f"$ROOT/{name}"} for name in ("a", "b", "nope", "d", "a/b"))]


def _rare_path(case: Case) -> Sequence[CaseUpdate]:
    pairs = [f"{one}/{other}" for one in RARE_COMPONENTS for other in ("a", "x b", "{c}")]
    deep = "a/b/c/d/e/f/g/h/i/j"
    texts = (*RARE_COMPONENTS, *RARE_COMPONENTS, *pairs, *(f"a/{one}" for one in RARE_COMPONENTS), deep, f"{deep}/k")
    return [{"arguments.path": f"$ROOT/{text}"} for text in texts]


def _tree_of_path(case: Case) -> Sequence[CaseUpdate]:
    """Return trees in which the path is a directory, a file or missing, with plain directories beside it."""
    path = case.arguments["path"].removeprefix("$ROOT/")
    parts = [part.encode() for part in path.split("/")]
    plain = parse_tree("a/{b/{c}, decoy}, b/{decoy}, con/, d/, e/{decoy}, q/, x/, A/, aab/").entries
    found: list[CaseUpdate] = []
    inside = (Node(b"x", Kind.FILE), Node(b"y", Kind.DIR, children=(Node(b"z", Kind.FILE),)))
    for last in (Node(parts[-1], Kind.DIR, children=inside), Node(parts[-1], Kind.FILE)):
        node = last
        for part in reversed(parts[:-1]):
            node = Node(part, Kind.DIR, children=(node, Node(b"beside", Kind.FILE)))
        found.append({"tree": Tree((node, *(one for one in plain if one.name != node.name)))})
    missing: CaseUpdate = {"tree": Tree(tuple(one for one in plain if one.name != parts[0]))}
    return [found[0], found[0], found[0], found[1], missing]


def _places(case: Case) -> Sequence[CaseUpdate]:
    return [{"arguments.path": f"$ROOT{place}"} for place in PLACES]


def _long_path(case: Case) -> Sequence[CaseUpdate]:
    """Return long directories and those above them, the longer ones less often: a list of a thousand takes time."""
    few = [f"/few/d{count}" for count in MANY[:5]]
    many = [f"/many/d{count}" for count in MANY[5:]]
    paths = (
        *few * 4,
        *["/few"] * 12,
        *["/mixed"] * 10,
        *many,
        *["/many"] * 2,
        *["/most"] * 5,
        "/most/d5001",
        *LONG_PATHS[:2] * 4,
        *LONG_PATHS[2:] * 3,
    )
    return [{"arguments.path": f"$ROOT{path}"} for path in paths]


def _empty_or_full(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, {}, {"arguments.path": "$ROOT/e"}, {"arguments.path": "$ROOT/w"}]


def _linked_tree(case: Case) -> Sequence[CaseUpdate]:
    return [{"tree": parse_tree(notation)} for notation in LINK_TREES]


def _arguments(searches: bool) -> Stage:
    search = {"path": "$ROOT", "recursive": True, "glob": "**/*"}
    updates: list[CaseUpdate] = [{"arguments": {}}, *({"arguments": {"path": path}} for path in (*PATHS, "$ROOT/in"))]
    if searches:
        updates += [{"tool": "findFiles", "arguments": {**search, "path": path}} for path in PATHS]
        updates += [{"tool": "findFiles", "arguments": {**search, "glob": glob}} for glob in GLOB_VALUES]
        updates += [
            {"tool": "findFiles", "arguments": {name: value for name, value in search.items() if name != missing}}
            for missing in ("path", "glob")
        ]
    return lambda case: updates
