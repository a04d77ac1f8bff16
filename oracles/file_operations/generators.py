"""The values of random sequences: few names that often collide, and arguments at the boundaries of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeproof.api import Command, Kind, Tree, TreeShape

OUTSIDE = 'away/{secret="S"}, root2/'

TREES = TreeShape(
    names=((b"a", b"b", b"d"), (b"a", b"b", b"d", b"l"), (b"d", b"a", b"b", b"\xff")),
    kinds=(Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO),
    symlink_targets=(b"a", b"d", b"gone", b"../away/secret", b"d/a"),
    sizes=(0,),
    contents=(b"A", b"BB", b"CCC", b"D" * 8192, b"\xef\xbb\xbfE\0\xff\r\n", b"F", b"G" + b"\0" * 200),
    max_entries=14,
    hard_links=True,
)

UNUSUAL_PATHS = (".", "d/../a", "../away/secret")
NEW_DESTINATIONS = ("$HOME%2f:..X", "d/x", "./y", "x/y")
MAX_PATHS = 10
TOOLS = ("move", "copy", "mv", "copy", "rename", "cp")
COPY_TOOLS = ("copy", "cp")


def command_choices(capabilities: frozenset[str], tree: Tree) -> tuple[Sequence[Any], ...]:
    """Return tool names, sources, destinations, `overwrite` (None: absent), and the configured permission.

    Files are drawn most often, because their content can be lost.
    """
    existing = [(path.decode(), node) for path, node in tree.walk() if path.isascii()][:MAX_PATHS]
    files = [path for path, node in existing if node.kind is Kind.FILE]
    paths = [path for path, _ in existing]
    sources = (*files, *paths, *files, *paths, "gone", *UNUSUAL_PATHS)
    destinations = (*NEW_DESTINATIONS, *files, *paths, *files, *paths, *UNUSUAL_PATHS)
    allowed = (None, True, True, False) if "config" in capabilities else (None,)
    return TOOLS, sources, destinations, (None, True, True, False), allowed


def make_command(tool: str, source: str, destination: str, overwrite: bool | None, allowed: bool | None) -> Command:
    """Return the command with these values."""
    arguments: dict[str, Any] = {"source": source, "destination": destination}
    if overwrite is not None:
        arguments["overwrite"] = overwrite
    context = {} if allowed is None else {"config": {"tools": {"fileops": {"allow_overwrite": allowed}}}}
    return Command(tool, arguments, context)
