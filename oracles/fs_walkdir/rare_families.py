"""The families of rare cases, of which only a search has any: unusual names, paths and lists, and earlier calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, Node, Stage, Tree, TreeShape, parse_tree

from ..shared.generators import after_other_calls, one_of, top_directories
from ..shared.rare_names import (
    IGNORE_CONTENTS,
    IGNORED_NAMES,
    MANY,
    RARE_COMPONENTS,
    RARE_NAMES,
    WAYS_OUT,
    long_directories,
    nested,
)

_KINDS = (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO, Kind.SOCKET)
_TARGETS = (b"a", b".", b"d", b"gone", b"../outside", b"e")
NAMES = TreeShape(
    RARE_NAMES,
    _KINDS,
    _TARGETS,
    sizes=(0, 12, 2**31, 2**32 + 1, 2**53 + 2),
    contents=(b"a\n", b"a\r\nb", b"\n\n"),
    mtimes_ms=(1_234_567_890_123, -1),
    special_mtimes_ms=(1_234_567_890_000,),
    directory_modes=(None, 0o1777, None, 0o2755, None, 0o777, 0o700),
    file_modes=(0o755, 0, 0o4755),
    max_entries=14,
    hard_links=True,
)
IGNORING = TreeShape((IGNORED_NAMES,), _KINDS[:2], sizes=(), contents=IGNORE_CONTENTS, max_entries=12)
NESTED_CLOSED = TreeShape(
    ((b"a", b"b", b"c", b".h"),),
    _KINDS[:3],
    (b"a", b"b"),
    directory_modes=(None, 0o444, 0o111, None, 0, 0o311),
    max_entries=12,
)
REPEATED = TreeShape(
    ((b"a", b"b", b"l", b"d"),),
    _KINDS[:3],
    (b"a", b"b", b"../outside"),
    sizes=(0, 12),
    max_entries=10,
)
OUTSIDE = "outside/{secret, sub/{secret}, od/{deep}}, root2/{secret, od/{deep}}, alias->root"

LINKS_TREE = parse_tree(
    "a/{b/{x}, y=2}, e/, z, real/{d/{x=1}, od/{w}}, l->real, deep->a, hop->out, out->../outside, near->../root2, "
    "sub->../outside/sub, far->real/d, od/{x}, secret, '$HOME'/{u}"
)
LINK_PATHS = (
    *(
        "l",
        "l/d",
        "deep",
        "deep/",
        "far",
        "hop",
        "hop/od",
        "out/od",
        "near/od",
        "sub/..",
        "sub/..",
        "sub/..",
        "out/..",
        "hop/..",
        "sub/../od",
        "l/..",
        "far/..",
    ),
    *(
        "a/../real",
        "a/../../outside",
        "../root2/od",
        "../root2",
        "e",
        "e/",
        "z",
        "z/",
        "nope/",
        "nope",
        "nope/..",
        "a/b",
    ),
    *("A", "a\n", "a*", "?", "re*", "a/b/../../real/d", "l/../od", "./a/./b", "../root", "out/../od", "a ", " a"),
    *("real/../a", "REAL", "deep/b", "out", "$HOME", "a/b/../y"),
)
"""Paths through links and steps up, of missing names that look like others, and of empty places."""

DEEP_TREE = Tree(
    (
        nested(45, "d", Node(b"f", Kind.FILE)),
        nested(12, "n" * 120, Node(b"f", Kind.FILE)),
        Node(b"m", Kind.DIR, children=tuple(Node(b"l%d" % at, Kind.SYMLINK, target=b"../d") for at in range(12))),
        Node(b"t", Kind.DIR, children=(*long_directories()[:3],)),
        *long_directories(5001),
    )
)
DEEP_PATHS = ("d/d/d/d/d/d/d/d/d/d", "d", "d/" * 30 + "d", "n" * 120 + "/" + "n" * 120, "m", "t")

ARGUMENTS_TREE = parse_tree("a/{b/{y}, c}, f, 1/{x}, undefined/{x}, null/{x}, nil/{x}, None/{x}, true/{x}")
ARGUMENTS: tuple[Any, ...] = (
    *({}, [], None, "a", 0, 5, False, ["a"], ["a", "f"], [{"path": "a"}], ["."], "."),
    *(
        {"path": "a", "Path": "a"},
        {"path": "a", "PATH": "f"},
        {"path": "a", "recursive": True},
        {"path": "a", "x": None},
    ),
    *({"path": 0}, {"path": False}, {"path": []}, {"path": {}}, {"path": None}, {"path": True}, {"path": 1.5}),
    *({"path": ["a"]}, {"path": ["a", "b"]}, {"path": {"path": "a"}}, {"path": "a"}, {"path": "."}, {"path": "1"}),
)


def rare_families() -> Iterator[CaseFamily]:
    """Yield the families."""

    def family(
        name: str, tree: TreeShape | Tree | None, *stages: Stage, needs: frozenset[str] = frozenset()
    ) -> CaseFamily:
        return CaseFamily(name, tree, stages, OUTSIDE, needs, relative_size=0, arguments={"path": "."})

    modes = frozenset({"modes"})
    yield family("rare names", NAMES, _start)
    yield family("ignoring files", IGNORING, _start)
    yield family("rare paths", None, _rare_path, _tree_of_path)
    yield family("ways", LINKS_TREE, one_of("arguments.path", *LINK_PATHS, *WAYS_OUT), _sandbox)
    yield family("closed ways", NESTED_CLOSED, _any_path, needs=modes)
    yield replace(family("effects", NAMES, _start), unchanged="WD-SEC-04")
    yield family("long walks", DEEP_TREE, one_of("arguments.path", *DEEP_PATHS * 4, *_long_names()))
    yield family("rare arguments", ARGUMENTS_TREE, one_of("arguments", *ARGUMENTS))
    outside = {"context.roots": ["$OUTSIDE/outside"], "context.working_dir": "$OUTSIDE/outside"}
    changes: tuple[CaseUpdate, ...] = ({}, {}, {"arguments.path": "."}, {**outside, "arguments.path": "."})
    yield family("earlier walks", REPEATED, _again, after_other_calls(*changes))
    yield family("earlier ways", REPEATED, _again, _after_directories)


def _long_names() -> Iterator[str]:
    """Yield the long directories, the longer ones less often: a walk of a thousand takes a tenth of a second."""
    for count in (*MANY, 5001, 5001):
        yield from [f"d{count}"] * (6 if count <= 256 else 1)


def _start(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, *({"arguments.path": name} for name in top_directories(case))]


def _rare_path(case: Case) -> Sequence[CaseUpdate]:
    pairs = [f"{one}/{other}" for one in RARE_COMPONENTS for other in ("a", "x b", "{c}")]
    deep = "a/b/c/d/e/f/g/h/i/j"
    texts = (*RARE_COMPONENTS, *RARE_COMPONENTS, *pairs, *(f"a/{one}" for one in RARE_COMPONENTS), deep, f"{deep}/k")
    return [{"arguments.path": text} for text in texts]


def _tree_of_path(case: Case) -> Sequence[CaseUpdate]:
    """Return trees in which the path is a directory, a file or missing, with plain directories beside it."""
    path = case.arguments["path"]
    parts = [part.encode() for part in path.split("/")]
    plain = parse_tree("a/{b/{c}, decoy}, b/{decoy}, con/, d/, e/{decoy}, q/, x/, A/").entries
    found: list[CaseUpdate] = []
    for last in (Node(parts[-1], Kind.DIR, children=(Node(b"x", Kind.FILE),)), Node(parts[-1], Kind.FILE)):
        node = last
        for part in reversed(parts[:-1]):
            node = Node(part, Kind.DIR, children=(node, Node(b"beside", Kind.FILE)))
        found.append({"tree": Tree((node, *(one for one in plain if one.name != node.name)))})
    missing: CaseUpdate = {"tree": Tree(tuple(one for one in plain if one.name != parts[0]))}
    return [found[0], found[0], found[0], {**found[0], "arguments.path": f"{path}/"}, found[1], missing]


def _sandbox(case: Case) -> Sequence[CaseUpdate]:
    """Return the sandbox by its own path, or by that of a link to it."""
    alias = "$OUTSIDE/alias"
    return [{}, {}, {}, {"context.roots": [alias], "context.working_dir": alias}]


def _any_path(case: Case) -> Sequence[CaseUpdate]:
    paths = [path.decode() for path, _ in case.tree.walk()]
    further = ("{}", "{}", "{}/", "{}/x", "{}/a")
    return [{}, *({"arguments.path": form.format(path)} for path in paths for form in further)]


def _again(case: Case) -> Sequence[CaseUpdate]:
    paths = (".", ".", "a", "b", "l", "l/od", "a/b", "a/od", "a/a", "d/", "../outside", "../outside/od", "nope", "b/od")
    return [{"arguments.path": path} for path in paths]


def _after_directories(case: Case) -> Sequence[CaseUpdate]:
    """Return an earlier call on a tree in which each link is a directory."""

    def changed(node: Node) -> Node:
        if node.kind is Kind.SYMLINK:
            inside = (Node(b"x", Kind.FILE), Node(b"od", Kind.DIR, children=(Node(b"x", Kind.FILE),)))
            return Node(node.name, Kind.DIR, children=inside)
        return node.with_children(tuple(map(changed, node.children)))

    return [{"earlier": (replace(case, tree=Tree(tuple(map(changed, case.tree.entries)))),)}]
