"""The placeholders {root} and {roots} in the command line, the variables and the working directory of a candidate.

A program that gets its sandbox roots at its start is started again when a call has other roots. Starts nothing itself.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeproof.candidate import ProcessOptions, Target, UnsupportedByAdapter
from treeproof.candidate.manifest import ROOT_PLACEHOLDER, ROOTS_PLACEHOLDER

from .command_line import absolute_files


def accepts_root(target: Target) -> bool:
    """Return whether the target is started with one sandbox root or with all of them."""
    return _occurs(ROOT_PLACEHOLDER, target) or accepts_roots(target)


def accepts_roots(target: Target) -> bool:
    """Return whether the target is started with all sandbox roots of a call."""
    return _occurs(ROOTS_PLACEHOLDER, target)


def require_own_directory(target: Target, options: ProcessOptions) -> None:
    """Raise UnsupportedByAdapter for another working directory of a candidate that gets its root in that way."""
    if options.cwd is not None and ROOT_PLACEHOLDER in str(target.cwd or ""):
        raise UnsupportedByAdapter("the candidate gets its sandbox root as its working directory (cwd)")


def roots_of(context: Mapping[str, Any], workspace: str) -> tuple[str, ...]:
    """Return the roots of a call; without any, the workspace."""
    return tuple(map(str, context.get("roots") or ())) or (workspace,)


def require_directories(roots: Sequence[str]) -> None:
    """Raise UnsupportedByAdapter for roots with which a program would not start: its end would be no fault of it."""
    if not all(map(os.path.isdir, roots)):
        raise UnsupportedByAdapter("the candidate gets its sandbox root at its start, and that of this call is none")


def with_roots(target: Target, roots: Sequence[str]) -> Target:
    """Return the target with roots in place of the placeholders.

    A word that is only ``{roots}`` becomes one word for each root; elsewhere a colon separates them.
    """
    base = without_root_in_cwd(target)
    argv: list[str] = []
    for word in base.argv:
        argv += roots if word == ROOTS_PLACEHOLDER else [_expand(word, roots)]
    return replace(
        base,
        argv=tuple(argv),
        env={name: _expand(value, roots) for name, value in base.env.items()},
        cwd=target.cwd and Path(_expand(str(target.cwd), roots)),
    )


def without_root_in_cwd(target: Target) -> Target:
    """Return the target without a cwd that contains a placeholder; words of its command line stay right."""
    if target.cwd is None or ROOT_PLACEHOLDER not in str(target.cwd):
        return target
    return replace(target, cwd=None, argv=absolute_files(target.argv, target.folder))


def _expand(text: str, roots: Sequence[str]) -> str:
    return text.replace(ROOTS_PLACEHOLDER, os.pathsep.join(roots)).replace(ROOT_PLACEHOLDER, roots[0])


def _occurs(placeholder: str, target: Target) -> bool:
    return any(placeholder in word for word in (*target.argv, *target.env.values(), str(target.cwd or "")))
