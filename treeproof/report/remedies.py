"""What a person can do about something that could not be verified: a table from a cause's words to a way out.

Causes are written where they arise (steps, machine, adapter); this table only adds the way out, and says
nothing where it knows none. No cause is judged here.
"""

from __future__ import annotations

import re

_REMEDIES: tuple[tuple[str, str], ...] = (
    (r"no scenario verifies it", "nothing on your side: this version of the suite does not check it yet"),
    (r"^not selected", "run without --select and --shard, or merge the shards' reports"),
    (r"was selected and did not run|interrupted", "run again; if it stays, treeproof itself is at fault"),
    (r"did not start", "`treeproof doctor TARGET` looks at the connection step by step"),
    (r"harness fault|the start could not be made", "nothing on your side: treeproof itself is at fault here"),
    (r"No space left", "make room, or set TREEPROOF_WORKSPACE to a folder on a disk with more of it"),
    (
        r"injected fault was not met|trace does not show",
        "nothing on your side: the candidate reads the tree by calls that the injection does not see",
    ),
    (
        r"capabilit",
        "let the candidate honour that part of a call's context, and list it under `capabilities` in its answer "
        "to initialize (docs/protocol.md; an MCP server: docs/mcp.md)",
    ),
    (r"has no place for", "an MCP server can say it in the tool's `_meta` (docs/mcp.md)"),
    (r"strace|ptrace", "install strace and allow ptrace (in a container: --cap-add=SYS_PTRACE)"),
    (r"inotify", "allow inotify watches (sysctl fs.inotify.max_user_watches)"),
    (r"unshare|namespace", "allow user namespaces, or run as root"),
    (r"mknod|device", "run as root with CAP_MKNOD"),
    (r"CAP_DAC|root ignores permissions", "let the suite and the candidate run as an ordinary user"),
    (
        r"file system|refuses|not valid UTF-8|non-UTF-8|clamped",
        "set TREEPROOF_WORKSPACE to a folder on a file system that takes it (tmpfs or ext4 on Linux)",
    ),
    (r"does not offer|no tool", "offer the tool under `tools` in the candidate's answer to initialize"),
    (
        r"fault \(timeout\)",
        "look at the tree of one of them (`treeproof explain ID --report run.json`): a special file that is opened, or "
        "a circle of links that is followed, never ends; where every call hangs, ask `treeproof doctor TARGET`",
    ),
    (
        r"fault|exited|timeout|did not answer",
        "`treeproof doctor TARGET` says whether the connection is sound",
    ),
)
_COMPILED_REMEDIES = tuple((re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in _REMEDIES)


def remedy_for(cause: str) -> str | None:
    """Return what would make verifiable what ``cause`` kept from being so; None where no way is known."""
    return next((advice for pattern, advice in _COMPILED_REMEDIES if pattern.search(cause)), None)
