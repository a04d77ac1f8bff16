"""The families of random cases: trees, starts and arguments at the boundaries of this tool's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, TreeShape, parse_tree

from ..shared.generators import path_of, top_directories
from .entry_families import entry_families
from .outcomes import CallOutcome, ExpectedListing
from .rare_families import rare_families

_PLAIN = (b"a", b"b", b"a.txt", b"a-", b"A", b"c")
_DOTTED = (b".a", b".git", b"..a", b"...", b"a.", b"node_modules", b"b~", b"a")
_AWKWARD = (
    *(b"a b", b'"', b"a\\b", b"a\nb", b"b\r", b"'b'", "\ufeffb".encode(), b"\x1b[m", b"-x", b"*", b"$HOME"),
    *("\u00e9".encode(), "\u6587".encode()),
)
_NON_UTF8 = (b"\xff", b"\xfe", b"a\xff", b"\xe2\x82", b"a", b"b")
_TARGETS = (b"a", b".", b"..", b"b", b"/etc", b"gone", b"../outside", b"../b/a")
_KINDS = (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO, Kind.SOCKET)

TREES = TreeShape(
    (_PLAIN, _DOTTED, _AWKWARD, _PLAIN, _NON_UTF8),
    _KINDS,
    _TARGETS,
    sizes=(0, 1, 9, 4097, 2**32 + 1, 2**40 + 1),
    mtimes_ms=(0, 999, 1_234_567_890_123, 1_745_354_160_005, -1_000, -1, 4_294_967_296_000),
    max_entries=14,
)
RESTRICTED_TREES = TreeShape(
    (_PLAIN, _DOTTED),
    _KINDS[:3],
    _TARGETS,
    directory_modes=(None, 0o444, None, None, 0o111, None, 0),
    max_entries=10,
)
LINK_TREE = parse_tree(
    "a/{b/{x, y=2}, up->.., far->../.., down->b, e/}, b/{z}, out->../outside, deep->../outside/od, etc->/etc, "
    "in->a/b, again->in, loop->loop, gone->nope, f=1, lf->f, p:fifo, 'a b'/{w}, ..c/{v}, .h/{u}, home->$ROOT/b, "
    "'a.'/{t}, '\\'b\\''/{s}, 'a\\\\b'/{r}, 'a+b'/{q}, 'b\\n'/{n}"
)
OUTSIDE = "outside/{secret, od/{deep}}, root2/{secret}"
PATH_PIECES = (
    *("a", "/", "b", "a/", "/b", ".", "./", "//", "in", "in/", "again", "a/down", "a/e", "..c", ".h", "a b"),
    *("home", "a.", "'b'", "a\\b", "a+b", "b\n", "..", "../", "/..", "out", "out/od", "deep", "etc", "loop"),
    *("gone", "f", "f/", "lf", "p", "nope", "a/far", " ", "outside", "root2", "\x00", "x", "/x", "~"),
)
SMALL_TREE = parse_tree("a/{b}, f, 1/{x}")
ARGUMENTS: tuple[Any, ...] = (
    *({}, [], None, "a", {"path": None}, {"path": 1}, {"path": True}, {"path": ["a"]}, {"path": {}}),
    *({"path": ""}, {"path": "a", "x": 1}, {"path": "a", "recursive": True}, {"Path": "a"}, {"dir": "a"}),
    *({"path": 1.0}, {"path": "a"}, {"path": "."}, {"path": "f"}, {"path": "1"}),
)


def families(capabilities: frozenset[str]) -> Iterator[CaseFamily]:
    """Yield all families."""
    dot, modes = {"path": "."}, frozenset({"modes"})
    yield CaseFamily("trees", TREES, (_start,), arguments=dot)
    yield CaseFamily("closed", RESTRICTED_TREES, (_start,), needs=modes, arguments=dot)
    yield CaseFamily("starts", LINK_TREE, (path_of(PATH_PIECES, 2),), OUTSIDE, relative_size=2.0, arguments=dot)
    arguments: list[CaseUpdate] = [{"arguments": one} for one in ARGUMENTS]
    yield CaseFamily("arguments", SMALL_TREE, (lambda case: arguments,), relative_size=0.6)
    yield from (family for family in (*entry_families(), *rare_families()) if family.needs <= capabilities)


def _start(case: Case) -> Sequence[CaseUpdate]:
    """Return usually the sandbox root, else one of its directories."""
    return [{}, {}, *({"arguments.path": name} for name in top_directories(case))]


ALL_CASE_LABELS = (
    *("lists", "nothing", "empty", "links", "special files", "hidden", "lossy names", "errors", "ways out"),
    "through links",
)


def case_labels(case: Case, expected: CallOutcome) -> Mapping[str, bool]:
    """Return for each label whether it applies to a case with this outcome."""
    if not isinstance(expected, ExpectedListing):
        return {
            "nothing": True,
            "errors": expected.requirement == "WD-ERR-06",
            "ways out": expected.requirement.startswith("WD-SEC"),
        }
    elements = expected.elements
    return {
        "lists": bool(elements),
        "empty": not elements,
        "links": any(element.node.kind is Kind.SYMLINK for element in elements),
        "special files": any(element.is_special for element in elements),
        "hidden": any(element.has_hidden_name for element in elements),
        "lossy names": not all(element.is_utf8 for element in elements),
        "through links": expected.start.through_link,
    }
