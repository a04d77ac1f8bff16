"""What sequences are made of: few names that meet often, and calls that stand on the boundaries of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeproof.search.machine import Turn
from treeproof.search.model import Shape
from treeproof.tree import Kind, Tree

OUTSIDE = 'away/{secret="S"}, root2/'

TREES = Shape(
    names=((b"a", b"b", b"d"), (b"a", b"b", b"d", b"l"), (b"d", b"a", b"b", b"\xff")),
    kinds=(Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO),
    targets=(b"a", b"d", b"gone", b"../away/secret", b"d/a"),
    sizes=(0,),
    contents=(b"A", b"BB", b"CCC", b"D" * 8192, b"\xef\xbb\xbfE\0\xff\r\n", b"F", b"G" + b"\0" * 200),
    entries=14,
    second_names=True,
)

ODD = (".", "d/../a", "../away/secret")
NEW = ("$HOME%2f:..X", "d/x", "./y", "x/y")
MOST_PATHS = 10
TOOLS = ("move", "copy", "mv", "copy", "rename", "cp")
COPIES = ("copy", "cp")


def columns(capabilities: frozenset[str], tree: Tree) -> tuple[Sequence[Any], ...]:
    """Names of tools, sources, destinations, `overwrite` (None: left out), and what the configuration allows.

    Files meet each other most often: that is where something can be lost.
    """
    there = [(path.decode(), node) for path, node in tree.walk() if path.isascii()][:MOST_PATHS]
    files = [path for path, node in there if node.kind is Kind.FILE]
    paths = [path for path, _ in there]
    sources = (*files, *paths, *files, *paths, "gone", *ODD)
    destinations = (*NEW, *files, *paths, *files, *paths, *ODD)
    allowed = (None, True) if "config" in capabilities else (None,)
    return TOOLS, sources, destinations, (None, True, True, False), allowed


def turn(tool: str, source: str, destination: str, overwrite: bool | None, allowed: bool | None) -> Turn:
    """The call of these parts."""
    arguments: dict[str, Any] = {"source": source, "destination": destination}
    if overwrite is not None:
        arguments["overwrite"] = overwrite
    context = {} if allowed is None else {"config": {"tools": {"fileops": {"allow_overwrite": allowed}}}}
    return Turn(tool, arguments, context)
