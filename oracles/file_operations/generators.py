"""The values of random sequences: few names that often collide, and arguments at the boundaries of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from treeproof.api import Command, Groups, Kind, Tree, TreeShape, parse_tree

from .circumstances import Circumstance, circumstances

OUTSIDE = 'away/{secret="S"}, root2/'

PLAIN_NAMES = ((b"a", b"b", b"d"), (b"a", b"b", b"d", b"l"), (b"d", b"a", b"b", b"\xff"))

UNUSUAL_NAMES = (
    (b"a", b"d", b"d.b", b".b", b"v1.2", b"[b]", b"*"),
    (b"a", b"d", b'"a"', b"a#1", b"a\\b", b"'a'"),
    (b"a", b"d", b"A", b"B", b"a%2eb", b" a"),
    (b"a", b"d", "\u00e9".encode(), "e\u0301".encode(), b"a\n"),
    (b"a", "\uff5e".encode(), "\U0001f600".encode(), b"b"),
    (b"a", b"d", b".git", b"node_modules", b"build", b".DS_Store", b"x.tmp"),
    (b"a", b"b", b"b.part", b"b.tmp", b"b~", b"b.bak", b".b.tmp", b".unfinished"),
    (b"a", b"d", b"n" * 255, b"m" * 250),
    *(
        (b"far", b"a", b"d", b"b"),
        (b"a", b"far", b"d", b"b.part", b"b"),
        (b"far", b"d", b"a", b".git", b"x.tmp", b"\xff"),
    ),
    (b"far", b"a", b"n" * 255),
)
"""Names that some programs change, leave out, or use themselves."""

DEEP = "d/{" + "".join(f"d{depth}/{{" for depth in range(1, 13)) + 'h="H"' + "}" * 13 + ', a="A"'
MANY = 'd/{f000..f104}, a="A", b="B"'
FAR_TREES = (
    'far/{b="B", s/{a="S"}}, d/{f="F", .g="G", e/, h/{i/{j}}, k->f, l->., \'\\xff\'="M", .git/{x="X"}}, a="A"',
    'far/{d/{g="G"}, a="OLD"}, d/{f="F", p:sock}, a="A"',
    'far/{a="A"}, ' + DEEP.replace(', a="A"', ""),
    'far/{a="A"}, ' + MANY,
)
"""Trees with a second root, on another file system."""

MANY_ABOVE = 'g000..g204, a="A", d/{b="B"}'

TREES = TreeShape(
    names=(
        *((b"a", b"b", b"d"), (b"a", b"b", b"d", b"l"), (b"d", b"a", b"b", b"\xff"), (b"far", b"a", b"d", b"b")),
        *((b"a", b"d", b"0", b"-r"), (b"[a]", b"a b", b"d", b"a")),
    ),
    # No pipes: a copy that opens one, as its source or as its destination, waits for ever.
    kinds=(Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.SOCKET),
    symlink_targets=(b"a", b"d", b"gone", b"../away/secret", b"d/a"),
    sizes=(0,),
    contents=(b"A", b"BB", b"CCC", b"D" * 8192, b"\xef\xbb\xbfE\0\xff\r\n", b"0", b"G" + b"\0" * 200),
    file_modes=(0o000, 0o444),
    max_entries=14,
    hard_links=True,
)

WIDE_TREES = TreeShape(
    names=(*PLAIN_NAMES, *PLAIN_NAMES, *PLAIN_NAMES, *UNUSUAL_NAMES),
    kinds=TREES.kinds,
    symlink_targets=(b"a", b"d", b"gone", b"../away/secret", b"d/a"),
    sizes=(0,),
    contents=(
        *(b"A", b"BB", b"CCC", b"D" * 8192, b"\xef\xbb\xbfE\0\xff\r\n", b"F", b"G" + b"\0" * 200),
        *(b"H\r\nH\r\n", b"I" * 65536),
    ),
    directory_modes=(None, None, None, 0o1777),
    file_modes=(0o000, 0o444),
    max_entries=14,
    hard_links=True,
    whole_trees=(parse_tree(DEEP), *map(parse_tree, FAR_TREES), parse_tree(MANY), parse_tree(MANY_ABOVE)),
)

UNUSUAL_PATHS = (
    *(".", "d/../a", "../away/secret", "", "..", "../..", "d/../..", "../root2", "../ROOT", "l/..", "out/gone"),
    *("./a", "a/", "d//a"),
)
NEW_DESTINATIONS = ("$HOME%2f:..X", "d/x", "./y", "x/y")
MAX_PATHS = 10
TOOLS = ("move", "copy", "mv", "copy", "rename", "cp")
COPY_TOOLS = ("copy", "cp")


def command_choices(capabilities: frozenset[str], tree: Tree) -> tuple[Sequence[Any], ...]:
    """Return tool names, sources, destinations, `overwrite` (None: absent), and the configured permission.

    Files are drawn most often, because their content can be lost.
    """
    named = [(path.decode(), node) for path, node in tree.walk() if _is_text(path)][:MAX_PATHS]
    files = [path for path, node in named if node.kind is Kind.FILE]
    paths = [path for path, _ in named]
    existing = (*files, *paths) * 3
    sources = (*existing, "gone", *UNUSUAL_PATHS)
    destinations = (*NEW_DESTINATIONS, *existing, *UNUSUAL_PATHS)
    allowed = (None, True, True, False) if "config" in capabilities else (None,)
    return TOOLS, sources, destinations, (None, True, True, False), allowed


def wide_command_choices(capabilities: frozenset[str], tree: Tree) -> tuple[Sequence[Any], ...]:
    """Return the same values, and what is unusual about a call."""
    files = tuple(path.decode() for path, node in tree.walk() if node.kind is Kind.FILE and _is_text(path))
    return (*command_choices(capabilities, tree), _unusual(capabilities, files[:MAX_PATHS]))


PLAIN_SHARE = 0.5
"""The share of calls with nothing unusual."""


@lru_cache(maxsize=64)
def _unusual(capabilities: frozenset[str], files: tuple[str, ...]) -> Groups:
    """Return what is unusual about the calls of a sequence, by groups; mostly nothing."""
    groups = (
        (*([None] * round(len(group) * PLAIN_SHARE / (1 - PLAIN_SHARE))), *group)
        for group in circumstances(capabilities, files)
    )
    return Groups(((None,), *groups))


def _is_text(path: bytes) -> bool:
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    return True


def make_command(
    tool: str,
    source: str,
    destination: str,
    overwrite: bool | None,
    allowed: bool | None,
    unusual: Circumstance | None = None,
) -> Command:
    """Return the command with these values."""
    arguments: dict[str, Any] = {"source": source, "destination": destination}
    if overwrite is not None:
        arguments["overwrite"] = overwrite
    context = {} if allowed is None else {"config": {"tools": {"fileops": {"allow_overwrite": allowed}}}}
    if unusual is None:
        return Command(tool, arguments, context)
    if unusual.only_arguments:
        return Command(unusual.tool or tool, unusual.arguments, unusual.context)
    arguments["source"] = unusual.source or source
    arguments["destination"] = unusual.destination or destination
    if unusual.arguments.keys() & {"force", "OVERWRITE", "Overwrite", "OverWrite"}:
        arguments.pop("overwrite", None)
    arguments.update(unusual.arguments)
    arguments = {unusual.renamed.get(name, name): value for name, value in arguments.items()}
    return Command(unusual.tool or tool, arguments, {**context, **unusual.context})
