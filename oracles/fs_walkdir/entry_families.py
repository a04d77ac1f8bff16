"""The families of what `inputs.toml` has: kinds of entries with names, times, sizes and modes, and ways to targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import cycle, islice

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, Node, Stage, Tree, parse_tree

from ..shared.generators import after_other_calls, one_of

_NAMES = (
    *("ab", "Bc", "a.tar.gz", ".env", "..c", "a.", "node_modules", "a~", "a b", " a ", "a\nb", "a\tb", "it's", "a\\b"),
    *("[a]*", "$a%20", "-r", "10", "null", "con", "e\u0301", "\u6587\u00e9", "n" * 220, "a\udcff"),
)
_MS = 1_000_000
_TIMES = (
    *(None, -86_400_000 * _MS, 0, 1_234_567_890_000 * _MS, 1_745_354_160_005 * _MS, 1_745_354_160_000_500_000),
    *(2_147_483_648_000 * _MS, 4_294_967_296_000 * _MS),
)
"""Times in nanoseconds since 1970."""
_SIZES = (9, 1, 4097, 9, 1, 2**31, *(9, 4097, 1) * 3, 9, 2**32 + 1)  # few large ones: the runner reads 2 MiB of each
_MODES = (None, 0o700, 0o777, 0o555, 0o1755, 0o755)
_TARGETS = (b"../f", b"../d", b"../k", b".", b"../loop", b"gone", b"../o/f", b"../o/od", b"../o/gone", b"../p", b"/no")
_CLOSED = (0o000, 0o311, 0o444, 0o600)
_BESIDE = parse_tree("d/, f, k->f, loop->loop, o->$OUTSIDE/outside, p:fifo").entries
"""What the links of an entry lead to, which is beside its directory."""

_OUTSIDE = "outside/{f, od/{deep}}, root2/{x}, ROOT/{x}, linked->root"
_TARGETS_TREE = parse_tree(
    "t/{x, y=2}, d/{x}, e/, f=1, p:fifo, loop->loop, m->., out->../outside, locked/%0000{x}, closed/%0600{x/{y}}"
)
_TARGETS_INSIDE = ("t", "e", "locked", "f", "p", "gone", "loop", "f/x", "closed/x")
_TO_ENTRIES = (".", "t", "./t", "d//../t", "t/", "d/../t", "m/t", "$ROOT/t")
_WAYS = (
    *("..", "../..", "d/../..", "/", "../root2", "../ROOT", "out", "out/..", "out/gone", ".", "", "../root2/gone"),
    *("../ROOT/gone", "d/../../gone", "out/../gone", "out/od/..", "out/od/../gone", "./../gone", "..//gone"),
    "../gone/",
    *("./out", "out/", "out//od", "$OUTSIDE/outside", "$OUTSIDE/gone", "./../outside", "..//outside"),
)
_FORMS = ("{}", "./{}", "d//../{}", "{}/", "d/../{}", "m/{}", "$ROOT/{}")


def entry_families() -> Iterator[CaseFamily]:
    """Yield the families."""
    to_entries = one_of("arguments.path", *_TO_ENTRIES)
    targets = one_of("arguments.path", *_WAYS, *(form.format(one) for one in _TARGETS_INSIDE for form in _FORMS))

    def family(
        name: str, trees: Callable[[], Sequence[CaseUpdate]], *stages: Stage, size: float = 1, needs: Sequence[str] = ()
    ) -> CaseFamily:
        stages = (lambda case: trees(), to_entries, *stages)  # the trees are made at the first use
        return CaseFamily(name, None, stages, _OUTSIDE, frozenset(needs), size, {"path": "."})

    yield family("one entry", _trees_of_one_entry, size=1.6)
    yield family("twins", _trees_of_twins, _in_a_sandbox, size=0.6)
    yield family("entries after a call", _trees_of_all_names, _in_a_sandbox, _after_a_call, size=0.6)
    yield family("closed entries", _trees_of_closed_entries, _in_a_sandbox, _perhaps_after_a_call, needs=("modes",))
    stages = (targets, _in_a_sandbox)
    yield CaseFamily("targets", _TARGETS_TREE, stages, _OUTSIDE, frozenset({"modes"}), 3, {"path": "."})


def _nodes() -> Iterator[Node]:
    """Yield entries without names: of each kind in turn, with all metadata in combination."""
    times, sizes, modes = cycle(_TIMES), cycle(_SIZES), cycle(_MODES)
    special, targets = cycle((Kind.FIFO, Kind.SOCKET)), cycle(_TARGETS)
    while True:
        ns = next(times)
        yield Node(b"?", Kind.FILE, size=next(sizes), mode=next(modes), mtime_ns=ns)
        yield Node(b"?", Kind.DIR, mode=next(modes), mtime_ns=ns, children=(Node(b"x", Kind.FILE),))
        yield Node(b"?", Kind.SYMLINK, target=next(targets), mtime_ns=ns)
        yield Node(b"?", Kind.FILE, mode=next(modes), mtime_ns=ns)
        yield Node(b"?", Kind.SYMLINK, target=next(targets), mtime_ns=ns)
        yield Node(b"?", Kind.SYMLINK, target=next(targets), mtime_ns=ns)
        yield Node(b"?", Kind.DIR, mode=next(modes), mtime_ns=ns)
        yield Node(b"?", Kind.SYMLINK, target=next(targets), mtime_ns=ns)
        yield Node(b"?", next(special), mtime_ns=ns)
        yield Node(b"?", Kind.FILE, hardlink=b"f")
        next(modes)


def _named(node: Node, name: str) -> Node:
    return node.with_children(node.children, name.encode("utf-8", "surrogateescape"))


def _twins(name: str) -> Iterator[str]:
    """Yield a name and others that resemble it: in another case, in two forms, and as its beginning."""
    at = 2 if name.startswith(".") else 1
    found = (name, name.swapcase(), name + "x", f"{name[:at]}\u00e9{name[at:]}", f"{name[:at]}e\u0301{name[at:]}")
    yield from dict.fromkeys(found)


def _trees(groups: Iterator[Sequence[Node]]) -> list[CaseUpdate]:
    """Return a tree for each group of entries, which are in `t`."""
    beside = (*_BESIDE, Node(b"m", Kind.SYMLINK, target=b"."))
    return [{"tree": Tree((*beside, Node(b"t", Kind.DIR, children=tuple(group))))} for group in groups]


@cache
def _trees_of_one_entry() -> Sequence[CaseUpdate]:
    return _trees([_named(node, name)] for name, node in zip(_NAMES * 5, _nodes(), strict=False))


@cache
def _trees_of_twins() -> Sequence[CaseUpdate]:
    """Return trees that have some names with their twins, at the first level and below."""
    return _trees(_groups_of_twins(_nodes()))


def _groups_of_twins(nodes: Iterator[Node]) -> Iterator[Sequence[Node]]:
    for shift in range(1, 13):
        for at in range(0, len(_NAMES), 4):
            names = dict.fromkeys(_NAMES[(at + further * shift) % len(_NAMES)] for further in range(4))
            *top, below = ([_named(next(nodes), one) for one in _twins(name)] for name in names)
            node = Node(b"s", Kind.DIR, children=tuple(below))
            for level in range((0, 3, 8)[shift % 3]):
                node = Node(b"s", Kind.DIR, children=(*(_BESIDE if level == 0 else ()), node))
            yield [*_BESIDE, *(one for group in top for one in group), node]


@cache
def _trees_of_all_names() -> Sequence[CaseUpdate]:
    """Return trees that have an entry of each name, with other kinds and metadata in each tree."""
    nodes, found = _nodes(), list[Sequence[Node]]()
    for twin in _NAMES:
        group = {name: _named(next(nodes), name) for name in (*_NAMES, *_twins(twin))}
        deep = [name for name in _NAMES[1::4] if name != twin]
        node = Node(b"s", Kind.DIR, children=(*_BESIDE, *(group.pop(name) for name in deep)))
        for _ in range(8):
            node = Node(b"s", Kind.DIR, children=(node,))
        found.append([*_BESIDE, *group.values(), node])
    return _trees(iter(found))


@cache
def _trees_of_closed_entries() -> Sequence[CaseUpdate]:
    """Return trees with directories that cannot be read or searched, of each name, and at several levels."""
    return _trees(map(_closed_group, range(24)))


def _closed_group(shift: int) -> Sequence[Node]:
    times, modes = islice(cycle(_TIMES), shift // 4, None), islice(cycle(_CLOSED), shift, None)
    inside = (Node(b"x", Kind.FILE),)
    twins = dict.fromkeys(_twins(_NAMES[shift]))
    found = {
        name: _named(Node(b"?", Kind.DIR, mode=next(modes), mtime_ns=next(times), children=inside), name)
        for name in dict.fromkeys((*_NAMES, *twins))
    }
    if shift % 8 == 0:
        return [found[_NAMES[shift]]]
    deep = [name for name in _NAMES[::2] if name not in twins]
    node = Node(b"s", Kind.DIR, children=tuple(found.pop(name) for name in deep))
    for _ in range((0, 3, 8)[shift % 3]):
        node = Node(b"s", Kind.DIR, children=(node,))
    return [*found.values(), node]


def _in_a_sandbox(case: Case) -> Sequence[CaseUpdate]:
    """Return the sandbox by its own path, by that of a link to it, or one that is missing."""
    linked, missing = (
        {"context.roots": [one], "context.working_dir": one} for one in ("$OUTSIDE/linked", "$OUTSIDE/no")
    )
    return [{}, {}, {}, {}, linked, linked, linked, missing]


def _after_a_call(case: Case) -> Sequence[CaseUpdate]:
    """Return the same call before, on the same tree or on another one."""
    _, same, *others = after_other_calls({})(case)
    return [same, same, same, same, same, *others]


def _perhaps_after_a_call(case: Case) -> Sequence[CaseUpdate]:
    _, same, another, *_ = after_other_calls({})(case)
    return [{}, {}, same, another]
