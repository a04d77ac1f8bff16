"""The program behind a launcher such as npx, which takes seconds to start what is installed already.

A run starts a server once for each scenario tree, so its manifest names the program itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

LAUNCHERS = ("npx", "npm", "pnpm", "pnpx", "yarn", "bunx", "uvx", "uv", "pipx")
"""Programs that install another one if needed, and start it as a child."""


def program_behind(command: Sequence[str], pid: int | None, root: str) -> list[str] | None:
    """Return the command line of the program that a launcher has started, with ``{root}`` for the root.

    None if the command is no launcher, or if its processes cannot be seen (`/proc`).
    """
    if pid is None or os.path.basename(command[0]) not in LAUNCHERS:
        return None
    try:
        leaf = _last_child(pid)
        words = [os.fsdecode(word) for word in Path(f"/proc/{leaf}/cmdline").read_bytes().split(b"\0")[:-1]]
        program = os.readlink(f"/proc/{leaf}/exe")
    except OSError:
        return None
    # The interpreter of a virtual environment is a link, whose target would not find the packages.
    first = words[0] if words and os.path.isabs(words[0]) else program
    if leaf == pid or len(words) < 2 or not all(map(os.path.exists, (first, words[1]))):
        return None  # also where a process has given itself a title
    return [word.replace(root, "{root}") for word in (first, *words[1:])]


def _last_child(pid: int) -> int:
    """Return the process at the end of the chain of first children. Raises OSError if it has ended."""
    while True:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        if not children:
            return pid
        pid = int(children[0])
