"""What to draw cases from: trees, starts and arguments on the boundaries of this tool's rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, TextPieces, TreeShape, parse_tree

from .expected import ExpectedListing, ExpectedOutcome

_PLAIN = (b"a", b"b", b"a.txt", b"a-", b"A", b"c")
_DOTTED = (b".a", b".git", b"..a", b"...", b"a.", b"node_modules", b"b~", b"a")
_AWKWARD = (
    b"a b",
    b'"',
    b"a\\b",
    b"a\nb",
    b"b\r",
    b"'b'",
    "\ufeffb".encode(),
    b"\x1b[m",
    b"-x",
    b"*",
    b"$HOME",
    "\u00e9".encode(),
    "\u6587".encode(),
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
    *(
        "a",
        "/",
        "b",
        "a/",
        "/b",
        ".",
        "./",
        "//",
        "in",
        "in/",
        "again",
        "a/down",
        "a/e",
        "..c",
        ".h",
        "a b",
        "home",
        "a.",
        "'b'",
        "a\\b",
        "a+b",
        "b\n",
    ),
    *(
        "..",
        "../",
        "/..",
        "out",
        "out/od",
        "deep",
        "etc",
        "loop",
        "gone",
        "f",
        "f/",
        "lf",
        "p",
        "nope",
        "a/far",
        " ",
    ),
    *("outside", "root2", "\x00", "x", "/x", "~"),
)
SMALL_TREE = parse_tree("a/{b}, f, 1/{x}")
ARGUMENTS: tuple[Any, ...] = (
    *(
        {},
        [],
        None,
        "a",
        {"path": None},
        {"path": 1},
        {"path": True},
        {"path": ["a"]},
        {"path": {}},
        {"path": ""},
    ),
    *({"path": "a", "x": 1}, {"path": "a", "recursive": True}, {"Path": "a"}, {"dir": "a"}, {"path": 1.0}),
    *({"path": "a"}, {"path": "."}, {"path": "f"}, {"path": "1"}),
)


def families(capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
    """All families that a candidate of these capabilities can be asked."""
    dot = {"path": "."}
    every = (
        CaseFamily("trees", TREES, (_start,), arguments=dot),
        CaseFamily("closed", RESTRICTED_TREES, (_start,), needs=frozenset({"modes"}), arguments=dot),
        CaseFamily(
            "starts",
            LINK_TREE,
            (lambda case: TextPieces("arguments.path", PATH_PIECES, 2),),
            outside=OUTSIDE,
            arguments=dot,
            relative_size=2.0,
        ),
        CaseFamily(
            "arguments",
            SMALL_TREE,
            (lambda case: [{"arguments": one} for one in ARGUMENTS],),
            relative_size=0.6,
        ),
    )
    return tuple(family for family in every if family.needs <= capabilities)


def _start(case: Case) -> Sequence[CaseUpdate]:
    """The sandbox, or one of its directories."""
    named = [node.name for node in case.tree.entries if node.kind is Kind.DIR]
    texts = [
        name.decode() for name in named if b"\xff" not in name and b"\xfe" not in name and name != b"\xe2\x82"
    ]
    return [{}, {}, *({"arguments.path": text} for text in texts)]


ALL_CASE_LABELS = (
    "lists",
    "nothing",
    "empty",
    "links",
    "special files",
    "hidden",
    "lossy names",
    "errors",
    "ways out",
    "through links",
)


def case_labels(case: Case, due: ExpectedOutcome) -> frozenset[str]:
    """What is interesting in a case that comes to `due`."""
    if not isinstance(due, ExpectedListing):
        found = {
            "nothing": True,
            "errors": due.requirement == "WD-ERR-06",
            "ways out": due.requirement.startswith("WD-SEC"),
        }
        return frozenset(word for word, there in found.items() if there)
    elements = due.elements
    seen: Mapping[str, bool] = {
        "lists": bool(elements),
        "empty": not elements,
        "links": any(one.node.kind is Kind.SYMLINK for one in elements),
        "special files": any(one.is_special for one in elements),
        "hidden": any(b"/." in b"/" + one.raw_path for one in elements),
        "lossy names": not all(one.is_utf8 for one in elements),
        "through links": due.start.through_link,
    }
    return frozenset(word for word, there in seen.items() if there)
