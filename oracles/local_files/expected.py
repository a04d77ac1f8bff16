"""The expected outcome of a call by one combination of readings: a list of entries, or an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treeproof.api import Case, Kind, Node, Tree, Unmodelled

from ..shared.formatting import join_paths
from ..shared.reading_choices import ReadingChoices
from .globs import matches_glob

ROOT = "$ROOT"
RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-LF-01": "kind",
    "AMB-LF-08": "floor",
    "AMB-LF-12": "relative",
    "AMB-LF-15": "skipped",
    "AMB-LF-17": "replacement",
    "AMB-LF-23": "error",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


@dataclass(frozen=True)
class ExpectedFailure:
    """An expected error and its cause. `or_nothing`: an empty list is right as well (AMB-LF-29 to 31)."""

    reason: str
    or_nothing: bool = False


@dataclass(frozen=True)
class ExpectedEntry:
    """An expected entry; `raw_path` is its path below the requested directory."""

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
    """The expected entries below a directory; the order of a search result is free.

    `subpath`: the requested directory below the sandbox root. `optional`: entries that a dialect of globs may find, and
    another one not. `link_paths`: all links below the directory. `tree_paths`: everything below it.
    """

    subpath: str
    entries: tuple[ExpectedEntry, ...]
    optional: tuple[ExpectedEntry, ...]
    is_search: bool
    is_recursive: bool
    any_non_utf8_spelling: bool
    link_paths: tuple[str, ...]
    tree_paths: frozenset[str]
    orders: tuple[str, ...]
    """The accepted readings of AMB-LF-01."""
    time_roundings: tuple[str, ...]
    """The accepted readings of AMB-LF-08."""


ExpectedOutcome = ExpectedListing | ExpectedFailure


def describe_outcome(expected: ExpectedOutcome) -> str:
    """Return the expected paths in the tree notation, or "an error"."""
    if isinstance(expected, ExpectedFailure):
        return "an error"
    return join_paths(entry.raw_path for entry in expected.entries) or "[]"


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    arguments = case.arguments
    path = arguments.get("path") if isinstance(arguments, dict) else None
    if not isinstance(path, str) or not path.startswith(ROOT):
        raise Unmodelled("the path is not below the sandbox root")
    subpath = path.removeprefix(ROOT)
    directory = _resolve_directory(case.tree, subpath)
    is_search = case.tool != "listDirectory"
    if isinstance(directory, ExpectedFailure):
        return ExpectedFailure(directory.reason, is_search)
    mode, children = (0o700, case.tree.entries) if directory is None else (directory.mode, directory.children)
    mode = 0o755 if mode is None else mode
    if not mode & 0o400:
        return ExpectedFailure("the directory cannot be read", is_search)
    has_metadata = not children or bool(mode & 0o100)
    if is_search:
        if not has_metadata:
            raise Unmodelled("a search in a directory whose entries have no metadata")
        return _search_outcome(subpath, children, case, readings)
    if not has_metadata:
        if "told" in readings.accepted_labels("AMB-LF-23"):
            raise Unmodelled("entries without metadata")
        return ExpectedFailure("the metadata of the entries cannot be read")
    return _listing(subpath, tuple(ExpectedEntry(node.name, node) for node in children), readings)


def _resolve_directory(tree: Tree, subpath: str) -> Node | None | ExpectedFailure:
    """Return the directory at a path, None for the sandbox root. Raises Unmodelled for links and unusual paths."""
    names = subpath.split("/")[1:]
    if subpath and (not names or any(name in ("", ".", "..") for name in names)):
        raise Unmodelled("the path is not in its simplest form")
    directory: Node | None = None
    for number, name in enumerate(names):
        siblings = tree.entries if directory is None else directory.children
        found = next((node for node in siblings if node.name == name.encode()), None)
        if directory is not None and directory.mode is not None and not directory.mode & 0o100:
            return ExpectedFailure("the path leads through a directory that cannot be searched")
        if found is None:
            return ExpectedFailure("the path does not exist")
        if found.kind is Kind.SYMLINK:
            target = found.target or b""
            linked = tree.find(target) if b"/" not in target else None
            if number + 1 < len(names) or (linked is not None and linked.kind in (Kind.DIR, Kind.SYMLINK)):
                raise Unmodelled("the path goes through a link")
            if target.startswith((b"/", b"..", b"$", b".")):
                raise Unmodelled("the path is a link to another place")
            return ExpectedFailure("the path is a link to no directory")
        if found.kind is not Kind.DIR:
            return ExpectedFailure("the path is no directory")
        directory = found
    return directory


def _listing(
    subpath: str,
    entries: tuple[ExpectedEntry, ...],
    readings: ReadingChoices,
    *,
    optional: tuple[ExpectedEntry, ...] = (),
    is_search: bool = False,
    is_recursive: bool = False,
    link_paths: tuple[str, ...] = (),
    tree_paths: frozenset[str] | None = None,
) -> ExpectedOutcome:
    name_reading = "replacement" if all(entry.is_utf8 for entry in entries) else readings["AMB-LF-17"]
    if name_reading == "error":
        return ExpectedFailure("a name is not UTF-8")
    orders, time_roundings = map(readings.accepted_labels, ("AMB-LF-01", "AMB-LF-08"))
    any_spelling = name_reading == "other"
    return ExpectedListing(
        subpath,
        entries,
        optional,
        is_search,
        is_recursive,
        any_spelling,
        link_paths,
        frozenset(entry.path for entry in entries) if tree_paths is None else tree_paths,
        orders,
        time_roundings,
    )


def _search_outcome(subpath: str, children: tuple[Node, ...], case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    glob, recursive = case.arguments.get("glob"), case.arguments.get("recursive")
    if not isinstance(glob, str) or type(recursive) is not bool:
        raise Unmodelled("the arguments do not fit the schema of a search")
    visited: list[ExpectedEntry] = []
    has_unreadable = False
    pending = [(b"", children)]
    while pending:
        prefix, nodes = pending.pop()
        for node in nodes:
            visited.append(ExpectedEntry(prefix + node.name, node))
            if node.kind is Kind.DIR:
                mode = 0o755 if node.mode is None else node.mode
                if mode & 0o500 == 0o500 or (mode & 0o400 and not node.children):
                    pending.append((prefix + node.name + b"/", node.children))
                else:
                    has_unreadable = has_unreadable or recursive
    if has_unreadable and readings["AMB-LF-15"] == "error":
        return ExpectedFailure("a directory cannot be read")
    accepts_shell = "shell" in readings.accepted_labels("AMB-LF-12")
    due = tuple(entry for entry in visited if recursive and _must_match(entry, glob, accepts_shell))
    optional = tuple(
        entry
        for entry in visited
        if entry not in due and (recursive or entry.path.count("/") <= glob.count("/")) and _may_match(entry, glob)
    )
    return _listing(
        subpath,
        due,
        readings,
        optional=optional,
        is_search=True,
        is_recursive=recursive,
        link_paths=tuple(entry.path for entry in visited if entry.node.kind is Kind.SYMLINK),
        tree_paths=frozenset(entry.path for entry in visited),
    )


def _must_match(entry: ExpectedEntry, glob: str, accepts_shell: bool) -> bool:
    """Return whether a glob matches a file in every accepted dialect (AMB-LF-11, 12, 35 to 42)."""
    if entry.node.kind is not Kind.FILE or (accepts_shell and b"/." in b"/" + entry.raw_path):
        return False
    if not glob.startswith("**/") or "{" in glob or ("?" in glob and max(entry.path) > "\uffff"):
        return False
    return matches_glob(glob, entry.path, least=1)


def _may_match(entry: ExpectedEntry, glob: str) -> bool:
    """Return whether a glob matches an entry in one of the dialects."""
    return matches_glob(glob, entry.path) or ("/" not in glob and matches_glob(glob, entry.name))
