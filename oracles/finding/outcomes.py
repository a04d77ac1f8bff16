"""All that a call may come to: a list of entries of the recipe, or an error, by each way of reading the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from treeproof.search.model import Accepted, Case, Unmodelled
from treeproof.tree import Kind, Node, Tree

from .globs import matched

ROOT = "$ROOT"
RECOMMENDED: Mapping[str, str] = {
    "AMB-LF-01": "kind",
    "AMB-LF-08": "floor",
    "AMB-LF-11": "all",
    "AMB-LF-12": "relative",
    "AMB-LF-15": "skipped",
    "AMB-LF-17": "replacement",
    "AMB-LF-23": "error",
}
"""The passages that the model can read in more than one way, and how they are recommended to be read."""


@dataclass(frozen=True)
class Failure:
    """Why a call has to fail."""

    why: str


@dataclass(frozen=True)
class Child:
    """An entry that is due: its place below the requested directory, and its node."""

    raw: bytes
    node: Node

    @property
    def place(self) -> str:
        return self.raw.decode("utf-8", "replace")

    @property
    def name(self) -> str:
        return self.node.name.decode("utf-8", "replace")

    @property
    def is_text(self) -> bool:
        return "\ufffd" not in self.place


@dataclass(frozen=True)
class Listed:
    """The entries that are due below a directory. `search`: they were searched for, so their order is free.

    `within` is what stands behind the sandbox in their paths. `loose`: names that are not UTF-8 may be spelt otherwise.
    `links` are the places of all links below the directory.
    """

    within: str
    due: tuple[Child, ...]
    search: bool = False
    recursive: bool = False
    loose: bool = False
    links: tuple[str, ...] = ()


Outcome = Listed | Failure
Labelled = tuple[Mapping[str, str], Outcome]


def labels(accepted: Accepted, passage: str) -> list[str]:
    """The accepted readings of a passage, the recommended one first."""
    best = RECOMMENDED[passage]
    return sorted(accepted.get(passage, frozenset({best})), key=lambda label: (label != best, label))


def outcomes(case: Case, accepted: Accepted) -> list[Labelled]:
    """Every outcome with the readings that it rests on, the recommended one first. Raises Unmodelled."""
    arguments = case.arguments
    path = arguments.get("path") if isinstance(arguments, dict) else None
    if not isinstance(path, str) or not path.startswith(ROOT):
        raise Unmodelled("the path is not one below the sandbox")
    within = path.removeprefix(ROOT)
    top = _directory(case.tree, within)
    if isinstance(top, Failure):
        return [({}, top)]
    mode, children = (0o700, case.tree.entries) if top is None else (top.mode, top.children)
    mode = 0o755 if mode is None else mode
    if not mode & 0o400:
        return [({}, Failure("the directory may not be read"))]
    if case.tool == "listDirectory":
        return list(_listed(within, children, mode, accepted))
    return list(_found(within, children, mode, case, accepted))


def _directory(tree: Tree, within: str) -> Node | None | Failure:
    """The directory of a place, None for the sandbox. Raises Unmodelled for spellings and links on the way."""
    names = within.split("/")[1:]
    if within and (not names or any(name in ("", ".", "..") for name in names)):
        raise Unmodelled("the path is spelt otherwise than plainly")
    here: Node | None = None
    for number, name in enumerate(names):
        siblings = tree.entries if here is None else here.children
        found = next((node for node in siblings if node.name == name.encode()), None)
        if here is not None and here.mode is not None and not here.mode & 0o100:
            return Failure("the path leads through a directory that nobody may enter")
        if found is None:
            return Failure("the path is not there")
        if found.kind is Kind.SYMLINK:
            aim = tree.find(found.target or b"") if b"/" not in (found.target or b"") else None
            if number + 1 < len(names) or (aim is not None and aim.kind in (Kind.DIR, Kind.SYMLINK)):
                raise Unmodelled("the path goes through a link")
            if (found.target or b"").startswith((b"/", b"..", b"$", b".")):
                raise Unmodelled("the path is a link that leads elsewhere")
            return Failure("the path is a link to no directory")
        if found.kind is not Kind.DIR:
            return Failure("the path is no directory")
        here = found
    return here


def _listed(within: str, children: tuple[Node, ...], mode: int, accepted: Accepted) -> Iterator[Labelled]:
    if children and not mode & 0o100:
        if "told" in labels(accepted, "AMB-LF-23"):
            raise Unmodelled("entries without metadata")
        yield {}, Failure("entries cannot be looked at")
        return
    due = tuple(Child(node.name, node) for node in children)
    yield from _spelt(Listed(within, due), {}, accepted)


def _spelt(listed: Listed, read: Mapping[str, str], accepted: Accepted) -> Iterator[Labelled]:
    """By what stands for names that are not UTF-8."""
    if all(child.is_text for child in listed.due):
        yield read, listed
        return
    for label in labels(accepted, "AMB-LF-17"):
        more = {**read, "AMB-LF-17": label}
        if label == "error":
            yield more, Failure("a name is not UTF-8")
        else:
            loose = label == "other"
            yield (
                more,
                Listed(listed.within, listed.due, listed.search, listed.recursive, loose, listed.links),
            )


def _found(
    within: str, children: tuple[Node, ...], mode: int, case: Case, accepted: Accepted
) -> Iterator[Labelled]:
    arguments = case.arguments
    glob, recursive = arguments.get("glob"), arguments.get("recursive")
    if not isinstance(glob, str) or type(recursive) is not bool:
        raise Unmodelled("arguments that are no search")
    if children and not mode & 0o100:
        raise Unmodelled("a search below what cannot be looked at")
    seen, closed = [], False
    waiting = [(b"", children)]
    while waiting:
        above, nodes = waiting.pop()
        for node in nodes:
            seen.append(Child(above + node.name, node))
            if node.kind is Kind.DIR and recursive:
                own = 0o755 if node.mode is None else node.mode
                if own & 0o500 == 0o500 or (own & 0o400 and not node.children):
                    waiting.append((above + node.name + b"/", node.children))
                else:
                    closed = True
    links = tuple(child.place for child in seen if child.node.kind is Kind.SYMLINK)
    for which in labels(accepted, "AMB-LF-15") if closed else [""]:
        skipped = {"AMB-LF-15": which} if which else {}
        if which == "error":
            yield skipped, Failure("a directory cannot be read")
            continue
        for dialect in labels(accepted, "AMB-LF-12"):
            for kinds in labels(accepted, "AMB-LF-11"):
                due = tuple(child for child in seen if _matches(child, glob, dialect, kinds))
                read = {**skipped, "AMB-LF-12": dialect, "AMB-LF-11": kinds}
                yield from _spelt(Listed(within, due, True, recursive, links=links), read, accepted)


def _matches(child: Child, glob: str, dialect: str, kinds: str) -> bool:
    if kinds == "files" and child.node.kind is not Kind.FILE:
        return False
    if dialect == "shell" and b"/." in b"/" + child.raw:
        return False
    if dialect == "by_name" and "/" not in glob:
        return matched(glob, child.name)
    return matched(glob, child.place)
