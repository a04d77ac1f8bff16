"""The families of what `inputs.toml` has: kinds of entries with names, times, sizes and modes, and ways to targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import cycle, islice

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, Node, Tree, parse_tree

from ..shared.generators import after_other_calls, one_of, top_directories

NAMES = (
    *("ab", "Bc", "a.tar.gz", ".env", "..c", "a.", "node_modules", "a~", "a b", " a ", "a\nb", "a\tb", "it's", "a\\b"),
    *("[a]*", "$a%20", "-r", "10", "null", "con", "e\u0301", "\u6587\u00e9", "n" * 220),
)
_BYTES = tuple(map(str.encode, NAMES)) + (b"a\xff",)
_TIMES = (None, -86_400_000, 0, 1_234_567_890_000, 1_745_354_160_005, 2_147_483_648_000, 4_294_967_296_000)
_SIZES = (9, 1, 4097, 2**31, 2**32 + 1)
_MODES = (None, 0o700, 0o777, 0o555, 0o1755, 0o755)
_TARGETS = (b"f", b"d", b"k", b".", b"loop", b"gone", b"o/f", b"o/od", b"o/gone", b"p", b"/nowhere")
_CLOSED = (0o000, 0o311, 0o444, 0o600)
BESIDE = parse_tree("d/{x}, f=1, k->f, loop->loop, o->../outside, p:fifo").entries
"""What the links of an entry lead to."""

OUTSIDE = "outside/{f, od/{deep}}, root2/{x}, ROOT/{x}, linked->root"

TARGETS_TREE = parse_tree(
    "t/{x, y=2}, d/{x}, e/, f=1, p:fifo, loop->loop, m->., out->../outside, locked/%0000{x}, closed/%0600{x/{y}}"
)
_TARGETS_INSIDE = ("t", "e", "locked", "f", "p", "gone", "loop", "f/x", "closed/x")
_TARGETS_BY_WAYS = (
    *(form.format(one) for one in _TARGETS_INSIDE for form in ("{}", "./{}", "d//../{}", "{}/", "d/../{}", "m/{}")),
    *(f"$ROOT/{one}" for one in _TARGETS_INSIDE),
    *("..", "../..", "d/../..", "/", "../root2", "../ROOT", "out", "out/..", "out/gone", ".", "", "../root2/gone"),
    *(
        "../ROOT/gone",
        "d/../../gone",
        "out/../gone",
        "out/od/..",
        "out/od/../gone",
        "./../gone",
        "..//gone",
        "../gone/",
    ),
    *("./out", "out/", "out//od", "$OUTSIDE/outside", "$OUTSIDE/gone", "./../outside", "..//outside"),
)


def entry_families() -> Iterator[CaseFamily]:
    """Yield the families."""
    dot = {"path": "."}
    modes = frozenset({"modes"})
    yield CaseFamily("one closed", None, (_trees_with_one_closed, _start), OUTSIDE, modes, arguments=dot)
    after_others = after_other_calls({})
    stages = (_trees, _start, after_others)
    yield CaseFamily("entries after other calls", None, stages, OUTSIDE, relative_size=1.6, arguments=dot)
    ways = one_of("arguments.path", *_TARGETS_BY_WAYS)
    yield CaseFamily("targets", TARGETS_TREE, (ways, _sandbox), OUTSIDE, modes, arguments=dot)
    yield CaseFamily("targets after other calls", TARGETS_TREE, (ways, after_others), OUTSIDE, modes, 1.2, dot)


def _nodes() -> Iterator[Node]:
    """Yield entries without names: of each kind in turn, and with all metadata in combination."""
    times, sizes, modes, targets = cycle(_TIMES), cycle(_SIZES), cycle(_MODES), cycle(_TARGETS)
    special = cycle((Kind.FIFO, Kind.SOCKET))
    while True:
        for time in islice(times, len(_TIMES) - 1):
            ns = None if time is None else time * 1_000_000
            yield Node(b"?", Kind.FILE, size=next(sizes), mode=next(modes), mtime_ns=ns)
            yield Node(b"?", Kind.DIR, mode=next(modes), mtime_ns=ns, children=(Node(b"x", Kind.FILE),))
            yield Node(b"?", Kind.SYMLINK, target=next(targets), mtime_ns=ns)
            yield Node(b"?", Kind.FILE, mode=next(modes), mtime_ns=ns)
            yield Node(b"?", Kind.DIR, mode=next(modes), mtime_ns=ns)
            yield Node(b"?", next(special), mtime_ns=ns)
            yield Node(b"?", Kind.FILE, hardlink=b"f")
            next(modes)


def _twins(name: bytes) -> tuple[bytes, ...]:
    """Return a name and others that resemble it: in another case, in two forms, and as its beginning."""
    composed, apart = "\u00e9".encode(), "e\u0301".encode()
    at = 2 if name.startswith(b".") else 1
    found = (name, name.swapcase(), name + b"x", name[:at] + composed + name[at:], name[:at] + apart + name[at:])
    return tuple(one for one in dict.fromkeys(found) if len(one) < 256)


def _trees(case: Case) -> Sequence[CaseUpdate]:
    """Return trees that have one name and its twins, for each name with several kinds and metadata."""
    return _open_trees()


@cache
def _open_trees() -> Sequence[CaseUpdate]:
    nodes = _nodes()
    found: list[CaseUpdate] = []
    for shift in range(12):
        for at in range(0, len(_BYTES), 4):
            names = [_BYTES[(at + further * (shift + 1)) % len(_BYTES)] for further in range(4)]
            entries = [
                node.with_children(node.children, one)
                for name in dict.fromkeys(names)
                for one, node in zip(_twins(name), nodes, strict=False)
            ]
            below = Node(b"s", Kind.DIR, children=(*BESIDE, *entries[1::3]))
            for _ in range((0, 1, 7)[shift % 3]):
                below = Node(b"s", Kind.DIR, children=(below,))
            found.append({"tree": Tree((*BESIDE, *entries[::3], *entries[2::3], below))})
    return found


def _trees_with_one_closed(case: Case) -> Sequence[CaseUpdate]:
    """Return trees with one directory that cannot be read or searched, at several levels."""
    return _closed_trees()


@cache
def _closed_trees() -> Sequence[CaseUpdate]:
    metadata = zip(cycle(_TIMES), cycle(_CLOSED), strict=False)
    levels = cycle(range(4))
    found: list[CaseUpdate] = []
    for _ in range(8):
        for name in _BYTES:
            time, mode = next(metadata)
            ns = None if time is None else time * 1_000_000
            node = Node(name, Kind.DIR, mode=mode, mtime_ns=ns, children=(Node(b"x", Kind.FILE),))
            for _ in range((0, 1, 4, 10)[next(levels)]):
                node = Node(b"s", Kind.DIR, children=(node, Node(b"z", Kind.FILE)))
            found.append({"tree": Tree((*BESIDE, node))})
    return found


def _sandbox(case: Case) -> Sequence[CaseUpdate]:
    """Return the sandbox by its own path, by that of a link to it, or one that is missing."""
    linked, missing = (
        {"context.roots": [one], "context.working_dir": one} for one in ("$OUTSIDE/linked", "$OUTSIDE/no")
    )
    return [{}, linked, linked, missing]


def _start(case: Case) -> Sequence[CaseUpdate]:
    """Return usually the sandbox root, else one of its directories."""
    return [{}, {}, {}, *({"arguments.path": name} for name in top_directories(case))]
