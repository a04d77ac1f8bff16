"""The commands of a shell that make a tree."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from treeproof.tree import Kind, Tree, by_path

BESIDE = (b"$ROOT", b"$OUTSIDE")
"""What stands for absolute paths in the target of a link."""


def commands_for(tree: Tree, folder: str) -> Iterator[str]:
    """Yield the commands that make the entries of a tree in a folder; modes are set last, the deepest first."""
    modes = []
    for path, node in sorted(by_path(tree).items()):
        place = quoted(f"{folder}/".lstrip("/").encode() + path)
        if node.hardlink is not None:
            yield f"ln {quoted(f'{folder}/'.lstrip('/').encode() + node.hardlink)} {place}"
        elif node.kind is Kind.DIR:
            yield f"mkdir {place}"
        elif node.kind is Kind.SYMLINK:
            yield f"ln -s {target_of(node.target or b'')} {place}"
        elif node.kind is Kind.FILE and node.content is not None:
            yield f"printf %s {quoted(node.content)} > {place}"
        elif node.kind is Kind.FILE:
            yield f"truncate -s {node.size} {place}"
        elif node.kind is Kind.FIFO:
            yield f"mkfifo {place}"
        else:
            yield f"# {place}: {node.kind.name.lower()}"
        if node.mode is not None:
            modes.append(f"chmod {node.mode:04o} {place}")
    yield from reversed(modes)


def quoted(raw: bytes) -> str:
    """Return bytes as one word of a shell."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = "\0"
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + re.sub(rb"[^A-Za-z0-9/._-]", lambda one: b"\\x%02x" % one[0][0], raw).decode() + "'"


def target_of(target: bytes) -> str:
    """Return the target of a link as a word; an absolute one starts in the working directory."""
    for name, at in zip(BESIDE, ("$PWD/root", "$PWD"), strict=True):
        if target == name or target.startswith(name + b"/"):
            return f'"{at}"{quoted(target[len(name) :]) if target != name else ""}'
    return quoted(target)
