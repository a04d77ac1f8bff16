"""All that a call may come to: a list of entries of the recipe, or an error, by each way of reading the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from treeproof.api import AcceptedReadings, Case, Kind, Node, Tree, Unmodelled

from .globs import matches_glob

ROOT = "$ROOT"
RECOMMENDED_READINGS: Mapping[str, str] = {
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
class ExpectedFailure:
    """Why a call has to fail."""

    reason: str


@dataclass(frozen=True)
class ExpectedEntry:
    """An entry that is due: its place below the requested directory, and its node."""

    raw_path: bytes
    node: Node

    @property
    def path(self) -> str:
        return self.raw_path.decode("utf-8", "replace")

    @property
    def name(self) -> str:
        return self.node.name.decode("utf-8", "replace")

    @property
    def is_utf8(self) -> bool:
        return "\ufffd" not in self.path


@dataclass(frozen=True)
class ExpectedListing:
    """The entries that are due below a directory. `search`: they were searched for, so their order is free.

    `within` is what stands behind the sandbox in their paths. `loose`: names that are not UTF-8 may be spelt otherwise.
    `links` are the places of all links below the directory.
    """

    subpath: str
    entries: tuple[ExpectedEntry, ...]
    is_search: bool = False
    is_recursive: bool = False
    any_non_utf8_spelling: bool = False
    link_paths: tuple[str, ...] = ()


ExpectedOutcome = ExpectedListing | ExpectedFailure
LabelledOutcome = tuple[Mapping[str, str], ExpectedOutcome]


def accepted_labels(accepted: AcceptedReadings, passage: str) -> list[str]:
    """The accepted readings of a passage, the recommended one first."""
    best = RECOMMENDED_READINGS[passage]
    return sorted(accepted.get(passage, frozenset({best})), key=lambda label: (label != best, label))


def expected_outcomes(case: Case, accepted: AcceptedReadings) -> list[LabelledOutcome]:
    """Every outcome with the readings that it rests on, the recommended one first. Raises Unmodelled."""
    arguments = case.arguments
    path = arguments.get("path") if isinstance(arguments, dict) else None
    if not isinstance(path, str) or not path.startswith(ROOT):
        raise Unmodelled("the path is not one below the sandbox")
    within = path.removeprefix(ROOT)
    top = _resolve_directory(case.tree, within)
    if isinstance(top, ExpectedFailure):
        return [({}, top)]
    mode, children = (0o700, case.tree.entries) if top is None else (top.mode, top.children)
    mode = 0o755 if mode is None else mode
    if not mode & 0o400:
        return [({}, ExpectedFailure("the directory may not be read"))]
    if case.tool == "listDirectory":
        return list(_listing_outcomes(within, children, mode, accepted))
    return list(_search_outcomes(within, children, mode, case, accepted))


def _resolve_directory(tree: Tree, within: str) -> Node | None | ExpectedFailure:
    """The directory of a place, None for the sandbox. Raises Unmodelled for spellings and links on the way."""
    names = within.split("/")[1:]
    if within and (not names or any(name in ("", ".", "..") for name in names)):
        raise Unmodelled("the path is spelt otherwise than plainly")
    here: Node | None = None
    for number, name in enumerate(names):
        siblings = tree.entries if here is None else here.children
        found = next((node for node in siblings if node.name == name.encode()), None)
        if here is not None and here.mode is not None and not here.mode & 0o100:
            return ExpectedFailure("the path leads through a directory that nobody may enter")
        if found is None:
            return ExpectedFailure("the path is not there")
        if found.kind is Kind.SYMLINK:
            aim = tree.find(found.target or b"") if b"/" not in (found.target or b"") else None
            if number + 1 < len(names) or (aim is not None and aim.kind in (Kind.DIR, Kind.SYMLINK)):
                raise Unmodelled("the path goes through a link")
            if (found.target or b"").startswith((b"/", b"..", b"$", b".")):
                raise Unmodelled("the path is a link that leads elsewhere")
            return ExpectedFailure("the path is a link to no directory")
        if found.kind is not Kind.DIR:
            return ExpectedFailure("the path is no directory")
        here = found
    return here


def _listing_outcomes(
    within: str, children: tuple[Node, ...], mode: int, accepted: AcceptedReadings
) -> Iterator[LabelledOutcome]:
    if children and not mode & 0o100:
        if "told" in accepted_labels(accepted, "AMB-LF-23"):
            raise Unmodelled("entries without metadata")
        yield {}, ExpectedFailure("entries cannot be looked at")
        return
    due = tuple(ExpectedEntry(node.name, node) for node in children)
    yield from _by_name_reading(ExpectedListing(within, due), {}, accepted)


def _by_name_reading(
    listed: ExpectedListing, read: Mapping[str, str], accepted: AcceptedReadings
) -> Iterator[LabelledOutcome]:
    """By what stands for names that are not UTF-8."""
    if all(child.is_utf8 for child in listed.entries):
        yield read, listed
        return
    for label in accepted_labels(accepted, "AMB-LF-17"):
        more = {**read, "AMB-LF-17": label}
        if label == "error":
            yield more, ExpectedFailure("a name is not UTF-8")
        else:
            loose = label == "other"
            yield (
                more,
                ExpectedListing(
                    listed.subpath,
                    listed.entries,
                    listed.is_search,
                    listed.is_recursive,
                    loose,
                    listed.link_paths,
                ),
            )


def _search_outcomes(
    within: str, children: tuple[Node, ...], mode: int, case: Case, accepted: AcceptedReadings
) -> Iterator[LabelledOutcome]:
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
            seen.append(ExpectedEntry(above + node.name, node))
            if node.kind is Kind.DIR and recursive:
                own = 0o755 if node.mode is None else node.mode
                if own & 0o500 == 0o500 or (own & 0o400 and not node.children):
                    waiting.append((above + node.name + b"/", node.children))
                else:
                    closed = True
    links = tuple(child.path for child in seen if child.node.kind is Kind.SYMLINK)
    for which in accepted_labels(accepted, "AMB-LF-15") if closed else [""]:
        skipped = {"AMB-LF-15": which} if which else {}
        if which == "error":
            yield skipped, ExpectedFailure("a directory cannot be read")
            continue
        for dialect in accepted_labels(accepted, "AMB-LF-12"):
            for kinds in accepted_labels(accepted, "AMB-LF-11"):
                due = tuple(child for child in seen if _matches(child, glob, dialect, kinds))
                read = {**skipped, "AMB-LF-12": dialect, "AMB-LF-11": kinds}
                yield from _by_name_reading(
                    ExpectedListing(within, due, True, recursive, link_paths=links), read, accepted
                )


def _matches(child: ExpectedEntry, glob: str, dialect: str, kinds: str) -> bool:
    if kinds == "files" and child.node.kind is not Kind.FILE:
        return False
    if dialect == "shell" and b"/." in b"/" + child.raw_path:
        return False
    if dialect == "by_name" and "/" not in glob:
        return matches_glob(glob, child.name)
    return matches_glob(glob, child.path)
