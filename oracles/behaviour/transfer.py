"""The judgement of a move or a copy: what it did to the tree, in and beside the root."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from treeproof.api import ROOT_NAME, Exchange, Finding, Harm, Kind, Node, Unmodelled, by_path, format_path

from .findings import broken
from .places import Nodes, is_inside, nodes_of_tree, resolve
from .views import TRANSFERS

Rest = Mapping[bytes, Node]
"""The entries at and below a place, by the path from there; the place itself is b""."""


def judge_transfer(exchange: Exchange) -> list[Finding]:
    """Return what is wrong with the effect of a call that moves or copies. Raises Unmodelled."""
    case = exchange.case
    arguments: Any = case.arguments
    texts = [arguments.get(name) for name in ("source", "destination")] if isinstance(arguments, Mapping) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise Unmodelled("a path is no text")
    if exchange.case.context.get("roots") is not None:
        raise Unmodelled("a call with other roots than one")
    return list(_Transfer(exchange, *map(str, texts)).findings())


class _Transfer:
    """One call that moves or copies, and the trees before and after it."""

    def __init__(self, exchange: Exchange, source: str, destination: str) -> None:
        self.does: Literal["move", "copy"] = TRANSFERS[exchange.case.tool]
        self.answer = exchange.answer
        self.is_success = exchange.is_answered and exchange.answer.status == "ok"
        self.before, self.after = nodes_of_tree(exchange.before), nodes_of_tree(exchange.after)
        self.files = {path: one.hardlink or path for path, one in by_path(exchange.before).items()}
        self.destination_text = destination
        self.may_replace = exchange.case.arguments.get("overwrite") is True
        self.source = resolve(self.before, source, follows_last=False)
        self.followed = resolve(self.before, source)
        self.targets = list(self._targets())

    def _targets(self) -> Iterator[bytes]:
        """Yield the places where the entry may arrive: at the destination, and in it if that is a directory."""
        texts = dict.fromkeys((self.destination_text, os.path.normpath(self.destination_text or ".")))
        for place in (resolve(self.before, text, follows_last=follows) for text in texts for follows in (False, True)):
            if place.path is None:
                continue
            yield place.key
            node = self.before.get(place.key)
            if node is not None and node.kind is Kind.DIR and self.source.path:
                yield place.key + b"/" + self.source.path[-1]

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong, the gravest first; what follows from it is left out."""
        for rule in (self._outside, self._lost, self._effect):
            found = list(rule())
            yield from found
            if found:
                return

    # ---- outside ------------------------------------------------------------------------------------------------

    def _outside(self) -> Iterator[Finding]:
        beyond = [path for path in sorted(self.before.keys() | self.after.keys()) if not is_inside(path)]
        changed = [path for path in beyond if self.before.get(path) != self.after.get(path)]
        if changed:
            path = changed[0]
            what = "removed" if path not in self.after else "changed" if path in self.before else "written"
            yield broken("BEH-02", f"beyond the root: {_shown(path)} was {what}", "no change there", what, "escape")
        foreign = {node.content for path, node in self.before.items() if not is_inside(path) and node.content}
        own = {node.content for path, node in self.before.items() if is_inside(path)}
        came = [p for p, n in self.after.items() if is_inside(p) and n.content and n.content in foreign - own]
        if came:
            message = f"beyond the root: {_shown(came[0])} came in from there"
            yield broken("BEH-02", message, "nothing from there", "its content", "escape")

    # ---- lost content -------------------------------------------------------------------------------------------

    def _lost(self) -> Iterator[Finding]:
        """Yield a finding for what the call does not name, or may not replace, and what is no longer there."""
        for path, node in sorted(self.before.items()):
            if not is_inside(path) or self.after.get(path) == node or self._is_named(path):
                continue
            if node.kind is Kind.DIR and path in self.after:
                continue
            gone = path not in self.after
            if gone and node.kind is Kind.DIR and any(_is_at(other, path) for other in self.targets):
                continue
            if self.followed.key != self.source.key and _is_at(path, self.followed.key):
                yield self._of_link()
            elif gone and self.is_success and self._new_place_of(path) is not None:
                yield self._of_names(path)
            else:
                message = f"{'no longer there' if gone else 'replaced'}: {_shown(path)}"
                harm: Harm | None = "data" if self._is_content_gone(node) else None
                yield broken("BEH-03", message, "as it was", "nothing" if gone else "something else", harm)
            return

    def _is_named(self, path: bytes) -> bool:
        """Return whether the call may change what is at a path: its source if it moves, and what it may replace."""
        if self.does == "move" and self.source.path is not None and _is_at(path, self.source.key):
            return self._arrived() is not None or not self._has_content(self.source.key)
        if not self.may_replace:
            return False
        # What is written in place of a file is there under all of its names.
        files = {self.files.get(target) for target in self.targets} - {None}
        return any(_is_at(path, target) for target in self.targets) or self.files.get(path) in files

    def _has_content(self, place: bytes) -> bool:
        return any(node.content for node in _rest(self.before, place).values())

    def _is_content_gone(self, node: Node) -> bool:
        if node.content is None:
            return node.size > 0
        return all(other.content != node.content for path, other in self.after.items() if is_inside(path))

    # ---- effect -------------------------------------------------------------------------------------------------

    def _arrived(self) -> bytes | None:
        """Return the place at which the whole entry has arrived, or what its link leads to."""
        wanted = [_rest(self.before, self.source.key)]
        if self.followed.is_inside and self.followed.node is not None and self.does == "copy":
            wanted.append(_rest(self.before, self.followed.key))
        for target in self.targets:
            there = _rest(self.after, target)
            if there and any(_contains(there, one) for one in wanted):
                return target
        return None

    def _effect(self) -> Iterator[Finding]:
        inside_before = {path: node for path, node in self.before.items() if is_inside(path)}
        inside_after = {path: node for path, node in self.after.items() if is_inside(path)}
        if not self.is_success:
            # A directory that was made for the entry holds nothing.
            filled = {path: one for path, one in inside_after.items() if path in inside_before or one.kind != Kind.DIR}
            paths = sorted(inside_before.keys() | filled.keys())
            changed = next((path for path in paths if inside_before.get(path) != filled.get(path)), None)
            if self.answer.status == "error" and changed is not None:
                yield broken("BEH-05", f"changed in spite of the error: {_shown(changed)}", "as it was", "a change")
            return
        what = f"a success without its effect: {_PAST[self.does]} is not"
        if self.source.node is None or not self.source.is_inside:
            if inside_before == inside_after:
                yield broken("BEH-04", "a success, and the source is not there", "an error", "ok")
            return
        if self.source.key in self.targets or self._is_same_file():
            return
        if self._arrived() is None:
            if self.does == "move" and self.source.key != self.followed.key and self.followed.is_inside:
                yield self._of_link()
            elif self._new_place_of(self.source.key) is not None or self._new_files():
                yield self._of_names(self.source.key)
            else:
                target = _shown(self.targets[0]) if self.targets else ""
                yield broken("BEH-04", f"{what}: {_shown(self.source.key)}", target, "ok")
        elif self.does == "move" and self.source.key in self.after:
            yield broken(
                "BEH-04", f"moved, and still there: {_shown(self.source.key)}", "only in its new place", "both"
            )

    def _is_same_file(self) -> bool:
        """Return whether the destination is another name of the source, or as good as that: nothing need be done."""
        own = self.before[self.source.key]
        return any(_is_alike(self.before[target], own, b"") for target in self.targets if target in self.before)

    def _new_files(self) -> list[bytes]:
        """Return the files that have come to be in the root, but not where the entry may arrive."""
        came = (path for path, node in self.after.items() if path not in self.before and node.kind is Kind.FILE)
        return [path for path in came if is_inside(path) and not any(_is_at(path, one) for one in self.targets)]

    def _new_place_of(self, path: bytes) -> bytes | None:
        """Return where the whole entry of a path has come to be."""
        wanted = _rest(self.before, path)
        new = (one for one in sorted(self.after) if one not in self.before and is_inside(one))
        return next((one for one in new if _contains(_rest(self.after, one), wanted)), None)

    def _of_names(self, path: bytes) -> Finding:
        """Return the finding for an effect at other names than those of the call."""
        place = self._new_place_of(path) or self._new_files()[0]
        target = _shown(self.targets[0]) if self.targets else "an error"
        return broken("BEH-13", f"at another name than that of the call: {_shown(place)}", target, _shown(place))

    def _of_link(self) -> Finding:
        """Return the finding for a link whose target is moved in its place."""
        what = f"a link is taken for what it leads to: {_shown(self.source.key)}"
        return broken("BEH-09", what, "the link is moved", f"{_shown(self.followed.key)} is taken")


_PAST = {"move": "moved", "copy": "copied"}


def _is_at(path: bytes, place: bytes) -> bool:
    """Return whether a path is a place, or below it."""
    return path == place or path.startswith(place + b"/")


def _rest(nodes: Nodes, place: bytes) -> Rest:
    return {path[len(place) :]: node for path, node in nodes.items() if _is_at(path, place)}


def _contains(there: Rest, wanted: Rest) -> bool:
    """Return whether everything wanted has arrived; more may be there, as after a merge."""
    return all(path in there and _is_alike(there[path], node, path) for path, node in wanted.items())


def _is_alike(one: Node, other: Node, path: bytes) -> bool:
    """Return whether two entries have the same content; a relative link may be adapted to its new place."""
    if Kind.SYMLINK in (one.kind, other.kind):
        return True if one.kind is other.kind else path != b""
    if (one.kind, one.size) != (other.kind, other.size):
        return False
    return one.kind is not Kind.FILE or one.content == other.content


def _shown(path: bytes) -> str:
    return format_path(path.removeprefix(ROOT_NAME + b"/"))
