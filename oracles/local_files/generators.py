"""The families of random cases: trees with names that are difficult to sort, paths to list, and globs to search for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, TreeShape, parse_tree

from ..shared.generators import after_other_calls, top_directories
from ..shared.rare_names import RARE_NAMES
from .outcomes import ExpectedListing, ExpectedOutcome
from .rare_families import rare_families

_SORTED = (b"a", b"B", b"A", b"b", b"_", b"10", b"9", b"a.b", b"a-b", b"C", b"d")
_HIDDEN = (b".a", b".b", b"a", b"..c", b"...", b"b~", b"node_modules", b".git")
_AWKWARD = (b"a b", b'"', b"a\\b", b"a\nb", b"\x1b[m", b"-l", b"x -> y", "\u00e9".encode(), "\u6587".encode())
_SCRIPTS = tuple(
    name.encode() for name in ("\u00e9", "\uff5e", "\U0001f600", "a", "\u00e9\u6587", "e", "\U0001f601.java")
)
_NON_UTF8 = (b"\xff", b"\xfe", b"a\xff", b"\xe2\x82", b"a", b"b")
_SOURCES = (b"A.java", b"b.java", b"c.txt", b"src", b"x", b".h.java", b"d.java.bak", b"java", b"y.java")
_TARGETS = (
    *(b"a", b".", b"..", b"b", b"/tmp/app.log", b"gone", b"../up/./x", b" a ", b"a\\b"),
    *("\u00e9\u6587".encode(), b"\xf0\x9f\x98\x80"),
)
_KINDS = (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO, Kind.SOCKET)
_SIZES = (0, 1, 12, 9854, 2**32 + 1)
_TIMES = (0, -86_400_001, 999, 1_762_473_883_050, 4_294_967_296_001)

TREES = TreeShape(
    (_SORTED, _HIDDEN, _AWKWARD, _SORTED, _NON_UTF8, _SCRIPTS, *RARE_NAMES),
    _KINDS,
    _TARGETS,
    sizes=_SIZES,
    mtimes_ms=_TIMES,
    file_modes=(0, 0o755, 0o4755),
    max_entries=20,
    hard_links=True,
)
SEARCH_TREES = TreeShape(
    (_SOURCES, _SOURCES, _HIDDEN, (*_SCRIPTS, b"A.java", b"src")),
    _KINDS[:3],
    (b"src", b"..", b".", b"gone"),
    sizes=(0, 3),
    max_entries=14,
)
RESTRICTED_TREES = TreeShape(
    (_SORTED, _HIDDEN), _KINDS[:3], _TARGETS, directory_modes=(None, 0o444, 0, 0o111, None), max_entries=10
)
PLACES_TREE = parse_tree(
    "d/{x, e/{y=2}}, f=1, l->gone, m->f, p:fifo, s:sock, g/, .h/{z}, 'a b'/{w}, ..c/{v}, '%2e'/{u}, 'd\\\\e'/{t}"
)
PLACE_PATHS = (
    *("", "/d", "/d/e", "/f", "/f/x", "/l", "/m", "/s", "/g", "/nope", "/nope/x", "/.h", "/a b"),
    *("/..c", "/%2e", "/d\\e", "/d/x", "/d/nope"),
)
GLOBS = (
    *("**/*.java", "*.java", "*", "**/*", "src/*.java", "src/**/*.java", "?", "[ab]*", "**/x/*"),
    *("**/*.{java,txt}", "{A,b}.java", "**/[!a]*", "x/**/*.java", "A.java", "**/java", "s?c/*", "**/src/**/*"),
    *("*.txt", "**/\u00e9*", "[\u00e9\u6587]*", "{x/src,src}/*.java", "{A*,*.java}", "**/[!Ab]*"),
    *("[A-Cx-z]*", "**/x/**/src/**/*", "**", "src/**", "**/.*"),
)


def families(capabilities: frozenset[str]) -> Iterator[CaseFamily]:
    """Yield all families."""
    root, modes, search = {"path": "$ROOT"}, frozenset({"modes"}), frozenset({"findFiles"})
    places: list[CaseUpdate] = [{"arguments.path": f"$ROOT{path}"} for path in PLACE_PATHS]
    yield CaseFamily("listings", TREES, (_directory,), arguments=root)
    yield CaseFamily("closed", RESTRICTED_TREES, (_directory,), needs=modes, arguments=root)
    yield CaseFamily("places", PLACES_TREE, (lambda case: places,), arguments=root)
    stages = (_search, _directory)
    yield CaseFamily("searches", SEARCH_TREES, stages, needs=search, relative_size=3.0, arguments=root)
    lists = (_directory, after_other_calls({}, {"arguments.path": "$ROOT"}))
    yield CaseFamily("later lists", TREES, lists, arguments=root)
    searches = (_search, after_other_calls({}, {"tool": "listDirectory"}))
    yield CaseFamily("later searches", SEARCH_TREES, searches, needs=search, relative_size=0.6, arguments=root)
    yield from rare_families(capabilities)


def _directory(case: Case) -> Sequence[CaseUpdate]:
    """Return usually the sandbox root, else one of its directories."""
    return [{}, {}, {}, *({"arguments.path": f"$ROOT/{name}"} for name in top_directories(case))]


def _search(case: Case) -> Sequence[CaseUpdate]:
    return [
        {"tool": "findFiles", "arguments": {"path": "$ROOT", "recursive": recursive, "glob": glob}}
        for recursive in (True, True, False)
        for glob in GLOBS
    ]


ALL_CASE_LABELS = (
    *("lists", "errors", "empty", "searches", "no recursion", "directories", "links", "special files"),
    *("hidden", "lossy names", "other scripts"),
)


def case_labels(case: Case, expected: ExpectedOutcome) -> Mapping[str, bool]:
    """Return for each label whether it applies to a case with this outcome."""
    if not isinstance(expected, ExpectedListing):
        return {"errors": True}
    texts = "".join(value for value in case.arguments.values() if isinstance(value, str))
    entries = expected.entries
    kinds = {entry.node.kind for entry in entries}
    return {
        "lists": bool(entries),
        "empty": not entries,
        "searches": expected.search is not None,
        "no recursion": expected.search is not None and not expected.search.is_recursive,
        "directories": Kind.DIR in kinds,
        "links": Kind.SYMLINK in kinds,
        "special files": bool(kinds & {Kind.FIFO, Kind.SOCKET}),
        "hidden": any(entry.node.name.startswith(b".") for entry in entries),
        "lossy names": not all(entry.is_utf8 for entry in entries),
        "other scripts": bool(entries) and not texts.isascii(),
    }
