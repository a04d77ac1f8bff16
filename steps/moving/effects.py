"""What a call did, held against what it was to do: answer and tree are judged together. No step stands here.

The complete state is compared: names, kinds, contents, link targets, which names are one file; permissions of what
was not touched, and of the rest where a tree names them; times where it names them. Nothing beside the sandbox may
change.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace

from treeproof.run.world import World
from treeproof.tree import ROOT, Kind, Node, Tree, below, deviations, flat, parse, planted, settled
from treeproof.verdict import Mismatch, NotVerified

from ..answers import fails

FAR = b"$FAR"
MOST_LINES = 20
LONGEST_QUOTED = 40


@dataclass(frozen=True)
class Due:
    """One right end of a call: that it succeeds (``fails`` None) or fails with certain kinds, and the tree then."""

    fails: str | None
    tree: Tree


def before(world: World) -> Tree:
    """What stood there before the last call, times aside. Raises Mismatch where there was none."""
    if world.before is None:
        raise Mismatch("no call was made before this sentence")
    return planted({path: replace(node, mtime_ns=None) for path, node in flat(world.before).items()})


def after(world: World) -> Tree:
    """What stands there since the last call. Raises Mismatch where there was none."""
    if world.after is None:
        raise Mismatch("no call was made before this sentence")
    return world.after


def unchanged(world: World, kinds: str) -> Due:
    """That the call fails and all is as it was."""
    return Due(kinds, before(world))


def done(world: World, notation: str, far: str | None = None, kinds: str | None = None) -> Due:
    """That the sandbox root holds what ``notation`` says, the second root what ``far`` says, all else as it was."""
    was = flat(before(world))
    due = {path: node for path, node in was.items() if not _is_in(path, ROOT)}
    due |= flat(below(_written(world, notation), ROOT))
    if far is not None:
        due = {path: node for path, node in due.items() if not _is_in(path, FAR)}
        due |= flat(below(_written(world, far), FAR))
    for top in (ROOT, FAR):
        if top in was and top in due:
            due[top] = was[top]
    return Due(kinds, planted({path: _untouched(node, was.get(path)) for path, node in due.items()}))


def _written(world: World, notation: str) -> Tree:
    names = {name.encode(): os.fsencode(path) for name, path in world.names.items()}
    return settled(parse(notation), names)


def _is_in(path: bytes, top: bytes) -> bool:
    return path == top or path.startswith(top + b"/")


def _untouched(node: Node, was: Node | None) -> Node:
    """The node, with the permissions of the one that stood there if it is the same and names none."""
    if was is None or node.mode is not None:
        return node
    same = (node.kind, node.size, node.content, node.target) == (was.kind, was.size, was.content, was.target)
    return replace(node, mode=was.mode) if same else node


def expect(world: World, *ends: Due) -> None:
    """Raise Mismatch unless answer and tree are one of ``ends`` together, told by the first of them.

    Raises NotVerified for an error of which nobody knows the kind, where the kind matters.
    """
    world.due = ends[0].tree
    unknown: NotVerified | None = None
    for end in ends:
        if _holds(world, end):
            try:
                _answered(world, end)
            except Mismatch:
                continue
            except NotVerified as why:
                unknown = why
                continue
            world.due = end.tree
            if deviations(before(world), end.tree):
                world.positive = True
            return
    if unknown is not None:
        raise unknown
    raise _mismatch(world, ends)


def _holds(world: World, end: Due) -> bool:
    succeeded = world.answer.status == "ok"
    return succeeded == (end.fails is None) and not deviations(end.tree, after(world))


def _answered(world: World, end: Due) -> None:
    if end.fails is not None:
        fails(world, end.fails)
    elif not (world.answer.content or "").strip():
        raise Mismatch(
            "the call succeeded and says nothing", expected="a text that says what was done", got=""
        )


def _mismatch(world: World, ends: tuple[Due, ...]) -> Mismatch:
    """What is wrong, in words that tell a missing effect, a denied one and half of one from each other."""
    first, changed = ends[0], deviations(before(world), after(world))
    off = deviations(first.tree, after(world))
    answer = world.answer
    said = f"{answer.kind}: {(answer.message or '')[:120]}"
    due = " or ".join(dict.fromkeys("success" if end.fails is None else end.fails for end in ends))
    if not off and (answer.status == "ok") == (first.fails is None):
        _answered(world, first)  # the tree is right: what is wrong is the kind of the error, or an empty text
    if answer.status == "ok":
        if not changed and first.fails is None:
            text = "a success without the effect: the call says that it succeeded, and nothing has changed"
        elif not changed:
            text = f"the call says that it succeeded, and has done nothing; due was {due}"
        elif first.fails is not None:
            text = f"the call succeeded; due was {due}, and that nothing changes"
        else:
            text = f"{_part(world, first)}: the call says that it succeeded"
    elif not changed:
        text = f"the call failed ({said}); due was {due}"
    elif not off and first.fails is None:
        text = f"an effect with an error: what was asked for was done, and the call failed ({said})"
    elif first.fails is None:
        text = f"{_part(world, first)}, and the call failed ({said})"
    else:
        text = f"an effect with an error: the call failed ({said}), and changed something all the same"
    gone = lost(before(world), after(world), first.tree)
    if gone:
        text += f"; what is nowhere any more: {gone}"
    return Mismatch(text, diff="\n".join(off[:MOST_LINES]))


def _part(world: World, end: Due) -> str:
    """Whether some entries are as they were and the others as they should be, or something else was done."""
    was, due, now = (flat(tree) for tree in (before(world), end.tree, after(world)))
    for path in {*was, *due, *now}:
        if not any(_same(now.get(path), other.get(path)) for other in (was, due)):
            return "another effect than was asked for"
    return "a partial effect"


def _same(one: Node | None, other: Node | None) -> bool:
    if one is None or other is None:
        return one is other
    return not deviations(Tree((replace(other, mode=None),)), Tree((replace(one, name=other.name),)))


def contents(tree: Tree) -> Counter[bytes]:
    """How often each content stands in a tree; files of zeros by their size, empty ones not at all."""
    found = [
        node for node in flat(tree).values() if node.kind is Kind.FILE and node.hardlink is None and node.size
    ]
    return Counter(node.content if node.content is not None else b"%d zeros" % node.size for node in found)


def lost(was: Tree, now: Tree, due: Tree) -> str:
    """The contents that stood there, should still stand there, and do not, for a person; "" where none is missing."""
    missing = (contents(was) & contents(due)) - contents(now)
    return ", ".join(f'"{_short(content)}"' for content in sorted(missing))


def _short(content: bytes) -> str:
    text = content[:LONGEST_QUOTED].decode("utf-8", "backslashreplace")
    return text + "…" * (len(content) > LONGEST_QUOTED)
